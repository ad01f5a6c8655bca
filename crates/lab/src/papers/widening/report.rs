//! Tables, scatter plots and verdicts of the widening experiment.

use serde::Deserialize;
use yomikiri_go::capture::{Moves, PAPER_VARIANTS};
use yomikiri_proof::game::Role;

use super::findings::evidence;
use super::{Asked, Measured, Searches, Set, WideningExperiment, WideningSettings};
use crate::page::{FindingVerdict, Page};
use crate::plot::{Axis, Mark, Plot};
use crate::run::{LabError, fault};
use crate::stored::Stored;
use crate::table::Table;
use yomikiri_arena::stats::{bootstrap, deviation, geometric_mean};

const PUBLISHED: &str = include_str!("published.json");
const ROUNDS: usize = 1000;

#[derive(Deserialize)]
pub(super) struct Published {
    pub(super) source: String,
    pub(super) problems: u32,
    pub(super) counts: Vec<PublishedCount>,
    pub(super) mean_candidates: PublishedMeans,
    pub(super) figures: Vec<PublishedFigure>,
}

#[derive(Deserialize)]
pub(super) struct PublishedCount {
    pub(super) variant: String,
    pub(super) right: u32,
    pub(super) wrong: u32,
    pub(super) over: u32,
}

#[derive(Deserialize)]
pub(super) struct PublishedMeans {
    all: f64,
    heuristic: f64,
}

#[derive(Deserialize)]
pub(super) struct PublishedFigure {
    number: u32,
    x: String,
    y: String,
}

/// How the questions of a set ended under one variant.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) right: usize,
    pub(super) wrong: usize,
    pub(super) unverified: usize,
    pub(super) over: usize,
}

impl Count {
    fn add(&mut self, captured: Option<bool>, truth: Option<bool>) {
        match (captured, truth) {
            (None, _) => self.over += 1,
            (Some(_), None) => self.unverified += 1,
            (Some(ours), Some(truth)) if ours == truth => self.right += 1,
            _ => self.wrong += 1,
        }
    }

    fn text(self) -> String {
        format!("{} / {} / {} / {}", self.right, self.wrong, self.unverified, self.over)
    }
}

/// All results with the truth as far as it is known.
pub(super) struct WideningOutcome<'a> {
    pub(super) settings: &'a WideningSettings,
    pub(super) questions: &'a [Asked],
    pub(super) results: &'a [(String, Vec<Measured>)],
    pub(super) truth: Vec<Option<bool>>,
    pub(super) contradictions: Vec<String>,
    pub(super) seed: u64,
}

/// Node counts of two variants on the questions that both solve.
pub(super) struct Comparison {
    pub(super) both: Vec<(f64, f64)>,
    /// One of the two met the limit.
    pub(super) cut: Vec<(f64, f64)>,
}

impl Comparison {
    /// Nodes of the second over nodes of the first.
    pub(super) fn ratios(&self) -> Vec<f64> {
        self.both.iter().map(|(x, y)| y / x).collect()
    }
}

/// How much ratios scatter: the standard deviation of their decimal logarithms.
pub(super) fn spread(ratios: &[f64]) -> Option<f64> {
    deviation(&ratios.iter().map(|ratio| ratio.log10()).collect::<Vec<_>>())
}

