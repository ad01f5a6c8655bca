//! The second search of a late move: by how much the first one surprised.
//!
//! A late move is searched with less depth first. Where that value lies well above the best one so
//! far, the search in full may go a ply deeper; where it barely passes, a ply less will do. Known
//! from Stockfish.

use super::PLY;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::Value;

impl<E: Evaluation> Searcher<E> {
    /// What to add to the full depth after a reduced search that passed alpha, in parts of a ply.
    #[inline]
    pub(super) fn research_change(
        &self,
        best: Value,
        value: Value,
        full: i32,
        reduced: i32,
    ) -> i32 {
        let params = &self.params.research;
        if !params.enabled {
            return 0;
        }
        let deeper = reduced < full && value > best + params.deeper;
        let shallower = value < best + params.shallower;
        PLY * (i32::from(deeper) - i32::from(shallower))
    }
}
