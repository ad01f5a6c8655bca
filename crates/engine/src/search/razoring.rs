//! Razoring: a static value far below alpha is checked by quiescence alone.
//!
//! Paper: Birmingham and Kent 1977; in the form where quiescence has the last word. The margin
//! grows with the square of the depth, so that deep nodes are out of its reach.

use super::negamax::Node;
use super::searcher::Searcher;
use super::{NonPv, PLY};
use crate::eval::Evaluation;
use crate::value::Value;

/// Greatest depth at which a node is razored.
const MAX_DEPTH: i32 = 8 * PLY;

impl<E: Evaluation> Searcher<E> {
    /// The value to return if alpha is out of reach by all but captures.
    pub(super) fn razor(&mut self, node: &Node) -> Option<Value> {
        let params = &self.params;
        if !params.razoring.enabled || !params.quiescence.enabled || node.depth >= MAX_DEPTH {
            return None;
        }
        let plies = Self::plies(node.depth);
        let margin = params.razoring.base + params.razoring.slope * plies * plies;
        if node.estimate + margin >= node.alpha {
            return None;
        }
        let value = self.quiescence_root::<NonPv>(node.alpha, node.alpha + 1, node.ply);
        (!self.stopped).then_some(value)
    }
}
