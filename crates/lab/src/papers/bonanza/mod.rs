//! The Bonanza method with game progress (Matsui et al. 2008), measured again.
//!
//! The question: is an evaluation with an opening and an endgame coefficient for each feature,
//! blended by the progress of the game, better than one vector? The experiment learns every arm
//! from the same games with the same constants, with several orders of the games (seeds); shows
//! what was learned as maps of the board (figures 1 to 4); asks how often each arm prefers the
//! moves of games that it was not trained on; and lets the arms play, from early openings and, as
//! in the paper, from the middle game.
//!
//! The arms named `single`, `split` and so on are the paper's: hand-made progress, no king-safety
//! group. Ours, where the paper is silent or had no time: the split in real play and from early
//! openings, learned progress, the blended value trained directly, the plain gradient, learning
//! with search, sweeps of the constants, intervals.
//!
//! With `--games FILE` these games are the main column, and the paper's arms are learned from the
//! carried games too: a column that anyone can repeat.

mod arms;
mod maps;
mod measure;
mod report;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::page::Page;
use crate::run::{Experiment, LabError, Run};
use crate::selfplay::GamePair;
use crate::stored::{Results, Stored};

/// The experiment.
pub struct Bonanza;

/// What is claimed before the run.
const CLAIMS: &str = include_str!("claims.toml");

/// Its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BonanzaSettings {
    /// The games that the project carries; `--games` makes others the main column.
    pub games_file: PathBuf,
    /// Most games to learn from.
    pub train_games: usize,
    /// Most games to measure agreement on.
    pub test_games: usize,
    /// Games of a batch.
    pub batch: usize,
    /// Passes over the games.
    pub passes: usize,
    /// The learner's K in centipawns.
    pub k: f64,
    /// Orders of the games: each arm is learned once with each.
    pub seeds: Vec<u64>,
    /// Whether the arms beyond the paper's are learned.
    pub beyond: bool,
    /// Values of P, Q, A, B and of Hoki's constant that are tried, with the first seed.
    pub sweep_p: Vec<f64>,
    /// Values of Q.
    pub sweep_q: Vec<f64>,
    /// Values of A.
    pub sweep_a: Vec<f64>,
    /// Values of B.
    pub sweep_b: Vec<f64>,
    /// Values of Hoki's constant.
    pub sweep_hoki: Vec<f64>,
    /// Openings of the matches.
    pub openings_file: PathBuf,
    /// Pairs of games of a match.
    pub match_pairs: usize,
    /// Pairs of games of a match from the middle game; the paper played 322 games.
    pub middle_pairs: usize,
    /// The move number of the middle game, from games that are not learned from.
    pub middle_move: u32,
    /// Nodes for a move.
    pub match_nodes: u64,
}

impl crate::run::ExperimentSettings for BonanzaSettings {
    fn standard(quick: bool) -> BonanzaSettings {
        let of = |short: usize, full: usize| if quick { short } else { full };
        let sweep = |values: &[f64]| if quick { Vec::new() } else { values.to_vec() };
        BonanzaSettings {
            games_file: "data/games_engine.tsv.zst".into(),
            train_games: of(10, usize::MAX >> 1),
            test_games: of(2, 300),
            batch: of(5, 25),
            passes: 1,
            k: 60.0,
            seeds: if quick { vec![1] } else { vec![1, 2, 3] },
            beyond: true,
            sweep_p: sweep(&[0.5, 8.0]),
            sweep_q: sweep(&[0.25, 0.55]),
            sweep_a: sweep(&[600.0, 2400.0]),
            sweep_b: sweep(&[150.0, 600.0]),
            sweep_hoki: sweep(&[0.0002, 0.005]),
            openings_file: "data/openings.sfen".into(),
            match_pairs: of(1, 500),
            middle_pairs: of(1, 161),
            middle_move: 41,
            match_nodes: of(100, 2_000) as u64,
        }
    }
}

/// The published figures.
#[derive(Debug, Deserialize)]
struct Published {
    source: String,
    figures: Vec<maps::Figure>,
    against_earlier: Record,
    /// Points of win rate in per cent.
    without_m1_points: f64,
    safety_points: f64,
}

#[derive(Debug, Deserialize)]
struct Record {
    won: u32,
    lost: u32,
    games: u32,
}

/// Rank by rank, from the ninth file to the first.
type Grid = Vec<[Option<f64>; 9]>;

/// An arm after learning.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LearnedArm {
    arm: String,
    seed: u64,
    /// Of the last batch.
    loss: f64,
    siblings: u64,
    /// Opening and endgame map of each figure.
    maps: Vec<[Grid; 2]>,
}

/// Agreement with one game: points for the first places and positions, in all and by phase.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ByGame {
    top: [f64; 3],
    positions: u64,
    phases: [(f64, u64); 3],
}

/// Agreement of an arm, summed over its seeds, game by game.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ArmAgreement {
    arm: String,
    method: String,
    games: Vec<ByGame>,
}

/// A match, from the first player's view.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ArmMatch {
    first: String,
    second: String,
    /// Whether it began in the middle of games.
    middle: bool,
    pairs: Vec<GamePair>,
}

/// What was learned from one file of games.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Column {
    source: String,
    train: usize,
    test: usize,
    /// Lines that hold no game.
    skipped: usize,
    learned: Vec<LearnedArm>,
    agreement: Vec<ArmAgreement>,
    matches: Vec<ArmMatch>,
}

/// Everything measured; the main column first.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct BonanzaResults {
    columns: Vec<Column>,
}

impl Experiment for Bonanza {
    fn name(&self) -> &'static str {
        "bonanza"
    }

    fn old_names(&self) -> &'static [&'static str] {
        &["progress"]
    }

    fn paper(&self) -> Option<u8> {
        Some(5)
    }

    fn title(&self) -> &'static str {
        "The Bonanza method with game progress"
    }

    fn question(&self) -> &'static str {
        "Does an evaluation learned from game records gain from separate coefficients for opening and endgame, blended \
         by the progress of the game? After Matsui, Hashimoto, Hashimoto and Noguchi (2008)."
    }

    fn japanese(&self) -> [&'static str; 2] {
        [
            "進行度つきボナンザメソッド",
            "序盤と終盤の係数を分けて進行度で混ぜると、棋譜から学習した評価関数は良くなるか。（Matsui, Hashimoto, Hashimoto, Noguchi 2008）",
        ]
    }

    fn claims(&self) -> Option<&'static str> {
        Some(CLAIMS)
    }

    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError> {
        Results::new(&measure::all(run)?)
    }

    fn report(&self, stored: &Stored) -> Result<Page, LabError> {
        report::page(self, stored)
    }
}