impl WideningOutcome<'_> {
    pub(super) fn of(&self, name: &str) -> &[Measured] {
        let found = self.results.iter().find(|(variant, _)| variant == name);
        found.map_or(&[], |(_, measured)| measured)
    }

    pub(super) fn count(&self, name: &str, set: Option<Set>, first: Option<Role>) -> Count {
        let mut count = Count::default();
        for (at, measured) in self.of(name).iter().enumerate() {
            let question = &self.questions[at];
            let in_set = set.is_none_or(|set| set == question.set);
            if in_set && first.is_none_or(|first| first == question.first()) {
                count.add(measured.captured, self.truth[at]);
            }
        }
        count
    }

    fn mean_candidates(&self, moves: Moves) -> Option<f64> {
        let of_kind = self.results.iter().filter(|(variant, _)| moves_of(variant) == Some(moves));
        let (candidates, expanded) = of_kind
            .flat_map(|(_, measured)| measured)
            .fold((0, 0), |sum, m| (sum.0 + m.candidates, sum.1 + m.expanded));
        (expanded > 0).then(|| candidates as f64 / expanded as f64)
    }

    pub(super) fn compare(&self, x: &str, y: &str, first: Option<Role>) -> Comparison {
        let mut comparison = Comparison { both: Vec::new(), cut: Vec::new() };
        let pairs = self.of(x).iter().zip(self.of(y)).zip(self.questions);
        for ((x, y), question) in pairs {
            if first.is_some_and(|first| first != question.first()) {
                continue;
            }
            let nodes = (x.nodes.max(1) as f64, y.nodes.max(1) as f64);
            match (x.captured, y.captured) {
                (Some(_), Some(_)) => comparison.both.push(nodes),
                (None, None) => {}
                _ => comparison.cut.push(nodes),
            }
        }
        comparison
    }

    pub(super) fn interval(
        &self,
        values: &[f64],
        statistic: impl Fn(&[f64]) -> Option<f64>,
    ) -> String {
        match (statistic(values), bootstrap(values, ROUNDS, self.seed, &statistic)) {
            (Some(value), Some((low, high))) => format!("{value:.2} ({low:.2} to {high:.2})"),
            (Some(value), None) => format!("{value:.2}"),
            _ => "–".into(),
        }
    }
}

/// The moves of a variant.
pub(super) fn moves_of(variant: &str) -> Option<Moves> {
    PAPER_VARIANTS.iter().find(|known| known.name == variant).map(|known| known.moves)
}

/// The page.
pub(super) fn page(experiment: &WideningExperiment, stored: &Stored) -> Result<Page, LabError> {
    let published: Published =
        serde_json::from_str(PUBLISHED).map_err(|error| fault("published.json", &error))?;
    let settings: WideningSettings = stored.settings()?;
    let Searches { questions, by_variant } = stored.results()?;
    let (truth, contradictions) = truth(&questions, &by_variant);
    let outcome = WideningOutcome {
        settings: &settings,
        questions: &questions,
        results: &by_variant,
        truth,
        contradictions,
        seed: stored.seed(),
    };
    let mut page = Page::new();
    let findings = stored.claims(experiment)?.judge(|claim| evidence(claim, &outcome, &published));
    headline(&mut page, &outcome, findings.first().map(|finding| finding.verdict));
    page.add_findings(findings);
    intro(&mut page, &outcome, &published);
    page.heading(("Answers within the node limit", "節点数の制限内の答え"));
    page.table(
        "counts",
        "right / wrong / unverified / over the limit. Right and wrong against an all-legal proof by any variant; \
         unverified: an answer without such a proof. The published column counts the paper's own 434 problems.",
        &count_table(&outcome, &published),
    );
    candidates(&mut page, &outcome, &published);
    figures(&mut page, &outcome, &published);
    expectations(&mut page, &outcome);
    page.csv("searches", &search_table(&outcome));
    Ok(page)
}

fn headline(page: &mut Page, outcome: &WideningOutcome<'_>, verdict: Option<FindingVerdict>) {
    let solved = |name: &str| {
        let count = outcome.count(name, None, Some(Role::Attacker));
        count.right + count.wrong + count.unverified
    };
    let (plain, top) = (solved("all"), solved("all top 5"));
    let words = (
        format!(
            "With all legal moves and the attacker first, plain df-pn+ solves {plain} and top 5 {top} questions."
        ),
        format!("全合法手・攻め方先手で、素のdf-pn+は{plain}問、top 5は{top}問を解く。"),
    );
    page.headline(words, verdict.unwrap_or(FindingVerdict::Open), "figure-05.svg");
}

/// The result of any search with all legal moves; they must agree.
fn truth(
    questions: &[Asked],
    results: &[(String, Vec<Measured>)],
) -> (Vec<Option<bool>>, Vec<String>) {
    let mut truth = vec![None; questions.len()];
    let mut contradictions = Vec::new();
    let exact = results.iter().filter(|(variant, _)| moves_of(variant) == Some(Moves::All));
    for (variant, measured) in exact {
        for (at, captured) in
            measured.iter().enumerate().filter_map(|(at, m)| Some((at, m.captured?)))
        {
            if *truth[at].get_or_insert(captured) != captured {
                contradictions.push(format!("{} by {variant}", questions[at].id));
            }
        }
    }
    (truth, contradictions)
}

