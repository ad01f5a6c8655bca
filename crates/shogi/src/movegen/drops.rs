//! Drops, and the drop-pawn mate (打ち歩詰め) that is forbidden.

use super::{Generator, Kinds, MoveSink};
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Kind, Piece, Square};
use core::ops::ControlFlow;

/// Outside the far rank: where pawns and lances can still move.
const LIVE: [Bitboard; 2] = [
    Bitboard::ALL.without(Bitboard::far_ranks(Color::Black, 1)),
    Bitboard::ALL.without(Bitboard::far_ranks(Color::White, 1)),
];
/// Outside the two far ranks: where knights can still move.
const LIVE_KNIGHT: [Bitboard; 2] = [
    Bitboard::ALL.without(Bitboard::far_ranks(Color::Black, 2)),
    Bitboard::ALL.without(Bitboard::far_ranks(Color::White, 2)),
];

impl Generator<'_> {
    #[inline]
    pub(super) fn drops<S: MoveSink>(&self, to: Bitboard, sink: &mut S) -> ControlFlow<()> {
        let hand = self.position.hand(self.us);
        if hand.is_empty() || to.is_empty() {
            return ControlFlow::Continue(());
        }
        let us = self.us.index();
        if hand.has(Kind::Pawn) {
            sink.drops(Kinds::held(hand, &[Kind::Pawn]), self.pawn_drops(to))?;
        }
        if hand.has(Kind::Lance) {
            sink.drops(Kinds::held(hand, &[Kind::Lance]), to & LIVE[us])?;
        }
        if hand.has(Kind::Knight) {
            sink.drops(Kinds::held(hand, &[Kind::Knight]), to & LIVE_KNIGHT[us])?;
        }
        let anywhere = Kinds::held(hand, &[Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook]);
        if anywhere.is_empty() {
            return ControlFlow::Continue(());
        }
        sink.drops(anywhere, to)
    }

    /// Where a pawn may be dropped: not on a file with another, not on the far rank, and not where
    /// it would mate.
    #[inline]
    pub(super) fn pawn_drops(&self, to: Bitboard) -> Bitboard {
        let pawns = self.position.kind(Kind::Pawn) & self.own;
        let squares = to.without(pawns.filled_files()) & LIVE[self.us.index()];
        let checking = self.pawn_check();
        if (squares & checking).is_any()
            && let Some(square) = checking.first()
            && self.position.is_drop_pawn_mate(square)
        {
            return squares.without(checking);
        }
        squares
    }

    /// The square from which our pawn would give check.
    #[inline]
    fn pawn_check(&self) -> Bitboard {
        match self.position.king(!self.us) {
            Some(king) => attacks::step_attacks(Piece::new(Kind::Pawn, !self.us), king),
            None => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// Whether dropping a pawn on the empty square would mate the opponent, which is not allowed.
    pub fn is_drop_pawn_mate(&self, square: Square) -> bool {
        let us = self.side_to_move();
        let them = !us;
        let Some(king) = self.king(them) else { return false };
        if !attacks::step_attacks(Piece::new(Kind::Pawn, them), king).has(square) {
            return false;
        }
        let occupied = self.occupied();
        // Unprotected, the pawn is simply taken by the king.
        if self.attackers(square, us, occupied).is_empty() {
            return false;
        }
        !self.can_take_pawn(square, king) && !self.can_flee(king, square)
    }

    /// Whether the opponent can take a piece on the square with anything but the king.
    fn can_take_pawn(&self, square: Square, king: Square) -> bool {
        let them = !self.side_to_move();
        let takers = self.attackers(square, them, self.occupied()).without(Bitboard::of(king));
        // A pinned piece may take along its line.
        takers.is_any()
            && (takers.without(self.shields(them)).is_any()
                || takers.iter().any(|from| attacks::line_through(king, from).has(square)))
    }

    /// Whether the opponent's king could leave a check given on the square.
    fn can_flee(&self, king: Square, square: Square) -> bool {
        let us = self.side_to_move();
        let occupied = self.occupied().without(Bitboard::of(king)) | Bitboard::of(square);
        let steps =
            attacks::king_attacks(king).without(self.color(!us)).without(Bitboard::of(square));
        steps.iter().any(|to| self.attackers(to, us, occupied).is_empty())
    }
}
