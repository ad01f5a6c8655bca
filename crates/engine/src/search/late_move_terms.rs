//! Late-move reductions by many small terms, in 1024ths of a ply.
//!
//! Beside depth and number, a late move loses more where a cut-off is expected anyway, where the
//! table's move takes something (then quiet moves seldom do better), where many of its answers cut
//! off; it loses less by its history, where the static value needed much correction, where the
//! table still holds a former principal variation above alpha, and, in shogi, where it drops a
//! piece next to the enemy king. The terms are Stockfish's and its shogi relatives', the sizes are
//! ours.

use super::PLY;
use super::negamax::{Child, Node};
use super::ordering::is_quiet;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::from_table;
use yomikiri_shogi::Move;

/// A ply in the units of the terms.
pub(super) const UNIT: i32 = 1024;

/// A drop within so many files and ranks of the enemy king is near it.
const NEAR: u8 = 2;

/// Cut-offs among the answers from which on they count as many.
const MANY_CUTOFFS: i32 = 3;

impl<E: Evaluation> Searcher<E> {
    /// What a late move loses by all terms, in 1024ths of a ply; may be less than nothing.
    pub(super) fn reduction_terms(&self, node: &Node, child: &Child) -> i32 {
        let params = &self.params.lmr;
        let mut reduction = self.reductions.late_fine(node.depth, child.number);
        if child.quiet {
            reduction -= self.history_score(node.ply, child.mv) * UNIT / params.history;
            if node.cut {
                reduction += params.cut_node;
                reduction += if node.table_move.is_none() { params.no_table_move } else { 0 };
            }
            if node.table_move.is_some_and(|mv| !is_quiet(&self.position, mv)) {
                reduction += params.table_capture;
            }
            if self.drops_near_king(child.mv) {
                reduction -= params.king_drop;
            }
        } else {
            reduction = (reduction - UNIT) / 2;
        }
        if self.frame(node.ply + 1).cutoffs >= MANY_CUTOFFS {
            reduction += params.cutoffs;
        }
        reduction -= self.frame(node.ply).correction.abs() * params.correction / 100;
        if node.pv {
            reduction -= UNIT;
        } else if node.table_pv {
            reduction -= params.table_pv * UNIT / 100;
        }
        let above = |value| from_table(value, node.ply) > child.alpha;
        if node.table_pv && node.hit.is_some_and(|hit| above(hit.value)) {
            reduction -= params.former_pv;
        }
        if !node.improving {
            reduction += UNIT / 2;
        }
        if node.in_check || self.position.gives_check(child.mv) {
            reduction -= UNIT;
        }
        reduction
    }

    fn drops_near_king(&self, mv: Move) -> bool {
        let king = self.position.king(!self.position.side_to_move());
        mv.from().is_none()
            && king.is_some_and(|king| {
                king.file().abs_diff(mv.to().file()) <= NEAR
                    && king.rank().abs_diff(mv.to().rank()) <= NEAR
            })
    }

    /// A reduction in 1024ths of a ply as parts of a ply, or as whole plies if so asked.
    #[inline]
    pub(super) fn in_parts(&self, reduction: i32) -> i32 {
        if self.params.lmr.whole { reduction / UNIT * PLY } else { reduction * PLY / UNIT }
    }
}
