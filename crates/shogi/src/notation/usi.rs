//! USI moves and `position` lines.

use super::ParseError;
use super::sfen::words;
use crate::position::Position;
use crate::types::{Kind, Move, Square};
use core::str::FromStr;

/// Reads a square such as `7f`.
fn square(file: u8, rank: u8) -> Option<Square> {
    let file = file.checked_sub(b'1').filter(|&file| file < 9)?;
    let rank = rank.checked_sub(b'a').filter(|&rank| rank < 9)?;
    Some(Square::new(file, rank))
}

impl FromStr for Square {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Square, ParseError> {
        match *text.as_bytes() {
            [file, rank] => square(file, rank),
            _ => None,
        }
        .ok_or_else(|| ParseError::new(format!("'{text}' is not a square such as 7f"), 0))
    }
}

impl FromStr for Move {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Move, ParseError> {
        parse_move(text.as_bytes()).ok_or_else(|| {
            ParseError::new(format!("'{text}' is not a move such as 7g7f, 8h2b+ or P*5e"), 0)
        })
    }
}

fn parse_move(text: &[u8]) -> Option<Move> {
    match *text {
        [letter, b'*', file, rank] => {
            let kind = Kind::from_letter(letter as char).filter(|kind| kind.is_hand())?;
            Some(Move::drop(kind, square(file, rank)?))
        }
        [from_file, from_rank, file, rank, ref tail @ ..] => {
            let promote = match tail {
                [] => false,
                b"+" => true,
                _ => return None,
            };
            let (from, to) = (square(from_file, from_rank)?, square(file, rank)?);
            (from != to).then(|| Move::board(from, to, promote))
        }
        _ => None,
    }
}

impl Position {
    /// Reads what follows `position` in USI: `startpos` or `sfen ...`, then perhaps `moves ...`.
    /// Every move must be legal.
    ///
    /// ```
    /// use yomikiri_shogi::Position;
    ///
    /// let position = Position::from_usi("startpos moves 7g7f 3c3d 8h2b+").unwrap();
    /// assert_eq!(position.move_number(), 4);
    /// assert!(Position::from_usi("startpos moves 7g7f 7g7f").is_err());
    /// ```
    ///
    /// # Errors
    /// What is wrong, and where in the text.
    pub fn from_usi(text: &str) -> Result<Position, ParseError> {
        let mut words = words(text).peekable();
        let mut position = match words.next() {
            Some((_, "startpos")) => Position::start(),
            Some((offset, "sfen")) => {
                let from = offset + "sfen".len();
                let rest = &text[from..];
                let end = rest.find(" moves").unwrap_or(rest.len());
                while words.next_if(|&(_, word)| word != "moves").is_some() {}
                Position::from_sfen(&rest[..end])
                    .map_err(|error| ParseError { offset: error.offset + from, ..error })?
            }
            Some((offset, word)) => {
                let message = format!("expected 'startpos' or 'sfen', found '{word}'");
                return Err(ParseError::new(message, offset));
            }
            None => return Err(ParseError::new("expected 'startpos' or 'sfen'", 0)),
        };
        match words.next() {
            None => {}
            Some((_, "moves")) => {
                for (offset, word) in words {
                    play_word(&mut position, word, offset)?;
                }
            }
            Some((offset, word)) => {
                let message = format!("expected 'moves', found '{word}'");
                return Err(ParseError::new(message, offset));
            }
        }
        Ok(position)
    }
}

fn play_word(position: &mut Position, word: &str, offset: usize) -> Result<(), ParseError> {
    let played: Move = word.parse().map_err(|error: ParseError| ParseError { offset, ..error })?;
    if !position.is_legal(played) {
        let message = format!("move {} ({played}) is not legal", position.move_number());
        return Err(ParseError::new(message, offset));
    }
    position.play(played);
    Ok(())
}
