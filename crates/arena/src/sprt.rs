//! The sequential probability ratio test on normalized Elo, over the five results of game pairs.
//!
//! Two hypotheses about the first player's advantage are compared after every pair of games; the
//! test ends when the logarithm of their likelihood ratio leaves an interval (Wald 1945). The
//! distribution of the results is not known, only its normalized advantage under each hypothesis:
//! the generalized test takes the likeliest distribution that has it (Van den Bergh, "Normalized
//! Elo", 2020). Asking for a normalized difference, rather than plain Elo, makes the number of
//! games independent of how drawish the openings are.

use crate::rating::{ELO_PER_LOGIT, PairCounts};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What is tested, and how sure the answer must be.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// Normalized Elo under the null hypothesis.
    pub elo0: f64,
    /// Normalized Elo under the alternative.
    pub elo1: f64,
    /// The chance of accepting the alternative where the null is true.
    pub alpha: f64,
    /// The chance of accepting the null where the alternative is true.
    pub beta: f64,
}

/// Why a text is no test.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SprtError {
    /// A word that is no number.
    #[error("'{0}' is not a number")]
    NoNumber(String),
    /// Too few or too many of them.
    #[error("expected two or four numbers with commas between them")]
    Count,
    /// Numbers that make no test.
    #[error("ELO0 must be less than ELO1, and the error rates between 0 and 0.5")]
    Range,
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// `ELO0,ELO1`, perhaps with `,ALPHA,BETA`, which are 0.05 otherwise.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let number =
            |word: &str| word.trim().parse().map_err(|_| SprtError::NoNumber(word.to_string()));
        let numbers: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
        let (elo0, elo1, alpha, beta) = match numbers[..] {
            [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
            [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
            _ => return Err(SprtError::Count),
        };
        let rate = 0.0001..0.5;
        if elo0 >= elo1 || !rate.contains(&alpha) || !rate.contains(&beta) {
            return Err(SprtError::Range);
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }
}

/// What the test has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtVerdict {
    /// More games are needed.
    Continue,
    /// The null hypothesis is accepted.
    AcceptH0,
    /// The alternative is accepted.
    AcceptH1,
}

/// An empty class of results counts as this many pairs, so that no logarithm of 0 appears.
const ALMOST_NOTHING: f64 = 1e-3;

impl Sprt {
    /// The log likelihood ratio at which the null is accepted, and that for the alternative.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The logarithm of how much likelier the results are under the alternative.
    pub fn log_likelihood_ratio(&self, counts: &PairCounts) -> f64 {
        if counts.total() == 0 {
            return 0.0;
        }
        let weights = counts.0.map(|n| if n == 0 { ALMOST_NOTHING } else { n as f64 });
        let total: f64 = weights.iter().sum();
        let seen = weights.map(|weight| weight / total);
        let [under0, under1] =
            [self.elo0, self.elo1].map(|elo| likeliest(&seen, pair_advantage(elo)));
        let gain = |i: usize| weights[i] * (under1[i] / under0[i]).ln();
        (0..5).map(gain).sum()
    }

    /// What the results so far mean.
    pub fn verdict(&self, counts: &PairCounts) -> SprtVerdict {
        let ratio = self.log_likelihood_ratio(counts);
        let (lower, upper) = self.bounds();
        if ratio <= lower {
            SprtVerdict::AcceptH0
        } else if ratio >= upper {
            SprtVerdict::AcceptH1
        } else {
            SprtVerdict::Continue
        }
    }

    /// How many pairs the test takes on average where the true advantage is `elo` (normalized),
    /// by Wald's approximation, which passes over the last step beyond the bound.
    pub fn expected_pairs(&self, elo: f64) -> f64 {
        let [t0, t1, t] = [self.elo0, self.elo1, elo].map(pair_advantage);
        let (lower, upper) = self.bounds();
        let step = t1 - t0;
        let drift = step * (t - (t0 + t1) / 2.0);
        let variance = step * step;
        // A walk with this drift reaches the upper bound first with probability `up`.
        let h = -2.0 * drift / variance;
        if h.abs() < 1e-9 {
            return -lower * upper / variance;
        }
        let up = (1.0 - (h * lower).exp()) / ((h * upper).exp() - (h * lower).exp());
        (up * upper + (1.0 - up) * lower) / drift
    }
}

/// The advantage in standard deviations of a pair: a pair's mean score spreads √2 times less
/// than a game's.
fn pair_advantage(normalized_elo: f64) -> f64 {
    normalized_elo / (2.0 * ELO_PER_LOGIT) * core::f64::consts::SQRT_2
}

