//! SEE pruning: moves that lose material on their square are not tried.
//!
//! What may be lost grows with the depth: for captures and checks with that of the node, for quiet
//! moves with the square of the depth that a reduction would leave them. A side that stands below
//! nothing keeps all its captures and checks: sacrifices that mate are what can save it, and its
//! opponent must see them.

use super::child::Child;
use super::history::PieceTo;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use yomikiri_shogi::Move;

impl<E: Evaluation> Searcher<E> {
    /// Whether a capture or check loses more than the depth of its node allows.
    #[inline]
    pub(super) fn loses_material(&self, node: &Node, child: &Child) -> bool {
        let params = &self.params.see_pruning;
        if !params.enabled || child.alpha < 0 && !params.behind {
            return false;
        }
        let allowed = params.capture * Self::plies(node.depth) + self.capture_history(child) / 30;
        !self.position.see_ge(child.mv, -allowed.max(0))
    }

    /// How a capture or check fared as a capture.
    #[inline]
    pub(super) fn capture_history(&self, child: &Child) -> i32 {
        if !self.params.history.enabled {
            return 0;
        }
        let taken = self.position.piece_on(child.mv.to());
        self.histories.capture(PieceTo::new(&self.position, child.mv), taken)
    }

    /// Whether a quiet move loses more than the depth left to it, in plies, allows.
    #[inline]
    pub(super) fn gives_too_much(&self, mv: Move, depth: i32) -> bool {
        let params = &self.params.see_pruning;
        let depth = depth.clamp(0, 60);
        params.enabled && !self.position.see_ge(mv, -params.quiet * depth * depth)
    }
}
