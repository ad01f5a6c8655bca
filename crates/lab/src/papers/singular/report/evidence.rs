//! What was seen of each claim of `claims.toml`.

use super::{Rated, Sum, family, gained, mean_wrong_rank, percent, right};
use crate::claims::{Claim, ClaimDirection, Estimate, Evidence};
use crate::papers::singular::{
    Attempt, Change, Changes, Family, LINES, Played, ProblemSet, SingularResults,
};
use yomikiri_arena::stats::{Parts, ratio_of_groups, wilson};

/// Samples drawn for an interval.
const ROUNDS: usize = 400;

/// What was seen of a claim.
pub(super) fn of(claim: &Claim, results: &SingularResults, rated: &Rated) -> Evidence {
    let depth = claim.depth;
    match claim.name.as_str() {
        "equal-depth" => equal_depth(results, rated, Family::Frontier, Family::Plain),
        "equal-depth-quiescence" => {
            equal_depth(results, rated, Family::FrontierQuiet, Family::PlainQuiet)
        }
        "literal-stronger" => equal_depth(results, rated, Family::Literal, Family::Plain),
        "equal-nodes" => equal_nodes(results, rated),
        "frontier-changes" => frontier_values(results, Family::Frontier, claim.threshold),
        "literal-frontier" => frontier_values(results, Family::Literal, claim.threshold),
        "root-hardly" => root_moves(results, Family::Frontier, claim.threshold),
        "literal-root" => root_moves(results, Family::Literal, claim.threshold),
        "problems-people" => solved(results, true, depth),
        "problems-carried" => solved(results, false, depth),
        "problems-closer" => closer(results, depth),
        "table-time" => forms(claim, results, &results.timed_games),
        "table-nodes" | "original-nodes" => forms(claim, results, &results.form_games),
        _ => Evidence::missing("No such measurement."),
    }
}

/// Every depth at which both families play.
fn equal_depth(
    results: &SingularResults,
    rated: &Rated,
    with: Family,
    without: Family,
) -> Evidence {
    let others = family(&results.entrants, without);
    let (mut cases, mut shown) = (Vec::new(), Vec::new());
    for (depth, a) in family(&results.entrants, with) {
        let Some(&(_, b)) = others.iter().find(|other| other.0 == depth) else { continue };
        let Some(gain) = rated.gain(a, b) else { continue };
        cases.push(Evidence::estimate(gain, ClaimDirection::Above, 0.0, String::new()));
        shown.push(format!("depth {depth}: {}", gain.signed(0)));
    }
    Evidence::every(cases, format!("Elo of {}: {}", with.name(), shown.join("; ")))
}

fn equal_nodes(results: &SingularResults, rated: &Rated) -> Evidence {
    let line: Vec<usize> =
        family(&results.entrants, Family::Plain).into_iter().map(|(_, at)| at).collect();
    let (mut cases, mut shown, mut beyond) = (Vec::new(), Vec::new(), Vec::new());
    for (depth, at) in family(&results.entrants, Family::Frontier) {
        match rated.above_line(at, &line) {
            Some(gain) => {
                cases.push(Evidence::estimate(gain, ClaimDirection::Above, 0.0, String::new()));
                shown.push(format!("depth {depth}: {}", gain.signed(0)));
            }
            None => beyond.push(format!("depth {depth}")),
        }
    }
    let beyond = match &beyond[..] {
        [] => String::new(),
        some => format!("No plain player takes as many nodes as: {}.", some.join(", ")),
    };
    let ours = format!("Elo above the plain players at the same nodes: {}", shown.join("; "));
    Evidence::every(cases, ours).saying(beyond)
}

/// All changes by one reading of the rule.
fn changes_of(results: &SingularResults, family: Family) -> impl Iterator<Item = &Changes> {
    results.changes.iter().filter(move |changes| changes.family == family)
}

