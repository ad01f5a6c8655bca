//! What was seen of each claim of `claims.toml`.

use super::correlation::{self, fit};
use super::matches::published_games;
use super::problems::{BASE, find, published_answers};
use super::risk::{
    by_means, by_sums, estimate, false_positives, published_efficiency, published_risk,
};
use super::{ROUNDS, ratio_of};
use crate::claims::{Claim, ClaimDirection, Estimate, Evidence};
use crate::papers::probcut::measure::CONTROL;
use crate::papers::probcut::sets::ACCEPTED;
use crate::papers::probcut::{
    Breadth, CorrelationKind, MARGINS, OfBreadth, PHASES, ProbcutResults, ProbcutSettings,
    Published, Rule, Values, WindowKind, Windows,
};
use yomikiri_arena::sprt::SprtVerdict;
use yomikiri_arena::stats::{PairSums, bootstrap};

/// The paper's own evaluations.
const PAPERS: [&str; 2] = ["material", "king-danger"];

/// What was seen of a claim.
pub(super) fn of(
    claim: &Claim,
    settings: &ProbcutSettings,
    published: &Published,
    results: &ProbcutResults,
) -> Evidence {
    let (narrow, name) = match claim.name.strip_prefix("narrow-") {
        Some(name) => (Breadth::Narrow, name),
        None => (Breadth::Paper, claim.name.as_str()),
    };
    let Some(of) = results.parts.iter().find(|part| part.breadth == narrow) else {
        return Evidence::missing("");
    };
    let evaluation = claim.compare.first().map_or("king-danger", String::as_str);
    match name {
        "set" => nodes_of_set(results),
        "correlation" => better_than_normal(published, of, &PAPERS, What::Correlation),
        "sigma" => better_than_normal(published, of, &PAPERS, What::Sigma),
        "network-correlation" => better_than_normal(published, of, &["network"], What::Correlation),
        "network-sigma" => better_than_normal(published, of, &["network"], What::Sigma),
        "efficiency-sums" => efficiency(published, of, "sums", claim.threshold),
        "efficiency-means" => efficiency(published, of, "means", claim.threshold),
        "efficiency-4" => efficiency_at_four(published, of, claim.threshold),
        "falls-with-phase" => falls_with_phase(of),
        "false-positives" => few_false_positives(published, of, claim.threshold),
        "fall-with-margin" => fall_with_margin(of),
        "problems-fewer-nodes" => fewer_nodes(published, of, evaluation),
        "problems-people" => more_right(published, of, true),
        "problems-carried" => more_right(published, of, false),
        "games-1" => stronger(published, of, 1.0, false),
        "games-3" => stronger(published, of, 3.0, false),
        "games-1-time" => stronger(published, of, 1.0, true),
        "games-3-time" => stronger(published, of, 3.0, true),
        "control" => control(of),
        "margin" => some_margin(settings, of),
        _ => Evidence::missing("No such measurement."),
    }
}

/// The ratio of the chosen set lies where the paper's does.
fn nodes_of_set(results: &ProbcutResults) -> Evidence {
    let of = results.sets.iter().filter(|nodes| nodes.set == results.chosen);
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for nodes in of {
        if let Some(ratio) = ratio_of(nodes) {
            cases.push(Evidence::within(ratio, ACCEPTED, String::new()));
            shown.push(format!("{}: {}", nodes.evaluation, ratio.text(3)));
        }
    }
    let ours = format!("`{}`, mean of n4 / n8: {}", results.chosen, shown.join("; "));
    Evidence::every(cases, ours)
}

/// What of a fit is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Correlation,
    Sigma,
}

/// Quiescence 8 / 4 against the normal search 8 / 4 on the same positions, every phase, games drawn
/// anew.
fn better_than_normal(
    published: &Published,
    of: &OfBreadth,
    evaluations: &[&str],
    what: What,
) -> Evidence {
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    let wanted = |values: &&Values| evaluations.contains(&values.evaluation.as_str());
    for values in of.values.iter().filter(wanted) {
        for (phase, (name, ..)) in PHASES.iter().enumerate() {
            let Some(gap) = gap(values, phase, what) else {
                cases.push(Evidence::missing(""));
                continue;
            };
            cases.push(Evidence::estimate(gap, ClaimDirection::Above, 0.0, String::new()));
            shown.push(format!(
                "{} {name} ({}): {}",
                values.evaluation,
                values.source,
                gap.signed(3)
            ));
        }
    }
    let (word, digits) = match what {
        What::Correlation => ("r2 of quiescence minus r2 of normal", "r2"),
        What::Sigma => ("sigma of normal minus sigma of quiescence, pawns", "sigma"),
    };
    let theirs = |kind| {
        let row = correlation::find(published, kind, "king-danger");
        row.map_or_else(String::new, |row| match what {
            What::Correlation => format!("{:.3}", row.r2[0]),
            What::Sigma => format!("{:.1}", row.sigma[0]),
        })
    };
    let beside = format!(
        "progress, all phases, {digits}: quiescence {}, normal {}",
        theirs(CorrelationKind::Quiet84),
        theirs(CorrelationKind::Normal84)
    );
    Evidence::every(cases, format!("{word}: {}", shown.join("; "))).beside(beside)
}

