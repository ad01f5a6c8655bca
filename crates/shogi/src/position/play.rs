//! Playing moves and taking them back.

use super::{Position, hash};
use crate::attacks;
use crate::types::{Bitboard, Color, Hand, Kind, Move, Origin, Piece, Square};

/// Hears of every change that a move makes, so that an evaluation can follow the board.
///
/// Taking a move back tells the reverse changes. A listener that cares for nothing, `()`, costs
/// nothing.
pub trait Listener {
    /// A piece now stands on the square.
    fn added(&mut self, piece: Piece, square: Square);
    /// The piece no longer stands on the square.
    fn removed(&mut self, piece: Piece, square: Square);
    /// A player now holds `hand`, in which `kind` has changed by one.
    fn hand_changed(&mut self, color: Color, kind: Kind, hand: Hand);
}

impl Listener for () {
    #[inline]
    fn added(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn removed(&mut self, _: Piece, _: Square) {}
    #[inline]
    fn hand_changed(&mut self, _: Color, _: Kind, _: Hand) {}
}

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
    /// Plays a legal move. For a move that was not generated here, ask
    /// [`is_legal`](Self::is_legal) first.
    #[inline]
    pub fn play(&mut self, played: Move) {
        self.play_observed(played, &mut ());
    }

    /// Takes the last move back.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn undo(&mut self) {
        self.undo_observed(&mut ());
    }

    /// Plays a legal move and tells the listener of every change.
    #[inline]
    pub fn play_observed<L: Listener>(&mut self, played: Move, listener: &mut L) {
        self.remember(Some(played));
        match played.origin() {
            Origin::Board(from) => self.play_on_board(played, from, listener),
            Origin::Hand(kind) => self.play_drop(kind, played.to(), listener),
        }
        self.pass_turn();
    }

    /// Takes the last move back and tells the listener of every change.
    ///
    /// # Panics
    /// If there is none, or if it was a pass.
    #[inline]
    pub fn undo_observed<L: Listener>(&mut self, listener: &mut L) {
        let undo = self.history.pop().expect("a move was played");
        let played = undo.played.expect("the last ply was a move, not a pass");
        self.side = !self.side;
        self.move_number -= 1;
        let us = self.side;
        let to = played.to();
        let piece = self.board[to.index()].expect("the moved piece stands there");
        listener.removed(piece, to);
        match played.origin() {
            Origin::Board(from) => {
                let before = if played.is_promotion() { piece.unpromoted() } else { piece };
                self.shift_piece(before, from, piece, to);
                self.board[from.index()] = Some(before);
                self.board[to.index()] = undo.captured;
                if before.kind_index() == Kind::King.index() {
                    self.kings[us.index()] = Some(from);
                }
                listener.added(before, from);
                if let Some(captured) = undo.captured {
                    self.kinds[captured.kind_index()] ^= Bitboard::of(to);
                    self.colors[us.opponent().index()] ^= Bitboard::of(to);
                    let kind = captured.kind().unpromoted();
                    listener.hand_changed(us, kind, undo.hands[us.index()]);
                    listener.added(captured, to);
                }
            }
            Origin::Hand(kind) => {
                self.kinds[kind.index()] ^= Bitboard::of(to);
                self.colors[us.index()] ^= Bitboard::of(to);
                self.board[to.index()] = None;
                listener.hand_changed(us, kind, undo.hands[us.index()]);
            }
        }
        self.hands = undo.hands;
        self.board_key = undo.board_key;
        self.checkers = undo.checkers;
    }

    /// Gives the turn away without a move, as null-move pruning does. Not allowed in check.
    pub fn pass(&mut self) {
        debug_assert!(!self.in_check());
        self.remember(None);
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
    fn remember(&mut self, played: Option<Move>) {
        let captured = played.and_then(|played| self.board[played.to().index()]);
        self.history.push(Undo {
            checkers: self.checkers,
            board_key: self.board_key,
            hands: self.hands,
            played,
            captured,
        });
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.side = !self.side;
        self.move_number += 1;
        self.board_key ^= hash::SIDE_KEY;
    }

    #[inline]
    fn play_on_board<L: Listener>(&mut self, played: Move, from: Square, listener: &mut L) {
        let us = self.side;
        let to = played.to();
        let piece = self.board[from.index()].expect("a piece stands on the origin");
        listener.removed(piece, from);
        if let Some(captured) = self.board[to.index()] {
            self.take(captured, to, listener);
        }
        let after = if played.is_promotion() { piece.promoted() } else { piece };
        self.shift_piece(piece, from, after, to);
        self.board[from.index()] = None;
        self.board[to.index()] = Some(after);
        self.board_key ^= hash::piece_key(piece, from) ^ hash::piece_key(after, to);
        if piece.kind_index() == Kind::King.index() {
            self.kings[us.index()] = Some(to);
        }
        listener.added(after, to);
        self.checkers = self.checks_by(after, to, Some(from));
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
    fn take<L: Listener>(&mut self, captured: Piece, square: Square, listener: &mut L) {
        let us = self.side;
        self.kinds[captured.kind_index()] ^= Bitboard::of(square);
        self.colors[us.opponent().index()] ^= Bitboard::of(square);
        self.board_key ^= hash::piece_key(captured, square);
        let kind = captured.kind().unpromoted();
        let hand = self.hands[us.index()].with(kind);
        self.hands[us.index()] = hand;
        listener.removed(captured, square);
        listener.hand_changed(us, kind, hand);
    }

    #[inline]
    fn play_drop<L: Listener>(&mut self, kind: Kind, to: Square, listener: &mut L) {
        let us = self.side;
        let piece = Piece::new(kind, us);
        let hand = self.hands[us.index()].without(kind);
        self.hands[us.index()] = hand;
        self.kinds[kind.index()] ^= Bitboard::of(to);
        self.colors[us.index()] ^= Bitboard::of(to);
        self.board[to.index()] = Some(piece);
        self.board_key ^= hash::piece_key(piece, to);
        listener.hand_changed(us, kind, hand);
        listener.added(piece, to);
        self.checkers = self.checks_by(piece, to, None);
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