fn frontier_values(results: &SingularResults, family: Family, threshold: f64) -> Evidence {
    let all = changes_of(results, family).flat_map(|changes| &changes.positions);
    let groups: Vec<Parts> =
        all.map(|change| (change.frontier[2] as f64, change.frontier[1] as f64)).collect();
    let shown: Vec<String> = changes_of(results, family)
        .map(|changes| {
            let sum = Sum::of(&changes.positions);
            format!("depth {}: {} %", changes.depth, percent(sum.frontier[2], sum.frontier[1]))
        })
        .collect();
    match ratio_of_groups(&groups, ROUNDS, 1) {
        None => Evidence::missing("No leaf was opened."),
        Some((share, ends)) => {
            let seen = Estimate::new(share, ends, groups.len());
            let ours = format!("share of opened values {}; {}", seen.text(3), shown.join("; "));
            Evidence::estimate(seen, ClaimDirection::Above, threshold, ours)
        }
    }
}

fn root_moves(results: &SingularResults, family: Family, threshold: f64) -> Evidence {
    let all: Vec<Change> =
        changes_of(results, family).flat_map(|changes| changes.positions.clone()).collect();
    let sum = Sum::of(&all);
    let Some(ends) = wilson(sum.moves as f64, sum.positions as f64) else {
        return Evidence::missing("No position was searched.");
    };
    let share = sum.moves as f64 / sum.positions as f64;
    let seen = Estimate::new(share, ends, sum.positions);
    let by_depth: Vec<String> = changes_of(results, family)
        .map(|changes| {
            let sum = Sum::of(&changes.positions);
            format!(
                "depth {}: {} %",
                changes.depth,
                percent(sum.moves as u64, sum.positions as u64)
            )
        })
        .collect();
    let ours = format!("share of root moves changed {}; {}", seen.text(3), by_depth.join("; "));
    Evidence::estimate(seen, ClaimDirection::Below, threshold, ours)
}

/// The attempts of the frontier form and of the plain one at a depth.
fn attempts_at<'a>(
    results: &SingularResults,
    set: &'a ProblemSet,
    depth: i32,
) -> Option<[&'a [Attempt]; 2]> {
    let of = |wanted| {
        let found = family(&results.entrants, wanted).into_iter().find(|one| one.0 == depth)?;
        set.attempts.get(found.1).map(Vec::as_slice)
    };
    Some([of(Family::Frontier)?, of(Family::Plain)?])
}

fn solved(results: &SingularResults, by_people: bool, depth: i32) -> Evidence {
    let set = results.problems.iter().find(|set| set.by_people == by_people);
    let Some((set, [with, without])) =
        set.and_then(|set| Some((set, attempts_at(results, set, depth)?)))
    else {
        return Evidence::missing(match by_people && set.is_none() {
            true => "`--problems FILE` names a set made by people.",
            false => "No player searched to this depth.",
        });
    };
    let (won, lost) = (gained(with, without), gained(without, with));
    let ours = format!(
        "{}: {} with, {} without, of {}; only with {won}, only without {lost}",
        set.name,
        right(with),
        right(without),
        with.len()
    );
    Evidence::sign(won, lost, with.len(), ours)
}

fn closer(results: &SingularResults, depth: i32) -> Evidence {
    let set = results.problems.first();
    let Some([with, without]) = set.and_then(|set| attempts_at(results, set, depth)) else {
        return Evidence::missing("");
    };
    let rank = |attempt: &Attempt| attempt.rank.unwrap_or(LINES + 1);
    let wrong = || with.iter().zip(without).filter(|(a, b)| rank(a) > 1 && rank(b) > 1);
    let won = wrong().filter(|(a, b)| rank(a) < rank(b)).count();
    let lost = wrong().filter(|(a, b)| rank(a) > rank(b)).count();
    let ours = format!(
        "of {} that both miss: closer with {won}, closer without {lost}; mean rank where wrong {:.2} with, {:.2} without",
        wrong().count(),
        mean_wrong_rank(with),
        mean_wrong_rank(without)
    );
    Evidence::sign(won, lost, with.len(), ours)
}

fn forms(claim: &Claim, results: &SingularResults, played: &Played) -> Evidence {
    let rated = Rated::of(&results.forms, played);
    let place = |name: &String| results.forms.iter().position(|form| form == name);
    let places: Vec<usize> = claim.compare.iter().filter_map(place).collect();
    let gain = match places[..] {
        [form, none] => rated.gain(form, none),
        _ => None,
    };
    match gain {
        None => Evidence::missing("These games were not played."),
        Some(gain) => {
            Evidence::estimate(gain, ClaimDirection::Above, 0.0, format!("Elo {}", gain.signed(0)))
        }
    }
}
