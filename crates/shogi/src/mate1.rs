//! Mate in one move.
//!
//! Every check is tried, but most are dismissed before they are played: the checking piece must
//! cover each square to which the king could still flee. What passes is played and asked for a
//! legal answer, so the verdict is that of the move generator.

use crate::attacks;
use crate::movegen::NonPromotions;
use crate::position::Position;
use crate::types::{Bitboard, Move, MoveList, Origin, Piece, Square};

impl Position {
    /// A move that mates at once, if there is one. Drop-pawn mates are no legal moves.
    ///
    /// ```
    /// use yomikiri_shogi::Position;
    ///
    /// let mut position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
    /// assert_eq!(position.mate_in_one().unwrap().to_string(), "G*5b");
    /// ```
    pub fn mate_in_one(&mut self) -> Option<Move> {
        let defender = !self.side_to_move();
        let king = self.king(defender)?;
        let mut checks = MoveList::new();
        self.generate_checks(NonPromotions::All, &mut checks);
        if checks.is_empty() {
            return None;
        }
        let flights = attacks::king_attacks(king)
            .without(self.color(defender))
            .without(self.attacks_near_king(defender, king));
        checks.into_iter().find(|&check| {
            self.may_cover(check, king, flights) && {
                self.play(check);
                let mate = !self.has_legal_move();
                self.undo();
                mate
            }
        })
    }

    /// Whether the check could cover every flight square. Errs only towards yes.
    #[inline]
    fn may_cover(&self, check: Move, king: Square, flights: Bitboard) -> bool {
        let us = self.side_to_move();
        let to = check.to();
        let (piece, vacated) = match check.origin() {
            Origin::Hand(kind) => (Piece::new(kind, us), Bitboard::EMPTY),
            Origin::Board(from) => {
                let Some(piece) = self.piece_on(from) else { return true };
                // Leaving may open lines of other pieces onto the flight squares.
                if self.sliding_attackers(from, us, self.occupied()).is_any() {
                    return true;
                }
                let after = if check.is_promotion() { piece.promoted() } else { piece };
                (after, Bitboard::of(from))
            }
        };
        let occupied = self.occupied().without(vacated | Bitboard::of(king)) | Bitboard::of(to);
        let covered = attacks::attacks(piece, to, occupied) | Bitboard::of(to);
        flights.without(covered).is_empty()
    }
}
