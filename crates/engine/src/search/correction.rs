//! Correction history: how far the static value was off in positions that have something in common.
//!
//! After a node was searched, the difference between its value and the static value is noted under
//! what the position shares with its neighbours in the tree: where both kings stand, what both
//! hands hold, which move came last and which one before it. The mean of what was noted corrects
//! the static values of later nodes. Engines of today use the pawn structure instead of kings and
//! hands; in shogi pawns come and go, while kings and hands stay through a whole subtree. With
//! `history.correction_pieces` the kings with their generals and the major pieces count too.

use super::history::{PIECE_TO, PieceTo};
use super::negamax::Node;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::{EVAL_LIMIT, MATE_BOUND, Value};
use yomikiri_shogi::{Color, Kind, Move, Position};

/// No entry exceeds this.
const BOUND: i32 = 1024;
/// What four entries at their bound correct, in centipawns, is their sum divided by this.
const DIVISOR: i32 = 32;
/// The same of all six.
const DIVISOR_OF_ALL: i32 = 20;
const KINGS: usize = 81 * 81;
const HANDS: usize = 1 << 13;
const PIECES: usize = 1 << 14;

/// Entries of each table: kings, hands, the last move, the one before, kings with generals, major
/// pieces.
const SIZES: [usize; 6] = [KINGS, HANDS, PIECE_TO, PIECE_TO, PIECES, PIECES];
/// Of these the first count always.
const ALWAYS: usize = 4;

/// The tables of one thread, each by the side to move first.
pub struct Corrections {
    tables: [Vec<i16>; SIZES.len()],
}

/// Where a position's entries are; those of the pieces only if they count.
struct Places {
    indices: [usize; SIZES.len()],
    count: usize,
}

/// A well mixed number below the number of entries, a power of two.
#[inline]
fn mixed<const N: usize>(words: [u64; N], entries: usize) -> usize {
    let mix =
        |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let sum = words.into_iter().fold(0, mix).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (sum >> (64 - entries.ilog2())) as usize
}

/// Where the pieces of two kinds stand, of both sides.
#[inline]
fn placement(position: &Position, kinds: [Kind; 2]) -> [u64; 4] {
    let words = |color| {
        let [one, other] = kinds.map(|kind| position.pieces(kind, color));
        (one | other).words()
    };
    let ([a, b], [c, d]) = (words(Color::Black), words(Color::White));
    [a, b, c, d]
}

impl Places {
    #[inline]
    fn of(position: &Position, keys: &[PieceTo], pieces: bool) -> Places {
        let side = position.side_to_move().index();
        let king = |color: Color| position.king(color).map_or(0, |king| king.index().min(80));
        let hand = |color: Color| u64::from(position.hand(color).bits());
        let hands = hand(Color::Black) << 32 | hand(Color::White);
        let hands = hands.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - HANDS.ilog2());
        let kings = king(Color::Black) * 81 + king(Color::White);
        let mut indices = [kings, hands as usize, keys[0].index(), keys[1].index(), 0, 0];
        let mut count = ALWAYS;
        if pieces {
            let [a, b, c, d] = placement(position, [Kind::Gold, Kind::Silver]);
            indices[4] = mixed([kings as u64, a, b, c, d], PIECES);
            let [a, b, c, d] = placement(position, [Kind::Rook, Kind::Dragon]);
            let [e, f, g, h] = placement(position, [Kind::Bishop, Kind::Horse]);
            indices[5] = mixed([a, b, c, d, e, f, g, h], PIECES);
            count = SIZES.len();
        }
        for (index, size) in indices.iter_mut().zip(SIZES) {
            *index += side * size;
        }
        Places { indices, count }
    }
}

