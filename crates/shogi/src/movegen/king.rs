//! Moves of the king.

use super::{Generator, MoveSink};
use crate::attacks::{self, KING_SURROUNDINGS};
use crate::position::Position;
use crate::types::{Bitboard, Color, Kind, Square};
use core::ops::ControlFlow;

impl Generator<'_> {
    #[inline]
    pub(super) fn king_moves<S: MoveSink>(
        &self,
        targets: Bitboard,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let Some(king) = self.king else { return ControlFlow::Continue(()) };
        let reached = attacks::king_attacks(king) & targets;
        if reached.is_empty() {
            return ControlFlow::Continue(());
        }
        let attacked = self.position.attacks_near_king(self.us, king);
        sink.moves(king, reached.without(attacked), Bitboard::EMPTY)
    }
}

impl Position {
    /// What the enemy of `color` attacks, as far as it matters for the neighbours of `color`'s
    /// king. The king itself does not shield the squares behind it.
    #[inline]
    pub(crate) fn attacks_near_king(&self, color: Color, king: Square) -> Bitboard {
        let (us, at) = (color.index(), king.index());
        let near = KING_SURROUNDINGS.steps[us][at]
            | (KING_SURROUNDINGS.lances[us][at] & self.kind(Kind::Lance))
            | (KING_SURROUNDINGS.diagonals[at]
                & (self.kind(Kind::Bishop) | self.kind(Kind::Horse)))
            | (KING_SURROUNDINGS.orthogonals[at]
                & (self.kind(Kind::Rook) | self.kind(Kind::Dragon)));
        let occupied = self.occupied().without(Bitboard::of(king));
        let mut attacked = Bitboard::EMPTY;
        for square in near & self.color(!color) {
            if let Some(piece) = self.piece_on(square) {
                attacked |= attacks::attacks(piece, square, occupied);
            }
        }
        attacked
    }
}
