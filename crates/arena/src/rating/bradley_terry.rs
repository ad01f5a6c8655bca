//! Ratings of many players: the Bradley-Terry model, by maximum likelihood.
//!
//! The chance of scoring against a player is the logistic function of the rating difference
//! (Bradley and Terry 1952), a draw counting as half a win. The likelihood is concave; Newton's
//! method finds its maximum. Errors come from the "sandwich" covariance, the spread of the actual
//! pair scores about the model between two inverses of the curvature: for two players it gives
//! exactly the pentanomial error bar.

use super::elo::ELO_PER_LOGIT;
use std::collections::BTreeMap;

/// Some games between two players: a pair with colours swapped, or a single game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encounter {
    /// One player.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// The first player's points.
    pub points: f64,
    /// How many games.
    pub games: f64,
}

/// The ratings, in Elo points about a mean of 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Each player's rating.
    pub elo: Vec<f64>,
    /// The covariance of the ratings, in squared Elo points.
    covariance: Vec<Vec<f64>>,
}

/// Why there are no ratings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingError {
    /// Some players won every game against all the others, or never met them: no finite
    /// difference between the groups is the likeliest.
    #[error("player {0} and the rest cannot be compared: all wins, all losses or no games")]
    NotComparable(usize),
}

impl Ratings {
    /// Half the width of the 95 % interval of a player's rating against the mean of all.
    pub fn error(&self, player: usize) -> f64 {
        1.959_963_984_540_054 * self.covariance[player][player].max(0.0).sqrt()
    }

    /// Half the width of the 95 % interval of the difference of two players.
    pub fn difference_error(&self, first: usize, second: usize) -> f64 {
        let covariance = &self.covariance;
        let variance =
            covariance[first][first] + covariance[second][second] - 2.0 * covariance[first][second];
        1.959_963_984_540_054 * variance.max(0.0).sqrt()
    }
}

/// The likeliest ratings. `virtual_draws` are added to every pair of players that met: 0 for the
/// pure likelihood, a little where somebody has not lost a game.
///
/// # Errors
/// If the likelihood has no maximum.
pub fn rate(
    players: usize,
    encounters: &[Encounter],
    virtual_draws: f64,
) -> Result<Ratings, RatingError> {
    let mut all = encounters.to_vec();
    if virtual_draws > 0.0 {
        all.extend(draws_of_pairs(players, encounters, virtual_draws));
    }
    if let Some(stranger) = not_comparable(players, &all) {
        return Err(RatingError::NotComparable(stranger));
    }
    let totals = totals(&all);
    let logits = maximize(players, &totals);
    let inverse = inverse_on_sum_zero(&curvature(&logits, &totals));
    let spread = spread(&logits, &all);
    let scale = ELO_PER_LOGIT * ELO_PER_LOGIT;
    let covariance = product(&product(&inverse, &spread), &inverse)
        .into_iter()
        .map(|row| row.into_iter().map(|value| value * scale).collect())
        .collect();
    Ok(Ratings { elo: logits.iter().map(|logit| logit * ELO_PER_LOGIT).collect(), covariance })
}

fn draws_of_pairs(players: usize, encounters: &[Encounter], games: f64) -> Vec<Encounter> {
    let met = |first: usize, second: usize| {
        encounters.iter().any(|e| {
            (e.first, e.second) == (first, second) || (e.second, e.first) == (first, second)
        })
    };
    (0..players)
        .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
        .filter(|&(first, second)| met(first, second))
        .map(|(first, second)| Encounter { first, second, points: games / 2.0, games })
        .collect()
}

/// All games of two players together: the likelihood needs no more.
fn totals(encounters: &[Encounter]) -> Vec<Encounter> {
    let mut totals: BTreeMap<(usize, usize), Encounter> = BTreeMap::new();
    for &Encounter { first, second, points, games } in encounters {
        let turned = first > second;
        let points = if turned { games - points } else { points };
        let (first, second) = if turned { (second, first) } else { (first, second) };
        let none = Encounter { first, second, points: 0.0, games: 0.0 };
        let total = totals.entry((first, second)).or_insert(none);
        total.points += points;
        total.games += games;
    }
    totals.into_values().collect()
}

/// A player from whom not everybody can be reached by "took points from", both ways (Ford 1957).
fn not_comparable(players: usize, encounters: &[Encounter]) -> Option<usize> {
    let mut reaches = vec![vec![false; players]; players];
    for e in encounters {
        reaches[e.first][e.second] |= e.points > 0.0;
        reaches[e.second][e.first] |= e.points < e.games;
    }
    for via in 0..players {
        for from in 0..players {
            if reaches[from][via] {
                let onwards = reaches[via].clone();
                reaches[from].iter_mut().zip(onwards).for_each(|(to, new)| *to |= new);
            }
        }
    }
    (0..players).find(|&from| (0..players).any(|to| from != to && !reaches[from][to]))
}

