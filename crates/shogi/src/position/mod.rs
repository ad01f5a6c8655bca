//! A position: board, hands, side to move, and the moves that led to it.

mod change;
mod checks;
mod declaration;
mod foresight;
mod hash;
mod legal;
mod play;
mod repetition;
mod start;
mod validate;

pub use change::BoardChange;
pub use checks::CheckHints;
pub use declaration::{Declaration, EnteringKingRule, Outcome, UnknownRule};
pub use repetition::Repetition;
pub use start::{Handicap, UnknownHandicap};
pub use validate::InvalidPosition;

use crate::types::{Bitboard, Color, Hand, Kind, Move, Piece, Square};
use play::Undo;

/// A position of shogi, with the history that repetition needs.
///
/// One king may be missing, as in mate problems; everything else must be a position that could
/// stand on a board (see [`validate`](Self::validate)).
///
/// ```
/// use yomikiri_shogi::{Move, Position, Square};
///
/// let mut position = Position::start();
/// position.play(Move::board(Square::new(6, 6), Square::new(6, 5), false)); // ▲７六歩
/// assert_eq!(position.legal_moves().len(), 30);
/// position.undo();
/// assert_eq!(position, Position::start());
/// ```
#[derive(Clone)]
pub struct Position {
    kinds: [Bitboard; 16],
    colors: [Bitboard; 2],
    board: [Option<Piece>; 128],
    hands: [Hand; 2],
    kings: [Option<Square>; 2],
    side: Color,
    /// The number of the next move, 1 at the start of a game.
    move_number: u32,
    board_key: u64,
    checkers: Bitboard,
    history: Vec<Undo>,
}

impl Position {
    /// An empty board with empty hands, black to move. Fill it with [`put`](Self::put) and
    /// [`set_hand`](Self::set_hand), then ask [`validate`](Self::validate).
    pub fn empty() -> Position {
        Position {
            kinds: [Bitboard::EMPTY; 16],
            colors: [Bitboard::EMPTY; 2],
            board: [None; 128],
            hands: [Hand::EMPTY; 2],
            kings: [None; 2],
            side: Color::Black,
            move_number: 1,
            board_key: 0,
            checkers: Bitboard::EMPTY,
            history: Vec::new(),
        }
    }

    /// Puts a piece on a square, or clears the square, and forgets the history.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.place(square, piece);
        self.changed_by_hand();
    }

    /// As [`put`](Self::put) for setting up a whole board: a `put` or a `set_...` must follow,
    /// which finds the checks.
    #[inline]
    pub(crate) fn place(&mut self, square: Square, piece: Option<Piece>) {
        if let Some(old) = core::mem::replace(&mut self.board[square.index()], piece) {
            self.toggle(square, old);
        }
        if let Some(piece) = piece {
            self.toggle(square, piece);
        }
    }

    /// Adds a piece to, or takes it from, everything that follows from the board.
    #[inline]
    fn toggle(&mut self, square: Square, piece: Piece) {
        let color = piece.color();
        self.kinds[piece.kind_index()] ^= Bitboard::of(square);
        self.colors[color.index()] ^= Bitboard::of(square);
        self.board_key ^= hash::piece_key(piece, square);
        if piece.kind_index() == Kind::King.index() {
            self.kings[color.index()] = self.pieces(Kind::King, color).first();
        }
    }

    /// As [`set_hand`](Self::set_hand), with what holds for [`place`](Self::place).
    pub(crate) fn hold(&mut self, color: Color, hand: Hand) {
        self.hands[color.index()] = hand;
    }

    /// Sets what a player holds, and forgets the history.
    pub fn set_hand(&mut self, color: Color, hand: Hand) {
        self.hands[color.index()] = hand;
        self.changed_by_hand();
    }

    /// Sets whose turn it is, and forgets the history.
    pub fn set_side_to_move(&mut self, side: Color) {
        if self.side != side {
            self.board_key ^= hash::SIDE_KEY;
        }
        self.side = side;
        self.changed_by_hand();
    }

    /// Sets the number of the next move, for records that begin in the middle of a game.
    pub fn set_move_number(&mut self, number: u32) {
        self.move_number = number;
    }

    fn changed_by_hand(&mut self) {
        self.history.clear();
        self.checkers = self.checkers_from_scratch();
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// All squares with a piece on them.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of one side's pieces.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of both sides' pieces of a kind.
    #[inline]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of one side's pieces of a kind.
    #[inline]
    pub fn pieces(&self, kind: Kind, color: Color) -> Bitboard {
        self.kinds[kind.index()] & self.colors[color.index()]
    }

    /// The squares of both sides' pieces that move as a gold.
    #[inline]
    pub fn gold_movers(&self) -> Bitboard {
        self.kind(Kind::Gold)
            | self.kind(Kind::ProPawn)
            | self.kind(Kind::ProLance)
            | self.kind(Kind::ProKnight)
            | self.kind(Kind::ProSilver)
    }

    /// What a player holds.
    #[inline]
    pub fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// Where a side's king stands; mate problems may have only one king.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// Whose turn it is.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// The number of the next move, 1 at the start of a game.
    pub fn move_number(&self) -> u32 {
        self.move_number
    }

    /// How many moves (and passes) were played since the position was set up.
    pub fn plies_played(&self) -> usize {
        self.history.len()
    }

    /// The last move, unless it was a pass or there was none.
    pub fn last_move(&self) -> Option<Move> {
        self.history.last().and_then(|undo| undo.played)
    }

    /// The piece that the last move took, as it stood on the board.
    pub fn last_capture(&self) -> Option<Piece> {
        self.history.last().and_then(|undo| undo.captured)
    }

    /// The moves played since the position was set up, passes left out.
    pub fn moves_played(&self) -> impl Iterator<Item = Move> + '_ {
        self.history.iter().filter_map(|undo| undo.played)
    }

    /// The opponent's pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers.is_any()
    }
}

/// Equal board, hands, side to move and move number; the history does not count.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.board == other.board
            && self.hands == other.hands
            && self.side == other.side
            && self.move_number == other.move_number
    }
}

impl Eq for Position {}

impl core::fmt::Debug for Position {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Position({})", self.to_sfen())
    }
}
