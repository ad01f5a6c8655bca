//! Sets of squares.

use super::{Color, Square};
use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

/// A set of squares in two words: files 1 to 7 (63 bits) in the low one, files 8 and 9 (18 bits)
/// in the high one. No file is cut in two, so moving a whole set up or down the board is one
/// shift in each word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(align(16))]
pub struct Bitboard {
    pub(crate) low: u64,
    pub(crate) high: u64,
}

const LOW: u64 = (1 << 63) - 1;
const HIGH: u64 = (1 << 18) - 1;

/// The first rank of every file.
const TOP: Bitboard = {
    let mut bits = 0u64;
    let mut file = 0;
    while file < 7 {
        bits |= 1 << (9 * file);
        file += 1;
    }
    Bitboard { low: bits, high: bits & HIGH }
};

/// One entry a square (and padding, so that the index needs no check).
const SINGLE: [Bitboard; 128] = {
    let mut table = [Bitboard::EMPTY; 128];
    let mut index = 0;
    while index < 81 {
        if index < 63 {
            table[index].low = 1 << index;
        } else {
            table[index].high = 1 << (index - 63);
        }
        index += 1;
    }
    table
};

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard { low: 0, high: 0 };
    /// Every square.
    pub const ALL: Bitboard = Bitboard { low: LOW, high: HIGH };

    /// The set of one square.
    #[inline]
    pub const fn of(square: Square) -> Bitboard {
        SINGLE[square.index()]
    }

    /// All squares of a file, 0 to 8.
    pub const fn file(file: u8) -> Bitboard {
        if file < 7 {
            Bitboard { low: 0x1ff << (9 * file), high: 0 }
        } else {
            Bitboard { low: 0, high: 0x1ff << (9 * (file - 7)) }
        }
    }

    /// All squares of a rank, 0 to 8.
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard { low: TOP.low << rank, high: TOP.high << rank }
    }

    /// The `count` ranks that are farthest from `color`'s own side.
    pub const fn far_ranks(color: Color, count: u8) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        let mut n = 0;
        while n < count {
            let rank = match color {
                Color::Black => n,
                Color::White => 8 - n,
            };
            let row = Bitboard::rank(rank);
            set = Bitboard { low: set.low | row.low, high: set.high | row.high };
            n += 1;
        }
        set
    }

    /// The three ranks in which `color` promotes.
    #[inline]
    pub const fn promotion_zone(color: Color) -> Bitboard {
        const ZONES: [Bitboard; 2] =
            [Bitboard::far_ranks(Color::Black, 3), Bitboard::far_ranks(Color::White, 3)];
        ZONES[color as usize]
    }

    /// Whether no square is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.low | self.high == 0
    }

    /// Whether some square is in the set.
    #[inline]
    pub const fn is_any(self) -> bool {
        !self.is_empty()
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.intersects(Bitboard::of(square))
    }

    /// Whether the sets share a square.
    #[inline]
    pub const fn intersects(self, other: Bitboard) -> bool {
        (self.low & other.low) | (self.high & other.high) != 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }

    /// Whether two squares or more are in the set.
    #[inline]
    pub const fn is_several(self) -> bool {
        let low = self.low & self.low.wrapping_sub(1);
        let high = self.high & self.high.wrapping_sub(1);
        low | high != 0 || (self.low != 0 && self.high != 0)
    }

    /// The set without the squares of the other.
    #[inline]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard { low: self.low & !other.low, high: self.high & !other.high }
    }

    /// The first square of the set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.low != 0 {
            Some(Square::from_raw(self.low.trailing_zeros() as u8))
        } else if self.high != 0 {
            Some(Square::from_raw(63 + self.high.trailing_zeros() as u8))
        } else {
            None
        }
    }

    /// Every square moved one rank towards `color`'s far side; what leaves the board is lost.
    #[inline]
    pub const fn forward(self, color: Color) -> Bitboard {
        match color {
            Color::Black => {
                Bitboard { low: (self.low & !TOP.low) >> 1, high: (self.high & !TOP.high) >> 1 }
            }
            Color::White => Bitboard {
                low: self.low << 1 & LOW & !TOP.low,
                high: self.high << 1 & HIGH & !TOP.high,
            },
        }
    }

    /// All squares of every file that has a square in the set.
    #[inline]
    pub const fn filled_files(self) -> Bitboard {
        const fn spread(word: u64, top: u64) -> u64 {
            // Bit 8 of each nine-bit field: set where the lower eight bits are not all zero
            // (adding 255 carries into it), or where it is set itself.
            let eight = top * 0xff;
            let last = top << 8;
            let some = (((word & eight) + eight) | word) & last;
            // A field with its last bit set becomes all ones.
            (some - (some >> 8)) | some
        }
        Bitboard { low: spread(self.low, TOP.low), high: spread(self.high, TOP.high) }
    }

    /// The set as 81 bits in a row, by index: those of 64 squares, then the rest.
    #[inline]
    pub const fn words(self) -> [u64; 2] {
        [self.low | self.high << 63, self.high >> 1]
    }

    /// The squares, in index order.
    #[inline]
    pub const fn iter(self) -> Squares {
        Squares(self)
    }
}

