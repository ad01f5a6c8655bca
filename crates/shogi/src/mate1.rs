//! Mate in one move.
//!
//! Every check is generated, but most are dismissed before they are played, whole batches at a
//! time: the checking piece must cover each square to which the king could still flee, and must not
//! be there for the king or another piece to take, nor so far away that a drop can come between.
//! What passes is played and searched for a legal answer, so the verdict is that of the move
//! generator.

use crate::attacks;
use crate::movegen::{Kinds, MoveSink, NonPromotions};
use crate::position::Position;
use crate::types::{Bitboard, Color, Kind, Move, MoveList, Piece, Square};
use core::ops::ControlFlow;

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
        let king = self.king(!self.side_to_move())?;
        let mut moves = MoveList::new();
        let mut candidates = Candidates::new(self, king, &mut moves);
        let _ = self.generate_checks_into(NonPromotions::All, &mut candidates);
        moves.iter().copied().find(|&check| {
            self.play(check);
            let mate = !self.has_legal_move();
            self.undo();
            mate
        })
    }
}

/// Takes the checks that might mate, in the order in which they come. Errs only towards yes.
struct Candidates<'a> {
    position: &'a Position,
    us: Color,
    king: Square,
    /// From where a check of one piece cannot be blocked by a drop, knights apart.
    close: Bitboard,
    /// Where the king can go as things stand; known once the first check has come.
    flights: Option<Bitboard>,
    moves: &'a mut MoveList,
}

impl<'a> Candidates<'a> {
    #[inline]
    fn new(position: &'a Position, king: Square, moves: &'a mut MoveList) -> Candidates<'a> {
        let us = position.side_to_move();
        let hand = position.hand(!us);
        // These may be dropped on any empty square.
        let blocks = [Kind::Silver, Kind::Gold, Kind::Bishop, Kind::Rook];
        let close = if blocks.into_iter().any(|kind| hand.has(kind)) {
            attacks::king_attacks(king)
        } else {
            Bitboard::ALL
        };
        Candidates { position, us, king, close, flights: None, moves }
    }

    #[inline]
    fn flights(&mut self) -> Bitboard {
        if let Some(flights) = self.flights {
            return flights;
        }
        let flights = attacks::king_attacks(self.king)
            .without(self.position.color(!self.us))
            .without(self.position.attacks_near_king(!self.us, self.king));
        self.flights = Some(flights);
        flights
    }

    /// Those of the squares from which a piece of the kind could attack every flight square and
    /// give a check that no drop blocks.
    #[inline]
    fn covering(&self, kind: Kind, flights: Bitboard, mut squares: Bitboard) -> Bitboard {
        if kind != Kind::Knight {
            squares &= self.close;
        }
        let seen_from_flight = Piece::new(kind, !self.us);
        for flight in flights {
            if squares.is_empty() {
                break;
            }
            squares &= attacks::empty_board_attacks(seen_from_flight, flight);
        }
        squares
    }

    /// Whether a piece that arrives on `to` covers every flight square.
    #[inline]
    fn covers(&self, piece: Piece, to: Square, vacated: Bitboard, flights: Bitboard) -> bool {
        let occupied = self.position.occupied().without(vacated | Bitboard::of(self.king));
        flights.without(attacks::attacks(piece, to, occupied | Bitboard::of(to))).is_empty()
    }

    /// Whether a piece other than the king can take one that arrives on `to`, where that opens no
    /// line of ours: pinned pieces are not asked.
    #[inline]
    fn is_answered(&self, to: Square, vacated: Bitboard) -> bool {
        let occupied = self.position.occupied().without(vacated);
        let takers =
            self.position.attackers(to, !self.us, occupied).without(Bitboard::of(self.king));
        takers.is_any() && takers.without(self.position.shields(!self.us)).is_any()
    }

    /// Whether the king can take a piece that comes to `to` from `from`.
    #[inline]
    fn is_taken(&self, from: Square, to: Square) -> bool {
        let vacated = Bitboard::of(from);
        let occupied = self.position.occupied().without(vacated | Bitboard::of(self.king));
        attacks::king_attacks(self.king).has(to)
            && self.position.attackers(to, self.us, occupied).without(vacated).is_empty()
    }

    /// Takes moves of one piece that does not open a line by leaving, or of one that may.
    #[inline]
    fn take(&mut self, from: Square, to: Bitboard, piece: Piece, opens: bool, promotes: bool) {
        let flights = self.flights();
        let vacated = Bitboard::of(from);
        let to = if opens { to } else { self.covering(piece.kind(), flights, to) };
        for square in to {
            let passes = opens
                || self.covers(piece, square, vacated, flights)
                    && !self.is_answered(square, vacated);
            if passes && !self.is_taken(from, square) {
                self.moves.push(Move::board(from, square, promotes));
            }
        }
    }
}

impl MoveSink for Candidates<'_> {
    #[inline]
    fn moves(&mut self, from: Square, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        let Some(piece) = self.position.piece_on(from).filter(|_| (stay | promote).is_any()) else {
            return ControlFlow::Continue(());
        };
        // Leaving may open lines of other pieces onto the flight squares.
        let opens = self.position.sliding_attackers(from, self.us, self.position.occupied());
        if promote.is_any() {
            self.take(from, promote, piece.promoted(), opens.is_any(), true);
        }
        self.take(from, stay, piece, opens.is_any(), false);
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(&mut self, color: Color, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        for to in stay | promote {
            let Some(from) = Bitboard::of(to).forward(!color).first() else { continue };
            self.moves(from, stay & Bitboard::of(to), promote & Bitboard::of(to))?;
        }
        ControlFlow::Continue(())
    }

    fn drops(&mut self, kinds: Kinds, to: Bitboard) -> ControlFlow<()> {
        let flights = self.flights();
        // Nothing protects a piece that is dropped on a flight square: the king takes it.
        let safe = to.without(flights);
        for kind in kinds.iter() {
            let piece = Piece::new(kind, self.us);
            for square in self.covering(kind, flights, safe) {
                if self.covers(piece, square, Bitboard::EMPTY, flights)
                    && !self.is_answered(square, Bitboard::EMPTY)
                {
                    self.moves.push(Move::drop(kind, square));
                }
            }
        }
        ControlFlow::Continue(())
    }
}
