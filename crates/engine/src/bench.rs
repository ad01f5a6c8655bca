//! Positions for measuring speed, and for a checksum of the search's behaviour.

use crate::{Engine, EngineError, Limits, Settings, on_deep_stack};
use std::time::Duration;
use yomikiri_base::Clock;
use yomikiri_base::process::CpuStopwatch;
use yomikiri_shogi::Position;
use yomikiri_shogi::perft::{Leaves, perft};

/// The depth to which the checksum is taken.
pub const DEPTH: i32 = 10;

/// The depth of the long form, where the techniques for deep searches count.
pub const LONG_DEPTH: i32 = 14;

const POSITIONS: [(&str, &str); 8] = [
    ("start", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    ("matsuri", "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"),
    ("yagura", "ln1g3nl/1r3kg2/p2p1ssp1/2p1pp2p/1p5P1/2P1PPP1P/PP1PS1N2/2GK1S1R1/LN1G4L w Bbp 30"),
    ("exchange", "lnsg1gsnl/5rkb1/1pppp1p1p/p4p1p1/9/2P4P1/PPSPPPP1P/1BG4R1/LN2KGSNL b - 17"),
    ("attack", "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1"),
    ("entering", "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1"),
    ("drops", "1n1g2skl/1r1s2gb1/p2pppnpp/2p6/1P4P2/2PPP4/PS3P1PP/1BG1K2R1/LN3GSNL b LPp 25"),
    ("endgame", "l2g3nl/3k2g2/4p3p/p2p2p2/1p1s5/P1P1P1P1P/1P1PS4/2GKG4/LN6L b RBSNPrbsn3p 71"),
];

/// The positions by name.
pub fn positions() -> impl Iterator<Item = (&'static str, Position)> {
    POSITIONS.iter().filter_map(|&(name, sfen)| Some((name, Position::from_sfen(sfen).ok()?)))
}

/// The search of one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchSearch {
    /// The position.
    pub name: &'static str,
    /// The best move, or `-`.
    pub best: String,
    /// Nodes searched.
    pub nodes: u64,
    /// What the thread worked for it.
    pub time: Duration,
}

/// Searches one position after the other, each from an empty table, on one thread.
///
/// # Errors
/// If the settings make no engine.
pub fn searches(settings: Settings, depth: i32) -> Result<Vec<BenchSearch>, EngineError> {
    let mut engine = Engine::new(settings)?;
    let clock = Clock::default();
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    // On one thread with everything, since the time is that of a thread.
    Ok(on_deep_stack(|stack| {
        engine.set_stack(stack);
        let search = |(name, position)| {
            engine.new_game();
            let started = CpuStopwatch::start();
            let outcome = engine.run(&position, &limits, &clock, &mut |_| {});
            let time = started.elapsed();
            let best = outcome.best.map_or("-".to_string(), |best| best.to_string());
            BenchSearch { name, best, nodes: outcome.nodes, time }
        };
        positions().map(search).collect()
    }))
}

/// Each search with its speed, and the sums, a line each.
#[must_use]
pub fn to_text(searches: &[BenchSearch]) -> String {
    let rate = |nodes: u64, time: Duration| (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    let mut text = String::new();
    for BenchSearch { name, best, nodes, time } in searches {
        let rate = rate(*nodes, *time);
        text += &format!("{name:12} {best:>6} {nodes:>10} nodes {rate:>9} nps\n");
    }
    let nodes = searches.iter().map(|search| search.nodes).sum();
    let rate = rate(nodes, searches.iter().map(|search| search.time).sum());
    text + &format!("{nodes} nodes\n{rate} nps\n")
}

/// The settings that signatures are taken with.
#[must_use]
pub fn settings() -> Settings {
    Settings::with_hash(64)
}

/// Move sequences of all positions, to a depth that takes a moment.
#[must_use]
pub fn perft_signature() -> u64 {
    const DEPTH: u32 = 3;
    positions().map(|(_, mut position)| perft(&mut position, DEPTH, Leaves::Counted)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_valid_and_has_moves() {
        assert_eq!(positions().count(), POSITIONS.len());
        for (name, position) in positions() {
            assert_eq!(position.validate(), Ok(()), "{name}");
            assert!(position.has_legal_move(), "{name}");
        }
    }
}