fn intro(page: &mut Page, outcome: &WideningOutcome<'_>, published: &Published) {
    let known = outcome.truth.iter().flatten().count();
    let captured = outcome.truth.iter().flatten().filter(|captured| **captured).count();
    page.heading(("What was asked", "問題"));
    page.paragraph(format!(
        "{} questions: {}, each with the attacker and with the defender to move first. Node limit {}, the attacker gives up \
         at {} liberties, epsilon {} %, simple ko without threats. The paper ({}) used 434 problems of another collection \
         that cannot be had any more.",
        outcome.questions.len(),
        origin(outcome),
        outcome.settings.node_limit,
        outcome.settings.give_up,
        outcome.settings.epsilon_percent,
        published.source,
    ));
    page.paragraph(format!(
        "A search with all legal moves is a proof: {known} of the questions have one ({captured} captured, {} not). \
         Proofs of different variants that contradict each other: {}. \"Not captured\" means: not without letting the \
         target reach {} liberties.",
        known - captured,
        if outcome.contradictions.is_empty() { "none".into() } else { outcome.contradictions.join("; ") },
        outcome.settings.give_up,
    ));
}

/// Where the questions come from.
fn origin(outcome: &WideningOutcome<'_>) -> String {
    let positions = |set| outcome.questions.iter().filter(|q| q.set == set).count() / 2;
    match positions(Set::Own) {
        0 => format!(
            "{} positions of GNU Go's regression suite (19x19, unconditional answer) and {} derived from it",
            positions(Set::Suite),
            positions(Set::Derived)
        ),
        own => format!("{own} positions of the project's own, drawn at random on a 19x19 board"),
    }
}

/// The parts of the questions that are counted apart: a heading, the set and who moves first.
fn parts(outcome: &WideningOutcome<'_>) -> Vec<(&'static str, Set, Option<Role>)> {
    if outcome.questions.iter().any(|question| question.set == Set::Own) {
        return vec![
            ("attacker first", Set::Own, Some(Role::Attacker)),
            ("defender first", Set::Own, Some(Role::Defender)),
        ];
    }
    vec![
        ("suite", Set::Suite, None),
        ("derived, attacker first", Set::Derived, Some(Role::Attacker)),
        ("derived, defender first", Set::Derived, Some(Role::Defender)),
    ]
}

fn count_table(outcome: &WideningOutcome<'_>, published: &Published) -> Table {
    let parts = parts(outcome);
    let heads = ["moves", "published: right / wrong / over", "all questions"].into_iter();
    let heads = heads.chain(parts.iter().map(|(head, ..)| *head));
    let mut table = Table::new(heads.chain(["solved, %", "published, %"]));
    for (variant, _) in outcome.results {
        let known = published.counts.iter().find(|count| count.variant == *variant);
        let all = outcome.count(variant, None, None);
        let solved = all.right + all.wrong + all.unverified;
        let share =
            |part: usize, whole: usize| format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64);
        let mut cells = vec![
            variant.clone(),
            known.map_or("–".into(), |k| format!("{} / {} / {}", k.right, k.wrong, k.over)),
            all.text(),
        ];
        for (_, set, first) in &parts {
            cells.push(outcome.count(variant, Some(*set), *first).text());
        }
        cells.push(share(solved, outcome.questions.len()));
        cells.push(known.map_or("–".into(), |k| {
            share((k.right + k.wrong) as usize, published.problems as usize)
        }));
        table.row(cells);
    }
    table
}

fn candidates(page: &mut Page, outcome: &WideningOutcome<'_>, published: &Published) {
    let mut table = Table::new(["moves", "published", "ours"]);
    let text = |mean: Option<f64>| mean.map_or("–".into(), |mean| format!("{mean:.2}"));
    let means = &published.mean_candidates;
    table.row(["all legal", &means.all.to_string(), &text(outcome.mean_candidates(Moves::All))]);
    table.row([
        "heuristic",
        &means.heuristic.to_string(),
        &text(outcome.mean_candidates(Moves::Heuristic)),
    ]);
    page.plain_table(
        "Mean number of candidates at the nodes expanded (forced moves in atari included).",
        &table,
    );
}

