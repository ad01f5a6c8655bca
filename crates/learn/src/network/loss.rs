//! What is learned: the winning rate that a score and a result stand for.

use super::config::{LossConfig, LossKind};

/// The logistic function.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// The winning rate to aim at: that of a score in centipawns, mixed with the result where it is
/// known (1 a win of the side to move, 0.5 a draw, 0 a loss).
pub fn target(config: &LossConfig, lambda: f64, score: f64, result: Option<f64>) -> f64 {
    let rate = sigmoid(score / config.k);
    match result {
        Some(result) => lambda * rate + (1.0 - lambda) * result,
        None => rate,
    }
}

/// The loss of a value in centipawns, 0 where the winning rate is the target's, and its
/// derivative.
pub fn loss(config: &LossConfig, value: f64, target: f64) -> (f64, f64) {
    let rate = sigmoid(value / config.k);
    let error = rate - target;
    match config.kind {
        LossKind::Squared => (error * error, 2.0 * error * rate * (1.0 - rate) / config.k),
        LossKind::CrossEntropy => {
            let part = |share: f64, rate: f64| match share > 0.0 {
                true => share * libm::log(share / rate.max(1e-12)),
                false => 0.0,
            };
            let loss = part(target, rate) + part(1.0 - target, 1.0 - rate);
            (loss, error / config.k)
        }
    }
}
