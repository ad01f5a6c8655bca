//! `yomikiri openings`: makes balanced openings for matches.
//!
//! From the start position, moves are drawn by chance among those that a short search finds
//! nearly best; what a longer search then finds even is kept. The same seed and engine make the
//! same file.

use super::pool::{self, EngineArgs};
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, ensure};
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;
use yomikiri_arena::openings::{Candidate, choose};
use yomikiri_base::Progress;
use yomikiri_shogi::Move;
use yomikiri_usi::client::Client;
use yomikiri_usi::{Go, Setup, Value};

/// What openings to make.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  yomikiri openings --count 200 --plies 20 --seed 7 --out openings.sfen"
)]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,

    /// How many openings
    #[arg(short, long, value_name = "N", default_value_t = 1000)]
    count: usize,

    /// How many plies each
    #[arg(short, long, value_name = "N", default_value_t = 16)]
    plies: usize,

    /// Where chance begins
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Nodes for the search before each ply
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,

    /// A move may be this much worse than the best, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 100)]
    spread: i32,

    /// Nodes for the search that judges the opening
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    judge_nodes: u64,

    /// An opening is even if neither side is ahead by more than this, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 80)]
    even: i32,

    /// The file to write; standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Replace that file if it exists
    #[arg(long, requires = "out")]
    force: bool,
}

/// A search of a few thousand nodes that takes longer than this has failed.
const TIMEOUT: Duration = Duration::from_secs(300);

/// Makes the openings and writes them.
pub fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.plies > 0 && args.count > 0, "--plies and --count must be at least 1");
    if let Some(path) = &args.out {
        ensure_writable(path, args.force)?;
    }
    let player = args.engine.player(&[("MultiPV", "8"), ("USI_Hash", "16")])?;
    let bar = Progress::new(args.count, 0);
    let (mut kept, mut seen, mut tried) = (Vec::new(), HashSet::new(), 0u64);
    while kept.len() < args.count {
        ensure!(
            tried < 50 * args.count as u64 + 1000,
            "{tried} tries brought only {} even openings; allow more --spread or --even",
            kept.len()
        );
        // A little more than is likely to be needed; the order of tries decides what is kept.
        let batch = (args.count - kept.len()).clamp(8, 200) as u64;
        let tries: Vec<u64> = (tried..tried + batch).collect();
        tried += batch;
        let hidden = Progress::silent();
        let grow = |client: &mut Client, number: &u64| args.grow(client, *number);
        for opening in pool::ask_all(&player, args.engine.workers(), &tries, &hidden, &grow)? {
            let Some(opening) = opening else { continue };
            let key = opening.position().map(|position| position.to_sfen()).unwrap_or_default();
            if kept.len() < args.count && seen.insert(key) {
                kept.push(opening);
                bar.advance();
            }
        }
    }
    bar.finish();
    eprintln!("{} openings from {tried} tries", kept.len());
    args.write(&kept)
}

impl Args {
    /// Makes one opening; nothing if it is not even.
    fn grow(&self, client: &mut Client, number: u64) -> anyhow::Result<Option<Setup>> {
        pool::forget(client)?;
        let mut random = fastrand::Rng::with_seed(self.seed.wrapping_mul(0x9e37_79b9) ^ number);
        let mut opening = Setup::default();
        for _ in 0..self.plies {
            let candidates = candidates(client, &opening, self.nodes)?;
            match choose(&candidates, self.spread, &mut random) {
                Some(played) => opening.moves.push(played),
                None => return Ok(None),
            }
        }
        let position = opening.position().context("an engine's line is not legal")?;
        if position.in_check() || !position.has_legal_move() {
            return Ok(None);
        }
        let judged = candidates(client, &opening, self.judge_nodes)?;
        let even = judged.first().is_some_and(|best| best.score.abs() <= self.even);
        Ok(even.then_some(opening))
    }

    fn write(&self, openings: &[Setup]) -> anyhow::Result<()> {
        let mut text = format!(
            "# {} balanced openings of {} plies, made by: yomikiri openings --count {} --plies {} \
             --seed {} --nodes {} --spread {} --judge-nodes {} --even {}\n",
            openings.len(),
            self.plies,
            self.count,
            self.plies,
            self.seed,
            self.nodes,
            self.spread,
            self.judge_nodes,
            self.even
        );
        openings.iter().for_each(|opening| text.push_str(&format!("{opening}\n")));
        match &self.out {
            Some(path) => write_file(path, text.as_bytes(), self.force),
            None => {
                print!("{text}");
                Ok(())
            }
        }
    }
}

/// The engine's best moves with their scores. Mates are no way to begin a game and are left out.
fn candidates(client: &mut Client, at: &Setup, nodes: u64) -> anyhow::Result<Vec<Candidate>> {
    let analysis = client.analyse(&at.to_string(), &Go::nodes(nodes), TIMEOUT)?;
    let candidate = |info: &yomikiri_usi::Info| -> Option<Candidate> {
        let played: Move = *info.pv.first()?;
        match info.score?.value {
            Value::Centipawns(score) => Some(Candidate { played, score }),
            Value::Mate(_) => None,
        }
    };
    Ok(analysis.lines.iter().filter_map(candidate).collect())
}
