//! Tables, scatter plots and verdicts of the widening experiment.

use serde::Deserialize;
use yomikiri_go::capture::Moves;
use yomikiri_proof::game::Role;

use super::{Measured, Question, Set, Variant, WideningSettings};
use crate::page::{Finding, Page, Verdict};
use crate::plot::{Axis, Mark, Plot};
use crate::run::{LabError, Run};
use crate::stats::{bootstrap, deviation, geometric_mean};
use crate::table::Table;

const PUBLISHED: &str = include_str!("published.json");
const ROUNDS: usize = 1000;

#[derive(Deserialize)]
struct Published {
    source: String,
    problems: u32,
    counts: Vec<PublishedCount>,
    mean_candidates: PublishedMeans,
    figures: Vec<PublishedFigure>,
}

#[derive(Deserialize)]
struct PublishedCount {
    variant: String,
    right: u32,
    wrong: u32,
    over: u32,
}

#[derive(Deserialize)]
struct PublishedMeans {
    all: f64,
    heuristic: f64,
}

#[derive(Deserialize)]
struct PublishedFigure {
    number: u32,
    x: String,
    y: String,
}

/// How the questions of a set ended under one variant.
#[derive(Clone, Copy, Default)]
struct Count {
    right: usize,
    wrong: usize,
    unverified: usize,
    over: usize,
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
struct Outcome<'a> {
    settings: &'a WideningSettings,
    questions: &'a [Question],
    results: &'a [(Variant, Vec<Measured>)],
    truth: Vec<Option<bool>>,
    contradictions: Vec<String>,
    seed: u64,
}

/// Node counts of two variants on the questions that both solve.
struct Comparison {
    both: Vec<(f64, f64)>,
    /// One of the two met the limit.
    cut: Vec<(f64, f64)>,
}

impl Comparison {
    /// Nodes of the second over nodes of the first.
    fn ratios(&self) -> Vec<f64> {
        self.both.iter().map(|(x, y)| y / x).collect()
    }

    /// How much the ratio scatters: the standard deviation of its decimal logarithm.
    fn spread(&self) -> Option<f64> {
        spread(&self.ratios())
    }
}

fn spread(ratios: &[f64]) -> Option<f64> {
    deviation(&ratios.iter().map(|ratio| ratio.log10()).collect::<Vec<_>>())
}

