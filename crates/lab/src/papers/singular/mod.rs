//! Singular extension, measured by rating (Nakayama, Iida, Inui, Kotani, 1990s).
//!
//! The question: if the best leaf stands far ahead of the second, its value is suspect, and it is
//! searched on. Does that make a plain alpha-beta program stronger for the nodes it costs? The
//! paper describes the measurement and gives no numbers, so the page has no published column.
//!
//! Measured: a round robin of every variant at every depth, rated together, with nodes and time
//! beside each rating; next-move problems with the rank of the solution; how often the extension
//! changes a value at the frontier and how often the move at the root. Then the forms that came
//! after it (the original definition, today's form with the transposition table) in the engine
//! itself, at equal nodes and at equal time.
//!
//! Two readings of the rule are measured. *Frontier*: the two best leaves are compared wherever the
//! children are leaves. *Literal*: they are judged "when the two best exceed beta", and nowhere
//! else. There the node fails high whatever the opened leaf is worth, so that the literal rule is
//! predicted to change values at the frontier and nothing at the root.

mod measure;
mod report;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use yomikiri_engine::eval::EvaluationKind;

use crate::page::Page;
use crate::run::{Experiment, LabError, Run};
use crate::selfplay::GamePair;
use crate::stored::{Results, Stored};

/// The experiment.
pub struct Singular;

/// What is claimed before the run.
const CLAIMS: &str = include_str!("claims.toml");

/// Its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SingularSettings {
    /// The evaluation of all players.
    pub evaluation: String,
    /// Depths of the searches without quiescence.
    pub depths: Vec<i32>,
    /// Depths of the searches with quiescence.
    pub quiet_depths: Vec<i32>,
    /// The depth at which gap, width, extra depth and rewrite rule are varied.
    pub study_depth: i32,
    /// Whether they are varied.
    pub study: bool,
    /// Pairs of games of every two players that meet.
    pub pairs: usize,
    /// The depth from which fewer are played, and how many then.
    pub deep: i32,
    /// Pairs of two players of whom one searches that deep.
    pub deep_pairs: usize,
    /// Players meet whose depths differ by at most this: the outcome of the others is known, and
    /// dear.
    pub apart: i32,
    /// Nodes for a move in the match of the forms.
    pub form_nodes: u64,
    /// Pairs of every two forms at equal nodes.
    pub form_pairs: usize,
    /// Milliseconds for a move in the match of the forms on time.
    pub form_millis: u64,
    /// Pairs of every two forms at equal time.
    pub timed_pairs: usize,
    /// Next-move problems that the program carries; `--problems` adds a set made by people.
    pub problems_file: PathBuf,
    /// Most problems.
    pub problems: usize,
    /// Games whose positions show how often the extension changes something.
    pub games_file: PathBuf,
    /// How many games.
    pub games: usize,
    /// Of each game every position so far after the one before.
    pub every: u32,
}

impl crate::run::ExperimentSettings for SingularSettings {
    fn standard(quick: bool) -> SingularSettings {
        let of = |short: usize, full: usize| if quick { short } else { full };
        SingularSettings {
            evaluation: EvaluationKind::KingDanger.name().into(),
            depths: if quick { vec![2] } else { vec![2, 3, 4, 5] },
            quiet_depths: if quick { vec![2] } else { vec![2, 3, 4] },
            study_depth: 3,
            study: !quick,
            pairs: of(1, 50),
            deep: 5,
            deep_pairs: of(1, 30),
            apart: 1,
            form_nodes: if quick { 300 } else { 10_000 },
            form_pairs: of(1, 500),
            form_millis: if quick { 2 } else { 100 },
            timed_pairs: of(0, 200),
            problems_file: "data/next_moves.tsv".into(),
            problems: of(10, usize::MAX >> 1),
            games_file: "data/games_engine.tsv.zst".into(),
            games: of(2, 100),
            every: if quick { 20 } else { 5 },
        }
    }
}

/// The families of players that make a line in the plot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Family {
    /// Plain alpha-beta.
    Plain,
    /// With the extension at the frontier.
    Frontier,
    /// With the extension where two leaves pass beta, and nowhere else.
    Literal,
    /// Plain, with quiescence.
    PlainQuiet,
    /// With the extension, and quiescence.
    FrontierQuiet,
    /// The extension with one setting changed.
    Varied,
    /// The original definition, in plain alpha-beta.
    Original,
}

impl Family {
    fn name(self) -> &'static str {
        match self {
            Family::Plain => "plain",
            Family::Frontier => "frontier",
            Family::Literal => "literal",
            Family::PlainQuiet => "plain, quiescence",
            Family::FrontierQuiet => "frontier, quiescence",
            Family::Varied => "frontier, one setting changed",
            Family::Original => "original",
        }
    }

    fn has_quiescence(self) -> bool {
        matches!(self, Family::PlainQuiet | Family::FrontierQuiet)
    }
}

/// A player of the round robin as the report knows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Entrant {
    name: String,
    family: Family,
    depth: i32,
}

/// What a search made of a problem: the rank of the solution among the best lines, if it is there.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Attempt {
    rank: Option<usize>,
    nodes: u64,
}

/// A set of problems, and what every entrant made of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ProblemSet {
    name: String,
    /// Whether people made it.
    by_people: bool,
    attempts: Vec<Vec<Attempt>>,
}

/// What the extension changed in one position.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Change {
    /// Frontier nodes, those at which leaves were opened, those whose value and whose best move
    /// changed.
    frontier: [u64; 4],
    root_move: bool,
    root_value: bool,
}

/// The changes by one reading of the rule at one depth.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Changes {
    family: Family,
    depth: i32,
    positions: Vec<Change>,
}

/// Pairs of games: first, second, what came out.
type Played = Vec<(usize, usize, GamePair)>;

/// Everything measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SingularResults {
    entrants: Vec<Entrant>,
    games: Played,
    forms: Vec<String>,
    form_games: Played,
    timed_games: Played,
    problems: Vec<ProblemSet>,
    changes: Vec<Changes>,
}

/// Lines searched: a solution beyond them has no rank.
const LINES: usize = 5;

impl Experiment for Singular {
    fn name(&self) -> &'static str {
        "singular"
    }

    fn paper(&self) -> Option<u8> {
        Some(2)
    }

    fn title(&self) -> &'static str {
        "Singular extension, measured by rating"
    }

    fn question(&self) -> &'static str {
        "The best leaf far ahead of the second is searched on. Does that make a plain alpha-beta program stronger for the nodes \
         it costs, and which form of singular extension is best today? After Nakayama, Iida, Inui and Kotani."
    }

    fn japanese(&self) -> [&'static str; 2] {
        [
            "singular extensionのレーティング測定",
            "最善手だけが飛び抜けた葉を延長すると、使った局面数に見合うだけ強くなるか。今日の形ではどれが最も良いか。（Nakayama, Iida, Inui, Kotani）",
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