fn expected(logits: &[f64], e: &Encounter) -> f64 {
    1.0 / (1.0 + (logits[e.second] - logits[e.first]).exp())
}

fn likelihood(logits: &[f64], encounters: &[Encounter]) -> f64 {
    let of = |e: &Encounter| {
        let p = expected(logits, e);
        e.points * p.ln() + (e.games - e.points) * (1.0 - p).ln()
    };
    encounters.iter().map(of).sum()
}

fn maximize(players: usize, encounters: &[Encounter]) -> Vec<f64> {
    let mut logits = vec![0.0; players];
    for _ in 0..200 {
        let mut gradient = vec![0.0; players];
        for e in encounters {
            let excess = e.points - e.games * expected(&logits, e);
            gradient[e.first] += excess;
            gradient[e.second] -= excess;
        }
        let step = times(&inverse_on_sum_zero(&curvature(&logits, encounters)), &gradient);
        let before = likelihood(&logits, encounters);
        let mut length = 1.0;
        let moved = loop {
            let moved: Vec<f64> = logits.iter().zip(&step).map(|(l, s)| l + length * s).collect();
            if length < 1e-9 || likelihood(&moved, encounters) >= before {
                break moved;
            }
            length /= 2.0;
        };
        logits = moved;
        if step.iter().all(|s| s.abs() < 1e-11) {
            break;
        }
    }
    logits
}

/// Adds `weight` times the outer product of (first - second) with itself.
fn add_difference(matrix: &mut [Vec<f64>], e: &Encounter, weight: f64) {
    matrix[e.first][e.first] += weight;
    matrix[e.second][e.second] += weight;
    matrix[e.first][e.second] -= weight;
    matrix[e.second][e.first] -= weight;
}

/// The curvature of minus the log likelihood.
fn curvature(logits: &[f64], encounters: &[Encounter]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; logits.len()]; logits.len()];
    for e in encounters {
        let p = expected(logits, e);
        add_difference(&mut matrix, e, e.games * p * (1.0 - p));
    }
    matrix
}

/// The covariance of the gradient, as the encounters show it. Encounters that end all alike show
/// none: two players spread at least as one encounter of theirs does by the model.
fn spread(logits: &[f64], encounters: &[Encounter]) -> Vec<Vec<f64>> {
    let mut pairings: BTreeMap<(usize, usize), (Encounter, f64, f64)> = BTreeMap::new();
    for e in encounters {
        let p = expected(logits, e);
        let residual = e.points - e.games * p;
        let players = (e.first.min(e.second), e.first.max(e.second));
        let (_, shown, least) = pairings.entry(players).or_insert((*e, 0.0, 0.0));
        *shown += residual * residual;
        *least = least.max(e.games * p * (1.0 - p));
    }
    let mut matrix = vec![vec![0.0; logits.len()]; logits.len()];
    for (e, shown, least) in pairings.values() {
        add_difference(&mut matrix, e, shown.max(*least));
    }
    matrix
}

/// The inverse of a matrix whose rows sum to 0, among vectors that sum to 0: adding 1/n
/// everywhere makes it invertible, and 1/n is taken off again.
fn inverse_on_sum_zero(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let share = 1.0 / n as f64;
    let mut left: Vec<Vec<f64>> =
        matrix.iter().map(|row| row.iter().map(|value| value + share).collect()).collect();
    let mut right: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| left[a][column].abs().total_cmp(&left[b][column].abs()))
            .unwrap_or(column);
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = 1.0 / left[column][column];
        left[column].iter_mut().chain(&mut right[column]).for_each(|value| *value *= scale);
        let (left_row, right_row) = (left[column].clone(), right[column].clone());
        for row in (0..n).filter(|&row| row != column) {
            let factor = left[row][column];
            let subtract = |target: &mut Vec<f64>, source: &[f64]| {
                target.iter_mut().zip(source).for_each(|(t, s)| *t -= factor * s);
            };
            subtract(&mut left[row], &left_row);
            subtract(&mut right[row], &right_row);
        }
    }
    right.iter().map(|row| row.iter().map(|value| value - share).collect()).collect()
}

fn times(matrix: &[Vec<f64>], vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum()).collect()
}

fn product(left: &[Vec<f64>], right: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let column = |j: usize| right.iter().map(|row| row[j]).collect::<Vec<f64>>();
    let columns: Vec<Vec<f64>> = (0..right.len()).map(column).collect();
    left.iter().map(|row| times(&columns, row)).collect()
}

