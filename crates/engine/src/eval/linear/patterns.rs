//! Three-piece patterns: where three pieces of one side stand together.
//!
//! Paper: Matsui et al. mine frequent ones from the records, to tell castles apart. Ours are
//! mined by `yomikiri learn mine`; a pattern is seen by its owner, with absolute squares.

use super::layout::MAX_PATTERNS;
use super::tracker::on_board;
use yomikiri_shogi::{Kind, Square};

/// Three pieces of one side and their squares as the owner sees them.
pub type Pattern = [(Kind, u8); 3];

/// A pattern that needs a piece somewhere, as that piece sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Membership {
    /// The pattern.
    pub number: u16,
    /// The other two pieces that it needs, and where they stand on a board with a margin.
    pub others: [(Kind, u8); 2],
}

/// A list of patterns, found by any of their pieces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patterns {
    list: Vec<Pattern>,
    /// By kind and square: where the patterns begin that need the piece there.
    starts: Vec<u16>,
    members: Vec<Membership>,
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
    pub fn new(list: Vec<Pattern>) -> Result<Patterns, String> {
        if list.len() > MAX_PATTERNS {
            return Err(format!("{} patterns, where {MAX_PATTERNS} fit", list.len()));
        }
        let mut places = vec![Vec::new(); PLACES];
        for (number, pattern) in list.iter().enumerate() {
            let mut squares = pattern.map(|(_, square)| square);
            squares.sort_unstable();
            if squares[2] > 80 || squares[0] == squares[1] || squares[1] == squares[2] {
                return Err(format!("pattern {number} has impossible squares"));
            }
            for (index, &(kind, square)) in pattern.iter().enumerate() {
                let others =
                    [pattern[(index + 1) % 3], pattern[(index + 2) % 3]].map(|(kind, square)| {
                        (kind, on_board(Square::from_index(square.into())) as u8)
                    });
                let member = Membership { number: number as u16, others };
                places[place(kind, usize::from(square))].push(member);
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
    pub(super) fn with(&self, kind: Kind, square: usize) -> &[Membership] {
        let place = place(kind, square);
        &self.members[usize::from(self.starts[place])..usize::from(self.starts[place + 1])]
    }
}

/// Kinds and squares.
const PLACES: usize = 16 * 81;

#[inline]
fn place(kind: Kind, square: usize) -> usize {
    kind.index() * 81 + square
}
