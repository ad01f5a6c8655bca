//! The paper's findings, each with a verdict.

use yomikiri_go::capture::Moves;
use yomikiri_proof::game::Role;

use super::report::{Published, WideningOutcome, spread};
use crate::page::{Finding, FindingVerdict};
use yomikiri_arena::stats::geometric_mean;

/// A share of questions solved must rest on at least this many to be judged.
const FEWEST: usize = 20;

pub(super) fn findings(outcome: &WideningOutcome<'_>, published: &Published) -> Vec<Finding> {
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

fn solved(outcome: &WideningOutcome<'_>, name: &str) -> usize {
    outcome.of(name).iter().filter(|measured| measured.captured.is_some()).count()
}

fn published_solved(published: &Published, name: &str) -> u32 {
    published
        .counts
        .iter()
        .find(|count| count.variant == name)
        .map_or(0, |count| count.right + count.wrong)
}

fn more_solved(outcome: &WideningOutcome<'_>, published: &Published) -> Finding {
    let names = ["all", "all top 5", "all rate 40"];
    let attacks = names.map(|name| {
        let count = outcome.count(name, None, Some(Role::Attacker));
        count.right + count.wrong + count.unverified
    });
    let [plain, top, rate] = attacks;
    let best = top.max(rate) as f64 / plain.max(1) as f64;
    let theirs = names.map(|name| published_solved(published, name));
    let verdict = match best {
        _ if top.max(rate) < FEWEST => FindingVerdict::Open,
        ratio if ratio >= 2.0 => FindingVerdict::Holds,
        ratio if ratio >= 1.15 => FindingVerdict::Partly,
        _ => FindingVerdict::Fails,
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

fn heuristic_plain_best(outcome: &WideningOutcome<'_>, published: &Published) -> Finding {
    let names = ["heuristic", "heuristic top 20", "heuristic top 10", "heuristic top 5"];
    let ours = names.map(|name| solved(outcome, name));
    let theirs = names.map(|name| published_solved(published, name));
    let best_narrow = ours[1..].iter().copied().max().unwrap_or(0);
    let verdict = match ours[0] {
        plain if plain < FEWEST => FindingVerdict::Open,
        plain if plain >= best_narrow => FindingVerdict::Holds,
        plain if plain as f64 >= 0.97 * best_narrow as f64 => FindingVerdict::Partly,
        _ => FindingVerdict::Fails,
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

fn errors(outcome: &WideningOutcome<'_>, published: &Published) -> Finding {
    let wrong = |moves: Moves| -> usize {
        let names = outcome.results.iter().filter(|(variant, _)| variant.moves == moves);
        names.map(|(variant, _)| outcome.count(variant.name, None, None).wrong).sum()
    };
    let heuristic = outcome.count("heuristic", None, None);
    let (all, narrowed) =
        (wrong(Moves::All) + outcome.contradictions.len(), wrong(Moves::Heuristic));
    let verdict = match (all, narrowed) {
        (0, 1..) => FindingVerdict::Holds,
        (0, 0) => FindingVerdict::Open,
        _ => FindingVerdict::Fails,
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
fn spreads(outcome: &WideningOutcome<'_>, pairs: [(&str, &str); 2]) -> ([Option<f64>; 2], String) {
    let comparisons = pairs.map(|(x, y)| outcome.compare(x, y, None));
    let texts = [0, 1].map(|at| {
        let text = outcome.interval(&comparisons[at].ratios(), spread);
        format!("{} / {}: {text}", pairs[at].1, pairs[at].0)
    });
    ([comparisons[0].spread(), comparisons[1].spread()], texts.join("; "))
}

fn less_stable_rates(outcome: &WideningOutcome<'_>) -> Finding {
    let (top, top_text) =
        spreads(outcome, [("all top 10", "all top 20"), ("all top 5", "all top 10")]);
    let (rate, rate_text) =
        spreads(outcome, [("all rate 20", "all rate 10"), ("all rate 40", "all rate 20")]);
    let mean = |values: [Option<f64>; 2]| Some((values[0]? + values[1]?) / 2.0);
    let (verdict, words) = match (mean(top), mean(rate)) {
        (Some(top), Some(rate)) => (
            if rate > top * 1.05 { FindingVerdict::Holds } else { FindingVerdict::Fails },
            format!("Mean spread {rate:.2} for rate n, {top:.2} for top n."),
        ),
        _ => (FindingVerdict::Open, String::new()),
    };
    Finding {
        claim: "rate n is less stable than top n".into(),
        published: "in words, from figures 7, 8, 10 and 11".into(),
        ours: format!("spread of log10 of the node ratio: {top_text}; {rate_text}"),
        verdict,
        words,
    }
}

fn less_stable_narrow(outcome: &WideningOutcome<'_>) -> Finding {
    let pairs = [("all top 10", "all top 20"), ("all top 5", "all top 10")];
    let ([wide, narrow], text) = spreads(outcome, pairs);
    let (top2, top5) = (solved(outcome, "all top 2"), solved(outcome, "all top 5"));
    let scatters_more = wide.zip(narrow).map(|(wide, narrow)| narrow > wide * 1.5);
    let collapses = 2 * top2 < top5;
    let verdict = match (scatters_more, collapses) {
        _ if top5 < FEWEST => FindingVerdict::Open,
        (Some(true), true) => FindingVerdict::Holds,
        (Some(false), false) => FindingVerdict::Fails,
        (Some(_), _) => FindingVerdict::Partly,
        (None, _) => FindingVerdict::Open,
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

fn speed_up(outcome: &WideningOutcome<'_>) -> Finding {
    let comparison = outcome.compare("all top 5", "all", Some(Role::Attacker));
    let ratios = comparison.ratios();
    let mut bounded = ratios.clone();
    bounded.extend(comparison.cut.iter().map(|(x, y)| y / x));
    let both_ways = outcome.compare("all top 5", "all", None).ratios();
    let verdict = match geometric_mean(&bounded) {
        _ if bounded.len() < FEWEST => FindingVerdict::Open,
        Some(ratio) if ratio >= 30.0 => FindingVerdict::Holds,
        Some(ratio) if ratio >= 1.5 => FindingVerdict::Partly,
        _ => FindingVerdict::Fails,
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

fn price_of_exactness(outcome: &WideningOutcome<'_>) -> Finding {
    let ratios = outcome.compare("heuristic", "all top 5", None).ratios();
    let verdict = match geometric_mean(&ratios) {
        _ if ratios.len() < FEWEST => FindingVerdict::Open,
        Some(ratio) if (2.0..=4.5).contains(&ratio) => FindingVerdict::Holds,
        Some(ratio) if ratio > 1.0 => FindingVerdict::Partly,
        Some(_) => FindingVerdict::Fails,
        None => FindingVerdict::Open,
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
        words: "On questions that both solve; the heuristic solves others that top 5 does not. From 2 to 4.5 times counts as about 3, \
                any other price above 1 as a part of the finding."
            .into(),
    }
}
