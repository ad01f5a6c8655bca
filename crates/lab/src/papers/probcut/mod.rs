//! ProbCut inside quiescence (Takeuchi, Kaneko, Kawai 2006), measured again.
//!
//! The question: does a shallow quiescence predict a deep one so well that the deep one can often
//! be left out? The experiment goes the paper's way: how well the values agree (`correlation`,
//! tables 1 and 2, figures 1 to 3), what a cut by prediction saves and how often it is wrong
//! (`risk`, tables 3 to 6), and what it does to problems and games (`problems`, `games`, tables 7
//! and 8).
//!
//! Everything is measured twice, because the answer hangs on how many moves quiescence looks at:
//! with a wide one, like the paper's, in which depth 4 takes half the nodes of depth 8, and with
//! the engine's narrow one, in which it takes nearly all of them.
//!
//! Ours, where the paper is silent: the prediction is a line fitted for each evaluation and phase;
//! windows come from real searches; the form that tries ProbCut at every quiescence node; the
//! learned evaluation; intervals. The margin is the paper's open question: a sweep with a
//! sequential test answers it for this engine.

mod correlation;
mod games;
mod problems;
mod risk;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use yomikiri_engine::SearchParams;
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::eval::registry::UnknownEvaluation;
use yomikiri_engine::search::probcut::QuiescenceModel;
use yomikiri_engine::settings::search::QuiescenceProbCut;
use yomikiri_engine::value::{EVAL_LIMIT, Value};

use crate::games::{LabGame, draw};
use crate::page::Page;
use crate::run::{Experiment, LabError, Run, fault};
use crate::searcher::{ByEvaluation, SearcherFactory, papers_quiescence};

/// The experiment.
pub struct ProbCut;

/// Its settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProbcutSettings {
    /// The games that the project carries.
    pub games_file: PathBuf,
    /// Games drawn from each file for the correlation.
    pub games: usize,
    /// The normal search runs at every so-manieth position.
    pub normal_every: usize,
    /// Most nodes of a normal search; positions that need more are left out and counted.
    pub normal_nodes: u64,
    /// Games from which windows are taken.
    pub window_games: usize,
    /// A search for windows at every so-manieth position.
    pub window_every: u32,
    /// Nodes of such a search.
    pub window_nodes: u64,
    /// Most null windows of a search, and most open ones.
    pub windows: usize,
    /// Next-move problems.
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
    /// The evaluation of the matches with wide quiescence, the paper's program.
    pub paper_evaluation: String,
    /// The evaluation of the matches with narrow quiescence, the engine of today.
    pub match_evaluation: String,
    /// Margins of the matches in pawns, ProbCut at the quiescence root.
    pub match_margins: Vec<f64>,
    /// Margins in standard deviations of the error, which differ by phase.
    pub match_sigmas: Vec<f64>,
    /// Margins of the matches in pawns, ProbCut at every quiescence node.
    pub every_margins: Vec<f64>,
    /// Nodes for a move.
    pub match_nodes: u64,
    /// Most pairs of games for a margin; the sequential test may end before.
    pub match_pairs: usize,
    /// Pairs that the margins of table 8 and the best one play in any case.
    pub least_pairs: usize,
    /// Milliseconds for a move in the matches on time.
    pub match_millis: u64,
    /// Pairs of games of the matches on time.
    pub timed_pairs: usize,
    /// The sequential test asks whether ProbCut is worth so much normalized Elo, or nothing.
    pub sprt_elo: f64,
}

impl crate::run::ExperimentSettings for ProbcutSettings {
    fn standard(quick: bool) -> ProbcutSettings {
        let of = |short: usize, full: usize| if quick { short } else { full };
        ProbcutSettings {
            games_file: "data/games_engine.tsv.zst".into(),
            games: of(4, 100),
            normal_every: of(12, 1),
            normal_nodes: if quick { 50_000 } else { 1_000_000 },
            window_games: of(4, 100),
            window_every: if quick { 20 } else { 5 },
            window_nodes: if quick { 2_000 } else { 20_000 },
            windows: of(4, 8),
            problems_file: "data/next_moves.tsv".into(),
            problems: of(10, usize::MAX >> 1),
            problem_depth: if quick { 4 } else { 6 },
            problem_nodes: if quick { 20_000 } else { 1_000_000 },
            matches: MatchSettings {
                paper_evaluation: EvaluationKind::KingDanger.name().into(),
                match_evaluation: EvaluationKind::Linear.name().into(),
                match_margins: if quick { vec![1.0, 3.0] } else { vec![0.5, 1.0, 2.0, 3.0, 5.0] },
                match_sigmas: if quick { vec![] } else { vec![1.5] },
                every_margins: if quick { vec![] } else { vec![1.0, 3.0] },
                match_nodes: if quick { 300 } else { 10_000 },
                match_pairs: of(2, 400),
                least_pairs: of(2, 200),
                match_millis: if quick { 2 } else { 50 },
                timed_pairs: of(0, 200),
                sprt_elo: 30.0,
            },
        }
    }
}

