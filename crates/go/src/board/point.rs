//! Colours, points and their names.
//!
//! A point is an index into a padded board with rows of [`STRIDE`]: the column
//! after the last one and the rows above and below are border, so the four
//! neighbours of a point are plain offsets and never leave the arrays.

use std::fmt;

use thiserror::Error;

/// Distance between a point and the one above it.
pub const STRIDE: usize = 20;
/// Length of every array indexed by a point.
pub const POINTS: usize = STRIDE * 21;
/// The largest board side.
pub const MAX_SIZE: usize = 19;

const COLUMNS: &[u8; 19] = b"ABCDEFGHJKLMNOPQRST";

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Moves first in an even game.
    Black,
    /// The other side.
    White,
}

impl Colour {
    /// Both sides, black first.
    pub const BOTH: [Colour; 2] = [Colour::Black, Colour::White];

    /// The opponent.
    pub fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }

    /// 0 for black, 1 for white.
    pub fn index(self) -> usize {
        self as usize
    }

    /// Reads `black`, `b`, `white`, `w` in any case.
    pub fn parse(text: &str) -> Option<Colour> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(Colour::Black),
            "w" | "white" => Some(Colour::White),
            _ => None,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Black => "black",
            Colour::White => "white",
        })
    }
}

/// A name that is not a point of the board in question.
#[derive(Debug, Clone, Error, PartialEq, Eq)]
#[error("`{name}` is not a point of a {size}x{size} board (columns A to T without I, rows from 1)")]
pub struct PointError {
    name: String,
    size: usize,
}

/// An intersection. Value 0 is border and stands for a pass in [`Move`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(pub(super) u16);

impl Point {
    /// The point in `column` (0 = A) and `row` (0 = bottom row, named 1).
    pub fn new(column: usize, row: usize) -> Point {
        debug_assert!(column < MAX_SIZE && row < MAX_SIZE);
        Point(((row + 1) * STRIDE + column) as u16)
    }

    pub(super) fn from_index(index: usize) -> Point {
        Point(index as u16)
    }

    /// Index into arrays of length [`POINTS`].
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for column A.
    pub fn column(self) -> usize {
        self.index() % STRIDE
    }

    /// 0 for the bottom row.
    pub fn row(self) -> usize {
        self.index() / STRIDE - 1
    }

    /// The four neighbours; some may be border.
    pub(super) fn neighbours(self) -> [Point; 4] {
        [
            Point(self.0 - 1),
            Point(self.0 + 1),
            Point(self.0 - STRIDE as u16),
            Point(self.0 + STRIDE as u16),
        ]
    }

    /// Reads `D4`, `t19` and the like.
    ///
    /// # Errors
    /// If the name is no point of a board of `size`.
    pub fn parse(name: &str, size: usize) -> Result<Point, PointError> {
        let wrong = || PointError { name: name.to_string(), size };
        let name_bytes = name.as_bytes();
        let letter = name_bytes.first().ok_or_else(wrong)?.to_ascii_uppercase();
        let column = COLUMNS.iter().position(|&c| c == letter).ok_or_else(wrong)?;
        let digits = name.get(1..).ok_or_else(wrong)?;
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        let row: usize = digits.parse().map_err(|_| wrong())?;
        if column >= size || row == 0 || row > size {
            return Err(wrong());
        }
        Ok(Point::new(column, row - 1))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", COLUMNS[self.column()] as char, self.row() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A stone on a point, or a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(u16);

impl Move {
    /// No stone.
    pub const PASS: Move = Move(0);

    /// The point, unless it is a pass.
    pub fn point(self) -> Option<Point> {
        (self.0 != 0).then_some(Point(self.0))
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Move {
        Move(point.0)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.point() {
            Some(point) => fmt::Display::fmt(&point, f),
            None => f.write_str("pass"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Point;

    #[test]
    fn names_round_trip_and_skip_the_letter_i() {
        for size in [9, 13, 19] {
            for row in 0..size {
                for column in 0..size {
                    let point = Point::new(column, row);
                    assert_eq!(Point::parse(&point.to_string(), size), Ok(point));
                }
            }
        }
        assert_eq!(Point::new(8, 0).to_string(), "J1");
    }

    #[test]
    fn names_outside_the_board_are_refused() {
        for name in
            ["", "I5", "K1", "A10", "A0", "A-1", "5A", "A+1", "é1", "A999999999999999999999"]
        {
            assert!(Point::parse(name, 9).is_err(), "{name}");
        }
    }
}
