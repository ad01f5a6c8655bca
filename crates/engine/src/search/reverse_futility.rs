//! Reverse futility (static null move): a static value far above beta is believed.
//!
//! The margin grows with the depth and shrinks where the side to move gains ground or the opponent
//! has just lost some. Not on former principal variations, nor where the table has a quiet move:
//! those are worth a search.

use super::PLY;
use super::negamax::Node;
use super::ordering::is_quiet;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::{EVAL_LIMIT, MATE_BOUND, Value};

impl<E: Evaluation> Searcher<E> {
    /// The value to return if the node is so far above beta that searching is not worth it.
    #[inline]
    pub(super) fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let params = &self.params.reverse_futility;
        if !params.enabled
            || node.depth >= (params.max_depth + 1) * PLY
            || node.estimate < node.beta
            || node.estimate >= EVAL_LIMIT
            || node.beta <= -MATE_BOUND
        {
            return None;
        }
        let quiet = |mv| is_quiet(&self.position, mv);
        if params.refined && (node.table_pv || node.table_move.is_some_and(quiet)) {
            return None;
        }
        let ply = if node.hit.is_some() { params.margin } else { params.unknown };
        let mut margin = ply * node.depth / PLY;
        margin -= if node.improving { ply * params.improving / 100 } else { 0 };
        margin -= if self.opponent_worsened(node) { ply * params.worsening / 100 } else { 0 };
        margin += self.frame(node.ply).correction.abs() / 2;
        (node.estimate - margin >= node.beta).then_some((node.estimate + 2 * node.beta) / 3)
    }
}