impl Outcome<'_> {
    fn of(&self, name: &str) -> &[Measured] {
        let found = self.results.iter().find(|(variant, _)| variant.name == name);
        found.map_or(&[], |(_, measured)| measured)
    }

    fn count(&self, name: &str, set: Option<Set>, first: Option<Role>) -> Count {
        let mut count = Count::default();
        for (at, measured) in self.of(name).iter().enumerate() {
            let question = &self.questions[at];
            let in_set = set.is_none_or(|set| set == question.set);
            if in_set && first.is_none_or(|first| first == question.problem.first) {
                count.add(measured.captured, self.truth[at]);
            }
        }
        count
    }

    fn mean_candidates(&self, moves: Moves) -> Option<f64> {
        let of_kind = self.results.iter().filter(|(variant, _)| variant.moves == moves);
        let (candidates, expanded) = of_kind
            .flat_map(|(_, measured)| measured)
            .fold((0, 0), |sum, m| (sum.0 + m.candidates, sum.1 + m.expanded));
        (expanded > 0).then(|| candidates as f64 / expanded as f64)
    }

    fn compare(&self, x: &str, y: &str, first: Option<Role>) -> Comparison {
        let mut comparison = Comparison { both: Vec::new(), cut: Vec::new() };
        let pairs = self.of(x).iter().zip(self.of(y)).zip(self.questions);
        for ((x, y), question) in pairs {
            if first.is_some_and(|first| first != question.problem.first) {
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

    fn interval(&self, values: &[f64], statistic: impl Fn(&[f64]) -> Option<f64>) -> String {
        match (statistic(values), bootstrap(values, ROUNDS, self.seed, &statistic)) {
            (Some(value), Some((low, high))) => format!("{value:.2} ({low:.2} to {high:.2})"),
            (Some(value), None) => format!("{value:.2}"),
            _ => "–".into(),
        }
    }
}

/// Writes everything and returns the page.
pub(super) fn write(
    run: &Run<'_>,
    settings: &WideningSettings,
    questions: &[Question],
    results: &[(Variant, Vec<Measured>)],
) -> Result<Page, LabError> {
    let published: Published = serde_json::from_str(PUBLISHED).map_err(|error| LabError::Data {
        name: "published.json".into(),
        fault: error.to_string(),
    })?;
    let (truth, contradictions) = truth(questions, results);
    let outcome = Outcome { settings, questions, results, truth, contradictions, seed: run.seed() };
    let mut page = Page::new();
    for finding in findings(&outcome, &published) {
        page.finding(finding);
    }
    intro(&mut page, &outcome, &published);
    let table = count_table(&outcome, &published);
    run.write_table("counts", &table)?;
    page.heading("Answers within the node limit");
    page.table(
        "right / wrong / unverified / over the limit. Right and wrong against an all-legal proof by any variant; \
         unverified: an answer without such a proof. The published column counts the paper's own 434 problems.",
        &table,
    );
    candidates(&mut page, &outcome, &published);
    figures(run, &mut page, &outcome, &published)?;
    expectations(run, &mut page, &outcome)?;
    run.write_table("searches", &search_table(&outcome))?;
    Ok(page)
}

/// The result of any search with all legal moves; they must agree.
fn truth(
    questions: &[Question],
    results: &[(Variant, Vec<Measured>)],
) -> (Vec<Option<bool>>, Vec<String>) {
    let mut truth = vec![None; questions.len()];
    let mut contradictions = Vec::new();
    for (variant, measured) in results.iter().filter(|(variant, _)| variant.moves == Moves::All) {
        for (at, captured) in
            measured.iter().enumerate().filter_map(|(at, m)| Some((at, m.captured?)))
        {
            if *truth[at].get_or_insert(captured) != captured {
                contradictions.push(format!("{} by {}", questions[at].problem.id, variant.name));
            }
        }
    }
    (truth, contradictions)
}

fn intro(page: &mut Page, outcome: &Outcome<'_>, published: &Published) {
    let known = outcome.truth.iter().flatten().count();
    let captured = outcome.truth.iter().flatten().filter(|captured| **captured).count();
    page.heading("What was asked");
    page.paragraph(&format!(
        "{} questions: {} positions of GNU Go's regression suite (19x19, unconditional answer) and {} derived from it, each \
         with the attacker and with the defender to move first. Node limit {}, the attacker gives up at {} liberties, \
         epsilon {} %, simple ko without threats. The paper ({}) used 434 problems of another collection that cannot be \
         had any more.",
        outcome.questions.len(),
        outcome.questions.iter().filter(|q| q.set == Set::Suite).count() / 2,
        outcome.questions.iter().filter(|q| q.set == Set::Derived).count() / 2,
        outcome.settings.node_limit,
        outcome.settings.give_up,
        outcome.settings.epsilon_percent,
        published.source,
    ));
    page.paragraph(&format!(
        "A search with all legal moves is a proof: {known} of the questions have one ({captured} captured, {} not). \
         Proofs of different variants that contradict each other: {}. \"Not captured\" means: not without letting the \
         target reach {} liberties.",
        known - captured,
        if outcome.contradictions.is_empty() { "none".into() } else { outcome.contradictions.join("; ") },
        outcome.settings.give_up,
    ));
}

fn count_table(outcome: &Outcome<'_>, published: &Published) -> Table {
    let mut table = Table::new([
        "moves",
        "published: right / wrong / over",
        "all questions",
        "suite",
        "derived, attacker first",
        "derived, defender first",
        "solved, %",
        "published, %",
    ]);
    for (variant, _) in outcome.results {
        let known = published.counts.iter().find(|count| count.variant == variant.name);
        let all = outcome.count(variant.name, None, None);
        let solved = all.right + all.wrong + all.unverified;
        let share =
            |part: usize, whole: usize| format!("{:.1}", 100.0 * part as f64 / whole.max(1) as f64);
        table.row([
            variant.name.to_string(),
            known.map_or("–".into(), |k| format!("{} / {} / {}", k.right, k.wrong, k.over)),
            all.text(),
            outcome.count(variant.name, Some(Set::Suite), None).text(),
            outcome.count(variant.name, Some(Set::Derived), Some(Role::Attacker)).text(),
            outcome.count(variant.name, Some(Set::Derived), Some(Role::Defender)).text(),
            share(solved, outcome.questions.len()),
            known.map_or("–".into(), |k| {
                share((k.right + k.wrong) as usize, published.problems as usize)
            }),
        ]);
    }
    table
}

fn candidates(page: &mut Page, outcome: &Outcome<'_>, published: &Published) {
    let mut table = Table::new(["moves", "published", "ours"]);
    let text = |mean: Option<f64>| mean.map_or("–".into(), |mean| format!("{mean:.2}"));
    let means = &published.mean_candidates;
    table.row(["all legal", &means.all.to_string(), &text(outcome.mean_candidates(Moves::All))]);
    table.row([
        "heuristic",
        &means.heuristic.to_string(),
        &text(outcome.mean_candidates(Moves::Heuristic)),
    ]);
    page.table(
        "Mean number of candidates at the nodes expanded (forced moves in atari included).",
        &table,
    );
}

fn figures(
    run: &Run<'_>,
    page: &mut Page,
    outcome: &Outcome<'_>,
    published: &Published,
) -> Result<(), LabError> {
    page.heading("Nodes, question by question");
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
        run.write_plot(&format!("figure-{:02}", figure.number), &plot)?;
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
        drawn.push((caption, plot));
    }
    run.write_table("ratios", &table)?;
    page.table("Node ratios on questions that both solve, with 95 % bootstrap intervals.", &table);
    for (caption, plot) in &drawn {
        page.figure(caption, plot);
    }
    Ok(())
}

/// Where the truth is not what the set expects or GNU Go says.
fn expectations(run: &Run<'_>, page: &mut Page, outcome: &Outcome<'_>) -> Result<(), LabError> {
    let mut table = Table::new(["question", "target", "expected by the suite", "GNU Go", "proven"]);
    for (question, truth) in outcome.questions.iter().zip(&outcome.truth) {
        let problem = &question.problem;
        let says = |answers: &Option<yomikiri_go::problem::Expected>| {
            answers
                .as_ref()
                .and_then(|expected| Some(expected.answers.first()?.captured(problem.first)))
        };
        let word = |captured: Option<bool>| match captured {
            None => "–",
            Some(true) => "captured",
            Some(false) => "not captured",
        };
        let (expected, gnugo) = (says(&problem.expected), says(&problem.gnugo));
        let differs = |said: Option<bool>| said.is_some() && truth.is_some() && said != *truth;
        if differs(expected) || differs(gnugo) {
            let target = problem.target.to_string();
            table.row([&problem.id, target.as_str(), word(expected), word(gnugo), word(*truth)]);
        }
    }
    run.write_table("disagreements", &table)?;
    page.heading("Where a proof contradicts GNU Go");
    page.paragraph(&format!(
        "{} questions. The suite's expectations are judged one by one in docs/go-capture.md; the answers to the derived \
         positions are GNU Go's depth-limited reading and make no claim to be the truth.",
        table.len()
    ));
    if !table.is_empty() {
        page.table("Questions with an all-legal proof that contradicts what the set says.", &table);
    }
    Ok(())
}

fn search_table(outcome: &Outcome<'_>) -> Table {
    let names = outcome
        .results
        .iter()
        .flat_map(|(variant, _)| [variant.name.to_string(), format!("{}: captured", variant.name)]);
    let mut table =
        Table::new(["question".to_string(), "truth".to_string()].into_iter().chain(names));
    let bit =
        |value: Option<bool>| value.map_or(String::new(), |value| u8::from(value).to_string());
    for (at, question) in outcome.questions.iter().enumerate() {
        let cells = outcome
            .results
            .iter()
            .flat_map(|(_, m)| [m[at].nodes.to_string(), bit(m[at].captured)]);
        table.row([question.problem.id.clone(), bit(outcome.truth[at])].into_iter().chain(cells));
    }
    table
}

/// A share of questions solved must rest on at least this many to be judged.
const FEWEST: usize = 20;

fn findings(outcome: &Outcome<'_>, published: &Published) -> Vec<Finding> {
    vec![
        more_solved(outcome, published),
        heuristic_plain_best(outcome, published),
        errors(outcome, published),
        less_stable_rates(outcome),
        less_stable_narrow(outcome),
        speed_up(outcome),
        price_of_exactness(outcome),
    ]
}

fn solved(outcome: &Outcome<'_>, name: &str) -> usize {
    outcome.of(name).iter().filter(|measured| measured.captured.is_some()).count()
}

fn published_solved(published: &Published, name: &str) -> u32 {
    published
        .counts
        .iter()
        .find(|count| count.variant == name)
        .map_or(0, |count| count.right + count.wrong)
}

fn more_solved(outcome: &Outcome<'_>, published: &Published) -> Finding {
    let names = ["all", "all top 5", "all rate 40"];
    let attacks = names.map(|name| {
        let count = outcome.count(name, None, Some(Role::Attacker));
        count.right + count.wrong + count.unverified
    });
    let [plain, top, rate] = attacks;
    let best = top.max(rate) as f64 / plain.max(1) as f64;
    let theirs = names.map(|name| published_solved(published, name));
    let verdict = match best {
        _ if top.max(rate) < FEWEST => Verdict::Open,
        ratio if ratio >= 2.0 => Verdict::Holds,
        ratio if ratio >= 1.15 => Verdict::Partly,
        _ => Verdict::Fails,
    };
    let asked = outcome.questions.iter().filter(|q| q.problem.first == Role::Attacker).count();
    let all = names.map(|name| solved(outcome, name));
    Finding {
        claim: "With all legal moves, top 5 or rate 40 solves several times as many as plain df-pn+ within the limit"
            .into(),
        published: format!(
            "plain {}, top 5 {}, rate 40 {} of {}",
            theirs[0], theirs[1], theirs[2], published.problems
        ),
        ours: format!(
            "attacker first: plain {plain}, top 5 {top}, rate 40 {rate} of {asked}; both ways: {}, {}, {} of {}",
            all[0],
            all[1],
            all[2],
            outcome.questions.len()
        ),
        verdict,
        words: format!(
            "Where the attacker moves first, as in the paper's problems, the better of the two solves {best:.2} times as \
             many as plain. Where the defender moves first most questions are settled in a few nodes by reaching the \
             liberty limit, whatever the variant."
        ),
    }
}

fn heuristic_plain_best(outcome: &Outcome<'_>, published: &Published) -> Finding {
    let names = ["heuristic", "heuristic top 20", "heuristic top 10", "heuristic top 5"];
    let ours = names.map(|name| solved(outcome, name));
    let theirs = names.map(|name| published_solved(published, name));
    let best_narrow = ours[1..].iter().copied().max().unwrap_or(0);
    let verdict = match ours[0] {
        plain if plain < FEWEST => Verdict::Open,
        plain if plain >= best_narrow => Verdict::Holds,
        plain if plain as f64 >= 0.97 * best_narrow as f64 => Verdict::Partly,
        _ => Verdict::Fails,
    };
    let list = |counts: &[String]| {
        format!(
            "plain {}, top 20 {}, top 10 {}, top 5 {}",
            counts[0], counts[1], counts[2], counts[3]
        )
    };
    Finding {
        claim: "With heuristic moves, plain df-pn+ is best: their number already measures how good a node is".into(),
        published: list(&theirs.map(|count| count.to_string())),
        ours: list(&ours.map(|count| count.to_string())),
        verdict,
        words: format!("Plain solves {}, the best narrowed form {best_narrow}.", ours[0]),
    }
}

fn errors(outcome: &Outcome<'_>, published: &Published) -> Finding {
    let wrong = |moves: Moves| -> usize {
        let names = outcome.results.iter().filter(|(variant, _)| variant.moves == moves);
        names.map(|(variant, _)| outcome.count(variant.name, None, None).wrong).sum()
    };
    let heuristic = outcome.count("heuristic", None, None);
    let (all, narrowed) =
        (wrong(Moves::All) + outcome.contradictions.len(), wrong(Moves::Heuristic));
    let verdict = match (all, narrowed) {
        (0, 1..) => Verdict::Holds,
        (0, 0) => Verdict::Open,
        _ => Verdict::Fails,
    };
    let p_wrong = published
        .counts
        .iter()
        .find(|count| count.variant == "heuristic")
        .map_or(0, |count| count.wrong);
    Finding {
        claim: "The heuristic makes errors, all legal moves none".into(),
        published: format!("heuristic {p_wrong} wrong, all legal 0"),
        ours: format!(
            "heuristic plain {} wrong of {} with a proof; all legal {all}",
            heuristic.wrong,
            heuristic.wrong + heuristic.right
        ),
        verdict,
        words: format!(
            "Over all heuristic variants {narrowed} answers contradict a proof; over all all-legal variants {all}."
        ),
    }
}

/// Spreads of the paper's pairs of neighbouring settings.
fn spreads(outcome: &Outcome<'_>, pairs: [(&str, &str); 2]) -> ([Option<f64>; 2], String) {
    let comparisons = pairs.map(|(x, y)| outcome.compare(x, y, None));
    let texts = [0, 1].map(|at| {
        let text = outcome.interval(&comparisons[at].ratios(), spread);
        format!("{} / {}: {text}", pairs[at].1, pairs[at].0)
    });
    ([comparisons[0].spread(), comparisons[1].spread()], texts.join("; "))
}

fn less_stable_rates(outcome: &Outcome<'_>) -> Finding {
    let (top, top_text) =
        spreads(outcome, [("all top 10", "all top 20"), ("all top 5", "all top 10")]);
    let (rate, rate_text) =
        spreads(outcome, [("all rate 20", "all rate 10"), ("all rate 40", "all rate 20")]);
    let mean = |values: [Option<f64>; 2]| Some((values[0]? + values[1]?) / 2.0);
    let (verdict, words) = match (mean(top), mean(rate)) {
        (Some(top), Some(rate)) => (
            if rate > top * 1.05 { Verdict::Holds } else { Verdict::Fails },
            format!("Mean spread {rate:.2} for rate n, {top:.2} for top n."),
        ),
        _ => (Verdict::Open, String::new()),
    };
    Finding {
        claim: "rate n is less stable than top n".into(),
        published: "in words, from figures 7, 8, 10 and 11".into(),
        ours: format!("spread of log10 of the node ratio: {top_text}; {rate_text}"),
        verdict,
        words,
    }
}

fn less_stable_narrow(outcome: &Outcome<'_>) -> Finding {
    let pairs = [("all top 10", "all top 20"), ("all top 5", "all top 10")];
    let ([wide, narrow], text) = spreads(outcome, pairs);
    let (top2, top5) = (solved(outcome, "all top 2"), solved(outcome, "all top 5"));
    let scatters_more = wide.zip(narrow).map(|(wide, narrow)| narrow > wide * 1.5);
    let collapses = 2 * top2 < top5;
    let verdict = match (scatters_more, collapses) {
        _ if top5 < FEWEST => Verdict::Open,
        (Some(true), true) => Verdict::Holds,
        (Some(false), false) => Verdict::Fails,
        (Some(_), _) => Verdict::Partly,
        (None, _) => Verdict::Open,
    };
    let word = |yes: bool| if yes { "does" } else { "does not" };
    Finding {
        claim: "The fewer children count, the less stable the gain, and top 2 collapses".into(),
        published: "in words, from figures 7 and 8; top 2 solves 8, top 5 139".into(),
        ours: format!(
            "spread of log10 of the node ratio: {text}; top 2 solves {top2}, top 5 {top5}"
        ),
        verdict,
        words: format!(
            "The spread {} grow clearly (by half) from the wider to the narrower pair; top 2 {} collapse.",
            word(scatters_more == Some(true)),
            word(collapses)
        ),
    }
}

fn speed_up(outcome: &Outcome<'_>) -> Finding {
    let comparison = outcome.compare("all top 5", "all", Some(Role::Attacker));
    let ratios = comparison.ratios();
    let mut bounded = ratios.clone();
    bounded.extend(comparison.cut.iter().map(|(x, y)| y / x));
    let both_ways = outcome.compare("all top 5", "all", None).ratios();
    let verdict = match geometric_mean(&bounded) {
        _ if bounded.len() < FEWEST => Verdict::Open,
        Some(ratio) if ratio >= 30.0 => Verdict::Holds,
        Some(ratio) if ratio >= 1.5 => Verdict::Partly,
        _ => Verdict::Fails,
    };
    Finding {
        claim: "With all legal moves widening is over 100 times faster on average".into(),
        published: "over 100 times; how it was averaged is not said".into(),
        ours: format!(
            "nodes of plain / top 5, attacker first: {} where both solve ({}), at least {} with searches over the limit \
             counted as ended there ({}); both ways, both solve ({}): {}",
            outcome.interval(&ratios, geometric_mean),
            ratios.len(),
            outcome.interval(&bounded, geometric_mean),
            bounded.len(),
            both_ways.len(),
            outcome.interval(&both_ways, geometric_mean)
        ),
        verdict,
        words: "A question that plain does not solve at all enters with the limit only, so these are lower bounds; with a \
                low limit they must come out small."
            .into(),
    }
}

fn price_of_exactness(outcome: &Outcome<'_>) -> Finding {
    let ratios = outcome.compare("heuristic", "all top 5", None).ratios();
    let verdict = match geometric_mean(&ratios) {
        _ if ratios.len() < FEWEST => Verdict::Open,
        Some(ratio) if (1.5..=6.0).contains(&ratio) => Verdict::Holds,
        Some(_) => Verdict::Fails,
        None => Verdict::Open,
    };
    Finding {
        claim: "All legal moves with top 5 cost about 3 times the nodes of heuristic moves".into(),
        published: "about 3 times".into(),
        ours: format!(
            "top 5 / heuristic, both solve ({}): {}",
            ratios.len(),
            outcome.interval(&ratios, geometric_mean)
        ),
        verdict,
        words: "On questions that both solve; the heuristic solves others that top 5 does not."
            .into(),
    }
}
