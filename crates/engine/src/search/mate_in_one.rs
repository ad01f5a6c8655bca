//! Mate in one: a node whose side to move mates at once needs no search.
//!
//! In the normal search before anything else, in quiescence only where the static value stays below
//! beta.

use super::PLY;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::tt::{Bound, TableEntry, stored_depth};
use crate::value::{Value, mate_in, to_table};
use yomikiri_shogi::Move;

impl<E: Evaluation> Searcher<E> {
    /// The move that mates at once, where the table does not say that it was looked for in vain.
    #[inline]
    pub(super) fn mating_move(&mut self, hit: Option<TableEntry>) -> Option<Move> {
        let unseen = hit.is_none_or(|hit| hit.may_hide_mate());
        if self.params.mate.in_one && unseen { self.position.mate_in_one() } else { None }
    }

    /// The value of a node whose side to move mates at once.
    pub(super) fn mate_at_once(&mut self, node: &Node) -> Option<Value> {
        if node.in_check || node.excluded.is_some() {
            return None;
        }
        let mating = self.mating_move(node.hit)?;
        let value = mate_in(node.ply + 1);
        self.table.store(
            node.key,
            TableEntry {
                mv: Some(mating),
                value: to_table(value, node.ply),
                eval: None,
                // Deep enough to cut, not so deep that nothing ever takes its place.
                depth: stored_depth(node.depth + 6 * PLY),
                bound: Bound::Exact,
                pv: node.pv,
            },
        );
        if node.pv {
            self.lines[node.ply].push(mating);
        }
        Some(value)
    }
}
