//! Playing moves and taking them back.

use super::{BoardChange, Position, hash};
use crate::attacks;
use crate::types::{Bitboard, Hand, Kind, Move, Origin, Piece, Square};

/// What a move cannot take back by itself, and what repetition compares.
#[derive(Clone, Copy)]
pub(super) struct Undo {
    pub checkers: Bitboard,
    pub board_key: u64,
    pub hands: [Hand; 2],
    /// `None` for a pass.
    pub played: Option<Move>,
    pub captured: Option<Piece>,
}

impl Position {
    /// Plays a legal move and says what it changed. For a move that was not generated here, ask
    /// [`is_legal`](Self::is_legal) first.
    #[inline]
    pub fn play(&mut self, mv: Move) -> BoardChange {
        let captured = self.push_undo(Some(mv));
        let change = match mv.origin() {
            Origin::Board(from) => self.play_on_board(mv, from, captured),
            Origin::Hand(kind) => self.play_drop(kind, mv.to()),
        };
        self.pass_turn();
        change
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If there is none, or if it was a pass.
    #[inline]
    pub fn undo(&mut self) {
        let undo = self.history.pop().expect("a move was played");
        let played = undo.played.expect("the last ply was a move, not a pass");
        self.side = !self.side;
        self.move_number -= 1;
        let us = self.side;
        let to = played.to();
        let piece = self.board[to.index()].expect("the moved piece stands there");
        match played.origin() {
            Origin::Board(from) => {
                let before = if played.is_promotion() { piece.unpromoted() } else { piece };
                self.shift_piece(before, from, piece, to);
                self.board[from.index()] = Some(before);
                self.board[to.index()] = undo.captured;
                if before.kind_index() == Kind::King.index() {
                    self.kings[us.index()] = Some(from);
                }
                if let Some(captured) = undo.captured {
                    self.kinds[captured.kind_index()] ^= Bitboard::of(to);
                    self.colors[us.opponent().index()] ^= Bitboard::of(to);
                }
            }
            Origin::Hand(kind) => {
                self.kinds[kind.index()] ^= Bitboard::of(to);
                self.colors[us.index()] ^= Bitboard::of(to);
                self.board[to.index()] = None;
            }
        }
        self.hands = undo.hands;
        self.board_key = undo.board_key;
        self.checkers = undo.checkers;
    }

    /// Gives the turn away without a move, as null-move pruning does. Not allowed in check.
    pub fn pass(&mut self) {
        debug_assert!(!self.in_check());
        self.push_undo(None);
        self.checkers = Bitboard::EMPTY;
        self.pass_turn();
    }

    /// Takes a pass back.
    ///
    /// # Panics
    /// If nothing was played.
    pub fn undo_pass(&mut self) {
        let undo = self.history.pop().expect("a pass was played");
        debug_assert!(undo.played.is_none());
        self.side = !self.side;
        self.move_number -= 1;
        self.board_key = undo.board_key;
        self.checkers = undo.checkers;
    }

    #[inline]
    fn push_undo(&mut self, played: Option<Move>) -> Option<Piece> {
        let captured = played.and_then(|played| self.board[played.to().index()]);
        self.history.push(Undo {
            checkers: self.checkers,
            board_key: self.board_key,
            hands: self.hands,
            played,
            captured,
        });
        captured
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.side = !self.side;
        self.move_number += 1;
        self.board_key ^= hash::SIDE_KEY;
    }

    #[inline]
    fn play_on_board(&mut self, mv: Move, from: Square, captured: Option<Piece>) -> BoardChange {
        let us = self.side;
        let to = mv.to();
        let before = self.board[from.index()].expect("a piece stands on the origin");
        if let Some(captured) = captured {
            self.take(captured, to);
        }
        let after = if mv.is_promotion() { before.promoted() } else { before };
        self.shift_piece(before, from, after, to);
        self.board[from.index()] = None;
        self.board[to.index()] = Some(after);
        self.board_key ^= hash::piece_key(before, from) ^ hash::piece_key(after, to);
        if before.kind_index() == Kind::King.index() {
            self.kings[us.index()] = Some(to);
        }
        self.checkers = self.checks_by(after, to, Some(from));
        BoardChange { before, from: Some(from), after, to, captured }
    }

    /// Moves a piece in the bitboards, or back. One write for each set where that is enough: two
    /// in a row to the same set wait for each other and cost a third of the time.
    #[inline]
    fn shift_piece(&mut self, before: Piece, from: Square, after: Piece, to: Square) {
        let both = Bitboard::of(from) | Bitboard::of(to);
        if before == after {
            self.kinds[before.kind_index()] ^= both;
        } else {
            self.kinds[before.kind_index()] ^= Bitboard::of(from);
            self.kinds[after.kind_index()] ^= Bitboard::of(to);
        }
        self.colors[before.color().index()] ^= both;
    }

    #[inline]
    fn take(&mut self, captured: Piece, square: Square) {
        let us = self.side;
        self.kinds[captured.kind_index()] ^= Bitboard::of(square);
        self.colors[us.opponent().index()] ^= Bitboard::of(square);
        self.board_key ^= hash::piece_key(captured, square);
        let hand = &mut self.hands[us.index()];
        *hand = hand.with(captured.kind().unpromoted());
    }

    #[inline]
    fn play_drop(&mut self, kind: Kind, to: Square) -> BoardChange {
        let us = self.side;
        let piece = Piece::new(kind, us);
        self.hands[us.index()] = self.hands[us.index()].without(kind);
        self.kinds[kind.index()] ^= Bitboard::of(to);
        self.colors[us.index()] ^= Bitboard::of(to);
        self.board[to.index()] = Some(piece);
        self.board_key ^= hash::piece_key(piece, to);
        self.checkers = self.checks_by(piece, to, None);
        BoardChange { before: piece, from: None, after: piece, to, captured: None }
    }

    /// The checks that `piece` has just given by arriving on `to`, and by leaving `from` open.
    #[inline]
    fn checks_by(&self, piece: Piece, to: Square, from: Option<Square>) -> Bitboard {
        let Some(king) = self.kings[self.side.opponent().index()] else {
            return Bitboard::EMPTY;
        };
        let mut checkers = Bitboard::EMPTY;
        // Neighbours have nothing between them, and neither do knights: one rule for all pieces.
        if attacks::empty_board_attacks(piece, to).has(king)
            && !attacks::between(king, to).intersects(self.occupied())
        {
            checkers = Bitboard::of(to);
        }
        if let Some(from) = from {
            // The colours come last: they have just been written and are not there yet.
            let line = attacks::line_through(king, from);
            let aiming = line & self.aiming_sliders(king, self.side.opponent());
            if aiming.is_any() {
                for slider in aiming & self.color(self.side) {
                    if !attacks::between(king, slider).intersects(self.occupied()) {
                        checkers |= Bitboard::of(slider);
                    }
                }
            }
        }
        checkers
    }
}
