//! An opening book from games: which moves were played in a position, how often, how they fared.
//!
//! The value of a move is the result of its games in centipawns of the mover, by the logistic rule
//! with 600; or, since few games say little, what a search finds after it.

use crate::dataset::TrainingGame;
use std::collections::BTreeMap;
use std::sync::Arc;
use yomikiri_base::{Progress, StopToken};
use yomikiri_engine::book::{Book, BookMove};
use yomikiri_engine::{Control, Engine, EngineError, Limits, Settings};
use yomikiri_shogi::{Color, Move, Position};

/// What may enter a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookOptions {
    /// Plies from the start of a game.
    pub plies: usize,
    /// A move must have been played so often.
    pub least: u64,
}

impl Default for BookOptions {
    fn default() -> BookOptions {
        BookOptions { plies: 40, least: 3 }
    }
}

/// How a move fared.
#[derive(Default)]
struct Tally {
    count: u64,
    /// Twice the points of the mover.
    points: u32,
    /// Games with a result.
    decided: u32,
    /// The answers and how often each came.
    answers: BTreeMap<Move, u32>,
}

impl Tally {
    fn note(&mut self, game: &TrainingGame, mover: Color, answer: Option<Move>) {
        self.count += 1;
        let points = match (game.result.as_str(), mover) {
            ("B", Color::Black) | ("W", Color::White) => Some(2),
            ("B", Color::White) | ("W", Color::Black) => Some(0),
            ("D", _) => Some(1),
            _ => None,
        };
        self.decided += u32::from(points.is_some());
        self.points += points.unwrap_or(0);
        if let Some(answer) = answer {
            *self.answers.entry(answer).or_default() += 1;
        }
    }

    /// The mover's result as a value, pulled to even by two draws.
    fn value(&self) -> i32 {
        let share = f64::from(self.points + 2) / f64::from(2 * self.decided + 4);
        (600.0 * libm::log(share / (1.0 - share))).round() as i32
    }

    fn book_move(&self, mv: Move) -> BookMove {
        let answer = self.answers.iter().max_by_key(|&(&mv, &count)| (count, mv));
        let answer = answer.map(|(&mv, _)| mv);
        BookMove { mv, answer, value: self.value(), depth: 0, count: self.count }
    }
}

/// Collects the book of games. A position has the move number at which it was first met.
pub fn collect(games: &[&TrainingGame], options: BookOptions) -> Book {
    let mut tallies: BTreeMap<String, (Position, BTreeMap<Move, Tally>)> = BTreeMap::new();
    for game in games {
        let mut position = game.start.clone();
        for (ply, &mv) in game.moves.iter().take(options.plies).enumerate() {
            let (_, moves) = tallies
                .entry(position.to_sfen_without_number())
                .or_insert_with(|| (position.clone(), BTreeMap::new()));
            let answer = game.moves.get(ply + 1).copied();
            moves.entry(mv).or_default().note(game, position.side_to_move(), answer);
            position.play(mv);
        }
    }
    let mut book = Book::default();
    for (position, moves) in tallies.values() {
        for (&mv, tally) in moves.iter().filter(|(_, tally)| tally.count >= options.least) {
            book.insert(position, tally.book_move(mv));
        }
    }
    book
}

/// Why the moves of a book were not valued.
#[derive(Debug, thiserror::Error)]
pub enum BookMakingError {
    /// The engine could not be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The user stopped it.
    #[error("interrupted: a book is written only when it is whole")]
    Interrupted,
}

/// Values the moves of a book anew: by a search of a number of nodes after each, with a progress
/// bar.
///
/// # Errors
/// If the engine cannot be made, or if it was stopped.
pub fn search_values(book: &mut Book, nodes: u64, stop: &StopToken) -> Result<(), BookMakingError> {
    let mut settings = Settings::default();
    settings.resources.book.own = false;
    // Each search begins with an empty table: a small one is emptied sooner.
    settings.resources.hash_megabytes = 32;
    let mut engine = Engine::new(settings)?;
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let bar = Progress::new(book.len(), 0);
    for (mut position, moves) in book.iter_mut() {
        for known in moves {
            position.play(known.mv);
            engine.new_game();
            let control = Arc::new(Control::new(engine.clock(), false, stop.clone()));
            let outcome = engine.run_controlled(&position, &limits, &control, &mut |_| {});
            position.undo();
            if stop.is_stopped() {
                return Err(BookMakingError::Interrupted);
            }
            known.value = -outcome.value;
            known.answer = outcome.best.or(known.answer);
            known.depth = outcome.lines.first().map_or(0, |line| line.depth.max(0) as u32);
        }
        bar.advance();
    }
    bar.finish();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;

    fn book(options: BookOptions) -> Book {
        let mut dataset = Dataset::default();
        let text = "startpos moves 7g7f 3c3d 2g2f\tB\nstartpos moves 7g7f 8c8d\tB\n\
                    startpos moves 7g7f 3c3d\tW\nstartpos moves 2g2f 8c8d\tD\n";
        dataset.add_text(text);
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        collect(&games, options)
    }

    #[test]
    fn counts_moves_answers_and_results() {
        let book = book(BookOptions { plies: 2, least: 2 });
        let moves = book.moves(&Position::start(), false);
        let [seven] = moves[..] else { panic!("2g2f was played once only") };
        assert_eq!((seven.count, seven.depth), (3, 0));
        assert_eq!(seven.answer.unwrap().to_string(), "3c3d");
        assert!(seven.value > 0, "two of three games were won");
        assert_eq!(book.len(), 2, "the start, and 7g7f with the answer 3c3d twice");
        assert!(book.to_string().contains("\n7g7f 3c3d "));
    }

    #[test]
    fn searches_value_what_games_have_shown() {
        let mut book = book(BookOptions { plies: 3, least: 1 });
        search_values(&mut book, 2_000, &StopToken::new()).unwrap();
        let moves = book.moves(&Position::start(), false);
        assert!(moves.len() == 2 && moves.iter().all(|mv| mv.depth > 0 && mv.value.abs() < 300));
        assert!(moves.iter().all(|mv| mv.answer.is_some()));
        let stop = StopToken::new();
        stop.stop();
        let stopped = search_values(&mut book, 2_000, &stop);
        assert!(matches!(stopped, Err(BookMakingError::Interrupted)));
    }
}