impl Corrections {
    /// Empty tables.
    pub fn new() -> Corrections {
        Corrections { tables: SIZES.map(|size| vec![0; 2 * size]) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.tables.iter_mut().for_each(|table| table.fill(0));
    }

    /// What to add to the static value.
    #[inline]
    fn value(&self, places: &Places) -> Value {
        let entries = self.tables.iter().zip(places.indices).take(places.count);
        let sum: i32 = entries.map(|(table, index)| i32::from(table[index])).sum();
        sum / if places.count == ALWAYS { DIVISOR } else { DIVISOR_OF_ALL }
    }

    #[inline]
    fn note(&mut self, places: &Places, error: i32) {
        let entries = self.tables.iter_mut().zip(places.indices).take(places.count);
        for (table, index) in entries {
            let old = i32::from(table[index]);
            table[index] = (old + error - old * error.abs() / BOUND) as i16;
        }
    }
}

impl Default for Corrections {
    fn default() -> Corrections {
        Corrections::new()
    }
}

impl<E: Evaluation> Searcher<E> {
    /// A static value, corrected by how far off it was in positions like this one.
    #[inline]
    pub(super) fn corrected(&self, raw: Value, ply: usize) -> Value {
        if !self.params.history.correction {
            return raw;
        }
        let places = self.correction_places(ply);
        (raw + self.corrections.value(&places)).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    #[inline]
    fn correction_places(&self, ply: usize) -> Places {
        let pieces = self.params.history.correction_pieces;
        Places::of(&self.position, &self.continuation_keys(ply), pieces)
    }

    /// Notes how far off the static value was, where the search shows it: a bound on the wrong side
    /// of it says nothing, nor does a capture that was about to be made anyway.
    pub(super) fn note_error(&mut self, node: &Node, best: Value, quiet_best: Option<Move>) {
        let fails_high = best >= node.beta;
        let exact = !fails_high && quiet_best.is_some();
        if !self.params.history.correction
            || node.in_check
            || node.excluded.is_some()
            || best.abs() >= MATE_BOUND
            || !exact && fails_high == (best <= node.eval)
        {
            return;
        }
        let plies = Self::plies(node.depth);
        let error = ((best - node.eval) * plies / 8).clamp(-BOUND / 4, BOUND / 4);
        let places = self.correction_places(node.ply);
        self.corrections.note(&places, error);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(indices: [usize; 3]) -> [PieceTo; 3] {
        indices.map(PieceTo::from_index)
    }

    #[test]
    fn entries_follow_the_errors_and_stay_within_their_bound() {
        for (pieces, most) in [(false, 4 * BOUND / DIVISOR), (true, 6 * BOUND / DIVISOR_OF_ALL)] {
            let mut corrections = Corrections::new();
            let (start, later) =
                (Position::start(), Position::from_usi("startpos moves 7g7f 3c3d 8h2b+").unwrap());
            let places = Places::of(&start, &keys([81, 162, 0]), pieces);
            for _ in 0..1000 {
                corrections.note(&places, BOUND / 4);
                assert!(corrections.value(&places) <= most);
            }
            assert!(corrections.value(&places) > most * 3 / 4);
            assert_eq!(corrections.value(&Places::of(&later, &keys([83, 164, 0]), pieces)), 0);
            (0..1000).for_each(|_| corrections.note(&places, -BOUND / 4));
            assert!(corrections.value(&places) < -most * 3 / 4);
            corrections.clear();
            assert_eq!(corrections.value(&places), 0);
        }
    }

    #[test]
    fn generals_and_major_pieces_have_entries_of_their_own() {
        let indices = |moves: &str| {
            let position = Position::from_usi(&format!("startpos moves {moves}")).unwrap();
            Places::of(&position, &keys([0; 3]), true).indices
        };
        let before = indices("7g7f 3c3d");
        let silver = indices("7i6h 3c3d");
        let rook = indices("2h5h 3c3d");
        assert!(before[4] != silver[4] && before[5] == silver[5] && before[0] == silver[0]);
        assert!(before[4] == rook[4] && before[5] != rook[5]);
    }
}
