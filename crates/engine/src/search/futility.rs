//! Futility pruning: near the leaves, moves cannot lift a static value far below alpha.
//!
//! Paper: Heinz 1998, extended to several plies. The depth is the one that a reduction would leave
//! the move, and a good history counts as more of it.

use super::child::Child;
use super::negamax::Node;
use super::ordering::gain;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::{MATE_BOUND, Value};

/// The depth, in plies, from which on captures are never futile.
const CAPTURE_DEPTH: i32 = 7;

/// What a static value above alpha adds to the margin.
const ABOVE_ALPHA: Value = 86;

impl<E: Evaluation> Searcher<E> {
    /// What a quiet move is expected to reach at most, if that is below alpha.
    #[inline]
    pub(super) fn futile_value(
        &self,
        node: &Node,
        alpha: Value,
        depth: i32,
        above: bool,
    ) -> Option<Value> {
        let params = &self.params.futility;
        if !params.enabled || node.in_check || alpha <= -MATE_BOUND || depth > params.max_depth {
            return None;
        }
        let mut value = node.eval + params.base + params.slope * depth;
        value += if above { 0 } else { params.no_best };
        value += if node.eval > alpha { ABOVE_ALPHA } else { 0 };
        (value <= alpha).then_some(value)
    }

    /// Whether a capture or promotion is not expected to reach alpha by what it gains.
    #[inline]
    pub(super) fn is_futile_capture(&self, node: &Node, child: &Child, depth: i32) -> bool {
        let params = &self.params.futility;
        if !params.enabled || !params.captures || node.in_check || child.alpha <= -MATE_BOUND {
            return false;
        }
        let history = self.capture_history(child) / 8;
        let margin = params.capture_base + params.capture_slope * depth + history;
        depth < CAPTURE_DEPTH && node.eval + margin + gain(&self.position, child.mv) <= child.alpha
    }
}