#[cfg(test)]
mod tests {
    use super::{ELO_PER_LOGIT, Encounter, RatingError, rate};
    use crate::rating::{PairCounts, elo_of_score, score_of_elo};

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() < tolerance, "{a} is not {b}");
    }

    fn game(first: usize, second: usize, points: f64) -> Encounter {
        Encounter { first, second, points, games: 1.0 }
    }

    /// With two players the model can fit the score exactly, and the error bar is the
    /// pentanomial one, carried to the Elo scale by its slope.
    #[test]
    fn two_players_agree_with_the_pair_statistics() {
        let counts = PairCounts([5, 20, 35, 30, 10]);
        let encounters: Vec<Encounter> = counts
            .0
            .iter()
            .zip(0u8..)
            .flat_map(|(&n, i)| {
                let pair =
                    Encounter { first: 0, second: 1, points: f64::from(i) / 2.0, games: 2.0 };
                std::iter::repeat_n(pair, n as usize)
            })
            .collect();
        let ratings = rate(2, &encounters, 0.0).unwrap();
        close(ratings.elo[0] - ratings.elo[1], elo_of_score(0.55), 1e-6);
        let (mean, variance) = counts.mean_and_variance();
        let slope = ELO_PER_LOGIT / (mean * (1.0 - mean));
        close(ratings.difference_error(0, 1), 1.959_964 * slope * (variance / 100.0).sqrt(), 1e-3);
    }

    /// Three players, each beats the next 2-1 and the first beats the last 2-1. By symmetry the
    /// middle one stands at 0 and the others as far above as below; with x the odds of the first
    /// against the second, 3x/(1+x) + 3x²/(1+x²) = 4, so x = 1.597126.
    #[test]
    fn golden_three_players() {
        let encounters = [
            Encounter { first: 0, second: 1, points: 2.0, games: 3.0 },
            Encounter { first: 1, second: 2, points: 2.0, games: 3.0 },
            Encounter { first: 0, second: 2, points: 2.0, games: 3.0 },
        ];
        let ratings = rate(3, &encounters, 0.0).unwrap();
        close(ratings.elo[1], 0.0, 1e-9);
        close(ratings.elo[0], -ratings.elo[2], 1e-9);
        let expected = |a: usize, b: usize| 3.0 * score_of_elo(ratings.elo[a] - ratings.elo[b]);
        close(expected(0, 1) + expected(0, 2), 4.0, 1e-9);
        close(ratings.elo[0], 400.0 * 1.5971262567f64.log10(), 1e-6);
    }

    #[test]
    fn no_maximum_without_losses() {
        let encounters = [game(0, 1, 1.0), game(0, 1, 1.0)];
        assert!(matches!(rate(2, &encounters, 0.0), Err(RatingError::NotComparable(_))));
        let ratings = rate(2, &encounters, 1.0).unwrap();
        assert!(ratings.elo[0] > 100.0 && ratings.elo[0].is_finite());
        // Nobody has met player 2.
        assert!(rate(3, &[game(0, 1, 0.5)], 1.0).is_err());
    }

    /// Results that are all alike say little of their spread, not that there is none.
    #[test]
    fn equal_results_are_not_certain() {
        let pairs = |points: f64| {
            let pair = Encounter { first: 0, second: 1, points, games: 2.0 };
            std::iter::repeat_n(pair, 20).collect::<Vec<_>>()
        };
        let won = rate(2, &pairs(2.0), 1.0).unwrap();
        assert!(won.elo[0] - won.elo[1] - won.difference_error(0, 1) < 500.0, "{won:?}");
        let even = rate(2, &pairs(1.0), 0.0).unwrap();
        close(even.difference_error(0, 1), 1.959_964 * ELO_PER_LOGIT * 0.5f64.sqrt() / 10.0, 1e-3);
    }

    /// The intervals of simulated round robins hold the truth about 95 times in 100.
    #[test]
    fn simulated_intervals_cover_the_truth() {
        let truth = [120.0, 30.0, -40.0, -110.0];
        let mut random = fastrand::Rng::with_seed(20);
        let (mut inside, mut all) = (0u32, 0u32);
        for _ in 0..300 {
            let mut encounters = Vec::new();
            for first in 0..4 {
                for second in first + 1..4 {
                    let p = score_of_elo(truth[first] - truth[second]);
                    encounters.extend((0..60).map(|_| {
                        let mut point = || f64::from(u8::from(random.f64() < p));
                        Encounter { first, second, points: point() + point(), games: 2.0 }
                    }));
                }
            }
            let ratings = rate(4, &encounters, 0.0).unwrap();
            for (player, truth) in truth.iter().enumerate() {
                all += 1;
                inside += u32::from((ratings.elo[player] - truth).abs() < ratings.error(player));
            }
        }
        let covered = f64::from(inside) / f64::from(all);
        assert!((0.93..0.97).contains(&covered), "{covered}");
    }
}
