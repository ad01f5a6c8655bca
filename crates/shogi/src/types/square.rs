//! The 81 squares.

use super::Color;
use core::fmt;

/// A square. Files count from black's right (1筋) and ranks from the top (一段), both from 0
/// here; the index is `9 * file + rank`, so that a file is nine neighbouring bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 81;

    /// The square of a file and a rank, each 0 to 8.
    ///
    /// # Panics
    /// If either is above 8.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Square {
        assert!(file < 9 && rank < 9);
        Square(file * 9 + rank)
    }

    /// The square of a file and a rank if both lie on the board.
    #[inline]
    pub const fn try_new(file: i8, rank: i8) -> Option<Square> {
        if file >= 0 && file < 9 && rank >= 0 && rank < 9 {
            Some(Square((file * 9 + rank) as u8))
        } else {
            None
        }
    }

    /// The square of an index.
    ///
    /// # Panics
    /// If the index is above 80.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        assert!(index < Square::COUNT);
        Square(index as u8)
    }

    /// For indices that are known to be good, as those taken off a bitboard.
    #[inline]
    pub(crate) const fn from_raw(index: u8) -> Square {
        debug_assert!((index as usize) < Square::COUNT);
        Square(index)
    }

    /// 0 to 80. With the mask, tables of 128 entries need no bounds check.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 127) as usize
    }

    /// The file, 0 (1筋) to 8 (9筋).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 / 9
    }

    /// The rank, 0 (一段) to 8 (九段).
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 % 9
    }

    /// The square seen from the other side of the board.
    #[inline]
    pub const fn rotated(self) -> Square {
        Square(80 - self.0)
    }

    /// The square mirrored left to right.
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square::new(8 - self.file(), self.rank())
    }

    /// The rank as `color` counts it: 0 is the far side of the board.
    #[inline]
    pub const fn rank_for(self, color: Color) -> u8 {
        match color {
            Color::Black => self.rank(),
            Color::White => 8 - self.rank(),
        }
    }

    /// The square `files` to the left and `ranks` down, if it is on the board.
    #[inline]
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        Square::try_new(self.file() as i8 + files, self.rank() as i8 + ranks)
    }

    /// All squares, in index order.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..81).map(Square)
    }
}

impl fmt::Display for Square {
    /// As USI writes it: `7f`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file() + 1, (b'a' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
