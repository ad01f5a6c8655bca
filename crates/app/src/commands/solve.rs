//! `yomikiri solve`: mates, with a verified proof.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::interrupt::stop_on_interrupt;
use crate::output::{self, printable, write_file};
use anyhow::bail;
use yomikiri_base::append::AppendFile;
use yomikiri_base::{Progress as Bar, Provenance, Shard, StopToken};
use yomikiri_proof::solver::Progress;
use yomikiri_shogi::Color;
use yomikiri_shogi::record::Format;
use yomikiri_tsume::judge::{Customs, JudgeSettings, Judged, Judgement, Kind, judge};
use yomikiri_tsume::problems::{Line, Problem};
use yomikiri_tsume::sets::{self, Answer, JudgePlan, SetRun, SetSettings};
use yomikiri_tsume::{MateSolver, Proven, Settings, Solution, Tsume, Verdict};

mod input;
mod play;
mod show;
mod verdict;

/// What to solve and how
#[derive(clap::Args)]
pub struct Args {
    /// A position in SFEN or as USI writes it (`startpos moves 7g7f ..`), a KIF, CSA, KI2, JKF or
    /// BOD file, a file with one SFEN a line, a folder of files, or `-` for standard input (a
    /// record, a set, or a position)
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
    /// Write the proof as JSON, or the refutation if there is no mate, to be checked with
    /// `yomikiri verify`
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
    #[command(flatten)]
    judging: JudgeArgs,
    /// The position after so many moves of a game
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Look for moves that leave no defence (必至) instead of mates
    #[arg(long, conflicts_with_all = ["json", "attacker", "any", "proof", "kif", "svg", "cook", "play", "resume"])]
    hisshi: bool,
    /// Look for the shortest helpmate (協力詰) and count its solutions: both sides work together
    #[arg(long, conflicts_with_all = ["json", "any", "proof", "kif", "svg", "cook", "play", "resume", "hisshi", "judge"])]
    helpmate: bool,
    /// Defend against the proof at the keyboard
    #[arg(long)]
    play: bool,
    /// Append the answers of a set to this file as JSON, and skip those already there
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// The verdict on problems, and sets of them
#[derive(clap::Args)]
struct JudgeArgs {
    /// Judge the problem as a composition: sound (完全作), or its faults with a proof for each. The
    /// time is for the whole verdict
    #[arg(long, conflicts_with_all = ["cook", "play", "any", "hisshi", "resume"])]
    judge: bool,
    /// What the main line is: the solution found, or the line that the file records
    #[arg(long, value_enum, default_value_t = Against::Solution, requires = "judge")]
    against: Against,
    /// A kind of fault that is a mere flaw here, for instance leftover; may be repeated
    #[arg(long, value_name = "KIND", value_parser = custom, requires = "judge")]
    allow: Vec<Kind>,
    /// A kind of flaw that is a fault here, for instance last-move; may be repeated
    #[arg(long, value_name = "KIND", value_parser = custom, requires = "judge")]
    forbid: Vec<Kind>,
    /// Look for pieces that the problem does not need (不要駒) too
    #[arg(long, requires = "judge")]
    useless: bool,
    /// Keep the answers of a set in this folder and print them as a table; a run that was ended
    /// goes on where it was
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["hisshi", "cook", "play", "proof", "kif", "svg", "resume", "json"])]
    out: Option<PathBuf>,
    /// The part I of N of the set, from 0, for one of several machines; `merge` joins them
    #[arg(long, value_name = "I/N", requires = "out", default_value = "0/1")]
    shard: Shard,
}

/// What a problem is judged against.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Against {
    /// The solution that is found.
    Solution,
    /// The line that the file records, where it does.
    Record,
}

