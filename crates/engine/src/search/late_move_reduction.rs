//! Late-move reductions: moves that come late in the order are searched with less depth first.
//!
//! The reduction grows with the logarithms of depth and number, and many small terms add to it or
//! take from it, in 1024ths of a ply: more where a cut-off is expected anyway, where the table's
//! move takes something (then quiet moves seldom do better), where many of the answers cut off,
//! where the side to move does not gain ground; less for the table's move, by the move's history,
//! where the static value needed much correction, and where a principal variation goes through or
//! once did. The sum is
//! rounded to whole plies, so that nodes meet at equal depths in the table, and may be below
//! nothing: then the move gains depth. The terms and their sizes are those of Stockfish and its
//! shogi relatives.

use super::PLY;
use super::child::Child;
use super::history::PieceTo;
use super::negamax::Node;
use super::ordering::is_quiet;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::eval::material::value_of;
use crate::tt::{Bound, stored_depth};
use crate::value::{Value, from_table};
use yomikiri_shogi::Move;

/// A ply in the units of the terms.
pub(super) const UNIT: i32 = 1024;

/// A drop within this many files and ranks of the enemy king is near it.
const NEAR: u8 = 2;

/// Where nothing is reduced by number, sums beyond these still cost a ply, and a second one.
const GREAT: [i32; 2] = [4628, 5772];

/// What such a sum gains where the table has no move.
const UNKNOWN: i32 = 1057;

/// What a former principal variation costs in the depth that pruning goes by.
const PRUNING_PV: i32 = 1013;

impl<E: Evaluation> Searcher<E> {
    /// What a move loses by its number, depth and window, in 1024ths of a ply.
    #[inline]
    pub(super) fn base_reduction(&self, node: &Node, number: i32, alpha: Value) -> i32 {
        let params = &self.params.lmr;
        let scale = self.reductions.late(node.depth, number);
        let mut reduction = scale + params.offset;
        reduction -= (node.beta - alpha).min(self.root.window) * params.window / self.root.window;
        if !node.improving {
            reduction += scale * params.not_improving / UNIT;
        }
        reduction
    }

    /// The depth that a quiet move would be left with, by which pruning goes; in plies.
    #[inline]
    pub(super) fn pruning_depth(&self, node: &Node, number: i32, alpha: Value) -> i32 {
        let former = if node.table_pv { PRUNING_PV } else { 0 };
        Self::plies(node.depth) - 1 - (self.base_reduction(node, number, alpha) + former) / UNIT
    }

    /// The depth of a move's first search.
    pub(super) fn late_depth(&self, node: &Node, child: &Child, full: i32) -> i32 {
        let reduction = self.reduction_terms(node, child);
        if child.number > 1 && node.depth >= 2 * PLY {
            let most = full + self.params.lmr.gain * PLY;
            let depth = (full - reduction / UNIT * PLY).min(most).max(PLY);
            return depth + if node.pv { PLY } else { 0 };
        }
        let reduction = reduction + if node.table_move.is_none() { UNKNOWN } else { 0 };
        let second = reduction > GREAT[1] && full > 2 * PLY;
        full - PLY * (i32::from(reduction > GREAT[0]) + i32::from(second))
    }

    /// What a move loses by all terms, in 1024ths of a ply; may be less than nothing.
    fn reduction_terms(&self, node: &Node, child: &Child) -> i32 {
        let params = &self.params.lmr;
        let mut reduction = self.base_reduction(node, child.number, child.alpha) + params.searched;
        reduction -= child.number * params.number;
        reduction -= self.frame(node.ply).correction.abs() * params.correction / 100;
        if node.table_pv {
            reduction -= self.table_pv_terms(node, child);
        }
        if node.cut {
            reduction += params.cut_node;
            reduction += if node.table_move.is_none() { params.no_table_move } else { 0 };
        }
        if node.table_move.is_some_and(|mv| !is_quiet(&self.position, mv)) {
            reduction += params.table_capture;
        }
        reduction += self.cutoff_terms(node);
        if node.table_move == Some(child.mv) {
            reduction -= params.table_move;
        }
        if params.king_drop > 0 && self.drops_near_king(child.mv) {
            reduction -= params.king_drop;
        }
        reduction -= child.stat_score * UNIT / params.history;
        if !node.pv && !node.cut {
            reduction += reduction * 273 / (256 * Self::plies(node.depth) + 260);
        }
        reduction
    }

    /// How much more a move loses where its siblings' answers cut off.
    #[inline]
    fn cutoff_terms(&self, node: &Node) -> i32 {
        let params = &self.params.lmr;
        let cutoffs = self.frame(node.ply + 1).cutoffs;
        if cutoffs < 2 {
            return 0;
        }
        let many = if cutoffs > 2 { params.many_cutoffs } else { 0 };
        let all = if node.pv || node.cut { 0 } else { params.unexpected_cutoffs };
        params.cutoffs + many + all
    }

