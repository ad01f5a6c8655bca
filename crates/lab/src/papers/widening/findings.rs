//! What the searches say about each claim of `claims.toml`.

use yomikiri_arena::stats::{bootstrap, geometric_mean};
use yomikiri_go::capture::Moves;
use yomikiri_proof::game::Role;

use super::report::{Published, WideningOutcome, moves_of, spread};
use crate::claims::{Claim, ClaimDirection, Estimate, Evidence};

const ROUNDS: usize = 1000;

/// What was seen of a claim.
pub(super) fn evidence(
    claim: &Claim,
    outcome: &WideningOutcome<'_>,
    published: &Published,
) -> Evidence {
    match claim.name.as_str() {
        "more-solved" => several_times(outcome, published, claim.threshold),
        "heuristic-plain-top-20" | "heuristic-plain-top-5" | "top-2-collapses" => {
            solved_by_one(claim, outcome, published)
        }
        "exact" => errors(outcome, Moves::All),
        "heuristic-errs" => errors(outcome, Moves::Heuristic),
        "rate-less-stable" => less_stable(outcome, RATES, TOPS),
        "narrow-less-stable" => less_stable(outcome, [TOPS[1]; 2], [TOPS[0]; 2]),
        "hundred-times" => speed_up(outcome, claim.threshold),
        "price-of-exactness" => price(outcome),
        _ => Evidence::missing("No such measurement."),
    }
}

/// Pairs of neighbouring settings of figures 7, 8, 10 and 11.
const TOPS: [(&str, &str); 2] = [("all top 10", "all top 20"), ("all top 5", "all top 10")];
const RATES: [(&str, &str); 2] = [("all rate 20", "all rate 10"), ("all rate 40", "all rate 20")];

fn published_solved(published: &Published, name: &str) -> u32 {
    let of = published.counts.iter().find(|count| count.variant == name);
    of.map_or(0, |count| count.right + count.wrong)
}

/// Which questions with the attacker first a variant solves.
fn solved(outcome: &WideningOutcome<'_>, name: &str) -> Vec<bool> {
    let all = outcome.of(name).iter().zip(outcome.questions);
    let first = all.filter(|(_, question)| question.first() == Role::Attacker);
    first.map(|(measured, _)| measured.captured.is_some()).collect()
}

fn count(solved: &[bool]) -> usize {
    solved.iter().filter(|one| **one).count()
}

/// How many times as many top 5 solves as plain, questions drawn anew.
fn several_times(outcome: &WideningOutcome<'_>, published: &Published, times: f64) -> Evidence {
    let names = ["all", "all top 5", "all rate 40"];
    let [plain, top, rate] = names.map(|name| solved(outcome, name));
    let ratio = |places: &[f64]| {
        let count = |of: &[bool]| places.iter().filter(|&&at| of[at as usize]).count() as f64;
        (count(&plain) > 0.0).then(|| count(&top) / count(&plain))
    };
    let places: Vec<f64> = (0..plain.len()).map(|at| at as f64).collect();
    let theirs = names.map(|name| published_solved(published, name).to_string());
    let beside = format!(
        "plain {}, top 5 {}, rate 40 {} of {}",
        theirs[0], theirs[1], theirs[2], published.problems
    );
    let shown = format!(
        "attacker first: plain {}, top 5 {}, rate 40 {} of {}",
        count(&plain),
        count(&top),
        count(&rate),
        plain.len()
    );
    let seen = ratio(&places).zip(bootstrap(&places, ROUNDS, outcome.seed, ratio));
    match seen {
        None => Evidence::missing("Plain solves none.").beside(beside),
        Some((value, ends)) => {
            let seen = Estimate::new(value, ends, plain.len());
            let ours = format!("{shown}; top 5 / plain {}", seen.text(2));
            Evidence::estimate(seen, ClaimDirection::Above, times, ours).beside(beside)
        }
    }
}

/// Questions that exactly one of the two variants of a claim solves.
fn solved_by_one(claim: &Claim, outcome: &WideningOutcome<'_>, published: &Published) -> Evidence {
    let [first, second] = &claim.compare[..] else { return Evidence::missing("") };
    let (ours, theirs) = (solved(outcome, first), solved(outcome, second));
    let only = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| **a && !**b).count();
    let (gained, lost) = (only(&ours, &theirs), only(&theirs, &ours));
    let text = format!(
        "{first} {}, {second} {} of {}; only the first {gained}, only the second {lost}",
        count(&ours),
        count(&theirs),
        ours.len()
    );
    let [a, b] = [first, second].map(|name| published_solved(published, name));
    Evidence::sign(gained, lost, ours.len(), text).beside(format!("{first} {a}, {second} {b}"))
}