/// The published figures.
#[derive(Debug, Deserialize)]
struct Published {
    positions: Vec<PublishedPositions>,
    correlations: Vec<PublishedCorrelation>,
    other_games: Vec<OtherGame>,
    risk: Vec<PublishedRisk>,
    efficiency: Vec<PublishedEfficiency>,
    problems: Vec<PublishedProblems>,
    selfplay: Vec<PublishedGames>,
}

impl Published {
    /// Where the print is mended or interpreted.
    fn notes(&self) -> Vec<String> {
        let table = |number: usize, note: &Option<String>| {
            note.as_ref().map(|note| format!("table {number}: {note}"))
        };
        let second = self.correlations.iter().filter_map(|row| table(2, &row.note));
        let fourth = self.risk.iter().filter_map(|row| table(4, &row.note));
        let sixth = self.efficiency.iter().filter_map(|row| table(6, &row.note));
        second.chain(fourth).chain(sixth).collect()
    }
}

#[derive(Debug, Deserialize)]
struct PublishedPositions {
    phase: String,
    all: usize,
    left_out: [usize; 2],
}

/// All positions first, then the phases.
#[derive(Debug, Deserialize)]
struct PublishedCorrelation {
    search: String,
    evaluation: String,
    r2: [f64; 4],
    sigma: [f64; 4],
    note: Option<String>,
}

#[derive(Debug, Deserialize)]
struct OtherGame {
    game: String,
    search: String,
    phase: String,
    r2: Option<f64>,
    sigma: Option<f64>,
}

/// Count, rate in per cent, nodes without and with ProbCut.
#[derive(Debug, Deserialize)]
struct PublishedRisk {
    margin: f64,
    class: String,
    material: [f64; 4],
    progress: [f64; 4],
    note: Option<String>,
}

/// The three phases, then all positions.
#[derive(Debug, Deserialize)]
struct PublishedEfficiency {
    aggregation: String,
    evaluation: String,
    margin: f64,
    values: [f64; 4],
    note: Option<String>,
}

#[derive(Debug, Deserialize)]
struct PublishedProblems {
    variant: String,
    right: u32,
    nodes: f64,
}

#[derive(Debug, Deserialize)]
struct PublishedGames {
    margin: f64,
    won: u32,
    lost: u32,
    drawn: u32,
}

/// Games of one file.
struct Source {
    name: String,
    games: Vec<LabGame>,
}

/// The phases by the number of the move to be played.
const PHASES: [(&str, u32, u32); 3] = [("40-60", 40, 60), ("60-80", 60, 80), ("80-", 80, u32::MAX)];
/// The first move number that is measured.
const FIRST: u32 = PHASES[0].1;
/// The margins of tables 4 to 6, in pawns.
const MARGINS: [f64; 4] = [0.5, 1.0, 4.0, 10.0];
/// A pawn in the engine's units.
const PAWN: f64 = 100.0;

impl Experiment for ProbCut {
    fn name(&self) -> &'static str {
        "probcut"
    }

    fn title(&self) -> &'static str {
        "ProbCut inside quiescence search"
    }

    fn question(&self) -> &'static str {
        "Does a quiescence search of depth 4 predict one of depth 8 so well that the deep one can be left out where the \
         prediction lies far outside the window? After Takeuchi, Kaneko and Kawai (2006)."
    }

    fn run(&self, run: &mut Run<'_>) -> Result<Page, LabError> {
        let settings: ProbcutSettings = run.settings()?;
        if settings.matches.timed_pairs > 0 {
            run.note_timed();
        }
        let published: Published = serde_json::from_str(include_str!("published.json"))
            .map_err(|error| fault("published.json", &error))?;
        let sources = load(run, &settings)?;
        let problems = crate::problems::load(run, &settings.problems_file, settings.problems)?;
        let searchers = SearcherFactory::default();
        let mut page = Page::new();
        for breadth in Breadth::ALL {
            breadth.introduce(&mut page);
            let bench = Bench { settings: &settings, searchers: &searchers, breadth };

            let correlation = correlation::measure(run, &bench, &sources)?;
            let models = correlation.models();
            correlation::report(run, &mut page, &published, &correlation)?;

            let windows = risk::measure(run, &bench, &sources[0], &models)?;
            risk::report(run, &mut page, &published, breadth, &windows)?;

            let answers = problems::measure(run, &bench, &problems, &models)?;
            problems::report(run, &mut page, &published, breadth, &answers)?;

            let matches = games::measure(run, &bench, &models)?;
            let early_cost = windows.early_cost(bench.match_evaluator()?);
            games::report(run, &mut page, &published, &bench, &matches, early_cost)?;
        }
        size(&mut page, run.is_quick());
        Ok(page)
    }
}

