//! Sets of moves that quiescence may look at.
//!
//! The paper does not say which moves its quiescence has. The program that it describes grew into
//! one whose quiescence tries captures, promotions, checks and escapes of attacked pieces; the sets
//! here add these one after the other.

use yomikiri_engine::SearchParams;
use yomikiri_engine::settings::search::QuiescenceParams;
use yomikiri_engine::value::EVAL_LIMIT;

use super::Breadth;
use crate::searcher::papers_quiescence;

/// The setting that takes the set nearest to the paper's.
pub(super) const NEAREST: &str = "nearest";
/// The ratio of the nodes of depth 4 to those of depth 8 that the paper's tables give back.
pub(super) const PAPERS_RATIO: (f64, f64) = (0.11, 0.16);
/// Within these bounds a ratio counts as the paper's.
pub(super) const ACCEPTED: (f64, f64) = (0.08, 0.25);

/// A set of moves.
pub(super) struct MoveSet {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    change: fn(&mut QuiescenceParams),
}

/// All sets, the narrowest first.
pub(super) const SETS: [MoveSet; 8] = [
    MoveSet {
        name: "engine",
        what: "captures that lose nothing and can reach alpha, promotions, checks in the first ply",
        change: |_| {},
    },
    MoveSet {
        name: "captures",
        what: "every capture that loses nothing, promotions, checks in the first ply",
        change: |set| all_captures(set),
    },
    MoveSet { name: "checks", what: "the same, checks at every ply", change: |set| checks(set) },
    MoveSet {
        name: "checks, evasions",
        what: "the same, and every answer to a check",
        change: |set| {
            checks(set);
            set.all_evasions = true;
        },
    },
    MoveSet {
        name: "losing, evasions",
        what: "captures that lose too, promotions, checks in the first ply, every answer to a check",
        change: |set| {
            all_captures(set);
            losing(set);
            set.all_evasions = true;
        },
    },
    MoveSet {
        name: "losing, checks, evasions",
        what: "captures that lose too, promotions, checks at every ply, every answer to a check",
        change: |set| {
            checks(set);
            losing(set);
            set.all_evasions = true;
        },
    },
    MoveSet {
        name: "escapes, checks, evasions",
        what: "captures that lose nothing, promotions, escapes of attacked pieces, checks at every ply, every answer to a check",
        change: |set| {
            checks(set);
            set.escapes = set.depth;
            set.all_evasions = true;
        },
    },
    MoveSet {
        name: "all",
        what: "captures that lose too, promotions, escapes of attacked pieces, checks at every ply, every answer to a check",
        change: |set| {
            checks(set);
            losing(set);
            set.escapes = set.depth;
            set.all_evasions = true;
        },
    },
];

fn all_captures(set: &mut QuiescenceParams) {
    set.margin = EVAL_LIMIT;
}

fn checks(set: &mut QuiescenceParams) {
    all_captures(set);
    set.checks = set.depth;
}

fn losing(set: &mut QuiescenceParams) {
    set.loss = EVAL_LIMIT;
}

/// The set of a name.
pub(super) fn find(name: &str) -> Option<&'static MoveSet> {
    SETS.iter().find(|set| set.name == name)
}

impl MoveSet {
    /// The search with quiescence over this set.
    pub(super) fn of(&self, base: SearchParams) -> SearchParams {
        let mut params = base.with(papers_quiescence);
        (self.change)(&mut params.quiescence);
        params
    }
}

impl Breadth {
    /// The set of moves, given the one that stands for the paper's.
    pub(super) fn set(self, chosen: &str) -> &'static MoveSet {
        match self {
            Breadth::Paper => find(chosen).unwrap_or(&SETS[0]),
            Breadth::Narrow => &SETS[0],
        }
    }
}

/// How far a ratio is from the paper's, on a logarithmic scale.
pub(super) fn distance(ratio: f64) -> f64 {
    let middle = (PAPERS_RATIO.0 * PAPERS_RATIO.1).sqrt();
    (ratio.max(1e-9) / middle).ln().abs()
}

/// The mean over positions of the ratio of the nodes of depth 4 to those of depth 8.
pub(super) fn mean_ratio(positions: &[[u64; 2]]) -> Option<f64> {
    let ratios = positions.iter().map(|&[shallow, deep]| shallow as f64 / deep.max(1) as f64);
    (!positions.is_empty()).then(|| ratios.sum::<f64>() / positions.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::searcher::{SearcherFactory, plain};
    use yomikiri_engine::eval::EvaluationKind;
    use yomikiri_engine::search::probcut::QuiescenceModel;
    use yomikiri_engine::value::INFINITE;
    use yomikiri_shogi::Position;

    #[test]
    fn wider_sets_take_more_nodes_and_keep_the_ratio_lower() {
        let quiet = "ln1gk2nl/6g2/p2pppspp/2p3p2/7P1/1rP6/P2PPPP1P/2G3SR1/LN2KG1NL b BSPbsp 1";
        let sharp = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let searchers = SearcherFactory::default();
        let nodes = |name: &str, sfen: &str| {
            let position = Position::from_sfen(sfen).expect("a position");
            let mut searcher = searchers.make(EvaluationKind::Material, 1);
            let params = find(name).expect("a set").of(plain());
            searcher.configure(&params, &QuiescenceModel::default());
            [2, 4].map(|depth| searcher.quiesce(&position, (-INFINITE, INFINITE), depth).nodes)
        };
        let [engine, checks] = ["engine", "checks"].map(|name| nodes(name, sharp));
        assert!(engine[1] < checks[1], "{engine:?} {checks:?}");
        let [engine, all] = ["engine", "all"].map(|name| nodes(name, quiet));
        assert!(engine[1] < all[1], "{engine:?} {all:?}");
        assert!(all[0] * engine[1] < engine[0] * all[1], "{engine:?} {all:?}");
        assert!(find(NEAREST).is_none());
    }

    #[test]
    fn the_papers_ratio_is_nearest_to_itself() {
        assert!(distance(0.13) < distance(0.08) && distance(0.13) < distance(0.3));
        assert_eq!(mean_ratio(&[[1, 2], [1, 4]]), Some(0.375));
        assert_eq!(mean_ratio(&[]), None);
    }
}
