//! An opening book from games: which moves were played in a position, how often, how they fared.
//!
//! The text is the book format that shogi programs share: a line `sfen` with the position, then
//! a line for each move with the expected answer, a value, a depth and a count. The value is the
//! result in centipawns of the mover by the logistic rule with 600; the depth is 0, since nothing
//! was searched.

use crate::dataset::TrainingGame;
use core::fmt::Write;
use std::collections::BTreeMap;
use yomikiri_shogi::{Color, Move};

/// What may enter a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookOptions {
    /// Plies from the start of a game.
    pub plies: usize,
    /// A move must have been played so often.
    pub least: u32,
}

impl Default for BookOptions {
    fn default() -> BookOptions {
        BookOptions { plies: 40, least: 3 }
    }
}

/// How a move fared.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BookMove {
    /// Times it was played.
    pub count: u32,
    /// Twice the points of the mover.
    pub points: u32,
    /// Games with a result.
    pub decided: u32,
    /// The answers and how often each came.
    pub answers: BTreeMap<u16, u32>,
}

/// A book: by position (SFEN without move number), by move.
pub type Book = BTreeMap<String, BTreeMap<u16, BookMove>>;

/// Collects the book of games.
pub fn collect(games: &[&TrainingGame], options: BookOptions) -> Book {
    let mut book = Book::new();
    for game in games {
        let mut position = game.start.clone();
        for (ply, &played) in game.moves.iter().take(options.plies).enumerate() {
            let key = without_number(&position.to_sfen());
            let entry = book.entry(key).or_default().entry(played.bits()).or_default();
            entry.count += 1;
            let points = match (game.result.as_str(), position.side_to_move()) {
                ("B", Color::Black) | ("W", Color::White) => Some(2),
                ("B", Color::White) | ("W", Color::Black) => Some(0),
                ("D", _) => Some(1),
                _ => None,
            };
            if let Some(points) = points {
                entry.decided += 1;
                entry.points += points;
            }
            if let Some(answer) = game.moves.get(ply + 1) {
                *entry.answers.entry(answer.bits()).or_default() += 1;
            }
            position.play(played);
        }
    }
    for moves in book.values_mut() {
        moves.retain(|_, played| played.count >= options.least);
    }
    book.retain(|_, moves| !moves.is_empty());
    book
}

fn without_number(sfen: &str) -> String {
    sfen.rsplit_once(' ').map_or(sfen, |(position, _)| position).to_string()
}

/// The mover's result as a value, pulled to even by two draws.
fn value(played: &BookMove) -> i32 {
    let share = f64::from(played.points + 2) / f64::from(2 * played.decided + 4);
    (600.0 * libm::log(share / (1.0 - share))).round() as i32
}

/// The book as a text.
pub fn to_text(book: &Book) -> String {
    let name = |bits: u16| Move::from_bits(bits).map_or("none".to_string(), |one| one.to_string());
    let mut text = String::from("#YANEURAOU-DB2016 1.00\n");
    for (position, moves) in book {
        let _ = writeln!(text, "sfen {position} 0");
        let mut list: Vec<(&u16, &BookMove)> = moves.iter().collect();
        list.sort_by_key(|&(bits, played)| (core::cmp::Reverse(played.count), *bits));
        for (&bits, played) in list {
            let answer = played.answers.iter().max_by_key(|&(bits, count)| (*count, *bits));
            let answer = answer.map_or("none".to_string(), |(&bits, _)| name(bits));
            let _ = writeln!(text, "{} {answer} {} 0 {}", name(bits), value(played), played.count);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;

    #[test]
    fn counts_moves_answers_and_results() {
        let mut dataset = Dataset::default();
        let text = "startpos moves 7g7f 3c3d 2g2f\tB\nstartpos moves 7g7f 8c8d\tB\n\
                    startpos moves 7g7f 3c3d\tW\nstartpos moves 2g2f 8c8d\tD\n";
        dataset.add_text(text);
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let book = collect(&games, BookOptions { plies: 2, least: 2 });
        let start = without_number(&yomikiri_shogi::Position::start().to_sfen());
        let moves = &book[&start];
        assert_eq!(moves.len(), 1, "2g2f was played once only");
        let seven = moves.values().next().unwrap();
        assert_eq!((seven.count, seven.points, seven.decided), (3, 4, 3));
        assert!(value(seven) > 0);
        let text = to_text(&book);
        let line = text.lines().find(|line| line.starts_with("7g7f")).unwrap();
        assert!(line.starts_with("7g7f 3c3d ") && line.ends_with(" 0 3"), "{line}");
        assert_eq!(book.len(), 2, "the start, and 7g7f with the answer 3c3d twice");
    }
}
