//! ProbCut inside quiescence (Takeuchi, Kaneko, Kawai 2006), measured again.
//!
//! The question: does a shallow quiescence predict a deep one so well that the deep one can often
//! be left out? The experiment goes the paper's way: how well the values agree (tables 1 and 2,
//! figures 1 to 3), what a cut by prediction saves and how often it is wrong (tables 3 to 6), and
//! what it does to problems and games (tables 7 and 8).
//!
//! The answer hangs on how many moves quiescence looks at, which the paper does not say; but its
//! tables give back that depth 4 took .11 to .16 of the nodes of depth 8. So several sets of moves
//! are tried first (`sets.rs`), and the one whose ratio is nearest to the paper's is measured
//! beside the engine's own narrow one.
//!
//! Ours, where the paper is silent: the prediction is a line fitted for each evaluation and phase;
//! windows come from real searches, and one stands about each game position; the form that tries
//! ProbCut at every quiescence node; the learned evaluations; intervals. The margin is the paper's
//! open question: a sweep with a sequential test answers it for this engine.

mod measure;
mod published;
mod report;
mod results;
mod sets;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use yomikiri_engine::SearchParams;
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::settings::search::QuiescenceProbCut;
use yomikiri_engine::value::Value;

use crate::page::Page;
use crate::run::{Experiment, LabError, Run};
use crate::stored::{Results, Stored};
use published::{
    Published, PublishedCorrelation, PublishedEfficiency, PublishedGames, PublishedProblems,
};
use results::{
    Answers, CorrelationKind, Match, OfBreadth, OfGame, ProbcutResults, ProblemAnswer, Rule,
    Sample, SetNodes, Tested, Values, WindowKind, WindowSide, Windows,
};

/// The experiment.
pub struct ProbCut;

/// What is claimed before the run.
const CLAIMS: &str = include_str!("claims.toml");

/// Its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProbcutSettings {
    /// The games that the project carries.
    pub games_file: PathBuf,
    /// Games drawn from each file for the correlation.
    pub games: usize,
    /// The evaluations of the tables, by name.
    pub evaluations: Vec<String>,
    /// Games on which the sets of moves are tried.
    pub set_games: usize,
    /// There, of each game every position so far after the one before.
    pub set_every: u32,
    /// Most nodes of a search there; a set with searches beyond it is not chosen.
    pub set_nodes: u64,
    /// The set of moves by its name; `nearest` takes the one whose ratio is nearest to the paper's.
    pub set: String,
    /// The normal search runs at one position out of this many.
    pub normal_every: usize,
    /// Most nodes of a normal search, 0 for no limit; positions that need more are left out and
    /// counted.
    pub normal_nodes: u64,
    /// Games from which windows are taken.
    pub window_games: usize,
    /// Of each, a search for windows at every position so far after the one before.
    pub window_every: u32,
    /// Nodes of such a search.
    pub window_nodes: u64,
    /// Most null windows of a search, and most open ones.
    pub windows: usize,
    /// Half the width in pawns of the window about a game position.
    pub game_window: f64,
    /// A window about one game position out of this many.
    pub game_window_every: usize,
    /// Next-move problems that the program carries; `--problems` adds a set made by people.
    pub problems_file: PathBuf,
    /// Most problems.
    pub problems: usize,
    /// Depth of the search for problems.
    pub problem_depth: i32,
    /// Most nodes for a problem.
    pub problem_nodes: u64,
    /// The matches.
    #[serde(flatten)]
    pub matches: MatchSettings,
}

/// The settings of the matches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The evaluation of the matches of the paper's program.
    pub paper_evaluation: String,
    /// The evaluations of the matches of the engine of today.
    pub match_evaluations: Vec<String>,
    /// Margins of the matches in pawns, ProbCut at the quiescence root.
    pub match_margins: Vec<f64>,
    /// Margins in standard deviations of the error, which differ by phase.
    pub match_sigmas: Vec<f64>,
    /// Margins in pawns for each phase; a negative one turns ProbCut off in it.
    pub phase_margins: Vec<[f64; 3]>,
    /// Margins of the matches in pawns, ProbCut at every quiescence node.
    pub every_margins: Vec<f64>,
    /// Nodes for a move.
    pub match_nodes: u64,
    /// Most pairs of games for a margin; the sequential test may end before.
    pub match_pairs: usize,
    /// Pairs that the margins of table 8, the control and the best one play in any case.
    pub least_pairs: usize,
    /// Milliseconds for a move in the matches on time.
    pub match_millis: u64,
    /// Pairs of games of the matches on time.
    pub timed_pairs: usize,
    /// The sequential test decides whether ProbCut is worth this normalized Elo, or nothing.
    pub sprt_elo: f64,
}

