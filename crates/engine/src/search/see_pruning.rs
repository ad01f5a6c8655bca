//! SEE pruning: moves that lose material on their square are not tried.
//!
//! What may be lost grows with the depth: for captures and checks with that of the node, for quiet
//! moves with the square of the depth that a reduction would leave them.

use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use yomikiri_shogi::Move;

impl<E: Evaluation> Searcher<E> {
    /// Whether a capture or check loses more than the depth of its node allows.
    #[inline]
    pub(super) fn loses_material(&self, node: &Node, mv: Move) -> bool {
        let params = &self.params.see_pruning;
        params.enabled && !self.position.see_ge(mv, -params.capture * Self::plies(node.depth))
    }

    /// Whether a quiet move loses more than the depth left to it, in plies, allows.
    #[inline]
    pub(super) fn gives_too_much(&self, mv: Move, depth: i32) -> bool {
        let params = &self.params.see_pruning;
        let depth = depth.clamp(0, 60);
        params.enabled && !self.position.see_ge(mv, -params.quiet * depth * depth)
    }
}
