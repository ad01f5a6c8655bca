//! Late-move pruning: quiet moves that come late in the order are not tried.
//!
//! Known since the 2000s as move-count pruning. More moves are allowed where the side to move
//! stands better than two plies ago.

use super::PLY;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;

impl<E: Evaluation> Searcher<E> {
    /// Whether enough moves were tried at this depth.
    #[inline]
    pub(super) fn is_late(&self, node: &Node, number: i32) -> bool {
        let params = &self.params.lmp;
        if !params.enabled || node.depth >= (params.max_depth + 1) * PLY || node.pv && node.ply == 0
        {
            return false;
        }
        let plies = Self::plies(node.depth);
        let allowed = params.base + plies * plies;
        number >= if node.improving { allowed } else { allowed / 2 }
    }
}
