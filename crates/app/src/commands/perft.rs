//! `yomikiri perft DEPTH`: counts move sequences, the classic test of a move generator.

use anyhow::Context;
use std::time::Instant;
use yomikiri_shogi::Position;
use yomikiri_shogi::perft::{Leaves, divide, perft};

/// How deep, from where, and how.
#[derive(clap::Args)]
pub struct Args {
    /// How many moves deep to count
    #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,
    /// The position to count from, as SFEN; the start of a game if not given
    #[arg(long, value_name = "SFEN")]
    sfen: Option<String>,
    /// Play the last moves too instead of counting them (slower, tests more)
    #[arg(long)]
    no_bulk: bool,
    /// Show the count behind each first move
    #[arg(long)]
    divide: bool,
}

/// Counts and prints; the last line is `nodes N`.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut position = match &args.sfen {
        None => Position::start(),
        Some(sfen) => {
            Position::from_sfen(sfen).with_context(|| format!("cannot read the SFEN '{sfen}'"))?
        }
    };
    let leaves = if args.no_bulk { Leaves::Played } else { Leaves::Counted };
    let started = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        let counts = divide(&mut position, args.depth, leaves);
        counts.iter().for_each(|(played, nodes)| println!("{played} {nodes}"));
        counts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        perft(&mut position, args.depth, leaves)
    };
    let seconds = started.elapsed().as_secs_f64();
    println!("time {seconds:.3} s, {:.1} million nodes a second", nodes as f64 / seconds / 1e6);
    println!("nodes {nodes}");
    Ok(())
}
