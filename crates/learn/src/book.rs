//! An opening book from games: which moves were played in a position, how often, how they fared.
//!
//! The value of a move is the result of its games in centipawns of the mover, by the logistic rule
//! with 600; or, since few games say little, what a search finds after it.

use crate::dataset::{Dataset, TrainingGame};
use crate::eval_run::describe;
use crate::learner::LearnError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use yomikiri_base::files::write_derived;
use yomikiri_base::packed::UnpackLimits;
use yomikiri_base::stages::{PerThread, StageUnits, UnitKeys, Unwatched, all_units, unit_value};
use yomikiri_base::{Identity, Stages, StopToken};
use yomikiri_engine::book::{Book, BookMove};
use yomikiri_engine::{Control, Engine, EngineError, Limits, Settings, signatures};
use yomikiri_shogi::{Color, Move, Position};

/// What may enter a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
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

/// The file of the book in the folder of a run.
pub const BOOK_FILE: &str = "book.db";

/// Raised when the same settings would give another book.
const REVISION: u32 = 1;

/// The stage of the searches.
const STAGE: &str = "searches";

/// A run that makes a book.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BookPlan {
    /// Files of games; without any, those in the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<PathBuf>,
    /// Use at most this many games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// What may enter.
    pub options: BookOptions,
    /// Value each move by a search of this many nodes, not by the results of its games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// What a search says about a move, as it is logged.
#[derive(Serialize, Deserialize)]
struct SearchedMove {
    value: i32,
    answer: Option<String>,
    depth: u32,
}

impl BookPlan {
    /// Makes the book in a folder, or goes on with it; `stages` sees to the searches, a unit for
    /// each position. Returns the book, and a remark about the games if there is one.
    ///
    /// # Errors
    /// See [`LearnError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        out: &Path,
        input: UnpackLimits,
    ) -> Result<(Book, Option<String>), LearnError> {
        let dataset = Dataset::read_or_carried(&self.games, input)?;
        let games = dataset.to_learn(self.limit)?;
        let settings = serde_json::json!({ "options": self.options, "nodes": self.nodes });
        let mut identity = Identity::new("learn-book", REVISION, settings);
        identity.data.insert("games".into(), describe(&dataset, &games));
        if self.nodes.is_some() {
            identity.parts.insert("search".into(), signatures::of("search"));
        }
        stages.begin(&out.join("log.jsonl"), &identity)?;
        let mut book = collect(&games, self.options);
        if let Some(nodes) = self.nodes {
            search_values(&mut book, nodes, stages)?;
        }
        if stages.writes() {
            let path = out.join(BOOK_FILE);
            write_derived(&path, book.to_string().as_bytes())
                .map_err(|error| LearnError::File { path, error })?;
        }
        Ok((book, dataset.skipped_note()))
    }
}

/// Values the moves of a book anew: by a search of a number of nodes after each.
fn search_values(book: &mut Book, nodes: u64, stages: &mut dyn Stages) -> Result<(), LearnError> {
    let moves = |known: &mut Vec<BookMove>| known.iter().map(|known| known.mv).collect();
    let positions: Vec<(Position, Vec<Move>)> =
        book.iter_mut().map(|(position, known)| (position, moves(known))).collect();
    let (engines, stop) = (PerThread::default(), stages.stop());
    let search = |at: usize| -> Result<Option<Vec<SearchedMove>>, EngineError> {
        let (position, moves) = &positions[at];
        engines.with(engine, |engine| {
            let values = moves.iter().map(|&mv| value(engine, position, mv, nodes, &stop));
            Ok(values.collect())
        })
    };
    let units = StageUnits {
        name: STAGE,
        keys: UnitKeys::List(positions.iter().map(|(position, _)| position.to_sfen()).collect()),
        group: 1,
        work: &|at| search(at)?.map_or(Ok(None), |values| unit_value(&values)),
        watch: &Unwatched,
    };
    let found = all_units::<Vec<SearchedMove>>(STAGE, stages.stage(&units)?)?;
    for ((_, moves), unit) in book.iter_mut().zip(found) {
        for (known, searched) in moves.iter_mut().zip(unit.value) {
            known.value = searched.value;
            known.answer = searched.answer.and_then(|mv| mv.parse().ok()).or(known.answer);
            known.depth = searched.depth;
        }
    }
    Ok(())
}

fn engine() -> Result<Engine, EngineError> {
    let mut settings = Settings::default();
    settings.resources.book.own = false;
    // Each search begins with an empty table: a small one is emptied sooner.
    settings.resources.hash_megabytes = 32;
    Engine::new(settings)
}

/// What a search after the move says; nothing if it was stopped.
fn value(
    engine: &mut Engine,
    position: &Position,
    mv: Move,
    nodes: u64,
    stop: &StopToken,
) -> Option<SearchedMove> {
    let mut position = position.clone();
    position.play(mv);
    engine.new_game();
    let control = Arc::new(Control::new(engine.clock(), false, stop.clone()));
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let outcome = engine.run_controlled(&position, &limits, &control, &mut |_| {});
    let searched = || SearchedMove {
        value: -outcome.value,
        answer: outcome.best.map(|best| best.to_string()),
        depth: outcome.lines.first().map_or(0, |line| line.depth.max(0) as u32),
    };
    (!stop.is_stopped()).then(searched)
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_base::stages::StageError;
    use yomikiri_base::{LocalStages, Provenance};

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
        let folder = std::env::temp_dir().join(format!("yomikiri-book-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut search = |stop: StopToken| {
            let mut stages = LocalStages::new(2, Provenance::default());
            stages.stop = stop;
            let identity = Identity::new("test", 1, serde_json::Value::Null);
            stages.begin(&folder.join("log.jsonl"), &identity).unwrap();
            search_values(&mut book, 2_000, &mut stages)
        };
        let stop = StopToken::new();
        stop.stop();
        let stopped = search(stop);
        assert!(matches!(stopped, Err(LearnError::Elsewhere(StageError::Incomplete { .. }))));
        search(StopToken::new()).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
        let moves = book.moves(&Position::start(), false);
        assert!(moves.len() == 2 && moves.iter().all(|mv| mv.depth > 0 && mv.value.abs() < 300));
        assert!(moves.iter().all(|mv| mv.answer.is_some()));
    }
}
