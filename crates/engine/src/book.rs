//! The opening book, in YaneuraOu's text format.
//!
//! A header line, then for each position `sfen BOARD SIDE HANDS PLY` and the moves known there,
//! one a line: move, expected answer or `none`, value, depth, count. The engine takes the move
//! that is best by value, then by count; moves that are not legal are passed over.

use core::fmt;
use core::str::FromStr;
use std::collections::BTreeMap;
use yomikiri_shogi::{Move, ParseError, Position};

/// The first line of every book.
const HEADER: &str = "#YANEURAOU-DB2016 1.00";

/// A move of the book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The answer expected to it.
    pub answer: Option<Move>,
    /// Its value for the mover, in hundredths of a pawn.
    pub value: i32,
    /// How deep it was searched.
    pub depth: u32,
    /// How often it was played.
    pub count: u64,
}

/// Positions and their moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// By the position without its move number, with the number as it was written.
    positions: BTreeMap<String, (u32, Vec<BookMove>)>,
}

impl Book {
    /// The book that the engine carries, made from the project's engine games.
    pub fn embedded() -> Book {
        EMBEDDED.parse().unwrap_or_default()
    }

    /// How many positions it knows.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it holds no position.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The legal moves known in a position, best first. With `any_ply` the move number does not
    /// have to agree.
    pub fn moves(&self, position: &Position, any_ply: bool) -> Vec<BookMove> {
        let Some((ply, moves)) = self.positions.get(&position.to_sfen_without_number()) else {
            return Vec::new();
        };
        if !any_ply && *ply != position.move_number() {
            return Vec::new();
        }
        let mut moves: Vec<BookMove> =
            moves.iter().filter(|book| position.is_legal(book.mv)).copied().collect();
        moves.sort_by_key(|book| (-book.value, core::cmp::Reverse(book.count), book.mv));
        moves
    }

    /// Puts a move into a position.
    pub fn insert(&mut self, position: &Position, mv: BookMove) {
        let entry = self.positions.entry(position.to_sfen_without_number()).or_default();
        entry.0 = position.move_number();
        entry.1.push(mv);
    }

    /// Every position with its moves, in the order of their text.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Position, &mut Vec<BookMove>)> {
        self.positions.iter_mut().filter_map(|(key, (ply, moves))| {
            Some((Position::from_sfen(&format!("{key} {ply}")).ok()?, moves))
        })
    }
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for (key, (ply, moves)) in &self.positions {
            writeln!(f, "sfen {key} {ply}")?;
            for book in moves {
                write!(f, "{} ", book.mv)?;
                match book.answer {
                    Some(answer) => write!(f, "{answer}")?,
                    None => f.write_str("none")?,
                }
                writeln!(f, " {} {} {}", book.value, book.depth, book.count)?;
            }
        }
        Ok(())
    }
}

/// A line that is none of a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct BookError {
    /// Its number from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: BookFault,
}

/// What is wrong with a line of a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookFault {
    /// A position that is none.
    #[error("{0}")]
    Position(ParseError),
    /// A move that belongs to no position.
    #[error("a move before the first position")]
    NoPosition,
    /// A move that is none.
    #[error("expected a move, an answer or 'none', a value, a depth and a count")]
    Move,
}

impl FromStr for Book {
    type Err = BookError;

    /// Reads a whole book. Comments and empty lines do not count; what is wrong is reported with
    /// its line.
    fn from_str(text: &str) -> Result<Book, BookError> {
        let mut book = Book::default();
        let mut current: Option<String> = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            let wrong = |fault| BookError { line: index + 1, fault };
            if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
                continue;
            }
            if let Some(sfen) = line.strip_prefix("sfen ") {
                let position =
                    Position::from_sfen(sfen).map_err(|error| wrong(BookFault::Position(error)))?;
                let key = position.to_sfen_without_number();
                book.positions.entry(key.clone()).or_default().0 = position.move_number();
                current = Some(key);
                continue;
            }
            let Some(entry) = current.as_ref().and_then(|key| book.positions.get_mut(key)) else {
                return Err(wrong(BookFault::NoPosition));
            };
            entry.1.push(book_move(line).ok_or_else(|| wrong(BookFault::Move))?);
        }
        Ok(book)
    }
}

