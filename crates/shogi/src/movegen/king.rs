//! Moves of the king.

use super::{Generator, Sink};
use crate::attacks::{self, KING_SURROUNDINGS};
use crate::types::{Bitboard, Kind, Square};
use core::ops::ControlFlow;

impl Generator<'_> {
    #[inline]
    pub(super) fn king_moves<S: Sink>(&self, targets: Bitboard, sink: &mut S) -> ControlFlow<()> {
        let Some(king) = self.king else { return ControlFlow::Continue(()) };
        let reached = attacks::king_attacks(king) & targets;
        if reached.is_empty() {
            return ControlFlow::Continue(());
        }
        sink.moves(king, reached.without(self.attacked_near(king)), Bitboard::EMPTY)
    }

    /// What the enemy attacks, as far as it matters for the neighbours of our king. The king
    /// itself does not shield the squares behind it.
    #[inline]
    fn attacked_near(&self, king: Square) -> Bitboard {
        let position = self.position;
        let (us, at) = (self.us.index(), king.index());
        let near = KING_SURROUNDINGS.steps[us][at]
            | (KING_SURROUNDINGS.lances[us][at] & position.kind(Kind::Lance))
            | (KING_SURROUNDINGS.diagonals[at]
                & (position.kind(Kind::Bishop) | position.kind(Kind::Horse)))
            | (KING_SURROUNDINGS.orthogonals[at]
                & (position.kind(Kind::Rook) | position.kind(Kind::Dragon)));
        let occupied = self.occupied.without(Bitboard::of(king));
        let mut attacked = Bitboard::EMPTY;
        for square in near & position.color(!self.us) {
            if let Some(piece) = position.piece_on(square) {
                attacked |= attacks::attacks(piece, square, occupied);
            }
        }
        attacked
    }
}