    /// How much less a move loses where a principal variation goes or went through.
    fn table_pv_terms(&self, node: &Node, child: &Child) -> i32 {
        let params = &self.params.lmr;
        let mut terms = params.table_pv + if node.pv { params.pv } else { 0 };
        if let Some(hit) = node.hit.filter(|hit| hit.bound != Bound::None) {
            if from_table(hit.value, node.ply) > child.alpha {
                terms += params.former_pv;
            }
            if hit.depth >= stored_depth(node.depth) {
                terms += params.deep_pv * if node.cut { 2 } else { 1 };
            }
        }
        terms
    }

    fn drops_near_king(&self, mv: Move) -> bool {
        let king = self.position.king(!self.position.side_to_move());
        mv.from().is_none()
            && king.is_some_and(|king| {
                king.file().abs_diff(mv.to().file()) <= NEAR
                    && king.rank().abs_diff(mv.to().rank()) <= NEAR
            })
    }

    /// How moves like this one fared, by the histories that count: what reductions go by.
    #[inline]
    pub(super) fn stat_score(&self, ply: usize, mv: Move, quiet: bool) -> i32 {
        if !self.params.history.enabled {
            return 0;
        }
        let now = PieceTo::new(&self.position, mv);
        if !quiet {
            let taken = self.position.piece_on(mv.to());
            let price = taken.map_or(0, |piece| value_of(piece.kind()));
            return price * 27 / 4 + self.histories.capture(now, taken);
        }
        2 * self.histories.quiet(&self.position, mv) + self.answer_score(ply, now)
    }

    /// How a move fared as an answer to the last two.
    #[inline]
    pub(super) fn answer_score(&self, ply: usize, now: PieceTo) -> i32 {
        if !self.params.history.continuation {
            return 0;
        }
        let [last, second, ..] = self.continuation_keys(ply);
        self.histories.continuation(last, now) + self.histories.continuation(second, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::material::Material;
    use crate::tt::TranspositionTable;
    use std::sync::Arc;
    use yomikiri_shogi::Position;

    fn searcher() -> Searcher<Material> {
        let mut searcher =
            Searcher::new(Material::default(), Arc::new(TranspositionTable::new(1)), 0);
        searcher.set_position(&Position::start());
        searcher
    }

    #[test]
    fn histories_that_are_switched_off_do_not_reduce() {
        let mut searcher = searcher();
        let [last, mv]: [Move; 2] = ["2g2f", "7g7f"].map(|text| text.parse().unwrap());
        searcher.frame_mut(0).piece_to = PieceTo::new(&searcher.position, last);
        let keys = searcher.continuation_keys(1);
        searcher.histories.update_quiet(&searcher.position, keys, mv, 1_000);
        let mut score = |history, continuation| {
            searcher.params.history.enabled = history;
            searcher.params.history.continuation = continuation;
            searcher.stat_score(1, mv, true)
        };
        let plain = score(true, false);
        assert!(plain == 2_000 && score(true, true) > plain);
        assert_eq!(score(false, true), 0);
    }

    #[test]
    fn later_moves_lose_more_and_no_move_falls_into_quiescence() {
        let mut searcher = searcher();
        let node = Node { pv: false, table_pv: false, ..searcher.root_node(-1, 0, 12 * PLY) };
        let mv: Move = "7g7f".parse().unwrap();
        let depth = |number| {
            let child = Child { number, ..Child::first(&node, mv) };
            searcher.late_depth(&node, &child, child.depth)
        };
        assert!(depth(16) < depth(4) && depth(4) < depth(1) && depth(1) == 11 * PLY);
        assert!((1..200).all(|number| depth(number) >= PLY && depth(number) % PLY == 0));
    }

    #[test]
    fn a_move_is_reduced_by_its_own_history_whatever_was_searched_on_its_frame() {
        let mut searcher = searcher();
        let node = Node { pv: false, table_pv: false, ..searcher.root_node(-1, 0, 12 * PLY) };
        let mv: Move = "7g7f".parse().unwrap();
        let child = Child { number: 8, stat_score: 9_000, ..Child::first(&node, mv) };
        let depth = searcher.late_depth(&node, &child, child.depth);
        // What the search without the table's move leaves behind.
        searcher.frame_mut(0).stat_score = -30_000;
        assert_eq!(searcher.late_depth(&node, &child, child.depth), depth);
        let worse = Child { stat_score: -30_000, ..child };
        assert!(searcher.late_depth(&node, &worse, worse.depth) < depth);
    }
}