/// How much better quiescence fits than the normal search in a phase, on positions that both count.
fn gap(values: &Values, phase: usize, what: What) -> Option<Estimate> {
    let sums = |kind: CorrelationKind| -> Vec<PairSums> {
        let both = |sample: &&crate::papers::probcut::Sample| {
            crate::papers::probcut::phase_of(sample.number) == Some(phase)
                && CorrelationKind::Quiet84.pair(sample, Rule::Paper).is_some()
                && CorrelationKind::Normal84.pair(sample, Rule::Paper).is_some()
        };
        let of = |game: &Vec<crate::papers::probcut::Sample>| {
            PairSums::of(game.iter().filter(both).filter_map(|s| kind.pair(s, Rule::Paper)))
        };
        values.games.iter().map(of).collect()
    };
    let (quiet, normal) = (sums(CorrelationKind::Quiet84), sums(CorrelationKind::Normal84));
    let of = |places: &[f64]| {
        let line = |groups: &[PairSums]| {
            let drawn = places.iter().map(|&at| &groups[at as usize]);
            drawn.fold(PairSums::default(), |all, group| all.plus(group)).line()
        };
        let (quiet, normal) = (line(&quiet)?, line(&normal)?);
        Some(match what {
            What::Correlation => quiet.r2 - normal.r2,
            What::Sigma => normal.sigma - quiet.sigma,
        })
    };
    let places: Vec<f64> = (0..quiet.len()).map(|at| at as f64).collect();
    let count = fit(values, CorrelationKind::Normal84, Some(phase), Rule::Paper).count;
    Some(Estimate::new(of(&places)?, bootstrap(&places, ROUNDS, 1, of)?, count))
}

/// Windows of the paper's evaluations.
fn papers_windows(of: &OfBreadth) -> impl Iterator<Item = &Windows> {
    of.windows.iter().filter(|windows| PAPERS.contains(&windows.evaluation.as_str()))
}

/// Efficiency at w = 0.5 and 1 at game positions, both evaluations.
fn efficiency(published: &Published, of: &OfBreadth, aggregation: &str, one: f64) -> Evidence {
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for windows in papers_windows(of) {
        for margin in [0, 1] {
            let parts = if aggregation == "sums" { by_sums } else { by_means };
            let seen = estimate(&windows.games, WindowKind::Game, None, |t| parts(t, 0, margin));
            let Some(seen) = seen else {
                cases.push(Evidence::missing(""));
                continue;
            };
            cases.push(Evidence::estimate(seen, ClaimDirection::Below, one, String::new()));
            shown.push(format!(
                "{}, w = {}: {}",
                windows.evaluation,
                MARGINS[margin],
                seen.text(2)
            ));
        }
    }
    let theirs = |evaluation: &str| {
        let at = |w| published_efficiency(published, aggregation, evaluation, w).map(|v| v[3]);
        let text = |w| at(w).map_or("–".to_string(), |v| format!("{v:.3}"));
        format!("{evaluation}: w = 0.5 {}, w = 1 {}", text(MARGINS[0]), text(MARGINS[1]))
    };
    Evidence::every(cases, shown.join("; ")).beside(PAPERS.map(theirs).join("; "))
}

