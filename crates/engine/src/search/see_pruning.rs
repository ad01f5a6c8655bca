//! SEE pruning: at low depth, moves that lose material on their square are not tried. The depth of
//! a quiet move can be counted after its reduction (`see_pruning.reduced`).
//!
//! Measured, Elo at 10,000 nodes against none, 1000 games: +11 [-10, 32].

use super::PLY;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use yomikiri_shogi::Move;

/// Deeper than this the test is not worth its time.
const MAX_DEPTH: i32 = 10 * PLY;

impl<E: Evaluation> Searcher<E> {
    /// Whether the move loses more than its depth allows.
    #[inline]
    pub(super) fn loses_material(&self, node: &Node, mv: Move, quiet: bool, number: i32) -> bool {
        if !self.params.see_pruning.enabled || node.depth >= MAX_DEPTH {
            return false;
        }
        let plies = Self::plies(node.depth);
        let allowed = if quiet && self.params.see_pruning.reduced {
            let left = (node.depth - self.reductions.late(node.depth, number)).max(0);
            self.params.see_pruning.quiet * left / PLY * left / PLY
        } else if quiet {
            self.params.see_pruning.quiet * plies * plies
        } else {
            self.params.see_pruning.capture * plies
        };
        !self.position.see_ge(mv, -allowed)
    }
}
