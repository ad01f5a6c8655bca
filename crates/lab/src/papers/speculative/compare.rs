//! Rates of survival and differences between policies, position by position.

use super::Measured;
use super::playout::PlayoutEnd;
use crate::claims::Estimate;
use yomikiri_arena::stats::{bootstrap, wilson};

/// Samples of a bootstrap.
const ROUNDS: usize = 1000;

/// A figure with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// The figure.
    pub mean: f64,
    /// The interval.
    pub low: f64,
    /// The interval.
    pub high: f64,
}

impl Figure {
    /// In per cent.
    pub fn percent(self) -> String {
        let Figure { mean, low, high } = self;
        format!("{:.0} % [{:.0}, {:.0}]", 100.0 * mean, 100.0 * low, 100.0 * high)
    }

    /// A difference in percentage points.
    pub fn points(self) -> String {
        let Figure { mean, low, high } = self;
        format!("{:+.1} [{:+.1}, {:+.1}]", 100.0 * mean, 100.0 * low, 100.0 * high)
    }

    /// As claims take it.
    pub fn estimate(self, count: usize) -> Estimate {
        Estimate::new(self.mean, (self.low, self.high), count)
    }

    /// As it is, with a sign.
    pub fn signed(self) -> String {
        format!("{:+.2} [{:+.2}, {:+.2}]", self.mean, self.low, self.high)
    }

    /// As it is.
    pub fn plain(self) -> String {
        format!("{:.1} [{:.1}, {:.1}]", self.mean, self.low, self.high)
    }
}

/// How one policy did against one opponent, position by position.
#[derive(Clone, Debug)]
pub struct OpponentRow {
    /// The share of its games that it survived.
    pub survived: Vec<f64>,
    /// The share of its games in which it came to have a mate itself.
    pub turned: Vec<f64>,
    /// Plies until mate, where it was mated every time.
    pub plies: Vec<Option<f64>>,
}

impl OpponentRow {
    /// The share survived.
    pub fn rate(&self) -> Figure {
        let count = self.survived.len() as f64;
        let sum: f64 = self.survived.iter().sum();
        let (low, high) = wilson(sum, count).unwrap_or((0.0, 1.0));
        Figure { mean: sum / count.max(1.0), low, high }
    }

    /// Plies until mate, in the mean of the positions that were mated.
    pub fn lasting(&self, seed: u64) -> Figure {
        mean(&self.plies.iter().copied().flatten().collect::<Vec<_>>(), seed)
    }

    /// Positions that were mated.
    pub fn mated(&self) -> f64 {
        self.survived.len() as f64 - self.survived.iter().sum::<f64>()
    }
}

/// What one policy gained over another.
#[derive(Clone, Copy, Debug)]
pub struct Gain {
    /// In the share survived.
    pub survived: Figure,
    /// In plies until mate, where both were mated.
    pub plies: Figure,
}

impl Gain {
    /// Of two rows over the same positions.
    pub fn of(first: &OpponentRow, second: &OpponentRow, seed: u64) -> Gain {
        let survived = first.survived.iter().zip(&second.survived).map(|(a, b)| a - b);
        let plies = first.plies.iter().zip(&second.plies).filter_map(|(&a, &b)| Some(a? - b?));
        Gain {
            survived: mean(&survived.collect::<Vec<_>>(), seed),
            plies: mean(&plies.collect::<Vec<_>>(), seed),
        }
    }
}

fn mean(values: &[f64], seed: u64) -> Figure {
    let of = |values: &[f64]| {
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let mean = of(values).unwrap_or(0.0);
    let (low, high) = bootstrap(values, ROUNDS, seed, of).unwrap_or((mean, mean));
    Figure { mean, low, high }
}

impl Measured {
    /// The names of the policies, each once.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in &self.policies {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// How a policy did against an opponent; the tries of a random one are averaged.
    pub fn row(&self, opponent: usize, name: &str) -> OpponentRow {
        let places: Vec<usize> =
            (0..self.policies.len()).filter(|&at| self.policies[at] == name).collect();
        let average = |of: &dyn Fn(&super::PlayoutOutcome) -> f64| -> Vec<f64> {
            let games = self.played.iter().filter_map(|played| played.outcomes.get(opponent));
            games
                .map(|outcomes| {
                    let sum: f64 = places.iter().map(|&at| of(&outcomes[at])).sum();
                    sum / places.len().max(1) as f64
                })
                .collect()
        };
        let survived = average(&|outcome| f64::from(u8::from(outcome.survived())));
        let turned = average(&|outcome| f64::from(u8::from(outcome.end == PlayoutEnd::Turned)));
        let plies = average(&|outcome| f64::from(outcome.plies));
        let mated = plies.into_iter().zip(&survived);
        let plies = mated.map(|(plies, &survived)| (survived == 0.0).then_some(plies)).collect();
        OpponentRow { survived, turned, plies }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(survived: &[f64], plies: &[f64]) -> OpponentRow {
        let plies = plies.iter().copied().map(Some).collect();
        OpponentRow { survived: survived.to_vec(), turned: vec![0.0; survived.len()], plies }
    }

    #[test]
    fn a_gain_is_taken_position_by_position() {
        let (zeros, ones) = (vec![0.0; 40], vec![1.0; 40]);
        let (short, long) = (vec![3.0; 40], vec![9.0; 40]);
        let gain = Gain::of(&row(&ones, &short), &row(&zeros, &long), 1);
        assert_eq!((gain.survived.mean, gain.survived.low), (1.0, 1.0));
        assert_eq!((gain.plies.mean, gain.plies.high), (-6.0, -6.0));
    }

    #[test]
    fn rates_have_intervals() {
        let rate = row(&[1.0, 0.0, 1.0, 0.0], &[1.0; 4]).rate();
        assert!((rate.mean - 0.5).abs() < 1e-9 && rate.low < 0.2 && rate.high > 0.8);
    }
}
