//! `yomikiri analyse GAME|FOLDER`: an engine's view of every move, as a record with comments, a
//! graph and JSON.

use super::pool::{self, EngineArgs};
use crate::input::{read_records, stem};
use crate::language;
use crate::output::{ensure_free, make_folder};
use anyhow::{Context, anyhow, bail, ensure};
use serde_json::json;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use yomikiri_base::files::write_atomic;
use yomikiri_base::{Identity, Progress, Provenance, UnitLog, UnitLogError};
use yomikiri_play::TimeControl;
use yomikiri_play::analyse::{
    AnalysedGame, Grade, Grading, View, annotate, grade_name, judge, summary, views,
};
use yomikiri_render::game_graph::{GameGraph, Mark};
use yomikiri_render::render_png;
use yomikiri_shogi::record::{Format, Record};
use yomikiri_text::{Analyse, Files, Graph};
use yomikiri_usi::Go;
use yomikiri_usi::client::Client;

/// What to analyse, and how.
#[derive(clap::Args)]
#[command(
    after_help = "For each game it writes a KIF with comments (NAME.kifu), a graph (NAME.svg, NAME.png), \
    NAME.json, and NAME.log, from which the same command goes on. Where every move is proven to lose, \
    the move that is hardest to answer is told (勝負手).\n\nExamples:\n  yomikiri analyse game.kif                        # 100,000 nodes a position, \
    results in analysis/\n  yomikiri analyse games/ --movetime 1000 -j 2 --out results\n  \
    yomikiri analyse --summary results               # what was found there, once more\n  \
    yomikiri analyse game.csa --engine 'cmd=/usr/games/fairy-stockfish' --movetime 500"
)]
pub struct Args {
    /// A game record (KIF, KI2, CSA, JKF, USI, TSV), a folder of them, or `-` for standard input
    #[arg(required_unless_present = "summary")]
    game: Option<PathBuf>,

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

    /// The losses of winning rate, in percentage points, that make an inaccuracy, a mistake, a
    /// blunder and a grave blunder
    #[arg(long, value_name = "A,B,C,D", default_value = "5,10,20,50", value_parser = grades)]
    grades: Grades,

    /// Centipawns by which scores become winning rates: rate = 1 / (1 + exp(-score / CP))
    #[arg(long, value_name = "CP", default_value_t = 600.0, value_parser = scale)]
    scale: f64,

    /// Show the summary of a folder of results once more instead of analysing
    #[arg(long, value_name = "FOLDER", conflicts_with = "game")]
    summary: Option<PathBuf>,

    /// Of an earlier version, which graded by centipawns.
    #[arg(long, hide = true)]
    blunder: Option<i32>,

    /// Of an earlier version, whose graph showed centipawns.
    #[arg(long, hide = true)]
    graph_limit: Option<i32>,
}

/// Four numbers as one value of an option.
#[derive(Clone, Copy)]
struct Grades([f64; 4]);

fn grades(text: &str) -> Result<Grades, String> {
    let numbers: Vec<f64> = text.split(',').filter_map(|word| word.trim().parse().ok()).collect();
    match <[f64; 4]>::try_from(numbers) {
        Ok(least) if least[0] > 0.0 && least.is_sorted() && least[3] <= 100.0 => Ok(Grades(least)),
        _ => Err("give four rising numbers from 0 to 100, as in 5,10,20,50".into()),
    }
}

fn scale(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|scale| (1.0..=100_000.0).contains(scale));
    number.ok_or_else(|| "give a number from 1 to 100000".into())
}

/// A game to be analysed.
struct Task {
    /// The name of its results.
    name: String,
    /// The file that it stands in.
    source: PathBuf,
    record: Record,
}

/// The endings of the results.
const ENDINGS: [&str; 5] = ["kifu", "svg", "png", "json", "log"];

/// The one stage of a game's log, and its one unit.
const STAGE: &str = "views";

fn words() -> Analyse {
    Analyse(language::get())
}

/// Analyses what is not yet there.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(folder) = &args.summary {
        return show_again(folder);
    }
    let path = args.game.as_deref().unwrap_or(Path::new("-"));
    if args.blunder.is_some() || args.graph_limit.is_some() {
        eprintln!("{}", words().blunder_option());
    }
    let (tasks, unreadable) = tasks(path)?;
    ensure!(!tasks.is_empty() || unreadable > 0, words().no_record(path.display()));
    args.ensure_free(&tasks)?;
    make_folder(&args.out)?;
    let analysis = Analysis::new(args)?;
    let mut missing = Vec::new();
    let total = tasks.len();
    for task in tasks {
        match analysis.known(&task)? {
            Some(views) => analysis.write(&task, &views)?,
            None => missing.push(task),
        }
    }
    if missing.len() < total {
        eprintln!("{}", words().done_already(total - missing.len(), total));
    }
    analysis.ask(&missing)?;
    println!("{}", words().finished(args.out.display(), total));
    ensure!(unreadable == 0, words().left_out(unreadable));
    Ok(())
}

