//! History pruning: quiet moves that have answered the last two moves badly are not tried.
//!
//! The deeper the node, the worse the history must be. After Stockfish.

use super::history::PieceTo;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use yomikiri_shogi::Move;

impl<E: Evaluation> Searcher<E> {
    /// Whether the move has a history too bad for this depth.
    #[inline]
    pub(super) fn has_bad_history(&self, node: &Node, mv: Move) -> bool {
        let params = &self.params.history_pruning;
        params.enabled
            && self.answer_score(node.ply, PieceTo::new(&self.position, mv))
                < -params.slope * Self::plies(node.depth)
    }
}
