//! Elo, the sequential test, ratings of many players: pure functions.

use crate::errors::bad_value;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use yomikiri_arena::rating::{self, Encounter, PairCounts, RatingEstimate};
use yomikiri_arena::sprt::{Sprt, SprtVerdict};
use yomikiri_arena::stats;

/// How much stronger a player is who scores so much of each game, in Elo points.
///
///     >>> from yomikiri import statistics
///     >>> round(statistics.elo_of_score(0.75), 1)
///     190.8
#[pyfunction]
fn elo_of_score(score: f64) -> PyResult<f64> {
    match (0.0..=1.0).contains(&score) {
        true => Ok(rating::elo_of_score(score)),
        false => Err(bad_value(format!("a score is from 0 to 1, not {score}"))),
    }
}

/// The expected score of a player who is this many Elo points stronger.
#[pyfunction]
fn score_of_elo(elo: f64) -> f64 {
    rating::score_of_elo(elo)
}

/// The 95 % interval of Wilson of `successes` in `count`.
#[pyfunction]
fn wilson(successes: f64, count: f64) -> PyResult<(f64, f64)> {
    let sound = successes >= 0.0 && successes <= count;
    let interval = stats::wilson(successes, count).filter(|_| sound);
    interval.ok_or_else(|| bad_value(format!("{successes} of {count} is no share")))
}

fn triple(estimate: RatingEstimate) -> (f64, f64, f64) {
    (estimate.value, estimate.low, estimate.high)
}

/// What pairs of games say about two players: `counts` are how many pairs brought the first one 0,
/// 1/2, 1, 3/2 and 2 points (the pentanomial).
///
/// Gives `score`, `elo` and `normalized_elo`, each as (value, low, high) with 95 % between the last
/// two, and `superiority`, how likely the first player is the stronger one.
///
///     >>> from yomikiri import statistics
///     >>> strength = statistics.pentanomial([5, 20, 35, 30, 10])
///     >>> [round(x, 1) for x in strength["elo"]]
///     [34.9, -0.3, 70.8]
#[pyfunction]
fn pentanomial(py: Python<'_>, counts: [u64; 5]) -> PyResult<Bound<'_, PyDict>> {
    let strength = PairCounts(counts).strength();
    let strength = strength.ok_or_else(|| bad_value("there is no pair of games to judge by"))?;
    let result = PyDict::new(py);
    result.set_item("score", triple(strength.score))?;
    result.set_item("elo", triple(strength.elo))?;
    result.set_item("normalized_elo", triple(strength.normalized_elo))?;
    result.set_item("superiority", strength.superiority)?;
    Ok(result)
}

/// The sequential probability ratio test on normalized Elo, over the pentanomial counts.
///
/// Gives `llr`, the bounds `lower` and `upper`, and `verdict`: `'continue'`, `'H0'` or `'H1'`.
///
///     >>> from yomikiri import statistics
///     >>> statistics.sprt([0, 0, 0, 0, 60], elo0=0, elo1=50)["verdict"]
///     'H1'
#[pyfunction]
#[pyo3(signature = (counts, elo0, elo1, alpha = 0.05, beta = 0.05))]
fn sprt(
    py: Python<'_>,
    counts: [u64; 5],
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
) -> PyResult<Bound<'_, PyDict>> {
    let test = test_of(elo0, elo1, alpha, beta)?;
    let counts = PairCounts(counts);
    let (lower, upper) = test.bounds();
    let result = PyDict::new(py);
    result.set_item("llr", test.log_likelihood_ratio(&counts))?;
    result.set_item("lower", lower)?;
    result.set_item("upper", upper)?;
    result.set_item(
        "verdict",
        match test.verdict(&counts) {
            SprtVerdict::Continue => "continue",
            SprtVerdict::AcceptH0 => "H0",
            SprtVerdict::AcceptH1 => "H1",
        },
    )?;
    Ok(result)
}

fn test_of(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> PyResult<Sprt> {
    let small = |chance: f64| chance > 0.0 && chance < 0.5;
    if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
        return Err(bad_value(format!("elo0 must be less than elo1, not {elo0} and {elo1}")));
    }
    if !(small(alpha) && small(beta)) {
        return Err(bad_value("alpha and beta are between 0 and 1/2"));
    }
    Ok(Sprt { elo0, elo1, alpha, beta })
}

/// How many pairs of games the test takes on average where the true advantage is `elo`
/// (normalized).
#[pyfunction]
#[pyo3(signature = (elo, elo0, elo1, alpha = 0.05, beta = 0.05))]
fn sprt_expected_pairs(elo: f64, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> PyResult<f64> {
    Ok(test_of(elo0, elo1, alpha, beta)?.expected_pairs(elo))
}

/// Ratings of many players by the model of Bradley and Terry. `games` are tuples (first, second,
/// points of the first, number of games); a player is named by anything that can be a text.
/// `virtual_draws` are added to every pair that met, for players who have not lost a game.
///
/// Gives for each player its rating in Elo about a mean of 0, and half of its 95 % interval.
///
///     >>> from yomikiri import statistics
///     >>> games = [("a", "b", 2, 3), ("b", "c", 2, 3), ("a", "c", 2, 3)]
///     >>> ratings = statistics.bradley_terry(games)
///     >>> round(ratings["a"][0], 1), round(ratings["b"][0], 1) + 0.0
///     (81.3, 0.0)
#[pyfunction]
#[pyo3(signature = (games, virtual_draws = 0.0))]
fn bradley_terry(
    py: Python<'_>,
    games: Vec<(String, String, f64, f64)>,
    virtual_draws: f64,
) -> PyResult<Bound<'_, PyDict>> {
    let names: BTreeMap<&str, usize> = {
        let mut names: Vec<&str> =
            games.iter().flat_map(|game| [game.0.as_str(), game.1.as_str()]).collect();
        names.sort_unstable();
        names.dedup();
        names.into_iter().zip(0..).collect()
    };
    let mut encounters = Vec::new();
    for (first, second, points, count) in &games {
        let sound = *count > 0.0 && count.is_finite() && (0.0..=*count).contains(points);
        if !sound || first == second {
            let game = format!("({first}, {second}, {points}, {count})");
            return Err(bad_value(format!("{game} is no result of games between two players")));
        }
        let (first, second) = (names[first.as_str()], names[second.as_str()]);
        encounters.push(Encounter { first, second, points: *points, games: *count });
    }
    if !(virtual_draws >= 0.0 && virtual_draws.is_finite()) {
        return Err(bad_value("virtual_draws is 0 or more"));
    }
    let ratings = rating::rate(names.len(), &encounters, virtual_draws).map_err(|error| {
        let rating::RatingError::NotComparable(player) = error;
        let name = names.iter().find(|(_, at)| **at == player).map_or("?", |(name, _)| name);
        bad_value(format!(
            "{name} and the rest cannot be compared: all won, all lost or none played"
        ))
    })?;
    let result = PyDict::new(py);
    for (name, &at) in &names {
        result.set_item(name, (ratings.elo[at], ratings.error(at)))?;
    }
    Ok(result)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(elo_of_score, module)?)?;
    module.add_function(wrap_pyfunction!(score_of_elo, module)?)?;
    module.add_function(wrap_pyfunction!(wilson, module)?)?;
    module.add_function(wrap_pyfunction!(pentanomial, module)?)?;
    module.add_function(wrap_pyfunction!(sprt, module)?)?;
    module.add_function(wrap_pyfunction!(sprt_expected_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(bradley_terry, module)?)
}
