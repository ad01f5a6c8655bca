//! `yomikiri openings`: makes balanced openings for matches.

use super::long_run::{EngineArgs, Work};
use crate::input::read_bytes;
use crate::output::{ensure_writable, write_file};
use anyhow::ensure;
use std::path::PathBuf;
use yomikiri_arena::opening_maker::{OPENINGS_FILE, OpeningsPlan};
use yomikiri_runs::Plan;

/// What openings to make.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
    /// How many openings
    #[arg(short, long, value_name = "N", default_value_t = OpeningsPlan::default().count)]
    count: usize,
    /// How many plies each
    #[arg(short, long, value_name = "N", default_value_t = OpeningsPlan::default().plies)]
    plies: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = OpeningsPlan::default().seed)]
    seed: u64,
    /// Nodes for the search before each ply
    #[arg(long, value_name = "N", default_value_t = OpeningsPlan::default().nodes)]
    nodes: u64,
    /// A move may be this much worse than the best, in centipawns
    #[arg(long, value_name = "CP", default_value_t = OpeningsPlan::default().spread)]
    spread: i32,
    /// Nodes for the search that judges the opening
    #[arg(long, value_name = "N", default_value_t = OpeningsPlan::default().judge_nodes)]
    judge_nodes: u64,
    /// An opening is even if neither side is ahead by more than this, in centipawns
    #[arg(long, value_name = "CP", default_value_t = OpeningsPlan::default().even)]
    even: i32,
    /// The file to write; standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace that file if it exists
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    work: Work,
}

/// Makes the openings and writes them.
pub fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.plies > 0 && args.count > 0, "--plies and --count must be at least 1");
    if let Some(path) = &args.out {
        ensure_writable(path, args.force)?;
    }
    let plan = OpeningsPlan {
        engine: args.engine.engine.clone(),
        count: args.count,
        plies: args.plies,
        seed: args.seed,
        nodes: args.nodes,
        spread: args.spread,
        judge_nodes: args.judge_nodes,
        even: args.even,
    };
    let made = args.work.execute(&Plan::Openings(plan), args.engine.concurrency)?;
    let Some(made) = made else { return Ok(()) };
    let file = made.folder.join(OPENINGS_FILE);
    let bytes = read_bytes(&file)?;
    match &args.out {
        Some(path) => {
            write_file(path, &bytes, args.force)?;
            eprintln!("{}", made.text.trim_end());
        }
        None => print!("{}", String::from_utf8_lossy(&bytes)),
    }
    Ok(())
}
