//! Cut-offs by the transposition table: what an earlier search of the same depth found is not
//! searched again.
//!
//! Papers: Greenblatt et al. 1967 (the table), Hyatt and Mann 2002 (its lockless form). A quiet
//! move of the table that cuts is rewarded as if it had been searched.

use super::PLY;
use super::negamax::Node;
use super::ordering::is_quiet;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::tt::stored_depth;
use crate::value::{Value, from_table};

impl<E: Evaluation> Searcher<E> {
    /// The value to return if the table knows enough.
    pub(super) fn table_cut(&mut self, node: &Node) -> Option<Value> {
        let hit = node.hit.filter(|_| !node.pv && node.excluded.is_none())?;
        let value = from_table(hit.value, node.ply);
        let (high, depth) = (value >= node.beta, stored_depth(node.depth));
        // A bound above beta must come from a greater depth, and near the leaves one that is not
        // expected here is searched again.
        let deep = hit.depth > depth || hit.depth == depth && value <= node.beta;
        let expected = node.cut == high || node.depth > 5 * PLY;
        if !self.params.table.cuts || !deep || !expected || !hit.bound.cuts(value, node.beta) {
            return None;
        }
        if let Some(mv) = node.table_move.filter(|_| high) {
            if is_quiet(&self.position, mv) {
                let keys = self.continuation_keys(node.ply);
                let bonus = (130 * Self::plies(node.depth) - 71).min(1043);
                self.histories.update_quiet(&self.position, keys, mv, bonus);
            }
            self.punish_refuted(node);
        }
        Some(value)
    }
}