/// "No gain from 4 pawns on", which table 6 itself does not say.
fn efficiency_at_four(published: &Published, of: &OfBreadth, one: f64) -> Evidence {
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for windows in papers_windows(of) {
        if let Some(seen) = estimate(&windows.games, WindowKind::Game, None, |t| by_sums(t, 0, 2)) {
            cases.push(Evidence::estimate(seen, ClaimDirection::Above, one, String::new()));
            shown.push(format!("{}: {}", windows.evaluation, seen.text(2)));
        }
    }
    let theirs = PAPERS.map(|evaluation| {
        let value = published_efficiency(published, "sums", evaluation, 4.0).map(|v| v[3]);
        format!("{evaluation} {:.3}", value.unwrap_or(f64::NAN))
    });
    Evidence::every(cases, shown.join("; ")).beside(format!("table 6: {}", theirs.join(", ")))
}

/// The last phase saves more than the first at w = 1.
fn falls_with_phase(of: &OfBreadth) -> Evidence {
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for windows in papers_windows(of) {
        let at =
            |phase| estimate(&windows.games, WindowKind::Game, Some(phase), |t| by_sums(t, 0, 1));
        let (Some(first), Some(last)) = (at(0), at(PHASES.len() - 1)) else {
            cases.push(Evidence::missing(""));
            continue;
        };
        // The phases of a game are drawn apart here, so that the error is a little too large.
        let error = |e: Estimate| (e.high - e.low) / 2.0;
        let half = error(first).hypot(error(last));
        let gap = first.value - last.value;
        let seen = Estimate::new(gap, (gap - half, gap + half), first.count.min(last.count));
        cases.push(Evidence::estimate(seen, ClaimDirection::Above, 0.0, String::new()));
        shown.push(format!(
            "{}: {:.2} before move 60, {:.2} from move 80, difference {}",
            windows.evaluation,
            first.value,
            last.value,
            seen.signed(2)
        ));
    }
    Evidence::every(cases, shown.join("; "))
}

