//! Moves and lists of them.

use super::{Kind, Square};
use arrayvec::ArrayVec;
use core::fmt;
use core::num::NonZeroU16;

/// A move in 16 bits: destination (7), origin or 81 + dropped kind (7), promotion (1).
///
/// A move says where a piece goes, not which piece: that is known from the position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU16);

/// Where the moving piece comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A square of the board.
    Board(Square),
    /// The mover's hand.
    Hand(Kind),
}

/// Room for the moves of any position; 593 is the most that any can have.
pub type MoveList = ArrayVec<Move, 600>;

const PROMOTION: u16 = 1 << 14;

impl Move {
    /// A move on the board.
    #[inline]
    pub const fn board(from: Square, to: Square, promote: bool) -> Move {
        Move::pack((from.index() as u16) << 7 | to.index() as u16 | (promote as u16) << 14)
    }

    /// A drop.
    #[inline]
    pub const fn drop(kind: Kind, to: Square) -> Move {
        Move::pack((81 + kind.index() as u16) << 7 | to.index() as u16)
    }

    /// No move is all zeros: it would lead from 1a to 1a. (The other case cannot happen.)
    #[inline]
    const fn pack(bits: u16) -> Move {
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => Move(NonZeroU16::MAX),
        }
    }

    /// The packed form; never 0.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move of a packed form, if it is one.
    pub fn from_bits(bits: u16) -> Option<Move> {
        let to = bits & 127;
        let from = bits >> 7 & 127;
        let promote = bits & PROMOTION != 0;
        let good = bits >> 15 == 0
            && to < 81
            && from != to
            && (from < 81 || (from > 81 && from <= 81 + Kind::Gold.index() as u16 && !promote));
        if good { NonZeroU16::new(bits).map(Move) } else { None }
    }

    /// The move that gave these [`bits`](Self::bits); others may be no moves at all.
    #[inline]
    pub fn from_own_bits(bits: u16) -> Option<Move> {
        debug_assert!(Move::from_bits(bits).is_some());
        NonZeroU16::new(bits).map(Move)
    }

    /// Where the piece goes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_raw((self.0.get() & 127) as u8)
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn origin(self) -> Origin {
        let code = (self.0.get() >> 7 & 127) as usize;
        if code < 81 {
            return Origin::Board(Square::from_raw(code as u8));
        }
        match Kind::from_index(code - 81) {
            Some(kind) => Origin::Hand(kind),
            None => unreachable!(),
        }
    }

    /// The square it comes from, if it is not a drop.
    #[inline]
    pub const fn from(self) -> Option<Square> {
        match self.origin() {
            Origin::Board(square) => Some(square),
            Origin::Hand(_) => None,
        }
    }

    /// The kind dropped, if it is a drop.
    #[inline]
    pub const fn dropped(self) -> Option<Kind> {
        match self.origin() {
            Origin::Board(_) => None,
            Origin::Hand(kind) => Some(kind),
        }
    }

    /// Whether it is a drop.
    #[inline]
    pub const fn is_drop(self) -> bool {
        (self.0.get() >> 7 & 127) >= 81
    }

    /// Whether the piece promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTION != 0
    }
}

impl fmt::Display for Move {
    /// As USI writes it: `7g7f`, `8h2b+`, `P*5e`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.origin() {
            Origin::Board(from) => write!(f, "{from}{}", self.to())?,
            Origin::Hand(kind) => write!(f, "{kind}*{}", self.to())?,
        }
        f.write_str(if self.is_promotion() { "+" } else { "" })
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
