//! From a gradient to the next coefficients.

use crate::config::{Config, Rule};

/// Forgetting of the running mean and of the running square.
const MEAN: f64 = 0.9;
const SQUARE: f64 = 0.99;

/// The coefficients and what the rule remembers of each.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimizer {
    /// Opening and endgame coefficient of every feature, in centipawns.
    pub weights: Vec<[f32; 2]>,
    /// Running means of the gradient.
    pub means: Vec<[f32; 2]>,
    /// Running means of its square.
    pub squares: Vec<[f32; 2]>,
    /// Steps made.
    pub steps: u64,
}

impl Optimizer {
    /// Begins with given coefficients.
    pub fn new(weights: Vec<[f32; 2]>) -> Optimizer {
        let nothing = vec![[0.0; 2]; weights.len()];
        Optimizer { weights, means: nothing.clone(), squares: nothing, steps: 0 }
    }

    /// Makes a step of the given size against the gradient of each coefficient that
    /// `gradient` gives; `None` leaves a coefficient alone.
    pub fn step(
        &mut self,
        config: &Config,
        size: f64,
        gradient: impl Fn(usize, usize, f64) -> Option<f64>,
    ) {
        self.steps += 1;
        let steps = self.steps.min(100_000) as i32;
        let (mean_share, square_share) = (1.0 - power(MEAN, steps), 1.0 - power(SQUARE, steps));
        for feature in 0..self.weights.len() {
            for half in 0..2 {
                let weight = f64::from(self.weights[feature][half]);
                let Some(slope) = gradient(feature, half, weight) else { continue };
                let change = match config.rule {
                    Rule::Sign if slope == 0.0 => 0.0,
                    Rule::Sign => slope.signum(),
                    Rule::Plain => slope,
                    Rule::Adam => {
                        let mean = &mut self.means[feature][half];
                        *mean = (MEAN * f64::from(*mean) + (1.0 - MEAN) * slope) as f32;
                        let square = &mut self.squares[feature][half];
                        *square =
                            (SQUARE * f64::from(*square) + (1.0 - SQUARE) * slope * slope) as f32;
                        let root = libm::sqrt(f64::from(*square) / square_share);
                        f64::from(*mean) / mean_share / (root + config.damping)
                    }
                };
                self.weights[feature][half] = (weight - size * change) as f32;
            }
        }
    }
}

/// A power by multiplying, the same on every machine.
fn power(base: f64, exponent: i32) -> f64 {
    (0..exponent.min(5_000)).fold(1.0, |product, _| product * base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_finds_the_minimum_of_a_bowl() {
        for (rule, batches) in [(Rule::Adam, 2_000), (Rule::Sign, 2_000), (Rule::Plain, 2_000)] {
            let config = Config { rule, ..Config::default() };
            let mut optimizer = Optimizer::new(vec![[0.0, 0.0], [5.0, 0.0]]);
            for batch in 0..batches {
                let size = 0.1 * (1.0 - f64::from(batch) / f64::from(batches));
                optimizer.step(&config, size, |feature, half, weight| {
                    let wanted = if half == 0 { 20.0 } else { -10.0 };
                    (feature == 0).then_some((weight - wanted) * 3.0)
                });
            }
            let [[opening, endgame], untouched] = optimizer.weights[..] else { panic!() };
            assert!((opening - 20.0).abs() < 0.5, "{rule:?} {opening}");
            assert!((endgame + 10.0).abs() < 0.5, "{rule:?} {endgame}");
            assert_eq!(untouched, [5.0, 0.0]);
        }
    }
}
