//! Is this move legal? For moves that come from a table, a file or another program.

use super::Position;
use crate::attacks;
use crate::types::{Bitboard, Kind, Move, Origin, Square};

impl Position {
    /// Whether the side to move may play the move. Repetition is not asked about.
    pub fn is_legal(&self, mv: Move) -> bool {
        match mv.origin() {
            Origin::Board(from) => self.is_legal_on_board(mv, from),
            Origin::Hand(kind) => self.is_legal_drop(kind, mv.to()),
        }
    }

    fn is_legal_on_board(&self, mv: Move, from: Square) -> bool {
        let us = self.side;
        let to = mv.to();
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else {
            return false;
        };
        let zone = Bitboard::promotion_zone(us);
        let shape = if mv.is_promotion() {
            piece.kind().promoted().is_some() && (zone.has(from) || zone.has(to))
        } else {
            to.rank_for(us) >= piece.kind().dead_ranks()
        };
        let reached = attacks::attacks(piece, from, self.occupied()).without(self.color(us));
        if !shape || !reached.has(to) {
            return false;
        }
        if piece.kind() == Kind::King {
            let without_king = self.occupied().without(Bitboard::of(from));
            return self.attackers(to, !us, without_king).is_empty();
        }
        let Some(king) = self.king(us) else { return true };
        let pinned = self.pinned(us).has(from);
        self.answers_check(king, to) && (!pinned || attacks::line_through(king, from).has(to))
    }

    fn is_legal_drop(&self, kind: Kind, to: Square) -> bool {
        let us = self.side;
        if !self.hand(us).has(kind)
            || self.occupied().has(to)
            || to.rank_for(us) < kind.dead_ranks()
            || self.king(us).is_some_and(|king| !self.answers_check(king, to))
        {
            return false;
        }
        kind != Kind::Pawn
            || (!(self.pieces(Kind::Pawn, us) & Bitboard::file(to.file())).is_any()
                && !self.is_drop_pawn_mate(to))
    }

    /// Whether a piece other than the king, arriving on `to`, leaves no check standing.
    fn answers_check(&self, king: Square, to: Square) -> bool {
        match self.checkers.first() {
            None => true,
            Some(_) if self.checkers.is_several() => false,
            Some(checker) => to == checker || attacks::between(king, checker).has(to),
        }
    }
}
