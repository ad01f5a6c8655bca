//! Internal reduction: where no good first move is known, a ply less.
//!
//! What became of internal iterative deepening, which searches such a node twice. Here it is
//! searched once, less deeply: the move found stands in the table when the next iteration comes by.

use super::PLY;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;

impl<E: Evaluation> Searcher<E> {
    /// How much less deep to search the node, in parts of a ply.
    #[inline]
    pub(super) fn internal_reduction(&self, node: &Node) -> i32 {
        let applies = self.params.internal_reduction.enabled
            && node.table_move.is_none()
            && !self.frame(node.ply).follows_line
            && node.prior_reduction <= 3 * PLY
            && !node.in_check
            && (node.pv || node.cut)
            && node.depth >= self.params.internal_reduction.min_depth * PLY;
        if applies { PLY } else { 0 }
    }
}
