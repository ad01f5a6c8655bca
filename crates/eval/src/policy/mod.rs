//! Which moves people play: a probability for every legal move of a position.
//!
//! A softmax over sparse features of a move: its piece, origin and destination, what stands around
//! both, the kings, the last two moves, exchanges, checks, threats and escapes, and where the move
//! stands among the others by static value. It is the model of Bradley and Terry as Coulom (2007)
//! uses it for Go, and takes the place of the categories of realization probability (Tsuruoka,
//! Yokoyama and Chikayama 2002), which give all moves of a category the same chance.
//!
//! Features are hashed into one table of small integers, so that sums are exact and the same on
//! every machine. `yomikiri learn policy` makes the table; the one in the program was learned from
//! professional games (`weights/README.md`).

mod context;
mod features;
mod weights;

pub use features::{Extractor, MoveFeatures};
pub use weights::{PolicyError, PolicyWeights, UNIT};

use std::sync::{Arc, OnceLock};
use yomikiri_shogi::{Move, Position};

/// The probabilities of moves. A clone shares the weights.
#[derive(Clone)]
pub struct Policy {
    weights: Arc<PolicyWeights>,
    extractor: Extractor,
    features: MoveFeatures,
}

impl Policy {
    /// A policy with the given weights.
    pub fn new(weights: Arc<PolicyWeights>) -> Policy {
        Policy { weights, extractor: Extractor::new(), features: MoveFeatures::default() }
    }

    /// The policy in the program.
    pub fn embedded() -> Policy {
        static WEIGHTS: OnceLock<Arc<PolicyWeights>> = OnceLock::new();
        Policy::new(Arc::clone(WEIGHTS.get_or_init(|| Arc::new(PolicyWeights::embedded()))))
    }

    /// The legal moves in the order of generation, each with its logit.
    pub fn logits(&mut self, position: &Position) -> Vec<(Move, f64)> {
        self.extractor.extract(position, &mut self.features);
        let weights = &self.weights;
        let logit = |hashes: &[u32]| f64::from(weights.sum(hashes)) / f64::from(UNIT);
        self.features.iter().map(|(mv, hashes)| (mv, logit(hashes))).collect()
    }

    /// The legal moves in the order of generation, each with its probability. A temperature of 1
    /// is people as they were seen; below 1 likely moves become likelier, above 1 all become alike.
    ///
    /// # Panics
    /// If the temperature is not above 0.
    pub fn probabilities(&mut self, position: &Position, temperature: f64) -> Vec<(Move, f64)> {
        assert!(temperature > 0.0, "a temperature is above 0");
        let mut moves = self.logits(position);
        softmax(&mut moves, temperature);
        moves
    }
}

/// Replaces logits by probabilities.
pub fn softmax(moves: &mut [(Move, f64)], temperature: f64) {
    let most = moves.iter().map(|one| one.1).fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (_, value) in moves.iter_mut() {
        *value = libm::exp((*value - most) / temperature);
        sum += *value;
    }
    moves.iter_mut().for_each(|one| one.1 /= sum);
}

/// How undecided a distribution is: its entropy in bits.
pub fn entropy(probabilities: impl IntoIterator<Item = f64>) -> f64 {
    let term = |p: f64| if p > 0.0 { -p * libm::log2(p) } else { 0.0 };
    probabilities.into_iter().map(term).sum()
}

#[cfg(test)]
mod tests;
