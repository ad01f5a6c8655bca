//! `yomikiri analyse GAME|FOLDER`: an engine's view of every move, as a record with comments, a
//! graph and JSON.

use super::pool::{self, EngineArgs};
use crate::input::{read_records, stem};
use crate::output::{ensure_free, make_folder};
use anyhow::{Context, ensure};
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use yomikiri_base::Progress;
use yomikiri_base::files::write_atomic;
use yomikiri_lab::analysis::{AnalysedGame, Evaluation, Judgement, annotate, graph, judge};
use yomikiri_play::TimeControl;
use yomikiri_shogi::record::{Format, Record};
use yomikiri_usi::client::Client;
use yomikiri_usi::{Go, Setup, Start};

/// What to analyse, and how.
#[derive(clap::Args)]
#[command(
    after_help = "For each game it writes a KIF with comments (NAME.kifu), a graph (NAME.svg, NAME.png) and \
    NAME.json. Where every move is proven to lose, the move that is hardest to answer is told (勝負手).\n\nExamples:\n  yomikiri analyse game.kif                        # 100,000 nodes a position, \
    results in analysis/\n  yomikiri analyse games/ --movetime 1000 -j 2 --out results\n  \
    yomikiri analyse game.csa --engine 'cmd=/usr/games/fairy-stockfish' --movetime 500"
)]
pub struct Args {
    /// A game record (KIF, KI2, CSA, JKF, USI, TSV), a folder of them, or `-` for standard input
    game: PathBuf,

    #[command(flatten)]
    engine: EngineArgs,

    /// The folder for the results; games that were analysed there in the same way are passed over
    #[arg(long, value_name = "FOLDER", default_value = "analysis")]
    out: PathBuf,

    /// Nodes for each position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Milliseconds for each position
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,

    /// Replace files that are not results of an earlier analysis
    #[arg(long)]
    force: bool,

    /// A move that loses this many centipawns is called a blunder
    #[arg(long, value_name = "CP", default_value_t = 300)]
    blunder: i32,

    /// The graph ends at this many centipawns
    #[arg(long, value_name = "CP", default_value_t = 3000)]
    graph_limit: i32,
}

/// A position without a time limit that takes longer than this has failed.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// Nodes to prove that every move of a position loses.
const PROOF_NODES: u64 = 200_000;

/// A game to be analysed.
struct Task {
    /// The name of its results.
    name: String,
    /// The file that it stands in.
    source: PathBuf,
    record: Record,
}

/// Analyses what is not yet there.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let tasks = tasks(&args.game)?;
    ensure!(!tasks.is_empty(), "{}: no game record in it", args.game.display());
    args.ensure_free(&tasks)?;
    make_folder(&args.out)?;
    let mut control =
        TimeControl { nodes: args.nodes, movetime: args.movetime, ..TimeControl::default() };
    if control.is_empty() {
        control.nodes = Some(100_000);
    }
    let go = control.go([0, 0]);
    let player = args.engine.player(&[("USI_Hash", "64")])?;
    let how = format!("{} {go:?} {}", player.describe(), args.blunder);
    let (total, mut missing) = (tasks.len(), Vec::new());
    for task in tasks {
        let origin = task.origin(&how)?;
        if !args.is_done(&task.name, &origin) {
            missing.push((task, origin));
        }
    }
    if missing.len() < total {
        eprintln!("{} of {total} games are analysed already", total - missing.len());
    }
    let bar = Progress::new(missing.len(), 0);
    let ask = |client: &mut Client, (task, origin): &(Task, String)| {
        let game = views(client, &task.record, &go)
            .map(|views| judge(&task.record, &views, args.blunder))
            .with_context(|| task.name.clone())?;
        args.write(task, &game, origin)?;
        bar.suspend(|| println!("{}", summary(&task.name, &game)));
        Ok(())
    };
    pool::ask_all(&player, args.engine.workers(), &missing, &bar, &ask)?;
    bar.finish();
    println!("{}: {total} games", args.out.display());
    Ok(())
}

/// What stands in the JSON file.
#[derive(serde::Serialize)]
struct Report<'a> {
    /// Of which game, and how it was analysed: see [`Task::origin`].
    origin: &'a str,
    #[serde(flatten)]
    game: &'a AnalysedGame,
}

impl Task {
    /// A checksum of the record and of how it is analysed: only the result of the same is passed
    /// over.
    fn origin(&self, how: &str) -> anyhow::Result<String> {
        let mut all = Format::Kifu.write(std::slice::from_ref(&self.record))?;
        all.extend(how.as_bytes());
        Ok(yomikiri_base::checksum::sha256_hex(&all))
    }
}

/// The endings of the results.
const ENDINGS: [&str; 4] = ["kifu", "svg", "png", "json"];

/// The ending of a JSON file that is whole while the other results are not yet.
const UNFINISHED: &str = "json.part";

impl Args {
    fn path(&self, name: &str, ending: &str) -> PathBuf {
        self.out.join(format!("{name}.{ending}"))
    }

