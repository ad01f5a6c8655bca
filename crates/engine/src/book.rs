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

/// The position without its move number.
fn key(position: &Position) -> String {
    let sfen = position.to_sfen();
    sfen.rsplit_once(' ').map_or(sfen.clone(), |(key, _)| key.to_string())
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

    /// Whether it knows nothing.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The legal moves known in a position, best first. With `any_ply` the move number does not
    /// have to agree.
    pub fn moves(&self, position: &Position, any_ply: bool) -> Vec<BookMove> {
        let Some((ply, moves)) = self.positions.get(&key(position)) else { return Vec::new() };
        if !any_ply && *ply != position.move_number() {
            return Vec::new();
        }
        let mut moves: Vec<BookMove> =
            moves.iter().filter(|book| position.is_legal(book.mv)).copied().collect();
        moves.sort_by_key(|book| (-book.value, core::cmp::Reverse(book.count), book.mv));
        moves
    }

    /// Notes that a move was played in a position with this value for the mover; the value kept
    /// is the mean.
    pub fn add(&mut self, position: &Position, mv: Move, value: i32) {
        let entry = self.positions.entry(key(position)).or_default();
        entry.0 = position.move_number();
        match entry.1.iter_mut().find(|book| book.mv == mv) {
            Some(book) => {
                let count = book.count as i64;
                book.value =
                    ((i64::from(book.value) * count + i64::from(value)) / (count + 1)) as i32;
                book.count += 1;
            }
            None => {
                entry.1.push(BookMove { mv, answer: None, value, depth: 0, count: 1 });
            }
        }
    }

    /// Keeps only moves played at least so often.
    pub fn retain_count(&mut self, least: u64) {
        for (_, moves) in self.positions.values_mut() {
            moves.retain(|book| book.count >= least);
        }
        self.positions.retain(|_, (_, moves)| !moves.is_empty());
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

    /// Reads a whole book. Comments and empty lines do not count; what is wrong is told with its
    /// line.
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
                let key = key(&position);
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

/// Made by the example `make_book` from the project's engine games.
const EMBEDDED: &str = yomikiri_data::BOOK;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_book_reads_back_as_it_was_written() {
        let mut book = Book::default();
        let start = Position::start();
        for (mv, value) in [("7g7f", 30), ("2g2f", 50), ("7g7f", 50)] {
            book.add(&start, mv.parse().unwrap(), value);
        }
        let again: Book = book.to_string().parse().unwrap();
        assert_eq!(book, again);
        let moves = again.moves(&start, false);
        assert_eq!(moves[0].mv.to_string(), "2g2f");
        assert_eq!((moves[1].value, moves[1].count), (40, 2));
        book.retain_count(2);
        assert_eq!(book.moves(&start, false).len(), 1);
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
    fn the_embedded_book_is_legal() {
        let book: Book = EMBEDDED.parse().unwrap();
        assert!(!book.is_empty());
        for (key, (ply, moves)) in &book.positions {
            let position = Position::from_sfen(&format!("{key} {ply}")).unwrap();
            assert!(moves.iter().all(|book| position.is_legal(book.mv)), "{key}");
        }
    }
}
