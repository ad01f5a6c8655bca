//! `yomikiri solve`: mates, with a verified proof.

use super::long_run::{Job, LongRunArgs, context_for, execute, note};
use crate::input::source;
use crate::interrupt::stop_on_interrupt;
use crate::language;
use crate::output::{self, StandardOutput, write_file};
use anyhow::{bail, ensure};
use std::path::{Path, PathBuf};
use std::time::Duration;
use yomikiri_base::clock::parse_seconds;
use yomikiri_base::process::{forget_peak_memory, peak_memory_mib};
use yomikiri_base::{Progress, StopToken};
use yomikiri_play::Notation;
use yomikiri_play::mates::{
    MatePractice, PracticeRole, VerdictTotals, cooks_text, helpmate_text, hisshi_text,
    progress_text, solution_text, verdict_text,
};
use yomikiri_proof::solver::SolverProgress;
use yomikiri_render::is_picture_name;
use yomikiri_runs::{Front, Plan, SolutionFiles, SolvePlan};
use yomikiri_text::{Analyse, Files, Language, Solve, printable};
use yomikiri_tsume::judge::{Customs, FaultKind};
use yomikiri_tsume::problem_files::{are_files, read};
use yomikiri_tsume::problems::MateProblem;
use yomikiri_tsume::sets::{self, AnswerFile, JudgePlan, SetSettings, Solved};
use yomikiri_tsume::{MateSettings, MateSolver, Proven};

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
    /// problem takes [default: 60; with --out or --plan and --nodes none]
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    time: Option<Duration>,
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
    #[arg(long, value_parser = ["b", "w"], value_name = "b|w")]
    attacker: Option<String>,
    #[command(flatten)]
    files: FileArgs,
    /// Look for other mates (余詰) at every move of the attacker
    #[arg(long)]
    cook: bool,
    #[command(flatten)]
    judging: JudgeArgs,
    /// The position after this many moves of a game
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Look for moves that leave no defence (必至) instead of mates
    #[arg(long, conflicts_with_all = ["json", "attacker", "any", "proof", "kif", "picture", "cook", "play", "resume"])]
    hisshi: bool,
    /// Look for the shortest helpmate (協力詰) and count its solutions: both sides work together
    #[arg(long, conflicts_with_all = ["json", "any", "proof", "kif", "picture", "cook", "play", "resume", "hisshi", "judge"])]
    helpmate: bool,
    /// Play the problem through at the keyboard: defend against the proof, or (--play=solve) find
    /// the mate oneself
    #[arg(long, value_name = "ROLE", num_args = 0..=1, require_equals = true, default_missing_value = "defend")]
    play: Option<PracticeRole>,
    /// Append the answers of a set to this file as JSON, and skip those already there
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Keep the answers of a set in this folder and print them as a table; a run that was ended
    /// goes on where it was
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["hisshi", "cook", "play", "proof", "kif", "picture", "resume", "json"])]
    out: Option<PathBuf>,
    #[command(flatten)]
    run: LongRunArgs,
}