    /// Refuses, before the work begins, to write over a record that is to be analysed, and over
    /// files that no analysis has written.
    fn ensure_free(&self, tasks: &[Task]) -> anyhow::Result<()> {
        let sources: HashSet<PathBuf> =
            tasks.iter().filter_map(|task| task.source.canonicalize().ok()).collect();
        for task in tasks {
            let ours = self.force
                || ["json", UNFINISHED].iter().any(|end| self.origin(&task.name, end).is_some());
            for path in ENDINGS.map(|ending| self.path(&task.name, ending)) {
                let is_source = path.canonicalize().is_ok_and(|path| sources.contains(&path));
                ensure!(
                    !is_source,
                    "{} would be replaced by a result: choose another folder with --out",
                    path.display()
                );
                ensure_free(&path, ours)?;
            }
        }
        Ok(())
    }

    /// What an analysis has noted in its JSON file; `None` if there is none.
    fn origin(&self, name: &str, ending: &str) -> Option<String> {
        let text = fs::read_to_string(self.path(name, ending)).ok()?;
        let result: serde_json::Value = serde_json::from_str(&text).ok()?;
        result["origin"].as_str().map(str::to_string)
    }

    fn is_done(&self, name: &str, origin: &str) -> bool {
        self.origin(name, "json").as_deref() == Some(origin)
    }

    /// The JSON file comes first under another name, which tells whose the other files are, and
    /// gets its own at the end: a game whose JSON is there is finished.
    fn write(&self, task: &Task, game: &AnalysedGame, origin: &str) -> anyhow::Result<()> {
        let mut record = task.record.clone();
        annotate(&mut record, game);
        let plot = graph(game, self.graph_limit.max(100));
        let path = |ending: &str| self.path(&task.name, ending);
        let save = |path: &Path, bytes: &[u8]| {
            write_atomic(path, bytes).with_context(|| format!("cannot write {}", path.display()))
        };
        let half = path(UNFINISHED);
        save(&half, serde_json::to_string_pretty(&Report { origin, game })?.as_bytes())?;
        save(&path("kifu"), &Format::Kifu.write(&[record])?)?;
        save(&path("svg"), plot.to_svg().as_bytes())?;
        if let Ok(png) = plot.to_png() {
            save(&path("png"), &png)?;
        }
        let whole = path("json");
        fs::rename(&half, &whole).with_context(|| format!("cannot write {}", whole.display()))
    }
}

/// The games of a file or of all record files of a folder, by name.
fn tasks(path: &Path) -> anyhow::Result<Vec<Task>> {
    if !path.is_dir() {
        return tasks_of_file(path);
    }
    let mut files: Vec<PathBuf> = fs::read_dir(path)
        .with_context(|| format!("cannot read {}", path.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_file() && Format::of_file_name(&path.to_string_lossy()).is_some())
        .collect();
    files.sort();
    let mut tasks = Vec::new();
    for file in files {
        tasks.extend(tasks_of_file(&file)?);
    }
    let mut names = HashSet::new();
    for task in &tasks {
        ensure!(
            names.insert(task.name.clone()),
            "two files in {} are called {}: their results would be, too",
            path.display(),
            task.name
        );
    }
    Ok(tasks)
}

fn tasks_of_file(path: &Path) -> anyhow::Result<Vec<Task>> {
    let records = read_records(path)?;
    let stem = stem(path);
    let many = records.len() > 1;
    let name = |index: usize| if many { format!("{stem}-{:04}", index + 1) } else { stem.clone() };
    let task = |(index, record)| Task { name: name(index), source: path.to_owned(), record };
    Ok(records.into_iter().enumerate().map(task).collect())
}

/// The engine's view of every position of the main line.
fn views(client: &mut Client, record: &Record, go: &Go) -> anyhow::Result<Vec<Evaluation>> {
    pool::forget(client)?;
    let mut position = record.start().clone();
    let mut setup = Setup { start: Start::Sfen(position.to_sfen()), moves: Vec::new() };
    let mut views = vec![view(client, &setup, &position, go)?];
    for played in record.main_moves() {
        position.play(played);
        setup.moves.push(played);
        views.push(view(client, &setup, &position, go)?);
    }
    Ok(views)
}

fn view(
    client: &mut Client,
    setup: &Setup,
    position: &yomikiri_shogi::Position,
    go: &Go,
) -> anyhow::Result<Evaluation> {
    if !position.has_legal_move() {
        return Ok(Evaluation::of_end(position));
    }
    let analysis = client.analyse(&setup.to_string(), go, TIMEOUT)?;
    Ok(Evaluation::of(position, analysis.lines.first()).with_hardest(position, PROOF_NODES))
}

/// A game in one line, and its blunders.
fn summary(name: &str, game: &AnalysedGame) -> String {
    let count = |wanted: Judgement| {
        game.moves.iter().filter(|judged| judged.judgement == Some(wanted)).count()
    };
    let mut text = format!(
        "{name}: {} moves, {} blunders, {} missed mates",
        game.moves.len(),
        count(Judgement::Blunder),
        count(Judgement::MissedMate)
    );
    for judged in game.moves.iter().filter(|judged| judged.judgement.is_some()) {
        let best = judged.best.as_deref().unwrap_or("?");
        text.push_str(&format!(
            "\n  {:3} {} lost {}, best was {best}",
            judged.number, judged.name, judged.lost
        ));
    }
    let before = std::iter::once(&game.start).chain(game.moves.iter().map(|judged| &judged.after));
    for (number, hardest) in (1..).zip(before).filter_map(|(n, at)| Some((n, at.hardest.as_ref()?)))
    {
        text.push_str(&format!(
            "\n  {number:3} every move loses; hardest to answer: {} {}",
            hardest.name, hardest.played
        ));
    }
    text
}