/// `move answer value depth count`; all but the move may be missing.
fn book_move(line: &str) -> Option<BookMove> {
    let mut words = line.split_whitespace();
    let mv = words.next()?.parse().ok()?;
    let answer = match words.next() {
        None | Some("none" | "None") => None,
        Some(word) => Some(word.parse().ok()?),
    };
    let value = words.next().map_or(Some(0), |word| word.parse().ok())?;
    let depth = words.next().map_or(Some(0), |word| word.parse().ok())?;
    let count = words.next().map_or(Some(1), |word| word.parse().ok())?;
    Some(BookMove { mv, answer, value, depth, count })
}

/// Made by `learn book` from the project's engine games.
const EMBEDDED: &str = yomikiri_data::BOOK;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_reads_back_as_it_was_written() {
        let mut book = Book::default();
        let start = Position::start();
        for (mv, answer, value) in [("7g7f", Some("3c3d"), 40), ("2g2f", None, 50)] {
            let answer = answer.map(|answer| answer.parse().unwrap());
            let mv = mv.parse().unwrap();
            book.insert(&start, BookMove { mv, answer, value, depth: 9, count: 2 });
        }
        let again: Book = book.to_string().parse().unwrap();
        assert_eq!(book, again);
        let moves = again.moves(&start, false);
        assert_eq!(moves[0].mv.to_string(), "2g2f");
        assert_eq!((moves[1].value, moves[1].count), (40, 2));
        let [(position, moves)] = &mut book.iter_mut().collect::<Vec<_>>()[..] else { panic!() };
        assert!(position.to_sfen() == start.to_sfen() && moves.len() == 2);
    }

    #[test]
    fn the_ply_counts_unless_told_otherwise() {
        let text = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 7\n7g7f 3c3d 12 3 4\n";
        let book: Book = text.parse().unwrap();
        assert!(book.moves(&Position::start(), false).is_empty());
        let moves = book.moves(&Position::start(), true);
        assert_eq!(moves[0].answer.unwrap().to_string(), "3c3d");
    }

    #[test]
    fn faults_are_told_with_their_line() {
        for (text, line) in [("7g7f none 0 0 1", "line 1"), ("#x\nsfen nonsense", "line 2")] {
            assert!(text.parse::<Book>().unwrap_err().to_string().starts_with(line), "{text}");
        }
    }

    #[test]
    fn the_embedded_book_begins_with_the_first_move() {
        let book = Book::embedded();
        let known = |moves: &str| {
            let position = Position::from_usi(&format!("startpos moves {moves}")).unwrap();
            !book.moves(&position, false).is_empty()
        };
        assert!(!book.moves(&Position::start(), false).is_empty());
        // What people begin with: both first moves, static and ranging rook, exchange of bishops.
        for line in [
            "7g7f",
            "2g2f",
            "7g7f 3c3d",
            "7g7f 8c8d",
            "2g2f 8c8d",
            "2g2f 3c3d",
            "2g2f 8c8d 2f2e 8d8e",
            "7g7f 8c8d 2g2f 4a3b",
            "7g7f 3c3d 2g2f 8c8d",
            "7g7f 3c3d 2g2f 4c4d",
            "7g7f 3c3d 6g6f",
            "7g7f 3c3d 2g2f 5c5d",
        ] {
            assert!(known(line), "{line}");
        }
    }

    #[test]
    fn the_embedded_book_is_legal() {
        let book: Book = EMBEDDED.parse().unwrap();
        assert!(!book.is_empty());
        for (key, (ply, moves)) in &book.positions {
            let position = Position::from_sfen(&format!("{key} {ply}")).unwrap();
            assert!(moves.iter().all(|book| position.is_legal(book.mv)), "{key}");
        }
    }
}
