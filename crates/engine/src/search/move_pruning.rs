//! Which moves to skip near the leaves: asks each technique in turn.

use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::Value;
use yomikiri_shogi::Move;

/// What becomes of a move before it is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    /// It is searched.
    Search,
    /// It is left out.
    Skip,
    /// It is left out, and so are all quiet moves after it.
    SkipQuiets,
}

impl<E: Evaluation> Searcher<E> {
    /// Asks the pruning techniques about a move that is not the first.
    pub(super) fn skip_move(
        &self,
        node: &Node,
        mv: Move,
        quiet: bool,
        number: i32,
        alpha: Value,
    ) -> Decision {
        if node.pv && node.ply == 0 || node.in_check && quiet {
            return Decision::Search;
        }
        if quiet {
            if self.is_late(node, number) {
                return Decision::SkipQuiets;
            }
            // A check can change everything: it is never futile.
            if self.is_futile(node, alpha, number) && !self.position.gives_check(mv) {
                return Decision::Skip;
            }
        } else if self.is_futile_capture(node, mv, alpha, number) {
            return Decision::Skip;
        }
        if self.loses_material(node, mv, quiet, number) { Decision::Skip } else { Decision::Search }
    }
}
