//! What the correlations say about the paper's claim.

use super::{Correlation, CorrelationKind, find};
use crate::experiments::probcut::{PHASES, Published};
use crate::page::{Finding, FindingVerdict};
use crate::searcher::EVALUATIONS;
use yomikiri_engine::eval::EvaluationKind;

/// Fits on fewer positions than this are named as small.
const FEW: usize = 50;

/// Finding 1: better correlation and lower sigma than the normal search, in each phase.
// Long: one sentence of figures, counted in one pass.
pub(super) fn finding(published: &Published, correlation: &Correlation) -> Finding {
    let (mut better, mut lower, mut cases) = (0, 0, 0);
    let mut fewest = usize::MAX;
    let mut worst: Vec<String> = Vec::new();
    let mut shown: Vec<String> = Vec::new();
    for source in 0..correlation.names.len() {
        for evaluator in EVALUATIONS {
            for (phase, (name, ..)) in PHASES.iter().enumerate() {
                let fit = |kind| correlation.fit(source, evaluator, kind, Some(phase));
                let (quiet, normal) =
                    (fit(CorrelationKind::Quiet84), fit(CorrelationKind::Normal84));
                let count = quiet.count.min(normal.count);
                let (Some(quiet), Some(normal)) = (quiet.line, normal.line) else {
                    continue;
                };
                fewest = fewest.min(count);
                cases += 1;
                better += usize::from(quiet.r2 > normal.r2);
                lower += usize::from(quiet.sigma < normal.sigma);
                if source == 0 {
                    shown.push(format!(
                        "{evaluator} {name}: {:.3} / {:.2} against {:.3} / {:.2}",
                        quiet.r2, quiet.sigma, normal.r2, normal.sigma
                    ));
                }
                if quiet.r2 <= normal.r2 || quiet.sigma >= normal.sigma {
                    worst.push(format!("{evaluator} {name} ({})", correlation.names[source]));
                }
            }
        }
    }
    let theirs = |kind| {
        let row = find(published, kind, EvaluationKind::KingDanger);
        row.map_or_else(String::new, |row| format!("{:.3} / {:.1}", row.r2[0], row.sigma[0]))
    };
    let verdict = match (better, lower) {
        _ if cases < 6 => FindingVerdict::Open,
        (b, l) if b == cases && l == cases => FindingVerdict::Holds,
        (0, 0) => FindingVerdict::Fails,
        _ => FindingVerdict::Partly,
    };
    let mut words = format!(
        "The correlation is higher in {better} and sigma lower in {lower} of {cases} cases (evaluation, phase, file of games)."
    );
    if fewest < FEW {
        words += &format!(
            " The smallest fit rests on {fewest} positions only: see the intervals in table 2."
        );
    }
    if !worst.is_empty() && verdict != FindingVerdict::Fails {
        words += &format!(" Not so: {}.", worst.join(", "));
    }
    Finding {
        claim: format!(
            "Quiescence 8 / 4 correlates better, with lower sigma, than normal search 8 / 4, in each phase ({})",
            correlation.breadth.name()
        ),
        published: format!(
            "progress, all phases, r2 / sigma: quiescence {}, normal {}",
            theirs(CorrelationKind::Quiet84),
            theirs(CorrelationKind::Normal84)
        ),
        ours: format!("r2 / sigma in pawns, quiescence against normal: {}", shown.join("; ")),
        verdict,
        words,
    }
}