/// Iterator over the squares of a [`Bitboard`].
#[derive(Clone)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let set = &mut self.0;
        if set.low != 0 {
            let index = set.low.trailing_zeros();
            set.low &= set.low - 1;
            Some(Square::from_raw(index as u8))
        } else if set.high != 0 {
            let index = 63 + set.high.trailing_zeros();
            set.high &= set.high - 1;
            Some(Square::from_raw(index as u8))
        } else {
            None
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, Square) -> B>(self, start: B, mut f: F) -> B {
        let mut value = start;
        let Bitboard { mut low, mut high } = self.0;
        while low != 0 {
            value = f(value, Square::from_raw(low.trailing_zeros() as u8));
            low &= low - 1;
        }
        while high != 0 {
            value = f(value, Square::from_raw(63 + high.trailing_zeros() as u8));
            high &= high - 1;
        }
        value
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

macro_rules! set_operator {
    ($operator:ident $method:ident, $assign:ident $assign_method:ident, $symbol:tt) => {
        impl $operator for Bitboard {
            type Output = Bitboard;

            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard { low: self.low $symbol other.low, high: self.high $symbol other.high }
            }
        }

        impl $assign for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = *self $symbol other;
            }
        }
    };
}

set_operator!(BitAnd bitand, BitAndAssign bitand_assign, &);
set_operator!(BitOr bitor, BitOrAssign bitor_assign, |);
set_operator!(BitXor bitxor, BitXorAssign bitxor_assign, ^);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard { low: !self.low & LOW, high: !self.high & HIGH }
    }
}

impl fmt::Debug for Bitboard {
    /// The board as black sees it, `1` for the squares of the set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            for file in (0..9).rev() {
                f.write_str(if self.has(Square::new(file, rank)) { "1" } else { "." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_sets(count: usize) -> impl Iterator<Item = Bitboard> {
        let mut random = fastrand::Rng::with_seed(1);
        (0..count).map(move |_| {
            let density = random.u8(1..=8);
            Square::all().filter(|_| random.u8(0..9) < density).collect()
        })
    }

    #[test]
    fn iteration_gives_back_the_squares() {
        for set in random_sets(500) {
            let squares: Vec<Square> = set.iter().collect();
            assert_eq!(squares.len(), set.count() as usize);
            assert_eq!(set.first(), squares.first().copied());
            assert_eq!(set.is_several(), squares.len() > 1);
            assert!(squares.is_sorted());
            assert_eq!(squares.iter().copied().collect::<Bitboard>(), set);
            assert_eq!(set.iter().fold(0, |n, _| n + 1), squares.len());
            let bits = squares.iter().fold(0u128, |bits, square| bits | 1 << square.index());
            assert_eq!(set.words(), [bits as u64, (bits >> 64) as u64]);
        }
    }

    #[test]
    fn shifts_and_fills_equal_their_definition() {
        for set in random_sets(500) {
            for (color, step) in [(Color::Black, -1), (Color::White, 1)] {
                let slow = set.iter().filter_map(|square| square.offset(0, step)).collect();
                assert_eq!(set.forward(color), slow);
            }
            let files = Square::all()
                .filter(|square| set.iter().any(|other| other.file() == square.file()))
                .collect();
            assert_eq!(set.filled_files(), files);
            assert_eq!(!set & set, Bitboard::EMPTY);
            assert_eq!(!set | set, Bitboard::ALL);
        }
    }
}