impl crate::run::ExperimentSettings for ProbcutSettings {
    fn standard(quick: bool) -> ProbcutSettings {
        let of = |short: usize, full: usize| if quick { short } else { full };
        let names = |kinds: &[EvaluationKind]| kinds.iter().map(|k| k.name().to_string()).collect();
        ProbcutSettings {
            games_file: "data/games_engine.tsv.zst".into(),
            games: of(2, 100),
            evaluations: match quick {
                true => names(&[EvaluationKind::Material, EvaluationKind::KingDanger]),
                false => names(&[
                    EvaluationKind::Material,
                    EvaluationKind::KingDanger,
                    EvaluationKind::Linear,
                    EvaluationKind::Network,
                ]),
            },
            set_games: of(1, 50),
            set_every: if quick { 40 } else { 10 },
            set_nodes: if quick { 50_000 } else { 20_000_000 },
            set: sets::NEAREST.into(),
            normal_every: of(30, 1),
            normal_nodes: if quick { 20_000 } else { 0 },
            window_games: of(1, 100),
            window_every: if quick { 40 } else { 5 },
            window_nodes: if quick { 2_000 } else { 20_000 },
            windows: of(4, 8),
            game_window: 1.0,
            game_window_every: of(40, 1),
            problems_file: "data/next_moves.tsv".into(),
            problems: of(5, usize::MAX >> 1),
            problem_depth: if quick { 3 } else { 6 },
            problem_nodes: if quick { 5_000 } else { 1_000_000 },
            matches: MatchSettings {
                paper_evaluation: EvaluationKind::KingDanger.name().into(),
                match_evaluations: match quick {
                    true => names(&[EvaluationKind::Linear]),
                    false => names(&[EvaluationKind::Linear, EvaluationKind::Network]),
                },
                match_margins: match quick {
                    true => vec![1.0, 3.0],
                    false => vec![0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0],
                },
                match_sigmas: if quick { vec![] } else { vec![1.5] },
                phase_margins: match quick {
                    true => vec![],
                    false => vec![[-1.0, 1.0, 1.0], [-1.0, 0.5, 0.25]],
                },
                every_margins: if quick { vec![] } else { vec![1.0, 3.0] },
                match_nodes: if quick { 300 } else { 10_000 },
                match_pairs: of(2, 500),
                least_pairs: of(2, 500),
                match_millis: if quick { 2 } else { 100 },
                timed_pairs: of(0, 200),
                sprt_elo: 30.0,
            },
        }
    }
}

/// The phases by the number of the move to be played.
const PHASES: [(&str, u32, u32); 3] = [("40-60", 40, 60), ("60-80", 60, 80), ("80-", 80, u32::MAX)];
/// The first move number that is measured.
const FIRST: u32 = PHASES[0].1;
/// The margins of tables 4 to 6, in pawns.
const MARGINS: [f64; 4] = [0.5, 1.0, 4.0, 10.0];
/// The forms of ProbCut inside quiescence.
const FORMS: [QuiescenceProbCut; 2] = [QuiescenceProbCut::Root, QuiescenceProbCut::Every];
/// A pawn in the engine's units.
const PAWN: f64 = 100.0;
/// Where two values differ by this, one is a mate and the other is none: the paper leaves such
/// pairs out (160,000 of its units).
const MATE_APART: Value = 15_000;

/// Which quiescence a part of the page is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Breadth {
    /// The set of moves whose ratio of nodes is nearest to the paper's.
    Paper,
    /// The engine's own: checks in the first ply, no captures that cannot reach alpha.
    Narrow,
}

impl Breadth {
    const ALL: [Breadth; 2] = [Breadth::Paper, Breadth::Narrow];

    fn name(self) -> &'static str {
        match self {
            Breadth::Paper => "the paper's quiescence",
            Breadth::Narrow => "narrow quiescence",
        }
    }

    fn japanese(self) -> &'static str {
        match self {
            Breadth::Paper => "論文の静止探索",
            Breadth::Narrow => "狭い静止探索",
        }
    }

    /// The name of a file: the tables beside the paper's keep the plain name.
    fn file(self, name: &str) -> String {
        match self {
            Breadth::Paper => name.to_string(),
            Breadth::Narrow => format!("narrow-{name}"),
        }
    }
}

impl Experiment for ProbCut {
    fn name(&self) -> &'static str {
        "probcut"
    }

    fn paper(&self) -> Option<u8> {
        Some(1)
    }

    fn title(&self) -> &'static str {
        "ProbCut inside quiescence search"
    }

    fn question(&self) -> &'static str {
        "Does a quiescence search of depth 4 predict one of depth 8 so well that the deep one can be left out where the \
         prediction lies far outside the window? After Takeuchi, Kaneko and Kawai (2006)."
    }

    fn japanese(&self) -> [&'static str; 2] {
        [
            "静止探索の中のProbCut",
            "深さ4の静止探索は、予測値が探索窓から遠いとき深さ8を省略できるほど、その結果をよく予測するか。（竹内・金子・川合 2006）",
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

/// The phase of a move number, if it is measured.
fn phase_of(number: u32) -> Option<usize> {
    PHASES.iter().position(|&(_, from, to)| (from..to).contains(&number))
}

/// The engine with ProbCut inside quiescence.
fn with_probcut(base: &SearchParams, form: QuiescenceProbCut, pawns: f64) -> SearchParams {
    base.with(|params| {
        params.quiescence.probcut = form;
        params.quiescence.probcut_margin = (pawns * PAWN).round() as Value;
    })
}

/// A name for the form of ProbCut.
fn form_name(form: QuiescenceProbCut) -> &'static str {
    match form {
        QuiescenceProbCut::Off => "off",
        QuiescenceProbCut::Root => "root",
        QuiescenceProbCut::Every => "every node",
    }
}
