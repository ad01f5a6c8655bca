//! Null move: if giving the turn away still fails high, a real move would too.
//!
//! Paper: Donninger 1993. Passing is hardly ever best in shogi, drops make zugzwang rarer still,
//! so that only deep cut-offs are verified by a search without null moves.
//!
//! Tried only where the node is expected to fail high and stands above beta by more than a margin
//! that shrinks with depth.
//!
//! The pass saves so much depth that below some ten plies quiescence alone answers it.

use super::history::PieceTo;
use super::negamax::Node;
use super::searcher::Searcher;
use super::{NonPv, PLY};
use crate::eval::Evaluation;
use crate::value::{MATE_BOUND, Value};

/// From this depth on a cut-off is verified.
const VERIFY_DEPTH: i32 = 16 * PLY;

impl<E: Evaluation> Searcher<E> {
    /// The static value from which passing is tried. What is left of a shallow search after a pass
    /// is quiescence, blind to quiet threats: it takes a greater surplus to pass there.
    fn null_threshold(&self, node: &Node) -> Value {
        let params = &self.params.null_move;
        let improving = if node.improving { params.improving } else { 0 };
        node.beta + params.margin - params.slope * node.depth / PLY - improving
    }

    /// The value to return if passing fails high.
    pub(super) fn null_move(&mut self, node: &Node) -> Option<Value> {
        let passed_last = node.ply > 0 && self.frame(node.ply - 1).mv.is_none();
        if !self.params.null_move.enabled
            || passed_last
            || node.excluded.is_some()
            || !node.cut
            || node.eval < self.null_threshold(node)
            || node.beta <= -MATE_BOUND
            || node.depth < 2 * PLY
            || node.ply < self.null_from
        {
            return None;
        }
        self.instruments.counters.null_move[0] += 1;
        let params = &self.params.null_move;
        let saved = params.base + Self::plies(node.depth) / params.divisor;
        let depth = node.depth - saved * PLY;
        let frame = self.frame_mut(node.ply);
        frame.mv = None;
        frame.piece_to = PieceTo::NONE;
        self.nodes += 1;
        self.position.pass();
        self.eval.push_null(&self.position);
        let value = -self.negamax::<NonPv>(-node.beta, -node.beta + 1, depth, node.ply + 1, false);
        self.eval.pop();
        self.position.undo_pass();
        if self.stopped || value < node.beta {
            return None;
        }
        // A mate found after passing is not a mate on the board.
        if value >= MATE_BOUND {
            return None;
        }
        if node.depth >= VERIFY_DEPTH && self.null_from == 0 {
            self.null_from = node.ply + (depth.max(PLY) * 3 / (4 * PLY)) as usize + 1;
            let verified = self.negamax::<NonPv>(node.beta - 1, node.beta, depth, node.ply, false);
            self.null_from = 0;
            if self.stopped || verified < node.beta {
                return None;
            }
        }
        self.instruments.counters.null_move[1] += 1;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::material::Material;
    use crate::tt::TranspositionTable;
    use std::sync::Arc;
    use yomikiri_shogi::Position;

    /// Whether a pass is tried at the start of a game, whose value is 0.
    fn tries(switch: bool, beta: Value, plies: i32, cut: bool) -> bool {
        let mut searcher =
            Searcher::new(Material::default(), Arc::new(TranspositionTable::new(1)), 0);
        searcher.params.null_move.enabled = switch;
        searcher.set_position(&Position::start());
        let node = Node { pv: false, cut, ..searcher.root_node(beta - 1, beta, plies * PLY) };
        searcher.null_move(&node);
        searcher.instruments.counters.null_move[0] > 0
    }

    #[test]
    fn a_shallow_pass_takes_a_greater_surplus_and_a_node_expected_to_fail_high() {
        assert!(tries(true, -400, 2, true) && tries(true, -250, 12, true));
        assert!(!tries(true, -250, 2, true));
        assert!(!tries(true, -400, 2, false) && !tries(true, -250, 12, false));
    }

    #[test]
    fn switched_off_nothing_is_tried() {
        assert!(!tries(false, -400, 2, true) && !tries(false, -250, 12, true));
    }
}
