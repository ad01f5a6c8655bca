//! Prior bonus: where no move was good enough, the quiet move that led there was a good one, and
//! its history says so.
//!
//! Measured, Elo at 10,000 nodes against none, 294 games: -26 [-67, 14]; with check extension
//! against neither, 194 games: +43 [-1, 89].

use super::history::history_bonus;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;

impl<E: Evaluation> Searcher<E> {
    /// Rewards the move that led to a node where none was good enough.
    pub(super) fn reward_prior(&mut self, node: &Node) {
        if !self.params.history.prior_bonus || node.ply == 0 || node.excluded.is_some() {
            return;
        }
        let prior = self.frame(node.ply - 1);
        let (Some(mv), piece_to) = (prior.mv, prior.piece_to) else { return };
        if mv.is_promotion() || self.position.last_capture().is_some() {
            return;
        }
        let side = !self.position.side_to_move();
        let keys = self.continuation_keys(node.ply - 1);
        let bonus = history_bonus(Self::plies(node.depth)) / 2;
        self.histories.update_piece_to(side, keys, mv, piece_to, bonus);
    }
}