/// What is written beside the answer
#[derive(clap::Args)]
struct FileArgs {
    /// Write the proof as JSON, or the refutation if there is no mate, to be checked with
    /// `yomikiri verify`
    #[arg(long, value_name = "FILE")]
    proof: Option<PathBuf>,
    /// Write the solution with all defences along it as variations; the ending of the name says how
    /// (kif, kifu, csa, jkf)
    #[arg(long, value_name = "FILE")]
    kif: Option<PathBuf>,
    /// Write a picture of the first moves of the proof: a file that ends in .svg or .png
    #[arg(long, alias = "svg", value_name = "FILE")]
    picture: Option<PathBuf>,
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

/// The verdict on problems
#[derive(clap::Args)]
struct JudgeArgs {
    /// Judge the problem as a composition: sound (完全作), or its faults with a proof for each. The
    /// time is for the whole verdict
    #[arg(long, conflicts_with_all = ["cook", "play", "any", "hisshi", "resume"])]
    judge: bool,
    /// What the main line is: the solution found, or the line that the file records
    #[arg(long, value_parser = ["solution", "record"], default_value = "solution", requires = "judge")]
    against: String,
    /// A kind of fault that is a mere flaw here, for instance leftover; may be repeated
    #[arg(long, value_name = "KIND", requires = "judge")]
    allow: Vec<FaultKind>,
    /// A kind of flaw that is a fault here, for instance last-move; may be repeated
    #[arg(long, value_name = "KIND", requires = "judge")]
    forbid: Vec<FaultKind>,
    /// Look for pieces that the problem does not need (不要駒) too
    #[arg(long, requires = "judge")]
    useless: bool,
}

impl Args {
    /// Whether it is a run that is kept, or planned.
    fn is_run(&self) -> bool {
        self.out.is_some() || !self.run.is_simple()
    }

    fn settings(&self) -> SetSettings {
        let judging = &self.judging;
        let mut customs = Customs::default();
        customs.flaws.extend(&judging.allow);
        customs.flaws.retain(|kind| !judging.forbid.contains(kind));
        let recorded = judging.against == "record";
        // By nodes alone a run has the same answers everywhere.
        let unlimited = self.time.is_none() && self.nodes.is_some() && self.is_run();
        let time = self.time.unwrap_or(Duration::from_secs(60));
        SetSettings {
            seconds: (!unlimited).then_some(time.as_secs_f64()),
            nodes: self.nodes,
            memory_mib: self.hash,
            threads: usize::from(self.threads),
            any: self.any,
            attacker: self.attacker.clone(),
            judge: judging.judge.then_some(JudgePlan {
                customs,
                useless: judging.useless,
                recorded,
            }),
        }
    }