fn few_false_positives(published: &Published, of: &OfBreadth, most: f64) -> Evidence {
    let (mut cases, mut shown, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
    for windows in papers_windows(of) {
        let mut rates = Vec::new();
        for margin in 0..MARGINS.len() {
            let Some(seen) = false_positives(&windows.games, WindowKind::Game, margin) else {
                continue;
            };
            cases.push(Evidence::estimate(seen, ClaimDirection::Below, most, String::new()));
            rates.push(seen.text(1));
        }
        shown.push(format!("{}: {}", windows.evaluation, rates.join(" ")));
        let rate = |w| published_risk(published, &windows.evaluation, w, "C").map(|row| row[1]);
        let row: Vec<String> = MARGINS.iter().filter_map(|&w| Some(rate(w)?.to_string())).collect();
        theirs.push(format!("{}: {}", windows.evaluation, row.join(" ")));
    }
    let margins = MARGINS.map(|w| w.to_string()).join(", ");
    let beside = format!("per cent at w = {margins}: {}", theirs.join("; "));
    Evidence::every(cases, format!("per cent: {}", shown.join("; "))).beside(beside)
}

/// Windows that are false positives at the smallest margin only, and at the largest only.
fn fall_with_margin(of: &OfBreadth) -> Evidence {
    use super::risk::{Class, of_kind};
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for windows in papers_windows(of) {
        let all = of_kind(&windows.games, WindowKind::Game);
        let wrong = |margin: usize, other: usize| {
            let only = |t: &&&crate::papers::probcut::Tested| {
                t.class(margin) == Class::C && t.class(other) != Class::C
            };
            all.iter().filter(only).count()
        };
        let (small, large) = (wrong(0, 3), wrong(3, 0));
        cases.push(Evidence::sign(small, large, all.len(), String::new()));
        shown.push(format!(
            "{}: wrong at w = 0.5 only {small}, at w = 10 only {large} of {}",
            windows.evaluation,
            all.len()
        ));
    }
    Evidence::every(cases, shown.join("; "))
}

/// The variants of table 7 with ProbCut at the root.
fn table_seven() -> [String; 4] {
    [0, 1, 2, 3].map(|w| format!("root, w = {w}"))
}

/// The first set: the one made by people, if there is one.
fn first_set(of: &OfBreadth) -> Option<&str> {
    of.problems.first().map(|answers| answers.set.as_str())
}

fn fewer_nodes(published: &Published, of: &OfBreadth, evaluation: &str) -> Evidence {
    let Some(set) = first_set(of) else { return Evidence::missing("") };
    let Some(base) = find(of, set, evaluation, BASE) else { return Evidence::missing("") };
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for variant in table_seven() {
        let seen = find(of, set, evaluation, &variant).and_then(|answers| answers.ratio(base));
        let Some(seen) = seen else {
            cases.push(Evidence::missing(""));
            continue;
        };
        cases.push(Evidence::estimate(seen, ClaimDirection::Below, 1.0, String::new()));
        shown.push(format!("{variant}: {}", seen.text(2)));
    }
    let ours = format!("`{set}`, {evaluation}: {}", shown.join("; "));
    Evidence::every(cases, ours).beside(published_answers(published))
}

/// Right answers at w = 3, where the paper gains most.
fn more_right(published: &Published, of: &OfBreadth, by_people: bool) -> Evidence {
    let set = of.problems.iter().find(|answers| answers.by_people == by_people);
    let Some(set) = set.map(|answers| answers.set.as_str()) else {
        return Evidence::missing("`--problems FILE` names a set made by people.")
            .beside(published_answers(published));
    };
    let answers = |variant: &str| find(of, set, "king-danger", variant);
    let (Some(base), Some(with)) = (answers(BASE), answers("root, w = 3")) else {
        return Evidence::missing("");
    };
    let (gained, lost) = (with.gained(base), base.gained(with));
    let shown: Vec<String> = table_seven()
        .iter()
        .filter_map(|variant| Some(format!("{variant}: {}", answers(variant)?.right())))
        .collect();
    let ours = format!(
        "`{set}`, of {}: without {}; {}; at w = 3 gained {gained}, lost {lost}",
        base.answers.len(),
        base.right(),
        shown.join("; ")
    );
    Evidence::sign(gained, lost, base.answers.len(), ours).beside(published_answers(published))
}

fn stronger(published: &Published, of: &OfBreadth, margin: f64, timed: bool) -> Evidence {
    let played = of.matches.iter().find(|m| m.margin == Some(margin) && m.timed == timed);
    let beside = published_games(published, margin);
    match played.and_then(|m| Some((m, m.elo()?))) {
        None => Evidence::missing("These games were not played.").beside(beside),
        Some((m, elo)) => {
            let ours = format!("{} games ({}): Elo {}", elo.count, m.evaluation, elo.signed(0));
            Evidence::estimate(elo, ClaimDirection::Above, 0.0, ours).beside(beside)
        }
    }
}

/// Depth 4 without ProbCut is weaker than depth 8 without.
fn control(of: &OfBreadth) -> Evidence {
    let played = of.matches.iter().find(|m| m.name == CONTROL && !m.timed);
    match played.and_then(|m| Some((m, m.elo()?))) {
        None => Evidence::missing("These games were not played."),
        Some((m, elo)) => {
            let ours = format!("{} games ({}): Elo {}", elo.count, m.evaluation, elo.signed(0));
            Evidence::estimate(elo, ClaimDirection::Below, 0.0, ours)
        }
    }
}

/// Whether the sequential test accepted a gain at some margin. It was decided by tests of its own,
/// each wrong once in twenty: with this number of tests one acceptance is not enough.
fn some_margin(settings: &ProbcutSettings, of: &OfBreadth) -> Evidence {
    let swept: Vec<_> = of
        .matches
        .iter()
        .filter(|m| m.name.starts_with("root") && m.tested_pairs.is_some())
        .collect();
    let with = |wanted: SprtVerdict| {
        let is = |m: &&&crate::papers::probcut::Match| m.tested(&settings.matches) == Some(wanted);
        swept.iter().filter(is).map(|m| format!("{} ({})", m.name, m.evaluation)).collect()
    };
    let gains: Vec<String> = with(SprtVerdict::AcceptH1);
    let denied = with(SprtVerdict::AcceptH0).len();
    let best = swept.iter().filter_map(|m| Some((m, m.elo()?)));
    let best = best.max_by(|a, b| a.1.value.total_cmp(&b.1.value));
    let Some((best, elo)) = best else { return Evidence::missing("No margin was played.") };
    let ours = format!(
        "best of {}: {} ({}), {} games, Elo {}; the sequential test accepts a gain for {}, denies it for {denied}",
        swept.len(),
        best.name,
        best.evaluation,
        elo.count,
        elo.signed(0),
        if gains.is_empty() { "none".to_string() } else { gains.join(", ") }
    );
    // The best of several is looked for: its p-value is multiplied by their number.
    let cases = swept.len().max(1);
    Evidence::best_of(elo, cases, ours).saying((
        format!("The chance of the best counts {cases} times, once for each margin tried."),
        format!("最良の値の偶然の確率は、試したマージンの数（{cases}）だけ重ねて数える。"),
    ))
}