/// The distribution nearest to the one seen in which the mean lies `advantage` standard
/// deviations above one half.
///
/// The constraint mean - 1/2 - advantage * deviation = 0 is the same as the mean of
/// `value - 1/2 - advantage * deviation * (1 + ((value - mean) / deviation)²) / 2` being 0. With
/// mean and deviation held fixed that is linear, and has a solution by one Lagrange multiplier;
/// repeating it with the new mean and deviation converges in a few rounds.
fn likeliest(seen: &[f64; 5], advantage: f64) -> [f64; 5] {
    let mut fitted = [0.2; 5];
    for _ in 0..30 {
        let (mean, deviation) = mean_and_deviation(&fitted);
        let constraint: [f64; 5] = core::array::from_fn(|i| {
            let z = (value(i) - mean) / deviation;
            value(i) - 0.5 - advantage * deviation * (1.0 + z * z) / 2.0
        });
        let next = tilted(seen, &constraint);
        let change = (0..5).map(|i| (next[i] - fitted[i]).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-10 {
            break;
        }
    }
    fitted
}

fn value(i: usize) -> f64 {
    i as f64 / 4.0
}

fn mean_and_deviation(p: &[f64; 5]) -> (f64, f64) {
    let mean: f64 = (0..5).map(|i| p[i] * value(i)).sum();
    let variance: f64 = (0..5).map(|i| p[i] * (value(i) - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// The likeliest distribution, given the one seen, in which `constraint` has mean 0:
/// seen / (1 + x constraint), with the x that makes it so.
fn tilted(seen: &[f64; 5], constraint: &[f64; 5]) -> [f64; 5] {
    let least = constraint.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || greatest <= 0.0 {
        // Nothing can have mean 0; cannot happen for advantages below a standard deviation.
        return *seen;
    }
    // The sum falls from +∞ to -∞ between the poles.
    let sum =
        |x: f64| (0..5).map(|i| seen[i] * constraint[i] / (1.0 + x * constraint[i])).sum::<f64>();
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..200 {
        let here = sum(x);
        if here > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let slope: f64 = -(0..5)
            .map(|i| seen[i] * (constraint[i] / (1.0 + x * constraint[i])).powi(2))
            .sum::<f64>();
        let newton = x - here / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        if (next - x).abs() <= 1e-13 * (1.0 + x.abs()) {
            x = next;
            break;
        }
        x = next;
    }
    core::array::from_fn(|i| seen[i] / (1.0 + x * constraint[i]))
}

#[cfg(test)]
mod tests {
    use super::{Sprt, SprtVerdict, likeliest, mean_and_deviation, pair_advantage};
    use crate::rating::{ELO_PER_LOGIT, PairCounts};

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };

    #[test]
    fn golden_bounds() {
        let (lower, upper) = TEST.bounds();
        assert!((lower + 2.944_438_979_166_44).abs() < 1e-12);
        assert!((upper - 2.944_438_979_166_44).abs() < 1e-12);
        let uneven = Sprt { alpha: 0.1, beta: 0.05, ..TEST };
        assert!((uneven.bounds().0 - (0.05f64 / 0.9).ln()).abs() < 1e-12);
    }

    #[test]
    fn the_fit_has_the_advantage_asked_for() {
        for seen in [[0.1, 0.2, 0.3, 0.25, 0.15], [0.01, 0.09, 0.8, 0.09, 0.01]] {
            for elo in [-30.0, 0.0, 5.0, 60.0] {
                let fitted = likeliest(&seen, pair_advantage(elo));
                let (mean, deviation) = mean_and_deviation(&fitted);
                assert!((fitted.iter().sum::<f64>() - 1.0).abs() < 1e-8);
                assert!(((mean - 0.5) / deviation - pair_advantage(elo)).abs() < 1e-7);
            }
        }
    }

    /// Against a search over all distributions that fulfil the constraint, in small steps about
    /// the one found: none is likelier.
    #[test]
    fn the_fit_is_the_likeliest() {
        let seen = [0.1, 0.2, 0.3, 0.25, 0.15];
        let advantage = pair_advantage(30.0);
        let fitted = likeliest(&seen, advantage);
        let likelihood = |p: &[f64; 5]| (0..5).map(|i| seen[i] * p[i].ln()).sum::<f64>();
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..2000 {
            let mut p = fitted.map(|x| x * (1.0 + 0.1 * (random.f64() - 0.5)));
            // Mend the sum and the advantage by moving weight between neighbours.
            for _ in 0..200 {
                let sum: f64 = p.iter().sum();
                p = p.map(|x| x / sum);
                let (mean, deviation) = mean_and_deviation(&p);
                let missing = advantage * deviation - (mean - 0.5);
                p[4] += missing / 2.0;
                p[0] -= missing / 2.0;
            }
            assert!(likelihood(&p) <= likelihood(&fitted) + 1e-9);
        }
    }

    /// For many games and a small advantage the ratio is nearly that of a normal variable with
    /// the variance that was seen: n (t1 - t0) (t - (t0 + t1) / 2).
    #[test]
    fn golden_ratio_in_the_normal_limit() {
        let counts = PairCounts([10_000, 20_000, 39_000, 21_000, 10_000]);
        let (mean, variance) = counts.mean_and_variance();
        let t = (mean - 0.5) / variance.sqrt();
        let (t0, t1) = (0.0, pair_advantage(4.0));
        let normal = 100_000.0 * (t1 - t0) * (t - (t0 + t1) / 2.0);
        let test = Sprt { elo1: 4.0, ..TEST };
        assert!((test.log_likelihood_ratio(&counts) - normal).abs() < 0.02 * normal.abs());
        assert_eq!(test.log_likelihood_ratio(&PairCounts::default()), 0.0);
    }

    #[test]
    fn one_sided_results_are_decided_quickly() {
        assert_eq!(TEST.verdict(&PairCounts([0, 0, 0, 0, 60])), SprtVerdict::AcceptH1);
        assert_eq!(TEST.verdict(&PairCounts([60, 0, 0, 0, 0])), SprtVerdict::AcceptH0);
        assert_eq!(TEST.verdict(&PairCounts([1, 1, 1, 1, 1])), SprtVerdict::Continue);
    }

    /// Plays a test with pairs from a distribution; the verdict and the pairs it took.
    fn simulate(test: &Sprt, truth: &[f64; 5], random: &mut fastrand::Rng) -> (SprtVerdict, u64) {
        let mut counts = PairCounts::default();
        loop {
            let mut at = random.f64();
            let class = truth.iter().position(|p| {
                at -= p;
                at < 0.0
            });
            counts.add(class.unwrap_or(4));
            let verdict = test.verdict(&counts);
            if verdict != SprtVerdict::Continue {
                return (verdict, counts.total());
            }
        }
    }

    /// A distribution of pair results with the given normalized advantage.
    fn truth(elo: f64) -> [f64; 5] {
        let p = likeliest(&[0.12, 0.18, 0.40, 0.18, 0.12], pair_advantage(elo));
        let (mean, deviation) = mean_and_deviation(&p);
        let normalized = 2.0 * ELO_PER_LOGIT * (mean - 0.5) / (deviation * 2f64.sqrt());
        assert!((normalized - elo).abs() < 1e-6);
        p
    }

    /// 1,000 tests at each hypothesis: wrong verdicts at most as often as asked, but for chance
    /// (three standard errors), and about as many games as Wald expects.
    #[test]
    fn simulated_error_rates() {
        let mut random = fastrand::Rng::with_seed(1);
        for (elo, wrong) in [(0.0, SprtVerdict::AcceptH1), (50.0, SprtVerdict::AcceptH0)] {
            let truth = truth(elo);
            let results: Vec<_> = (0..1000).map(|_| simulate(&TEST, &truth, &mut random)).collect();
            let errors = results.iter().filter(|(verdict, _)| *verdict == wrong).count();
            assert!(errors as f64 <= 50.0 + 3.0 * 47.5f64.sqrt(), "{errors} of 1000 at {elo}");
            let mean = results.iter().map(|(_, n)| *n as f64).sum::<f64>() / 1000.0;
            let expected = TEST.expected_pairs(elo);
            assert!((0.8..1.3).contains(&(mean / expected)), "{mean} pairs, expected {expected}");
        }
    }

    #[test]
    fn golden_expected_pairs() {
        // At H0: (0.95 * -2.944439 + 0.05 * 2.944439) / -(t1² / 2), t1 = 50 / 347.43 * √2.
        let t1 = 50.0 / 347.435_585_522_601_5 * 2f64.sqrt();
        let expected = 0.9 * 2.944_438_979_166_44 / (t1 * t1 / 2.0);
        assert!((TEST.expected_pairs(0.0) - expected).abs() < 1e-3 * expected);
        assert!((TEST.expected_pairs(50.0) - expected).abs() < 1e-3 * expected);
        // Halfway between, the walk has no drift and takes longest.
        let longest = 2.944_438_979_166_44f64.powi(2) / (t1 * t1);
        assert!((TEST.expected_pairs(25.0) - longest).abs() < 1e-3 * longest);
    }
}
