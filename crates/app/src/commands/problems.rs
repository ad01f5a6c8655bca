//! `yomikiri problems SET`: how many next-move problems does an engine get right? With
//! `--make-from GAMES` it makes a set instead.

mod make;

use super::long_run::{LongRunArgs, Work, execute_in};
use super::pool::EngineArgs;
use crate::output::{ensure_writable, write_file};
use anyhow::Context;
use std::path::{Path, PathBuf};
use yomikiri_lab::problem_runs::{ProblemsPlan, SET_FILE, TIMES_FILE};
use yomikiri_runs::Plan;

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

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    run: LongRunArgs,
}

/// Tries the set, or makes one.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let (work, run, workers) = (&args.work, &args.run, args.engine.workers());
    if let Some(plan) = args.make.plan(args.engine.text()) {
        ensure_writable(&args.set, args.force)?;
        let done = execute_in(work, &Plan::MakeProblems(plan), run, workers)?;
        let Some(done) = done else { return Ok(()) };
        write_file(&args.set, &read(&done.folder().join(SET_FILE))?, true)?;
        eprintln!("{}", done.text.trim_end());
        return Ok(());
    }
    if let Some(path) = &args.csv {
        ensure_writable(path, args.force)?;
    }
    let plan = ProblemsPlan {
        set: args.set.clone(),
        engine: args.engine.text().to_string(),
        nodes: args.nodes,
        depth: args.depth,
        movetime: args.movetime,
        multipv: args.multipv,
    };
    let done = execute_in(work, &Plan::Problems(plan), run, workers)?;
    let Some(done) = done else { return Ok(()) };
    if let Some(path) = &args.csv {
        write_file(path, &read(&done.folder().join(TIMES_FILE))?, args.force)?;
    }
    print!("{}", done.text);
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| path.display().to_string())
}