/// Says how large a run this is, and how to make the full one.
fn size(page: &mut Page, quick: bool) {
    page.heading("The size of this run");
    let form = if quick { "This is the short form. " } else { "" };
    page.paragraph(&format!(
        "{form}The settings at the end of the page say how many games, problems and matches were measured. Without a \
         config file `yomikiri lab run probcut` measures 100 games, all problems and 400 to 800 games for each margin of \
         table 8 and the best at 10,000 nodes, and 400 at 50 ms; `--games FILE` adds a second column. Everything but times \
         and the matches on time is the same in every run with the same seed."
    ));
}

fn load(run: &mut Run<'_>, settings: &ProbcutSettings) -> Result<Vec<Source>, LabError> {
    let mut files = vec![("engine games".to_string(), settings.games_file.clone())];
    if let Some(path) = run.games() {
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        files.push((name.trim_end_matches(".tsv").to_string(), path));
    }
    let mut sources = Vec::new();
    for (name, path) in files {
        let count = settings.games.max(settings.window_games);
        sources.push(Source { name, games: draw(run, &path, count, 60)? });
    }
    Ok(sources)
}

/// How many moves quiescence looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Breadth {
    /// Checks at every ply, and captures whatever they take: ours for the paper's, which it does
    /// not describe.
    Wide,
    /// Checks in the first ply, no captures that cannot reach alpha.
    Narrow,
}

impl Breadth {
    const ALL: [Breadth; 2] = [Breadth::Wide, Breadth::Narrow];

    fn name(self) -> &'static str {
        match self {
            Breadth::Wide => "wide quiescence",
            Breadth::Narrow => "narrow quiescence",
        }
    }

    /// The search with quiescence of this breadth.
    fn of(self, base: SearchParams) -> SearchParams {
        let base = base.with(papers_quiescence);
        match self {
            Breadth::Wide => base.with(|params| {
                params.quiescence.checks = params.quiescence.depth;
                params.quiescence.margin = EVAL_LIMIT;
            }),
            Breadth::Narrow => base,
        }
    }

    /// The name of a file or a stage: the tables beside the paper's keep the plain name.
    fn file(self, name: &str) -> String {
        match self {
            Breadth::Wide => name.to_string(),
            Breadth::Narrow => format!("narrow-{name}"),
        }
    }

    fn introduce(self, page: &mut Page) {
        let (heading, text) = match self {
            Breadth::Wide => (
                "Wide quiescence, like the paper's",
                "The paper does not say which moves its quiescence looks at, but its depth 4 takes half the nodes of its depth 8 \
                 (table 7). Ours comes near that when checks are tried at every ply and no capture is left out for what it \
                 takes; exchanges that lose are still skipped. This is the form beside the published figures.",
            ),
            Breadth::Narrow => (
                "Narrow quiescence, the engine of today",
                "The same with the quiescence that the engine plays with: checks in the first ply alone, no captures that cannot \
                 reach alpha. Does ProbCut still have something to save?",
            ),
        };
        page.heading(heading);
        page.paragraph(text);
    }
}

/// What every part of the experiment needs.
struct Bench<'a> {
    settings: &'a ProbcutSettings,
    searchers: &'a SearcherFactory,
    breadth: Breadth,
}

impl Bench<'_> {
    /// The evaluation of the games.
    fn match_evaluator(&self) -> Result<EvaluationKind, LabError> {
        let name = match self.breadth {
            Breadth::Wide => &self.settings.matches.paper_evaluation,
            Breadth::Narrow => &self.settings.matches.match_evaluation,
        };
        name.parse().map_err(|error: UnknownEvaluation| fault("settings", &error.to_string()))
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

/// The models of all evaluations.
type Models = ByEvaluation<QuiescenceModel>;

/// The model of an evaluation; one that is not in the tables has none fitted.
fn model_of(models: &Models, evaluator: EvaluationKind) -> QuiescenceModel {
    models.get(evaluator).copied().unwrap_or_default()
}

/// A name for the form of ProbCut.
fn form_name(form: QuiescenceProbCut) -> &'static str {
    match form {
        QuiescenceProbCut::Off => "off",
        QuiescenceProbCut::Root => "root",
        QuiescenceProbCut::Every => "every node",
    }
}

/// A value with its interval.
fn with_interval(value: Option<f64>, interval: Option<(f64, f64)>, digits: usize) -> String {
    match (value, interval) {
        (None, _) => "–".into(),
        (Some(value), None) => format!("{value:.digits$}"),
        (Some(value), Some((low, high))) => {
            format!("{value:.digits$} [{low:.digits$}, {high:.digits$}]")
        }
    }
}
