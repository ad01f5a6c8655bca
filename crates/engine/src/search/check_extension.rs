//! Check extension: a check that loses no material is searched half a ply deeper.

use super::PLY;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::MAX_PLY;
use yomikiri_shogi::Move;

impl<E: Evaluation> Searcher<E> {
    /// How much deeper to search a move, in parts of a ply.
    #[inline]
    pub(super) fn check_extension(&self, node: &Node, mv: Move) -> i32 {
        // A line is not extended for ever.
        let applies = self.params.check_extension.enabled
            && node.ply < 2 * MAX_PLY / 3
            && self.position.gives_check(mv)
            && self.position.see_ge(mv, 0);
        if applies { PLY / 2 } else { 0 }
    }
}