/// How games are analysed.
struct Analysis<'a> {
    args: &'a Args,
    go: Go,
    player: yomikiri_arena::contestant::Contestant,
    grading: Grading,
}

impl<'a> Analysis<'a> {
    fn new(args: &'a Args) -> anyhow::Result<Analysis<'a>> {
        let mut control =
            TimeControl { nodes: args.nodes, movetime: args.movetime, ..TimeControl::default() };
        if control.is_empty() {
            control.nodes = Some(100_000);
        }
        let grading = Grading { scale: args.scale, least: args.grades.0 };
        let player = args.engine.player(&[("USI_Hash", "64")])?;
        Ok(Analysis { args, go: control.go([0, 0]), player, grading })
    }

    /// What decides the views of a game. How they are graded and shown does not.
    fn identity(&self, task: &Task) -> anyhow::Result<Identity> {
        let settings = json!({"engine": self.player.describe(), "go": format!("{:?}", self.go)});
        let mut identity = Identity::new("analyse", 1, settings);
        let record = Format::Kifu.write(std::slice::from_ref(&task.record))?;
        let digest = yomikiri_base::checksum::sha256_hex(&record);
        identity.data.insert("record".to_string(), digest);
        Ok(identity)
    }

    /// The log of a game. One of another game or another way to analyse begins anew: its results
    /// are to be replaced.
    fn log(&self, task: &Task) -> anyhow::Result<UnitLog> {
        let path = self.args.path(&task.name, "log");
        let (identity, provenance) = (self.identity(task)?, provenance());
        match UnitLog::open(&path, &identity, &provenance) {
            Err(UnitLogError::OtherRun { .. } | UnitLogError::NoLog(_)) => {
                fs::remove_file(&path).with_context(|| cannot_write(&path))?;
                Ok(UnitLog::open(&path, &identity, &provenance)?)
            }
            opened => Ok(opened?),
        }
    }

    /// The views of a game that was analysed before.
    fn known(&self, task: &Task) -> anyhow::Result<Option<Vec<View>>> {
        if !self.args.path(&task.name, "log").exists() {
            return Ok(None);
        }
        let log = self.log(task)?;
        let views = log.stage(STAGE, vec![task.name.clone()])?.get::<Vec<View>>(0)?;
        Ok(views.map(|unit| unit.value))
    }

    /// Asks the engine about every game, several at once.
    fn ask(&self, tasks: &[Task]) -> anyhow::Result<()> {
        let bar = Progress::new(tasks.len(), 0);
        let ask = |client: &mut Client, task: &Task| {
            let begun = Instant::now();
            pool::forget(client).with_context(|| task.name.clone())?;
            let views = views(client, &task.record, &self.go).with_context(|| task.name.clone())?;
            let log = self.log(task)?;
            let stage = log.stage(STAGE, vec![task.name.clone()])?;
            let unit = stage.put(0, &views, begun.elapsed().as_secs_f64())?;
            bar.suspend(|| self.write(task, &unit.value))
        };
        pool::ask_all(&self.player, self.args.engine.workers(), tasks, &bar, &ask)?;
        bar.finish();
        Ok(())
    }

    /// Writes what follows from the views, and tells it.
    fn write(&self, task: &Task, views: &[View]) -> anyhow::Result<()> {
        let game = judge(&task.record, views, self.grading);
        let mut record = task.record.clone();
        annotate(&mut record, &game, language::get());
        let graph = graph(&game);
        let save = |ending: &str, bytes: &[u8]| {
            let path = self.args.path(&task.name, ending);
            write_atomic(&path, bytes).with_context(|| cannot_write(&path))
        };
        save("kifu", &Format::Kifu.write(&[record])?)?;
        save("svg", graph.to_svg().as_bytes())?;
        save("png", &render_png(&graph.to_svg(), 2 * GameGraph::WIDTH)?)?;
        save("json", serde_json::to_string_pretty(&game)?.as_bytes())?;
        println!("{}", summary(&task.name, &game, language::get(), language::notation()));
        Ok(())
    }
}

fn cannot_write(path: &Path) -> String {
    Files(language::get()).cannot_write(path.display())
}

fn provenance() -> Provenance {
    let version = env!("CARGO_PKG_VERSION").to_string();
    Provenance { version, ..Provenance::default() }
}

impl Args {
    fn path(&self, name: &str, ending: &str) -> PathBuf {
        self.out.join(format!("{name}.{ending}"))
    }

