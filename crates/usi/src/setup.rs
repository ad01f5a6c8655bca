//! A position as games and openings files give it: where it starts, and the moves from there.

use crate::words::{each, split_first};
use core::fmt;
use core::str::FromStr;
use yomikiri_shogi::{Move, ParseError, Position};

/// Where a game starts.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Start {
    /// The even game's starting position.
    #[default]
    Startpos,
    /// Any other position, as SFEN.
    Sfen(String),
}

/// What follows `position` in USI. Whether it can stand on a board and whether the moves are
/// legal shows when it is [played](Self::position).
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Setup {
    /// Where the game starts.
    pub start: Start,
    /// The moves from there.
    pub moves: Vec<Move>,
}

impl Setup {
    /// The position after the moves, with the history that repetition needs.
    ///
    /// # Errors
    /// If the SFEN is wrong or a move is not legal; the offset is that in the line as it is
    /// written.
    pub fn position(&self) -> Result<Position, ParseError> {
        Position::from_usi(&self.to_string())
    }

    /// The position before the moves.
    ///
    /// # Errors
    /// If the SFEN is wrong.
    pub fn start_position(&self) -> Result<Position, ParseError> {
        match &self.start {
            Start::Startpos => Ok(Position::start()),
            Start::Sfen(sfen) => Position::from_sfen(sfen),
        }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Startpos => f.write_str("startpos")?,
            Start::Sfen(sfen) => write!(f, "sfen {sfen}")?,
        }
        if self.moves.is_empty() {
            return Ok(());
        }
        f.write_str(" moves")?;
        each(f, &self.moves)
    }
}

/// Why a text is no position with moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// Nothing.
    Empty,
    /// Something after `startpos` that is not `moves`.
    Unexpected(String),
    /// A move that is none.
    Move(ParseError),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Empty => f.write_str("expected 'startpos' or 'sfen'"),
            SetupError::Unexpected(rest) => write!(f, "unexpected '{rest}' after 'startpos'"),
            SetupError::Move(error) => f.write_str(&error.message),
        }
    }
}

impl std::error::Error for SetupError {}

impl FromStr for Setup {
    type Err = SetupError;

    /// Reads `startpos`, `sfen ...` or a bare SFEN, then perhaps `moves ...`.
    fn from_str(text: &str) -> Result<Setup, SetupError> {
        let (head, tail) = match split_at_word(text, "moves") {
            Some((head, tail)) => (head, tail),
            None => (text, ""),
        };
        let (first, rest) = split_first(head);
        let start = match first {
            "" => return Err(SetupError::Empty),
            "startpos" if rest.is_empty() => Start::Startpos,
            "startpos" => return Err(SetupError::Unexpected(rest.to_string())),
            "sfen" => Start::Sfen(rest.split_whitespace().collect::<Vec<_>>().join(" ")),
            _ => Start::Sfen(head.split_whitespace().collect::<Vec<_>>().join(" ")),
        };
        let moves = tail
            .split_whitespace()
            .map(|word| word.parse().map_err(SetupError::Move))
            .collect::<Result<_, _>>()?;
        Ok(Setup { start, moves })
    }
}

/// The text before and after a word that stands alone.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.split_whitespace().find(|&candidate| candidate == word).map(|found| {
        let at = found.as_ptr() as usize - text.as_ptr() as usize;
        (&text[..at], &text[at + word.len()..])
    })
}
