//! Whether the paper's findings about efficiency and false positives hold.

use yomikiri_engine::eval::EvaluationKind;

use super::{
    AGGREGATIONS, Aggregation, Class, FORMS, OfGame, Tested, Windows, by_sums, estimate, in_phase,
    of_kind, published_efficiency, published_risk, ratio,
};
use crate::experiments::probcut::{Breadth, MARGINS, PHASES, Published, form_name, with_interval};
use crate::page::{Finding, FindingVerdict};

/// Fewer windows than this decide nothing.
const FEWEST: usize = 200;

/// The evaluations and kinds of windows of which there are enough to decide.
fn cases(windows: &Windows) -> Vec<(String, &[OfGame], bool)> {
    let mut all = Vec::new();
    for (evaluator, of) in windows.0.iter() {
        for (open, name) in [(true, "open"), (false, "null")] {
            if of_kind(of, open).len() >= FEWEST {
                all.push((format!("{evaluator}, {name}"), &of[..], open));
            }
        }
    }
    all
}

/// Finding 2: efficiency below 1 for small margins, falling with the phase.
pub(super) fn efficiency(published: &Published, breadth: Breadth, windows: &Windows) -> Finding {
    let (mut below, mut falling) = ([0, 0], 0);
    let mut shown = Vec::new();
    let cases = cases(windows);
    for (name, of, open) in &cases {
        for ((_, aggregate), count) in AGGREGATIONS.into_iter().zip(&mut below) {
            let clearly = |margin| {
                let found = estimate(of, *open, |t| aggregate(t, 0, margin));
                found.is_some_and(|(_, (_, high))| high < 1.0)
            };
            *count += usize::from([0, 1].into_iter().all(clearly));
        }
        let small = [0, 1].map(|margin| {
            let found = estimate(of, *open, |t| by_sums(t, 0, margin));
            with_interval(found.map(|e| e.0), found.map(|e| e.1), 2)
        });
        let of_phase = |at| ratio(&in_phase(of, *open, at), by_sums, 0, 1);
        let phases: Vec<f64> = (0..PHASES.len()).filter_map(of_phase).collect();
        falling += usize::from(phases.windows(2).all(|pair| pair[1] < pair[0]));
        let phases: Vec<String> = phases.iter().map(|value| format!("{value:.2}")).collect();
        shown.push(format!(
            "{name}: w = 0.5 {}, w = 1 {}, by phase at w = 1 {}",
            small[0],
            small[1],
            phases.join(" ")
        ));
    }
    let [sums, means] = below;
    let verdict = match (sums, means, falling) {
        _ if cases.is_empty() => FindingVerdict::Open,
        (s, m, f) if [s, m, f] == [cases.len(); 3] => FindingVerdict::Holds,
        (0, 0, 0) => FindingVerdict::Fails,
        _ => FindingVerdict::Partly,
    };
    let why = if sums == cases.len() || breadth == Breadth::Wide {
        ""
    } else {
        " Narrow quiescence has little below depth 4, so that the tests of depth 4 cost nearly what depth 8 costs."
    };
    Finding {
        claim: format!(
            "Efficiency is below 1 for small margins, and falls with the phase ({})",
            breadth.name()
        ),
        published: published_small_margins(published),
        ours: format!("ratio of sums: {}", shown.join("; ")),
        verdict,
        words: format!(
            "Below 1 with the whole interval at w = 0.5 and 1: in {sums} of {} cases (evaluation, kind of window) by the ratio of sums, in \
             {means} by the mean of ratios (the table by size says why they differ); falling with the phase at w = 1 in {falling}.{why}",
            cases.len()
        ),
    }
}

/// The published efficiency of progress at the small margins, in both aggregations.
fn published_small_margins(published: &Published) -> String {
    let of = |(name, _): &(&str, Aggregation)| {
        let at = |margin| published_efficiency(published, name, EvaluationKind::KingDanger, margin);
        let (half, one) = (at(MARGINS[0])?, at(MARGINS[1])?);
        let phases: Vec<String> = one[..3].iter().map(|value| format!("{value:.3}")).collect();
        Some(format!(
            "{name}: w = 0.5 {:.3}, w = 1 {:.3}, by phase at w = 1 {}",
            half[3],
            one[3],
            phases.join(" ")
        ))
    };
    format!("progress; {}", AGGREGATIONS.iter().filter_map(of).collect::<Vec<_>>().join("; "))
}

/// Finding 3: false positives a few per cent and falling with w.
pub(super) fn risk(published: &Published, breadth: Breadth, windows: &Windows) -> Finding {
    let (mut few, mut falling) = (0, 0);
    let mut shown = Vec::new();
    let cases = cases(windows);
    for (name, of, open) in &cases {
        let rate = |margin| {
            let is_wrong = |t: &Tested| f64::from(u8::from(t.class(margin) == Class::C));
            estimate(of, *open, |t| (100.0 * is_wrong(t), 1.0))
        };
        let rates: Vec<(f64, (f64, f64))> = (0..MARGINS.len()).filter_map(rate).collect();
        few += usize::from(rates.iter().all(|&(rate, _)| rate <= 5.0));
        falling += usize::from(rates.windows(2).all(|pair| pair[1].0 <= pair[0].0));
        let rates: Vec<String> =
            rates.iter().map(|&(rate, ends)| with_interval(Some(rate), Some(ends), 1)).collect();
        shown.push(format!("{name}: {}", rates.join(" ")));
    }
    let verdict = match (few, falling) {
        _ if cases.is_empty() => FindingVerdict::Open,
        (f, g) if f == cases.len() && g == cases.len() => FindingVerdict::Holds,
        (0, 0) => FindingVerdict::Fails,
        _ => FindingVerdict::Partly,
    };
    Finding {
        claim: format!("False positives are a few per cent, and fall with w ({})", breadth.name()),
        published: published_false_positives(published),
        ours: format!(
            "per cent at the same margins ({}): {}",
            form_name(FORMS[0]),
            shown.join("; ")
        ),
        verdict,
        words: format!(
            "At most 5 % at every margin in {few}, never rising with w in {falling} of {} cases (evaluation, kind of window).",
            cases.len()
        ),
    }
}

fn published_false_positives(published: &Published) -> String {
    let of = |evaluator: EvaluationKind| {
        let rate = |w| published_risk(published, evaluator, w, "C").map(|row| row[1].to_string());
        let rates: Vec<String> = MARGINS.into_iter().filter_map(rate).collect();
        format!("{evaluator} {}", rates.join(" "))
    };
    let margins = MARGINS.map(|w| w.to_string()).join(", ");
    format!(
        "per cent at w = {margins}: {}; {}",
        of(EvaluationKind::KingDanger),
        of(EvaluationKind::Material)
    )
}
