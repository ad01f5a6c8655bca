//! `yomikiri problems SET`: how many next-move problems does an engine get right? With
//! `--make-from GAMES` it makes a set instead.

mod make;

use super::pool::{self, EngineArgs};
use crate::input::read_text;
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, ensure};
use std::path::PathBuf;
use std::time::Duration;
use yomikiri_base::Progress;
use yomikiri_lab::problems::{self, Attempt, Problem};
use yomikiri_play::TimeControl;
use yomikiri_usi::client::Client;

/// Which problems, and how to try them.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  yomikiri problems data/next_moves.tsv --nodes 100000 --csv results.csv\n  \
    yomikiri problems data/next_moves.tsv --engine 'option.Singular=off' --movetime 500\n  \
    yomikiri problems mine.tsv --make-from data/games_engine.tsv.zst --count 50"
)]
pub struct Args {
    /// The set: a line for each problem, with a position (SFEN or "startpos moves ..."), a tab and
    /// the right moves; the set to write with --make-from
    set: PathBuf,

    #[command(flatten)]
    engine: EngineArgs,

    /// Nodes for each problem
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,

    /// Depth for each problem
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Milliseconds for each problem
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,

    /// How many of its best moves the engine names, for the rank of the right one
    #[arg(long, value_name = "N", default_value_t = 5)]
    multipv: u32,

    /// Write what came of each problem to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,

    /// Replace files that exist
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    make: make::MakeArgs,
}

/// A problem without a time limit that takes longer than this has failed.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// Tries the set, or makes one.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.make.games().is_some() {
        ensure_writable(&args.set, args.force)?;
        return make::run(&args.make, &args.engine, &args.set);
    }
    if let Some(path) = &args.csv {
        ensure_writable(path, args.force)?;
    }
    let text = read_text(&args.set)?;
    let problems = problems::read(&text).with_context(|| args.set.display().to_string())?;
    ensure!(!problems.is_empty(), "{}: no problem in it", args.set.display());
    let mut control = TimeControl {
        nodes: args.nodes,
        depth: args.depth,
        movetime: args.movetime,
        ..TimeControl::default()
    };
    if control.is_empty() {
        control.nodes = Some(100_000);
    }
    let go = control.go([0, 0]);
    let multipv = args.multipv.max(1).to_string();
    let player = args.engine.player(&[("MultiPV", &multipv), ("USI_Hash", "64")])?;
    let bar = Progress::new(problems.len(), 0);
    let ask = |client: &mut Client, problem: &Problem| {
        pool::forget(client)?;
        let analysis = client.analyse(&problem.setup.to_string(), &go, TIMEOUT)?;
        Ok(Attempt::of(problem, &analysis))
    };
    let attempts = pool::ask_all(&player, args.engine.workers(), &problems, &bar, &ask)?;
    bar.finish();
    if let Some(path) = &args.csv {
        write_file(path, csv(&problems, &attempts).as_bytes(), args.force)?;
    }
    print_summary(&attempts, &go.to_string());
    Ok(())
}

fn print_summary(attempts: &[Attempt], go: &str) {
    let total = attempts.len();
    let share = |count: usize| 100.0 * count as f64 / total as f64;
    let solved = attempts.iter().filter(|attempt| attempt.solved).count();
    println!("{solved} of {total} right ({:.1} %) with '{go}'", share(solved));
    for place in 1..=10 {
        let within = attempts.iter().filter(|a| a.rank.is_some_and(|rank| rank <= place)).count();
        if place > 1 && attempts.iter().any(|attempt| attempt.rank == Some(place)) {
            println!("right move among the first {place}: {within} ({:.1} %)", share(within));
        }
    }
    let nodes: u64 = attempts.iter().filter_map(|attempt| attempt.nodes).sum();
    let millis: u64 = attempts.iter().map(|attempt| attempt.millis).sum();
    println!(
        "{:.0} nodes and {:.1} ms a problem",
        nodes as f64 / total as f64,
        millis as f64 / total as f64
    );
}

fn csv(problems: &[Problem], attempts: &[Attempt]) -> String {
    let mut text = String::from("line,position,right,played,solved,rank,nodes,milliseconds\n");
    let or_empty = |value: Option<String>| value.unwrap_or_default();
    for (problem, attempt) in problems.iter().zip(attempts) {
        let right: Vec<String> = problem.right.iter().map(ToString::to_string).collect();
        text.push_str(&format!(
            "{},{},{},{},{},{},{},{}\n",
            problem.line,
            problem.setup,
            right.join(" "),
            or_empty(attempt.played.map(|played| played.to_string())),
            attempt.solved,
            or_empty(attempt.rank.map(|rank| rank.to_string())),
            or_empty(attempt.nodes.map(|nodes| nodes.to_string())),
            attempt.millis
        ));
    }
    text
}
