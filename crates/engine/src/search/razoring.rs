//! Razoring: near the leaves, a static value far below alpha is checked by quiescence alone.
//!
//! Paper: Birmingham and Kent 1977; in the form where quiescence has the last word.
//!
//! Measured, Elo at 10,000 nodes against none, 364 games: -17 [-52, 17].

use super::negamax::Node;
use super::searcher::Searcher;
use super::{NonPv, PLY};
use crate::eval::Evaluation;
use crate::value::Value;

/// Greatest depth at which a node is razored.
const MAX_DEPTH: i32 = 4 * PLY;

impl<E: Evaluation> Searcher<E> {
    /// The value to return if quiescence confirms that alpha is out of reach.
    pub(super) fn razor(&mut self, node: &Node) -> Option<Value> {
        let params = &self.params;
        if !params.razoring.enabled || !params.quiescence.enabled || node.depth >= MAX_DEPTH {
            return None;
        }
        let margin = params.razoring.base + params.razoring.slope * (node.depth - PLY) / PLY;
        if node.estimate + margin >= node.alpha {
            return None;
        }
        let value = self.quiescence_root::<NonPv>(node.alpha, node.alpha + 1, node.ply);
        (value <= node.alpha && !self.stopped).then_some(value)
    }
}
