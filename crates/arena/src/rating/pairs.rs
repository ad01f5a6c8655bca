//! What the results of game pairs say about the difference of two players.

use super::elo::{ELO_PER_LOGIT, elo_of_score, likelihood_below};

/// The two-sided 95 % point of the normal distribution.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// How often a pair of games brought 0, 1/2, 1, 3/2 or 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairCounts(pub [u64; 5]);

/// A value with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatingEstimate {
    /// The most likely value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// What the pairs say.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// Points per game.
    pub score: RatingEstimate,
    /// The difference on the Elo scale.
    pub elo: RatingEstimate,
    /// The difference on the scale of normalized Elo: the score above one half in standard
    /// deviations of a game. It says how many games a difference takes to show.
    pub normalized_elo: RatingEstimate,
    /// The probability that the first player is the stronger.
    pub superiority: f64,
}

impl PairCounts {
    /// Adds a pair that brought this many half points, 0 to 4.
    ///
    /// # Panics
    /// If a pair cannot bring this many.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// How many pairs there are.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Points per game, and the variance of a pair's points per game.
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let total = self.total() as f64;
        let points = |i: u8| f64::from(i) / 4.0;
        let mean =
            self.0.iter().zip(0u8..).map(|(&n, i)| n as f64 * points(i)).sum::<f64>() / total;
        let deviation = |i: u8| (points(i) - mean).powi(2);
        let variance =
            self.0.iter().zip(0u8..).map(|(&n, i)| n as f64 * deviation(i)).sum::<f64>() / total;
        (mean, variance)
    }

    /// What the pairs say about the first player; nothing if there are none.
    pub fn strength(&self) -> Option<Strength> {
        let pairs = self.total();
        if pairs == 0 {
            return None;
        }
        let (mean, variance) = self.mean_and_variance();
        if variance == 0.0 {
            return Some(all_alike(mean, pairs));
        }
        let error = (variance / pairs as f64).sqrt();
        let low = (mean - NORMAL_95 * error).max(0.0);
        let high = (mean + NORMAL_95 * error).min(1.0);
        // A pair's mean score varies half as much as a game's would if games were independent.
        let game_deviation = (2.0 * variance).sqrt();
        let normalized = |score: f64| match score - 0.5 {
            0.0 => 0.0,
            above => 2.0 * ELO_PER_LOGIT * above / game_deviation,
        };
        Some(Strength {
            score: RatingEstimate { value: mean, low, high },
            elo: RatingEstimate {
                value: elo_of_score(mean),
                low: elo_of_score(low),
                high: elo_of_score(high),
            },
            normalized_elo: RatingEstimate {
                value: normalized(mean),
                low: normalized(mean - NORMAL_95 * error),
                high: normalized(mean + NORMAL_95 * error),
            },
            superiority: 1.0 - likelihood_below(0.5, mean, error),
        })
    }
}

/// Pairs that all ended alike have no spread to judge by. With 97.5 % at least `0.025^(1/n)` of all
/// pairs end so; at worst the others bring nothing, at best everything.
fn all_alike(score: f64, pairs: u64) -> Strength {
    let sure = 0.025_f64.powf(1.0 / pairs as f64);
    let (low, high) = (score * sure, 1.0 - (1.0 - score) * sure);
    let by_chance = 0.5_f64.powf(pairs as f64);
    let normalized = match score - 0.5 {
        0.0 => 0.0,
        above => f64::INFINITY.copysign(above),
    };
    Strength {
        score: RatingEstimate { value: score, low, high },
        elo: RatingEstimate {
            value: elo_of_score(score),
            low: elo_of_score(low),
            high: elo_of_score(high),
        },
        normalized_elo: RatingEstimate {
            value: normalized,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        },
        superiority: match normalized {
            0.0 => 0.5,
            above if above > 0.0 => 1.0 - by_chance,
            _ => by_chance,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::PairCounts;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-6 * (1.0 + b.abs()), "{a} is not {b}");
    }

    /// Worked by hand: 100 pairs, mean 0.55, variance 0.36875 - 0.55² = 0.06625.
    #[test]
    fn golden_strength() {
        let counts = PairCounts([5, 20, 35, 30, 10]);
        let (mean, variance) = counts.mean_and_variance();
        close(mean, 0.55);
        close(variance, 0.066_25);
        let strength = counts.strength().unwrap();
        let error = (0.066_25f64 / 100.0).sqrt();
        close(strength.score.low, 0.55 - 1.959_964 * error);
        close(strength.elo.value, 34.860_063);
        close(strength.normalized_elo.value, 347.435_585_5 * 0.05 / 0.1325f64.sqrt());
        // 0.05 / 0.0257391 = 1.942572 standard errors.
        close(strength.superiority, 0.973966037);
    }

    #[test]
    fn equal_pairs_say_nothing() {
        let strength = PairCounts([0, 0, 50, 0, 0]).strength().unwrap();
        close(strength.elo.value, 0.0);
        close(strength.superiority, 0.5);
        close(strength.normalized_elo.value, 0.0);
        assert!(PairCounts::default().strength().is_none());
    }

    /// Worked by hand: 0.025^(1/3) = 0.292402.
    #[test]
    fn an_unbeaten_player_may_yet_lose() {
        let strength = PairCounts([0, 0, 0, 0, 3]).strength().unwrap();
        assert_eq!((strength.elo.value, strength.elo.high), (f64::INFINITY, f64::INFINITY));
        close(strength.score.low, 0.292_401_8);
        close(strength.superiority, 0.875);
        let beaten = PairCounts([3, 0, 0, 0, 0]).strength().unwrap();
        close(beaten.score.high, 1.0 - 0.292_401_8);
        close(beaten.superiority, 0.125);
        assert!(PairCounts([0, 0, 0, 0, 50]).strength().unwrap().elo.low > 400.0);
    }
}