/// Answers that contradict a proof.
fn errors(outcome: &WideningOutcome<'_>, moves: Moves) -> Evidence {
    let of = outcome.results.iter().filter(|(name, _)| moves_of(name) == Some(moves));
    let counts: Vec<_> = of.map(|(name, _)| outcome.count(name, None, None)).collect();
    let wrong: usize = counts.iter().map(|count| count.wrong).sum();
    let judged: usize = counts.iter().map(|count| count.wrong + count.right).sum();
    let (holds, wrong) = match moves {
        Moves::Heuristic => (wrong > 0, wrong),
        _ => {
            let wrong = wrong + outcome.contradictions.len();
            (wrong == 0, wrong)
        }
    };
    let ours = format!("{wrong} wrong of {judged} answers with a proof, over all variants");
    Evidence::fact(holds, judged, ours)
}

/// The mean spread of some pairs minus that of others, questions drawn anew (paired), attacker
/// first.
fn less_stable(
    outcome: &WideningOutcome<'_>,
    claimed: [(&str, &str); 2],
    others: [(&str, &str); 2],
) -> Evidence {
    let log_ratio = |(x, y): (&str, &str)| -> Vec<Option<f64>> {
        let pairs = outcome.of(x).iter().zip(outcome.of(y)).zip(outcome.questions);
        let first = pairs.filter(|(_, question)| question.first() == Role::Attacker);
        let of = first.map(|((x, y), _)| match (x.captured, y.captured) {
            (Some(_), Some(_)) => Some(y.nodes.max(1) as f64 / x.nodes.max(1) as f64),
            _ => None,
        });
        of.collect()
    };
    let (claimed, others) = (claimed.map(log_ratio), others.map(log_ratio));
    let mean = |all: &[Vec<Option<f64>>; 2], places: &[f64]| {
        let of = |one: &Vec<Option<f64>>| {
            let drawn = places.iter().filter_map(|&at| one[at as usize]);
            spread(&drawn.collect::<Vec<_>>())
        };
        Some((of(&all[0])? + of(&all[1])?) / 2.0)
    };
    let places: Vec<f64> = (0..claimed[0].len()).map(|at| at as f64).collect();
    let gap = |places: &[f64]| Some(mean(&claimed, places)? - mean(&others, places)?);
    let seen = gap(&places).zip(bootstrap(&places, ROUNDS, outcome.seed, gap));
    match (seen, mean(&claimed, &places), mean(&others, &places)) {
        (Some((value, ends)), Some(more), Some(less)) => {
            let seen = Estimate::new(value, ends, places.len());
            let ours = format!(
                "spread of log10 of the node ratio {more:.2} against {less:.2}; difference {}",
                seen.signed(3)
            );
            Evidence::estimate(seen, ClaimDirection::Above, 0.0, ours)
        }
        _ => Evidence::missing("Too few questions that both solve."),
    }
}

/// Nodes of plain over nodes of top 5, attacker first; a search over the limit counts as ended
/// there, so that this is a lower bound.
fn speed_up(outcome: &WideningOutcome<'_>, times: f64) -> Evidence {
    let comparison = outcome.compare("all top 5", "all", Some(Role::Attacker));
    let mut bounded = comparison.ratios();
    bounded.extend(comparison.cut.iter().map(|(x, y)| y / x));
    let solved = comparison.both.len();
    let Some(seen) = mean_ratio(outcome, &bounded) else {
        return Evidence::missing("Nothing was solved.");
    };
    let ours = format!("at least {} times ({solved} questions solved by both)", seen.text(2));
    Evidence::estimate(seen, ClaimDirection::Above, times, ours).saying((
        "A question that plain does not solve at all enters with the limit only: a lower bound.",
        "素のdf-pn+で解けない問題は制限の節点数で数えるので、これは下限である。",
    ))
}

fn price(outcome: &WideningOutcome<'_>) -> Evidence {
    let ratios = outcome.compare("heuristic", "all top 5", None).ratios();
    let Some(seen) = mean_ratio(outcome, &ratios) else {
        return Evidence::missing("Nothing was solved.");
    };
    let ours = format!("top 5 / heuristic, both solve: {}", seen.text(2));
    Evidence::within(seen, (2.0, 4.5), ours).saying((
        "On questions that both solve; from 2 to 4.5 times counts as about 3.",
        "両方が解く問題での比。2～4.5倍を「約3倍」とみなす。",
    ))
}

fn mean_ratio(outcome: &WideningOutcome<'_>, ratios: &[f64]) -> Option<Estimate> {
    let ends = bootstrap(ratios, ROUNDS, outcome.seed, geometric_mean)?;
    Some(Estimate::new(geometric_mean(ratios)?, ends, ratios.len()))
}
