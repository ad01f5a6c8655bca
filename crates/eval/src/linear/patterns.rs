//! Three-piece patterns: where three pieces of one side stand together.
//!
//! Paper: Matsui et al. mine frequent ones from the records, to distinguish castles. Ours are
//! mined by `yomikiri learn mine`; a pattern is seen by its owner, with absolute squares.

use super::layout::MAX_PATTERNS;
use super::tracker::on_board;
use yomikiri_shogi::{Color, Kind, Piece, Square};

/// Three pieces of one side and their squares as the owner sees them.
pub type Pattern = [(Kind, u8); 3];

/// A pattern that needs a piece somewhere, as that piece sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Membership {
    /// The pattern.
    pub number: u16,
    /// The other two pieces that it needs, and where they stand on a board with a margin.
    pub others: [(Piece, u8); 2],
}

/// A list of patterns, found by any of their pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patterns {
    list: Vec<Pattern>,
    /// By piece and square: where the patterns begin that need the piece there. Both sides have
    /// their own, so that nothing is turned round when a piece moves.
    starts: Vec<u16>,
    members: Vec<Membership>,
}

/// Why a list makes no patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternsError {
    /// More than fit.
    #[error("{0} patterns, where {MAX_PATTERNS} fit")]
    TooMany(usize),
    /// Squares that are off the board or the same.
    #[error("pattern {0} has impossible squares")]
    Squares(usize),
}

impl Default for Patterns {
    fn default() -> Patterns {
        Patterns { list: Vec::new(), starts: vec![0; PLACES + 1], members: Vec::new() }
    }
}

impl Patterns {
    /// The patterns of a list.
    ///
    /// # Errors
    /// Says which pattern cannot be, or that there are too many.
    pub fn new(list: Vec<Pattern>) -> Result<Patterns, PatternsError> {
        if list.len() > MAX_PATTERNS {
            return Err(PatternsError::TooMany(list.len()));
        }
        let mut places = vec![Vec::new(); PLACES];
        for (number, pattern) in list.iter().enumerate() {
            let mut squares = pattern.map(|(_, square)| square);
            squares.sort_unstable();
            if squares[2] > 80 || squares[0] == squares[1] || squares[1] == squares[2] {
                return Err(PatternsError::Squares(number));
            }
            for owner in Color::ALL {
                let seen = pattern.map(|(kind, square)| {
                    let square = Square::from_index(square.into());
                    let turned = if owner == Color::Black { square } else { square.rotated() };
                    (Piece::new(kind, owner), turned)
                });
                for (index, &(piece, square)) in seen.iter().enumerate() {
                    let others = [seen[(index + 1) % 3], seen[(index + 2) % 3]];
                    let others = others.map(|(piece, square)| (piece, on_board(square) as u8));
                    let member = Membership { number: number as u16, others };
                    places[place(piece, square)].push(member);
                }
            }
        }
        let mut patterns = Patterns { list, ..Patterns::default() };
        for (place, mut members) in places.into_iter().enumerate() {
            patterns.members.append(&mut members);
            patterns.starts[place + 1] = patterns.members.len() as u16;
        }
        Ok(patterns)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The patterns by number.
    pub fn list(&self) -> &[Pattern] {
        &self.list
    }

    /// The patterns that need the piece on the square.
    #[inline]
    pub(super) fn with(&self, piece: Piece, square: Square) -> &[Membership] {
        let place = place(piece, square);
        &self.members[usize::from(self.starts[place])..usize::from(self.starts[place + 1])]
    }
}

/// Pieces and squares.
const PLACES: usize = 32 * 81;

#[inline]
fn place(piece: Piece, square: Square) -> usize {
    piece.index() * 81 + square.index().min(80)
}
