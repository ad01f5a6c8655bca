//! `yomikiri solve`: mates, with a verified proof.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::input::{format_of, is_standard, read_bytes, stem};
use crate::interrupt::stop_on_interrupt;
use crate::output::{self, printable, write_file};
use anyhow::{Context, bail};
use yomikiri_base::append::AppendFile;
use yomikiri_base::{Progress as Bar, StopToken};
use yomikiri_proof::limits::Limits;
use yomikiri_proof::solver::Progress;
use yomikiri_shogi::record::{self, Format, Record};
use yomikiri_shogi::{Color, Handicap, Position};
use yomikiri_tsume::problems::{Line, Problem, read_set};
use yomikiri_tsume::{MateSolver, Settings, Solution, Tsume, Verdict};

mod play;
mod show;

/// What to solve and how
#[derive(clap::Args)]
pub struct Args {
    /// A position in SFEN, a KIF, CSA, KI2, JKF or BOD file, a file with one SFEN a line, a folder
    /// of files, or `-` for standard input
    #[arg(required = true, value_name = "FILE|SFEN")]
    input: Vec<String>,
    /// Write one JSON object a line instead of text
    #[arg(long, conflicts_with_all = ["cook", "play"])]
    json: bool,
    /// Seconds for each problem; with --hisshi and --cook for each of the many searches that a
    /// problem takes
    #[arg(long, value_name = "S", default_value = "60", value_parser = seconds)]
    time: Duration,
    /// Memory for the table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    hash: usize,
    /// Number of threads, 1 to 128
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=128))]
    threads: u8,
    /// Most nodes for each problem
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Be content with any mate instead of the shortest
    #[arg(long)]
    any: bool,
    /// Who mates: b or w. By default the side without a king, or else the side to move
    #[arg(long, value_parser = side, value_name = "b|w")]
    attacker: Option<Color>,
    /// Write the proof as JSON, to be checked with `yomikiri verify`
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Write the solution with all defences along it as variations; the ending of the name says how
    /// (kif, kifu, csa, jkf)
    #[arg(long, value_name = "FILE")]
    kif: Option<PathBuf>,
    /// Write a picture of the first moves of the proof as SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
    /// Look for other mates (余詰) at every move of the attacker
    #[arg(long)]
    cook: bool,
    /// Look for moves that leave no defence (必至) instead of mates
    #[arg(long, conflicts_with_all = ["json", "attacker", "any", "proof", "kif", "svg", "cook", "play", "resume"])]
    hisshi: bool,
    /// Defend against the proof at the keyboard
    #[arg(long)]
    play: bool,
    /// Append the answers of a set to this file as JSON, and skip those already there
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

fn side(text: &str) -> Result<Color, String> {
    match text {
        "b" => Ok(Color::Black),
        "w" => Ok(Color::White),
        _ => Err("say b or w".to_owned()),
    }
}

/// Clocks cannot count on to any number: thirty years are as good as no limit.
const MOST_SECONDS: f64 = 1e9;

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number <= MOST_SECONDS => {
            Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
        }
        _ => Err(format!("give a number of seconds above 0, at most {MOST_SECONDS}")),
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let problems = read(&args.input)?;
    ensure_writable(args, problems.len())?;
    let stop = stop_on_interrupt("")?;
    if args.hisshi {
        return show::hisshi(&problems, &settings(args, &stop));
    }
    solve_all(args, &problems, &stop)
}

/// Refuses before the work begins what could not be written after it: the answers of several
/// problems into one file, and files that exist.
fn ensure_writable(args: &Args, problems: usize) -> anyhow::Result<()> {
    for (option, path) in [("--proof", &args.proof), ("--kif", &args.kif), ("--svg", &args.svg)] {
        let Some(path) = path else { continue };
        if problems > 1 {
            bail!("{option} is for one problem, and here are {problems}: give one at a time");
        }
        output::ensure_writable(path, args.force)?;
    }
    Ok(())
}