fn figures(page: &mut Page, outcome: &WideningOutcome<'_>, published: &Published) {
    page.heading(("Nodes, question by question", "問題ごとの節点数"));
    let limit = outcome.settings.node_limit as f64;
    let mut table = Table::new([
        "figure",
        "x",
        "y",
        "both solve",
        "one over the limit",
        "geometric mean of y / x",
        "spread of log10(y / x)",
    ]);
    let mut drawn = Vec::new();
    for figure in &published.figures {
        let comparison = outcome.compare(&figure.x, &figure.y, None);
        let axis = |name: &str| Axis::log(&format!("nodes, {name}")).from_to(1.0, limit * 1.3);
        let plot = Plot::new(
            &format!("Figure {}: {} and {}", figure.number, figure.x, figure.y),
            axis(&figure.x),
            axis(&figure.y),
        )
        .with_diagonal()
        .series("solved by both", Mark::Points, comparison.both.clone())
        .series("one over the limit", Mark::Points, comparison.cut.clone());
        let ratios = comparison.ratios();
        table.row([
            figure.number.to_string(),
            figure.x.clone(),
            figure.y.clone(),
            comparison.both.len().to_string(),
            comparison.cut.len().to_string(),
            outcome.interval(&ratios, geometric_mean),
            outcome.interval(&ratios, spread),
        ]);
        let caption = format!(
            "Figure {} of the paper: nodes of {} against {}. Above the line {} is faster.",
            figure.number, figure.x, figure.y, figure.x
        );
        drawn.push((format!("figure-{:02}", figure.number), caption, plot));
    }
    page.table(
        "ratios",
        "Node ratios on questions that both solve, with 95 % bootstrap intervals.",
        &table,
    );
    for (name, caption, plot) in &drawn {
        page.figure(name, caption, plot);
    }
}

/// Where the truth is not what the set expects or GNU Go says.
fn expectations(page: &mut Page, outcome: &WideningOutcome<'_>) {
    let mut table = Table::new(["question", "target", "expected by the suite", "GNU Go", "proven"]);
    for (question, truth) in outcome.questions.iter().zip(&outcome.truth) {
        let word = |captured: Option<bool>| match captured {
            None => "–",
            Some(true) => "captured",
            Some(false) => "not captured",
        };
        let Asked { id, target, expected, gnugo, .. } = question;
        let differs = |said: &Option<bool>| said.is_some() && truth.is_some() && said != truth;
        if differs(expected) || differs(gnugo) {
            table.row([id, target.as_str(), word(*expected), word(*gnugo), word(*truth)]);
        }
    }
    page.heading(("Where a proof contradicts GNU Go", "証明がGNU Goと食い違う問題"));
    page.paragraph(format!(
        "{} questions. The suite's expectations are judged one by one in docs/go-capture.md; the answers to the derived \
         positions are GNU Go's depth-limited reading and make no claim to be the truth.",
        table.len()
    ));
    page.table(
        "disagreements",
        "Questions with an all-legal proof that contradicts what the set says.",
        &table,
    );
}

fn search_table(outcome: &WideningOutcome<'_>) -> Table {
    let names = outcome
        .results
        .iter()
        .flat_map(|(variant, _)| [variant.clone(), format!("{variant}: captured")]);
    let mut table =
        Table::new(["question".to_string(), "truth".to_string()].into_iter().chain(names));
    let bit =
        |value: Option<bool>| value.map_or(String::new(), |value| u8::from(value).to_string());
    for (at, question) in outcome.questions.iter().enumerate() {
        let cells = outcome
            .results
            .iter()
            .flat_map(|(_, m)| [m[at].nodes.to_string(), bit(m[at].captured)]);
        table.row([question.id.clone(), bit(outcome.truth[at])].into_iter().chain(cells));
    }
    table
}
