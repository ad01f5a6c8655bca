//! What ProbCut inside quiescence does to next-move problems: table 7.

use crate::searcher::EVALUATIONS;
use serde::{Deserialize, Serialize};
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::settings::search::QuiescenceProbCut;
use yomikiri_engine::{Limits, SearchParams};

use super::{
    Bench, Breadth, Models, Published, PublishedProblems, form_name, model_of, with_interval,
    with_probcut,
};
use crate::page::{Finding, FindingVerdict, Page};
use crate::problems::Problem;
use crate::run::{LabError, Run};
use crate::searcher::realization;
use crate::table::Table;
use yomikiri_arena::stats::{bootstrap, sign_test};

/// Margins of table 7, in pawns.
const PROBLEM_MARGINS: [f64; 4] = [0.0, 1.0, 2.0, 3.0];
const BASE: &str = "no ProbCut, depth 8";
const SHALLOW: &str = "no ProbCut, depth 4";

/// What a search made of a problem.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct ProblemAnswer {
    right: bool,
    nodes: u64,
}

/// The answers of one variant with one evaluation.
pub(super) struct Answers {
    evaluator: EvaluationKind,
    variant: String,
    answers: Vec<ProblemAnswer>,
}

fn variants(breadth: Breadth) -> Vec<(String, SearchParams)> {
    let base = breadth.of(realization());
    let shallow = base.with(|params| params.quiescence.depth = 4);
    let mut all = vec![(BASE.to_string(), base), (SHALLOW.to_string(), shallow)];
    for form in [QuiescenceProbCut::Root, QuiescenceProbCut::Every] {
        for pawns in PROBLEM_MARGINS {
            let name = format!("{}, w = {pawns}", form_name(form));
            all.push((name, with_probcut(&base, form, pawns)));
        }
    }
    all
}

/// Asks every problem of every variant and evaluation.
pub(super) fn measure(
    run: &mut Run<'_>,
    bench: &Bench<'_>,
    problems: &[Problem],
    models: &Models,
) -> Result<Vec<Answers>, LabError> {
    let Bench { settings, searchers, breadth } = bench;
    let limits = Limits {
        depth: Some(settings.problem_depth),
        nodes: Some(settings.problem_nodes),
        ..Limits::default()
    };
    let mut all = Vec::new();
    for evaluator in EVALUATIONS {
        for (variant, params) in variants(*breadth) {
            let ask = |problem: &Problem| {
                let mut searcher = searchers.make(evaluator, 4);
                searcher.configure(&params, &model_of(models, evaluator));
                let Ok(position) = problem.setup.position() else {
                    return ProblemAnswer { right: false, nodes: 0 };
                };
                let found = searcher.search(&position, &limits, 1);
                let right = found.best.first().is_some_and(|best| problem.right.contains(best));
                ProblemAnswer { right, nodes: found.nodes }
            };
            let stage = format!("{}, problems, {evaluator}, {variant}", breadth.name());
            let answers = run.measure(&stage, problems, |p| p.line.to_string(), ask)?;
            all.push(Answers { evaluator, variant, answers });
        }
    }
    Ok(all)
}

impl Answers {
    fn right(&self) -> usize {
        self.answers.iter().filter(|answer| answer.right).count()
    }

    /// Nodes as a share of those of another variant, with an interval over the problems.
    fn ratio(&self, base: &Answers) -> (Option<f64>, Option<(f64, f64)>) {
        let ratio = |places: &[f64]| {
            let sum = |of: &Answers| -> u64 {
                places.iter().map(|&at| of.answers[at as usize].nodes).sum()
            };
            let below = sum(base);
            (below > 0).then(|| sum(self) as f64 / below as f64)
        };
        let places: Vec<f64> = (0..self.answers.len()).map(|at| at as f64).collect();
        (ratio(&places), bootstrap(&places, 400, 1, ratio))
    }

    /// Problems right here and wrong there.
    fn gained(&self, other: &Answers) -> usize {
        let both = self.answers.iter().zip(&other.answers);
        both.filter(|(ours, theirs)| ours.right && !theirs.right).count()
    }
}

fn find<'a>(all: &'a [Answers], evaluator: EvaluationKind, variant: &str) -> Option<&'a Answers> {
    all.iter().find(|answers| answers.evaluator == evaluator && answers.variant == variant)
}

