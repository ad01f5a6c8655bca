//! What to play in every position of a proof that was checked.
//!
//! A proof answers every defence, but a solver asked again on each move may answer with another
//! proof, and two proofs may lead in a circle. Who plays a mate therefore keeps to one: whatever
//! the defender does, the position is known here and the mate is nearer than before.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use yomikiri_shogi::{Color, Hand, Move, Piece, Position, Square};

/// A board as one byte a square.
pub(crate) type Board = [u8; 81];

/// A map from boards or places. They are compared whole, so the hash is about time alone.
pub(crate) type BoardMap<K, V> = HashMap<K, V, BuildHasherDefault<BoardHasher>>;

/// A hash of many bytes, eight at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BoardHasher(u64);

impl Hasher for BoardHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    #[inline]
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }
}

/// A position with the attacker to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The pieces on the board.
    pub(crate) board: Board,
    /// Black's hand and White's.
    pub(crate) hands: [Hand; 2],
}

impl Place {
    pub(crate) fn new(
        piece: impl Fn(Square) -> Option<Piece>,
        hand: impl Fn(Color) -> Hand,
    ) -> Self {
        let mut board = [0; 81];
        for square in Square::all() {
            board[square.index()] = piece(square).map_or(0, |piece| piece.index() as u8);
        }
        Self { board, hands: Color::ALL.map(hand) }
    }

    /// The place of a position.
    pub(crate) fn of(position: &Position) -> Self {
        let mut board = [0; 81];
        for square in position.occupied() {
            let piece = position.piece_on(square);
            board[square.index()] = piece.map_or(0, |piece| piece.index() as u8);
        }
        Self { board, hands: Color::ALL.map(|color| position.hand(color)) }
    }
}

/// The attacker's moves in the positions through which a proof was checked.
#[derive(Clone, Debug)]
pub struct Guide {
    pub(crate) attacker: Color,
    /// The move, and the plies until mate at most, this move and everything counted.
    pub(crate) steps: BoardMap<Place, (Move, u32)>,
}

impl Guide {
    /// The move here and the plies until mate at most, if the position belongs to the proof and the
    /// attacker is to move.
    #[must_use]
    pub fn step(&self, position: &Position) -> Option<(Move, u32)> {
        if position.side_to_move() != self.attacker {
            return None;
        }
        self.steps.get(&Place::of(position)).copied()
    }

    /// The line from a position of the proof, whoever is to move, up to mate against the defences
    /// that last longest.
    #[must_use]
    pub fn line(&self, position: &Position) -> Vec<Move> {
        let mut position = position.clone();
        let mut line = Vec::new();
        while let Some(mv) = self.next(&mut position) {
            line.push(mv);
            position.play(mv);
        }
        line
    }

    fn next(&self, position: &mut Position) -> Option<Move> {
        if position.side_to_move() == self.attacker {
            self.step(position).map(|(mv, _)| mv)
        } else {
            self.longest_defence(position)
        }
    }

    fn longest_defence(&self, position: &mut Position) -> Option<Move> {
        position.legal_moves().into_iter().max_by_key(|&defence| {
            position.play(defence);
            let plies = self.step(position).map_or(0, |(_, plies)| plies);
            position.undo();
            plies
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::hash::{BuildHasher, BuildHasherDefault};

    #[test]
    fn places_are_told_apart_by_board_and_hands() {
        let build = BuildHasherDefault::<BoardHasher>::default();
        let mut random = fastrand::Rng::with_seed(5);
        let (mut places, mut hashes) = (HashSet::new(), HashSet::new());
        for _ in 0..40 {
            let mut position = Position::start();
            for _ in 0..100 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[random.usize(..moves.len())]);
                let place = Place::of(&position);
                let slowly = Place::new(|at| position.piece_on(at), |color| position.hand(color));
                assert_eq!(place, slowly);
                places.insert(place);
                hashes.insert(build.hash_one(place));
            }
        }
        assert!(places.len() > 1000);
        assert_eq!(places.len(), hashes.len());
    }
}