fn settings(args: &Args, stop: &StopToken) -> Settings {
    let limits = Limits {
        nodes: args.nodes.unwrap_or(u64::MAX),
        time: Some(args.time),
        memory: args.hash.max(1) << 20,
        stop: stop.flag(),
        ..Limits::default()
    };
    let mut settings = Settings {
        limits,
        shortest: !args.any,
        raw: !args.any,
        second_opinion: true,
        ..Settings::default()
    };
    settings.options.threads = usize::from(args.threads);
    settings
}

fn solve_all(args: &Args, problems: &[Problem], stop: &StopToken) -> anyhow::Result<()> {
    let settings = settings(args, stop);
    let mut solver = MateSolver::new(settings.clone());
    let (mut log, done) = match &args.resume {
        Some(path) => resume(path).map(|(file, done)| (Some(file), done))?,
        None => (None, HashSet::new()),
    };
    let bar = Bar::new(problems.len(), 0);
    let mut counts = [0_usize; 3];
    for problem in problems {
        if stop.is_stopped() {
            break;
        }
        bar.message(printable(&problem.id));
        if done.contains(&(problem.id.clone(), problem.sfen.clone())) {
            bar.advance();
            continue;
        }
        let game = problem.game(args.attacker);
        forget_peak();
        let solution = solver.solve(&game, &mut |progress| tell(&bar, problem, progress));
        counts[match solution.verdict {
            Verdict::Mate => 0,
            Verdict::NoMate => 1,
            Verdict::Unknown(_) => 2,
        }] += 1;
        let line = Line::new(&problem.id, &problem.sfen, &solution, peak_mib(&solution));
        let text = serde_json::to_string(&line)?;
        // What was interrupted is solved again by the run that resumes.
        if let Some(file) = log.as_mut().filter(|_| !stop.is_stopped()) {
            file.append(&format!("{text}\n"))?;
        }
        bar.suspend(|| -> anyhow::Result<()> {
            if args.json {
                println!("{text}");
            } else {
                show::text(problem, &game, &solution);
            }
            extras(args, &game, &solution, &solver, &settings)
        })?;
        bar.advance();
    }
    bar.finish();
    if problems.len() > 1 && !args.json {
        println!("{} mates, {} without mate, {} unknown", counts[0], counts[1], counts[2]);
    }
    Ok(())
}

fn extras(
    args: &Args,
    game: &Tsume,
    solution: &Solution,
    solver: &MateSolver,
    settings: &Settings,
) -> anyhow::Result<()> {
    if solution.verdict != Verdict::Mate {
        return Ok(());
    }
    if args.proof.is_some() || args.kif.is_some() || args.svg.is_some() || args.play {
        let (tree, proof) = solver
            .prove(game, solution)
            .map_err(|failure| anyhow::anyhow!("the proof cannot be written: {failure:?}"))?;
        if let Some(path) = &args.proof {
            write_file(path, &serde_json::to_vec(&proof)?, args.force)?;
        }
        if let Some(path) = &args.kif {
            let record = yomikiri_tsume::variations::record(game, &tree, &solution.line);
            let format = Format::of_file_name(&path.display().to_string()).unwrap_or(Format::Kifu);
            write_file(path, &format.write(&[record])?, args.force)?;
        }
        if let Some(path) = &args.svg {
            let picture = yomikiri_render::proof_tree::svg(game, &tree, 4, 60);
            write_file(path, picture.as_bytes(), args.force)?;
        }
        if args.play {
            play::defend(game, &tree)?;
        }
    }
    if args.cook {
        show::cooks(game, solution, settings);
    }
    Ok(())
}

