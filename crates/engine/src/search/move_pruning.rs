//! Which moves to skip: the pruning techniques in their order.

use super::child::Child;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::Value;

/// What becomes of a move before it is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    /// It is searched.
    Search,
    /// It is left out.
    Skip,
    /// It is left out, since even this value would be no gain.
    Futile(Value),
}

impl<E: Evaluation> Searcher<E> {
    /// Applies the pruning techniques to a move. `above` says whether one was above alpha already.
    pub(super) fn skip_move(&self, node: &Node, child: &Child, above: bool) -> Decision {
        if node.pv && node.ply == 0 {
            return Decision::Search;
        }
        let depth = self.pruning_depth(node, child.number, child.alpha);
        if !child.quiet || child.check {
            let futile = !child.check && self.is_futile_capture(node, child, depth);
            return if futile || self.loses_material(node, child) {
                Decision::Skip
            } else {
                Decision::Search
            };
        }
        if node.pv && self.frame(node.ply).follows_line {
            return Decision::Search;
        }
        if self.has_bad_history(node, child.mv) {
            return Decision::Skip;
        }
        let depth = depth + child.stat_score / self.params.futility.history;
        if let Some(value) = self.futile_value(node, child.alpha, depth, above) {
            return Decision::Futile(value);
        }
        if self.gives_too_much(child.mv, depth) { Decision::Skip } else { Decision::Search }
    }
}