fn custom(text: &str) -> Result<Kind, String> {
    let all = || Kind::ALL.into_iter().filter(|&kind| kind != Kind::NoMate);
    all()
        .find(|kind| kind.id() == text)
        .ok_or_else(|| format!("say one of {}", all().map(Kind::id).collect::<Vec<_>>().join(", ")))
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
    let problems = input::read(&args.input, args.ply)?;
    ensure_writable(args, problems.len())?;
    let stop = stop_on_interrupt("")?;
    let settings = set_settings(args);
    if args.hisshi {
        return show::hisshi(&problems, &settings.solver(stop.flag()));
    }
    if args.helpmate {
        show::helpmates(&problems, args.attacker, &settings.solver(stop.flag()));
        return Ok(());
    }
    match &args.judging.out {
        Some(folder) => solve_in_folder(args, folder, &problems, &settings, &stop),
        None => solve_all(args, &problems, &settings, &stop),
    }
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

fn set_settings(args: &Args) -> SetSettings {
    let mut customs = Customs::default();
    customs.flaws.extend(&args.judging.allow);
    customs.flaws.retain(|kind| !args.judging.forbid.contains(kind));
    let recorded = args.judging.against == Against::Record;
    SetSettings {
        seconds: Some(args.time.as_secs_f64()),
        nodes: args.nodes,
        memory_mib: args.hash,
        threads: usize::from(args.threads),
        any: args.any,
        attacker: args.attacker.map(|side| if side == Color::Black { "b" } else { "w" }.into()),
        judge: args.judging.judge.then_some(JudgePlan {
            customs,
            useless: args.judging.useless,
            recorded,
        }),
    }
}

/// Solves the problems of a set that have no answer in the folder yet, and prints the table.
fn solve_in_folder(
    args: &Args,
    folder: &Path,
    problems: &[Problem],
    settings: &SetSettings,
    stop: &StopToken,
) -> anyhow::Result<()> {
    output::make_folder(folder)?;
    let version = env!("CARGO_PKG_VERSION").into();
    let provenance = Provenance { version, ..Provenance::default() };
    let run = SetRun::open(folder, problems, settings, &provenance)?;
    let missing = run.missing(args.judging.shard)?;
    let bar = Bar::new(missing.len(), 0);
    for at in missing {
        let problem = &problems[at];
        bar.message(printable(&problem.id));
        let mut report = |progress: &Progress| tell(&bar, problem, progress);
        let answer = sets::answer(problem, settings, stop.flag(), &mut report);
        // What was interrupted is solved again by the run that resumes.
        if stop.is_stopped() {
            break;
        }
        run.put(at, &answer)?;
        bar.advance();
    }
    bar.finish();
    print!("{}", sets::table(&run.answers()?));
    Ok(())
}

/// The solution of a problem, and the verdict on it if one is asked for.
fn solve_one(
    problem: &Problem,
    game: &Tsume,
    solver: &mut MateSolver,
    settings: (&SetSettings, &Settings),
    report: &mut yomikiri_tsume::solve::Report<'_>,
) -> (Solution, Option<Judgement>) {
    let Some(plan) = &settings.0.judge else { return (solver.solve(game, report), None) };
    let recorded = Some(problem.recorded.as_slice());
    let recorded = recorded.filter(|line| plan.recorded && !line.is_empty());
    let (customs, useless) = (plan.customs.clone(), plan.useless);
    let settings = JudgeSettings { solve: settings.1.clone(), customs, useless };
    let Judged { solution, judgement } = judge(game, recorded, &settings, report);
    (solution, Some(judgement))
}

fn solve_all(
    args: &Args,
    problems: &[Problem],
    set: &SetSettings,
    stop: &StopToken,
) -> anyhow::Result<()> {
    // What is written down shows both sides of the length.
    let settings = Settings { certify: args.proof.is_some(), ..set.solver(stop.flag()) };
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
        let mut report = |progress: &Progress| tell(&bar, problem, progress);
        let (solution, judgement) =
            solve_one(problem, &game, &mut solver, (set, &settings), &mut report);
        counts[match solution.verdict {
            Verdict::Mate => 0,
            Verdict::NoMate => 1,
            Verdict::Unknown(_) => 2,
        }] += 1;
        let line = Line::new(&problem.id, &problem.sfen, &solution, peak_mib(&solution));
        let answer = Answer { line, judgement };
        let text = serde_json::to_string(&answer)?;
        // What was interrupted is solved again by the run that resumes.
        if let Some(file) = log.as_mut().filter(|_| !stop.is_stopped()) {
            file.append(&format!("{text}\n"))?;
        }
        bar.suspend(|| -> anyhow::Result<()> {
            if args.json {
                println!("{text}");
            } else {
                show::text(problem, &game, &solution);
                if let Some(judgement) = &answer.judgement {
                    print!("{}", verdict::text(&game, judgement, crate::language::get()));
                }
            }
            extras(args, &game, &solution, &settings)
        })?;
        bar.advance();
    }
    bar.finish();
    if problems.len() > 1 && !args.json {
        println!("{}", show::words().totals(counts[0], counts[1], counts[2]));
    }
    Ok(())
}

fn extras(
    args: &Args,
    game: &Tsume,
    solution: &Solution,
    settings: &Settings,
) -> anyhow::Result<()> {
    if let (Some(path), Some(refutation)) = (&args.proof, &solution.refutation) {
        write_file(path, &serde_json::to_vec(refutation)?, args.force)?;
    }
    let Some(Proven { tree, proof, .. }) = solution.proven.as_deref() else { return Ok(()) };
    if let Some(path) = &args.proof {
        write_file(path, &serde_json::to_vec(proof)?, args.force)?;
    }
    if let Some(path) = &args.kif {
        let record = yomikiri_tsume::variations::record(game, tree, &solution.line);
        let format = Format::of_file_name(&path.display().to_string()).unwrap_or(Format::Kifu);
        write_file(path, &format.write(&[record])?, args.force)?;
    }
    if let Some(path) = &args.svg {
        let picture = yomikiri_render::proof_tree::svg(game, tree, 4, 60);
        write_file(path, picture.as_bytes(), args.force)?;
    }
    if args.play {
        play::defend(game, tree)?;
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
