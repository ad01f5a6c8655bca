//! `yomikiri problems SET`: how many next-move problems does an engine get right? With
//! `--make-from GAMES` it makes a set instead.

use super::long_run::{EngineArgs, Work};
use crate::input::read_bytes as read;
use crate::output::{ensure_writable, write_file};
use std::path::PathBuf;
use yomikiri_lab::problem_runs::{MakeProblemsPlan, ProblemsPlan, SET_FILE, TIMES_FILE};
use yomikiri_runs::Plan;

/// Which problems, and how to try them.
#[derive(clap::Args)]
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
    make: MakeArgs,
    #[command(flatten)]
    work: Work,
}

/// How to make a set.
#[derive(clap::Args)]
struct MakeArgs {
    /// Make the set from these games (one a line, perhaps zstd) instead of trying it
    #[arg(long, value_name = "GAMES")]
    make_from: Option<PathBuf>,
    /// How many problems to make
    #[arg(long, value_name = "N", default_value_t = 300)]
    count: usize,
    /// The best move must be this much better than the second, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 200)]
    gap: i32,
    /// Nodes for a first look at a position
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    first_nodes: u64,
    /// Nodes for the search that must agree
    #[arg(long, value_name = "N", default_value_t = 300_000)]
    deep_nodes: u64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl MakeArgs {
    /// The set to be made, if one is.
    fn plan(&self, engine: &str) -> Option<MakeProblemsPlan> {
        Some(MakeProblemsPlan {
            games: self.make_from.clone()?,
            engine: engine.to_string(),
            count: self.count,
            gap: self.gap,
            first_nodes: self.first_nodes,
            deep_nodes: self.deep_nodes,
            seed: self.seed,
        })
    }
}

/// Tries the set, or makes one.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let threads = args.engine.concurrency;
    if let Some(plan) = args.make.plan(&args.engine.engine) {
        ensure_writable(&args.set, args.force)?;
        let done = args.work.execute(&Plan::MakeProblems(plan), threads)?;
        let Some(done) = done else { return Ok(()) };
        write_file(&args.set, &read(&done.folder.join(SET_FILE))?, true)?;
        eprintln!("{}", done.text.trim_end());
        return Ok(());
    }
    if let Some(path) = &args.csv {
        ensure_writable(path, args.force)?;
    }
    let plan = ProblemsPlan {
        set: args.set.clone(),
        engine: args.engine.engine.clone(),
        nodes: args.nodes,
        depth: args.depth,
        movetime: args.movetime,
        multipv: args.multipv,
    };
    let Some(done) = args.work.execute(&Plan::Problems(plan), threads)? else { return Ok(()) };
    if let Some(path) = &args.csv {
        write_file(path, &read(&done.folder.join(TIMES_FILE))?, args.force)?;
    }
    print!("{}", done.text);
    Ok(())
}