    /// Refuses, before the work begins, to write over a record that is to be analysed, over files
    /// that no analysis has written, and over what cannot be written.
    fn ensure_free(&self, tasks: &[Task]) -> anyhow::Result<()> {
        let sources: HashSet<PathBuf> =
            tasks.iter().filter_map(|task| task.source.canonicalize().ok()).collect();
        for task in tasks {
            let ours = self.force || self.is_ours(&task.name);
            for path in ENDINGS.map(|ending| self.path(&task.name, ending)) {
                let is_source = path.canonicalize().is_ok_and(|path| sources.contains(&path));
                ensure!(!is_source, words().would_replace_source(path.display()));
                ensure_free(&path, ours)?;
                ensure!(!path.is_dir(), cannot_write(&path));
            }
        }
        Ok(())
    }

    /// Whether an analysis has written the results of this name: its log is there, or what earlier
    /// versions wrote in its place.
    fn is_ours(&self, name: &str) -> bool {
        let begins = |ending: &str, word: &str| {
            let text = fs::read_to_string(self.path(name, ending)).unwrap_or_default();
            text.lines().take(3).any(|line| line.contains(word))
        };
        begins("log", "\"analyse\"")
            || ["json", "json.part"].iter().any(|ending| begins(ending, "\"origin\""))
    }
}

/// The games of a file or of all record files of a folder, by name, and how many files could not
/// be read: each of them is named, and the others are analysed.
fn tasks(path: &Path) -> anyhow::Result<(Vec<Task>, usize)> {
    if !path.is_dir() {
        return Ok((tasks_of_file(path)?, 0));
    }
    let mut files: Vec<PathBuf> = fs::read_dir(path)
        .with_context(|| Files(language::get()).cannot_read(path.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_file() && Format::of_file_name(&path.to_string_lossy()).is_some())
        .collect();
    files.sort();
    let (mut tasks, mut unreadable) = (Vec::new(), 0);
    for file in files {
        match tasks_of_file(&file) {
            Ok(more) => tasks.extend(more),
            Err(error) => {
                unreadable += 1;
                eprintln!("yomikiri: {error:#}");
            }
        }
    }
    let mut names = HashSet::new();
    if let Some(task) = tasks.iter().find(|task| !names.insert(task.name.clone())) {
        bail!(words().same_name(path.display(), &task.name));
    }
    Ok((tasks, unreadable))
}

fn tasks_of_file(path: &Path) -> anyhow::Result<Vec<Task>> {
    let records = read_records(path)?;
    let stem = stem(path);
    let many = records.len() > 1;
    let name = |index: usize| if many { format!("{stem}-{:04}", index + 1) } else { stem.clone() };
    let task = |(index, record)| Task { name: name(index), source: path.to_owned(), record };
    Ok(records.into_iter().enumerate().map(task).collect())
}

/// Shows the summaries of a folder of results.
fn show_again(folder: &Path) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder)
        .with_context(|| Files(language::get()).cannot_read(folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    let mut shown = 0;
    for path in paths {
        let text = fs::read_to_string(&path)
            .with_context(|| Files(language::get()).cannot_read(path.display()))?;
        // Other JSON may lie there too.
        if let Ok(game) = serde_json::from_str::<AnalysedGame>(&text) {
            println!("{}", summary(&stem(&path), &game, language::get(), language::notation()));
            shown += 1;
        }
    }
    if shown == 0 {
        return Err(anyhow!(words().no_summary(folder.display())));
    }
    Ok(())
}

/// The graph of a game: winning rates, and the moves that are remarkable.
fn graph(game: &AnalysedGame) -> GameGraph {
    let labels = Graph(language::get());
    let rates = std::iter::once(game.start_rate).chain(game.moves.iter().map(|mv| mv.rate));
    let marks = |kind: usize, wanted: &dyn Fn(&yomikiri_play::analyse::JudgedMove) -> bool| Mark {
        label: match Grade::ALL.get(kind) {
            Some(&grade) => grade_name(words(), grade),
            None => labels.mate_mark(),
        },
        plies: game.moves.iter().filter(|mv| wanted(mv)).map(|mv| mv.number).collect(),
    };
    let mut all: Vec<Mark> =
        (0..4).map(|at| marks(at, &|mv| mv.grade == Some(Grade::ALL[at]))).collect();
    all.push(marks(4, &|mv| mv.mate.is_some()));
    let title = match (game.black.as_str(), game.white.as_str()) {
        ("", "") => labels.unnamed(),
        (black, white) => {
            labels.versus(or(black, &labels.black_area()), or(white, &labels.white_area()))
        }
    };
    GameGraph {
        title,
        sides: [labels.black_area(), labels.white_area()],
        axes: [labels.axis_moves(), labels.axis_rate()],
        rates: rates.collect(),
        marks: all,
    }
}

fn or(name: &str, other: &str) -> String {
    if name.is_empty() { other.to_string() } else { name.to_string() }
}