/// Writes table 7 and finding 4.
pub(super) fn report(
    run: &Run<'_>,
    page: &mut Page,
    published: &Published,
    breadth: Breadth,
    all: &[Answers],
) -> Result<(), LabError> {
    page.heading(&format!("Next-move problems ({})", breadth.name()));
    page.paragraph(
        "The search is the paper's: MTD(f) over realization probabilities to a fixed depth (and a limit of nodes, which few searches \
         reach), with quiescence of depth 8 below. The paper's problems are those of a book; ours are in data/next_moves.tsv, chosen by \
         the engine with the learned evaluation, which may favour `linear`. The paper does not say how many its problems are.",
    );
    let mut table = Table::new([
        "evaluation",
        "variant",
        "published: right",
        "published: nodes",
        "right",
        "of",
        "gained / lost against depth 8",
        "sign test, p",
        "nodes",
    ]);
    for answers in all {
        let Some(base) = find(all, answers.evaluator, BASE) else { continue };
        let theirs = published.problems.iter().find(|row| row.variant == answers.variant);
        let theirs = theirs.filter(|_| answers.evaluator == EvaluationKind::KingDanger);
        let (ratio, interval) = answers.ratio(base);
        table.row([
            answers.evaluator.to_string(),
            answers.variant.clone(),
            theirs.map_or("–".into(), |row| row.right.to_string()),
            theirs.map_or("–".into(), |row| format!("{:.3}", row.nodes)),
            answers.right().to_string(),
            answers.answers.len().to_string(),
            format!("{} / {}", answers.gained(base), base.gained(answers)),
            format!("{:.2}", sign_test(answers.gained(base), base.gained(answers))),
            with_interval(ratio, interval, 3),
        ]);
    }
    run.write_table(&breadth.file("problems"), &table)?;
    page.table(
        "Table 7: right answers, and nodes as a share of depth 8 without ProbCut. The paper's program used ProgressEval",
        &table,
    );
    page.finding(finding(published, breadth, all));
    Ok(())
}

fn finding(published: &Published, breadth: Breadth, all: &[Answers]) -> Finding {
    let (mut more, mut less, mut fewer, mut cases) = (0, 0, 0, 0);
    let mut shown = Vec::new();
    for answers in all.iter().filter(|answers| answers.variant.starts_with("root")) {
        let Some(base) = find(all, answers.evaluator, BASE) else { continue };
        let (Some(ratio), interval) = answers.ratio(base) else { continue };
        let (gained, lost) = (answers.gained(base), base.gained(answers));
        let clearly = sign_test(gained, lost) < 0.05;
        cases += 1;
        more += usize::from(clearly && gained > lost);
        less += usize::from(clearly && gained < lost);
        fewer += usize::from(interval.is_some_and(|(_, high)| high < 1.0));
        shown.push(format!(
            "{}, {}: {} for {}, {ratio:.2}",
            answers.evaluator,
            answers.variant,
            answers.right(),
            base.right()
        ));
    }
    let asked = all.first().map_or(0, |answers| answers.answers.len());
    let verdict = match (more, fewer) {
        _ if asked < 50 => FindingVerdict::Open,
        (more, fewer) if more == cases && fewer == cases => FindingVerdict::Holds,
        (0, 0) => FindingVerdict::Fails,
        _ => FindingVerdict::Partly,
    };
    Finding {
        claim: format!("ProbCut solves more problems in fewer nodes ({})", breadth.name()),
        published: published_answers(published),
        ours: format!("right with ProbCut for right without, node ratio: {}", shown.join("; ")),
        verdict,
        words: format!(
            "Of {cases} cases (evaluation, margin) on {asked} problems: fewer nodes with the whole interval in {fewer}; more right answers \
             in {more} and fewer in {less} beyond chance (sign test, 5 %). Depth 4 alone takes {} of the nodes of depth 8: what is beyond \
             that is about what ProbCut can save.",
            shares_of_depth_4(all)
        ),
    }
}

fn published_answers(published: &Published) -> String {
    let of = |row: &PublishedProblems| {
        format!("{}: {} right, nodes {:.3}", row.variant, row.right, row.nodes)
    };
    published.problems.iter().map(of).collect::<Vec<_>>().join("; ")
}

/// What depth 4 alone costs, as a share of depth 8, for each evaluation.
fn shares_of_depth_4(all: &[Answers]) -> String {
    let share = |evaluator: EvaluationKind| {
        let (shallow, base) = (find(all, evaluator, SHALLOW)?, find(all, evaluator, BASE)?);
        Some(format!("{:.2} ({evaluator})", shallow.ratio(base).0?))
    };
    EVALUATIONS.into_iter().filter_map(share).collect::<Vec<_>>().join(", ")
}
