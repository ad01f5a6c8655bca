//! Hindsight: the static value of a node judges the reduction that led to it.
//!
//! A move that was reduced a lot because it looked bad, but whose node does not look better for the
//! side that answers, gets a ply back. Where both sides' static values agree that the answer stands
//! well, a ply less is enough. Known from Stockfish.

use super::PLY;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;

impl<E: Evaluation> Searcher<E> {
    /// Whether the opponent's last move cost it something, by static values.
    #[inline]
    pub(super) fn opponent_worsened(&self, node: &Node) -> bool {
        let before = (node.ply > 0).then(|| self.frame(node.ply - 1).eval).flatten();
        !node.in_check && before.is_some_and(|before| node.eval > -before)
    }

    /// What to add to the depth of a node, in parts of a ply.
    #[inline]
    pub(super) fn hindsight(&self, node: &Node) -> i32 {
        let params = &self.params.hindsight;
        if !params.enabled || node.in_check || node.ply == 0 {
            return 0;
        }
        let parent = self.frame(node.ply - 1);
        let reduction = node.prior_reduction * 100 / PLY;
        let mut change = 0;
        if reduction >= params.deeper && !self.opponent_worsened(node) {
            change += PLY;
        }
        let agreed = parent.eval.is_some_and(|before| node.eval + before > params.margin);
        if reduction >= params.shallower && node.depth >= 2 * PLY && agreed {
            change -= PLY;
        }
        change
    }
}
