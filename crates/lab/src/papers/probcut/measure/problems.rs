//! Next-move problems, every variant and evaluation.

use yomikiri_engine::{Limits, SearchParams};

use super::{Bench, Models};
use crate::papers::probcut::{Answers, FORMS, ProblemAnswer, form_name, with_probcut};
use crate::problems::{LoadedSet, NextMoveProblem};
use crate::run::{LabError, Run};
use crate::searcher::realization;

/// Margins of table 7, in pawns.
const PROBLEM_MARGINS: [f64; 4] = [0.0, 1.0, 2.0, 3.0];
/// The variants without ProbCut.
pub(in crate::papers::probcut) const BASE: &str = "no ProbCut, depth 8";
const SHALLOW: &str = "no ProbCut, depth 4";

fn variants(bench: &Bench<'_>) -> Vec<(String, SearchParams)> {
    let base = bench.params(realization());
    let shallow = base.with(|params| params.quiescence.depth = 4);
    let mut all = vec![(BASE.to_string(), base), (SHALLOW.to_string(), shallow)];
    for form in FORMS {
        for pawns in PROBLEM_MARGINS {
            let name = format!("{}, w = {pawns}", form_name(form));
            all.push((name, with_probcut(&base, form, pawns)));
        }
    }
    all
}

/// Gives every problem to every variant and evaluation.
pub(super) fn measure(
    run: &mut Run<'_>,
    bench: &Bench<'_>,
    sets: &[LoadedSet],
    models: &Models,
) -> Result<Vec<Answers>, LabError> {
    let settings = bench.settings;
    let limits = Limits {
        depth: Some(settings.problem_depth),
        nodes: Some(settings.problem_nodes),
        ..Limits::default()
    };
    let mut all = Vec::new();
    for LoadedSet { name, by_people, problems } in sets {
        for &evaluation in bench.evaluations {
            for (variant, params) in variants(bench) {
                let ask = |problem: &NextMoveProblem| {
                    let mut searcher = bench.searchers.make(evaluation, 4);
                    searcher.configure(&params, &models.get(evaluation));
                    let Ok(position) = problem.setup.position() else {
                        return ProblemAnswer { right: false, nodes: 0 };
                    };
                    let found = searcher.search(&position, &limits, 1);
                    let right = found.best.first().is_some_and(|best| problem.right.contains(best));
                    ProblemAnswer { right, nodes: found.nodes }
                };
                let breadth = bench.breadth.name();
                let stage = format!("{breadth}, problems, {name}, {evaluation}, {variant}");
                let answers = run.measure(&stage, problems, |p| p.line.to_string(), ask)?;
                all.push(Answers {
                    set: name.clone(),
                    by_people: *by_people,
                    evaluation: evaluation.to_string(),
                    variant,
                    answers,
                });
            }
        }
    }
    Ok(all)
}