/// Opens the answers of an earlier run for more, with the names and positions of the problems that
/// it has answered. The name alone does not tell: in a file without names it is the number of a
/// line, and files change. A line that is no answer, as a full disk leaves it, is dropped and its
/// problem solved again.
fn resume(path: &Path) -> anyhow::Result<(AppendFile, HashSet<(String, String)>)> {
    let (mut file, bytes) = AppendFile::open(path)?;
    let mut done = HashSet::new();
    let mut kept = Vec::with_capacity(bytes.len());
    for (text, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(1..) {
        match serde_json::from_slice::<Line>(text) {
            Ok(line) => {
                done.insert((line.id, line.sfen));
                kept.extend_from_slice(text);
            }
            Err(_) => eprintln!("{}: line {number} is no answer and is dropped", path.display()),
        }
    }
    if kept.len() < bytes.len() {
        // Renaming puts another file in its place: open that one.
        drop(file);
        write_file(path, &kept, true)?;
        file = AppendFile::open(path)?.0;
    }
    file.truncate(kept.len() as u64)?;
    Ok((file, done))
}

fn tell(bar: &Bar, problem: &Problem, progress: &Progress) {
    let seconds = progress.elapsed.as_secs_f64().max(1e-3);
    let rate = progress.nodes as f64 / seconds / 1e6;
    bar.message(format!(
        "{}: {:.1} M nodes, {rate:.2} M/s, pn {} dn {}",
        printable(&problem.id),
        progress.nodes as f64 / 1e6,
        progress.number.pn,
        progress.number.dn
    ));
}

/// Lets the system's record of the most memory used begin anew, where it can (Linux), so that a
/// set's problems do not answer for one another.
fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory used since [`forget_peak`], or the table where the system does not tell.
fn peak_mib(solution: &Solution) -> u64 {
    let from_system = fs::read_to_string("/proc/self/status").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    from_system.map_or((solution.table_bytes >> 20) as u64, |kib| kib.div_ceil(1024))
}

fn read(input: &[String]) -> anyhow::Result<Vec<Problem>> {
    let first = Path::new(&input[0]);
    if first.exists() || is_standard(first) {
        let mut problems = Vec::new();
        for path in input {
            read_path(Path::new(path), &mut problems)?;
        }
        if problems.is_empty() {
            bail!("no problems in {}", input.join(" "));
        }
        return Ok(problems);
    }
    let text = input.join(" ");
    let sfen = text.trim().trim_start_matches("position ").trim_start_matches("sfen ");
    let position = Position::from_problem_sfen(sfen)
        .map_err(|error| anyhow::anyhow!("'{text}' is neither a file nor a position: {error}"))?;
    Ok(vec![Problem { id: "1".to_owned(), sfen: sfen.to_owned(), position }])
}

fn read_path(path: &Path, problems: &mut Vec<Problem>) -> anyhow::Result<()> {
    if path.is_dir() {
        let mut entries: Vec<_> =
            fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<_>>()?;
        entries.sort();
        for entry in entries.iter().filter(|entry| entry.is_file()) {
            read_path(entry, problems)?;
        }
        return Ok(());
    }
    use Format::{Bod, Csa, Jkf, Ki2, Ki2u, Kif, Kifu};
    let bytes = read_bytes(path)?;
    let games = [Kif, Kifu, Ki2, Ki2u, Csa, Jkf, Bod];
    if let Some(format) = format_of(path, &bytes).filter(|format| games.contains(format)) {
        let records = record::read(&bytes, format)
            .with_context(|| format!("{} (as {format})", path.display()))?;
        problems_of_records(&stem(path), &records, problems);
        return Ok(());
    }
    let text = String::from_utf8(bytes).with_context(|| path.display().to_string())?;
    let set = read_set(&text).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
    problems.extend(set);
    Ok(())
}

/// A record of a problem gives its starting position, with one king or two; a record of a game its
/// last one. A game is what begins as games do.
fn problems_of_records(name: &str, records: &[Record], problems: &mut Vec<Problem>) {
    for (number, record) in records.iter().enumerate() {
        let start = record.start().clone();
        let is_game = start.move_number() == 1 && Handicap::of(&start).is_some();
        let position = if is_game { record.final_position() } else { start };
        let id =
            if records.len() > 1 { format!("{name}-{}", number + 1) } else { name.to_string() };
        problems.push(Problem { id, sfen: position.to_sfen(), position });
    }
}