    /// Refuses before the work begins what could not be written after it: the answers of several
    /// problems into one file, and files that exist.
    fn ensure_writable(&self, problems: usize) -> anyhow::Result<()> {
        let FileArgs { proof, kif, picture, .. } = &self.files;
        for (option, path) in [("--proof", proof), ("--kif", kif), ("--picture", picture)] {
            let Some(path) = path else { continue };
            if problems > 1 {
                bail!("{option} is for one problem, and here are {problems}: give one at a time");
            }
            let fits = option != "--picture" || is_picture_name(path);
            ensure!(fits, Files(language::get()).picture_ending(path.display()));
            output::ensure_writable(path, self.files.force)?;
        }
        Ok(())
    }
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.is_run() {
        return solve_in_folder(args);
    }
    let (problems, bad) = read(&args.input, args.ply, source(args.input.iter().map(Path::new))?)?;
    args.ensure_writable(problems.len())?;
    bad.iter().for_each(|error| eprintln!("yomikiri: {error}"));
    let (stop, settings) = (stop_on_interrupt("")?, args.settings());
    if !args.hisshi && !args.helpmate {
        solve_all(args, &problems, &settings, &stop)?;
    }
    let solver = settings.solver(stop.flag());
    for problem in problems.iter().filter(|_| args.hisshi || args.helpmate) {
        let (text, stopped) = match args.helpmate {
            true => helpmate_text(problem, settings.attacker(), &solver, voice()),
            false => hisshi_text(problem, &solver, voice()),
        };
        print!("{text}");
        ensure!(!stopped, Solve(language::get()).interrupted());
    }
    ensure!(bad.is_empty(), Analyse(language::get()).left_out(bad.len()));
    Ok(())
}

/// The user's language and notation.
fn voice() -> (Language, Notation) {
    (language::get(), language::notation())
}

/// Solves the problems of a set that have no answer in the folder yet, and prints the table.
fn solve_in_folder(args: &Args) -> anyhow::Result<()> {
    ensure!(are_files(&args.input), "--out, --plan, --shard and --from are for files of problems");
    let sets: Vec<PathBuf> = args.input.iter().map(PathBuf::from).collect();
    let plan = SolvePlan { sets, ply: args.ply, settings: args.settings() };
    let out = args.out.clone().unwrap_or_default();
    ensure!(args.out.is_some() || args.run.is_plan(), "--out FOLDER says where the run is kept");
    let mut job = Job::new(&args.run, &out, 1);
    job.context = context_for(args.input.iter().map(Path::new))?;
    let on_progress =
        |id: &str, progress: &SolverProgress| note(progress_text(&printable(id), progress));
    let mut front = Front { mate: Some(&on_progress), ..Front::default() };
    execute(&Plan::Solve(plan), &mut job, &mut front)
}

fn solve_all(
    args: &Args,
    problems: &[MateProblem],
    set: &SetSettings,
    stop: &StopToken,
) -> anyhow::Result<()> {
    // What is written down shows both sides of the length.
    let settings = MateSettings { certify: args.files.proof.is_some(), ..set.solver(stop.flag()) };
    let mut solver = MateSolver::new(settings.clone());
    let mut log = args.resume.as_deref().map(open_answers).transpose()?;
    let bar = Progress::new(problems.len(), 0);
    let mut totals = VerdictTotals::default();
    for problem in problems.iter().take_while(|_| !stop.is_stopped()) {
        bar.message(printable(&problem.id));
        if log.as_ref().is_some_and(|log| log.has(problem)) {
            bar.advance();
            continue;
        }
        forget_peak_memory();
        let mut report = |progress: &SolverProgress| {
            bar.message(progress_text(&printable(&problem.id), progress))
        };
        let solved = sets::solve(problem, set, (&mut solver, &settings), &mut report);
        totals.count(solved.solution.verdict);
        let text = serde_json::to_string(&solved.answer(problem, peak_memory_mib()))?;
        // What was interrupted is solved again by the run that resumes.
        if let Some(log) = log.as_mut().filter(|_| !stop.is_stopped()) {
            log.append(&text)?;
        }
        bar.suspend(|| show(args, problem, &solved, &text, &settings))?;
        bar.advance();
    }
    bar.finish();
    if problems.len() > 1 && !args.json {
        println!("{}", totals.to_text(language::get()));
    }
    Ok(())
}

fn open_answers(path: &Path) -> anyhow::Result<AnswerFile> {
    let (file, dropped) = AnswerFile::open(path)?;
    let at = path.display();
    dropped.iter().for_each(|line| eprintln!("{at}: line {line} is no answer and is dropped"));
    Ok(file)
}

/// Shows a solved problem, writes its files and does what else the options name.
fn show(
    args: &Args,
    problem: &MateProblem,
    solved: &Solved,
    json: &str,
    settings: &MateSettings,
) -> anyhow::Result<()> {
    let Solved { game, solution, judgement } = solved;
    if args.json {
        println!("{json}");
    } else if args.play != Some(PracticeRole::Solve) || solution.proven.is_none() {
        print!("{}", solution_text(problem, game, solution, voice()));
        if let Some(judgement) = judgement {
            print!("{}", verdict_text(game, judgement, voice()));
        }
    }
    let FileArgs { proof, kif, picture, force } = &args.files;
    let (proof, record, picture) = (proof.as_deref(), kif.as_deref(), picture.as_deref());
    for (path, bytes) in (SolutionFiles { proof, record, picture }).contents(game, solution)? {
        write_file(path, &bytes, *force)?;
    }
    let Some(Proven { guide, .. }) = solution.proven.as_deref() else { return Ok(()) };
    if let Some(role) = args.play {
        let mut practice = MatePractice::new((game, guide), role, voice(), StandardOutput);
        practice.run(std::io::stdin().lock())?;
    }
    if args.cook {
        print!("{}", cooks_text(game, solution, settings, language::get()));
    }
    Ok(())
}
