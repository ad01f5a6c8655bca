//! What was measured, as it is stored.

use serde::{Deserialize, Serialize};
use yomikiri_arena::stats::PairSums;
use yomikiri_engine::search::probcut::{Prediction, QuiescenceModel};
use yomikiri_engine::value::Value;

use super::{Breadth, MATE_APART, PAWN, phase_of};
use crate::searcher::is_decided;
use crate::selfplay::GamePair;

/// The values of one position, and the nodes that they took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Sample {
    pub(super) number: u32,
    pub(super) quiet: [Value; 3],
    pub(super) nodes: [u64; 3],
    /// Whether the normal search ran, and its values if it ended within its nodes.
    pub(super) asked: bool,
    pub(super) normal: Option<[Value; 2]>,
}

/// Which pairs of values count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// The paper's: those that do not differ by a mate.
    Paper,
    /// Those of which neither is decided by a mate.
    Undecided,
}

/// Which two searches are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CorrelationKind {
    Quiet84,
    Normal84,
    Quiet80,
}

impl CorrelationKind {
    pub(super) const ALL: [CorrelationKind; 3] =
        [CorrelationKind::Quiet84, CorrelationKind::Normal84, CorrelationKind::Quiet80];

    pub(super) fn name(self) -> &'static str {
        match self {
            CorrelationKind::Quiet84 => "quiescence 8 / 4",
            CorrelationKind::Normal84 => "normal 8 / 4",
            CorrelationKind::Quiet80 => "quiescence 8 / 0",
        }
    }

    /// Shallow and deep value in pawns; nothing if the pair is left out or was not found.
    pub(super) fn pair(self, sample: &Sample, rule: Rule) -> Option<(f64, f64)> {
        let (shallow, deep) = match self {
            CorrelationKind::Quiet84 => (sample.quiet[1], sample.quiet[2]),
            CorrelationKind::Quiet80 => (sample.quiet[0], sample.quiet[2]),
            CorrelationKind::Normal84 => sample.normal.map(|[shallow, deep]| (shallow, deep))?,
        };
        let counts = match rule {
            Rule::Paper => (deep - shallow).abs() < MATE_APART,
            Rule::Undecided => !is_decided(shallow) && !is_decided(deep),
        };
        counts.then(|| (f64::from(shallow) / PAWN, f64::from(deep) / PAWN))
    }
}

/// The samples of one file of games and one evaluation, game by game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Values {
    pub(super) source: String,
    pub(super) evaluation: String,
    pub(super) games: Vec<Vec<Sample>>,
}

impl Values {
    /// The sums of a fit, game by game.
    pub(super) fn sums(
        &self,
        kind: CorrelationKind,
        phase: Option<usize>,
        rule: Rule,
    ) -> Vec<PairSums> {
        let wanted = |sample: &&Sample| phase.is_none() || phase_of(sample.number) == phase;
        let of = |game: &Vec<Sample>| {
            PairSums::of(game.iter().filter(wanted).filter_map(|sample| kind.pair(sample, rule)))
        };
        self.games.iter().map(of).collect()
    }

    /// The prediction of depth 8 from depth 4, by undecided pairs.
    pub(super) fn model(&self) -> QuiescenceModel {
        let mut model = QuiescenceModel::default();
        for (phase, prediction) in model.phases.iter_mut().enumerate() {
            let groups = self.sums(CorrelationKind::Quiet84, Some(phase), Rule::Undecided);
            let all = groups.iter().fold(PairSums::default(), |all, group| all.plus(group));
            if let Some(line) = all.line() {
                *prediction = Prediction {
                    a: ((line.a * 1000.0).round() as i32).max(100),
                    b: (line.b * PAWN).round() as i32,
                    sigma: (line.sigma * PAWN).round() as i32,
                };
            }
        }
        model
    }
}

/// On which side of the window a search ends: above 1, below -1, inside 0.
pub(super) type WindowSide = i8;

/// Where a window comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum WindowKind {
    /// A position of a game, as in the paper.
    Game,
    /// A leaf of a search with an open window.
    Open,
    /// A leaf of a search with a null window.
    Null,
}

impl WindowKind {
    pub(super) const ALL: [WindowKind; 3] = [WindowKind::Game, WindowKind::Open, WindowKind::Null];

    pub(super) fn name(self) -> &'static str {
        match self {
            WindowKind::Game => "game",
            WindowKind::Open => "open",
            WindowKind::Null => "null",
        }
    }
}

/// One window, searched in every way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Tested {
    pub(super) kind: WindowKind,
    pub(super) phase: usize,
    pub(super) deep: WindowSide,
    pub(super) deep_nodes: u64,
    /// By form and margin: the side that was decided, and all nodes. At game positions only the
    /// paper's form is tried.
    pub(super) with: [[(WindowSide, u64); 4]; 2],
}

/// The windows of one game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct OfGame {
    pub(super) tested: Vec<Tested>,
    /// Windows left out because the deep value is a mate.
    pub(super) mates: usize,
}

/// The windows of one evaluation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Windows {
    pub(super) evaluation: String,
    pub(super) games: Vec<OfGame>,
}

/// What a search made of a problem.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct ProblemAnswer {
    pub(super) right: bool,
    pub(super) nodes: u64,
}

/// The answers of one variant with one evaluation to one set.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Answers {
    pub(super) set: String,
    pub(super) by_people: bool,
    pub(super) evaluation: String,
    pub(super) variant: String,
    pub(super) answers: Vec<ProblemAnswer>,
}

/// A match against the program without ProbCut in quiescence.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Match {
    pub(super) evaluation: String,
    pub(super) name: String,
    pub(super) margin: Option<f64>,
    pub(super) timed: bool,
    pub(super) pairs: Vec<GamePair>,
    /// After how many pairs the sequential test ended; none for a match whose length is set.
    pub(super) tested_pairs: Option<usize>,
    /// Whether it was the best when the sequential tests had ended: it plays on, and on time.
    pub(super) best: bool,
}

/// The nodes that one set of moves takes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SetNodes {
    pub(super) set: String,
    pub(super) evaluation: String,
    /// By position: nodes of depth 4 and of depth 8; a search that was broken off has those of its
    /// limit.
    pub(super) positions: Vec<[u64; 2]>,
    /// How many of them were broken off.
    pub(super) over: usize,
}

/// What was measured with one quiescence.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct OfBreadth {
    pub(super) breadth: Breadth,
    pub(super) values: Vec<Values>,
    pub(super) windows: Vec<Windows>,
    pub(super) problems: Vec<Answers>,
    pub(super) matches: Vec<Match>,
}

/// Everything measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ProbcutResults {
    pub(super) sets: Vec<SetNodes>,
    /// The set that stands for the paper's.
    pub(super) chosen: String,
    pub(super) parts: Vec<OfBreadth>,
}
