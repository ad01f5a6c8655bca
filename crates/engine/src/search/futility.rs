//! Futility pruning: near the leaves, quiet moves cannot lift a static value far below alpha.
//!
//! Paper: Heinz 1998, extended to several plies. Ours lowers the margin for late moves by the
//! depth that a reduction would leave them.
//!
//! Measured, Elo at 10,000 nodes against none, 512 games: -10 [-41, 22].

use super::PLY;
use super::negamax::Node;
use super::ordering::gain;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::{MATE_BOUND, Value};
use yomikiri_shogi::Move;

impl<E: Evaluation> Searcher<E> {
    /// Whether no quiet move is expected to reach alpha.
    #[inline]
    pub(super) fn is_futile(&self, node: &Node, alpha: Value, number: i32) -> bool {
        let params = &self.params;
        if !params.futility.enabled || node.in_check || alpha <= -MATE_BOUND {
            return false;
        }
        let depth = (node.depth - self.reductions.late(node.depth, number)).max(0);
        depth < (params.futility.max_depth + 1) * PLY
            && node.eval + params.futility.base + params.futility.slope * depth / PLY <= alpha
    }

    /// Whether a capture or promotion is not expected to reach alpha by what it gains.
    #[inline]
    pub(super) fn is_futile_capture(
        &self,
        node: &Node,
        mv: Move,
        alpha: Value,
        number: i32,
    ) -> bool {
        let params = &self.params.futility;
        if !params.enabled || !params.captures || node.in_check || alpha <= -MATE_BOUND {
            return false;
        }
        let depth = (node.depth - self.reductions.late(node.depth, number)).max(0);
        let margin = params.capture_base + params.capture_slope * depth / PLY;
        depth < (params.max_depth + 1) * PLY
            && node.eval + margin + gain(&self.position, mv) <= alpha
            && !self.position.gives_check(mv)
    }
}
