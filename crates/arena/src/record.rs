//! A finished game, and its form as one line of a tab-separated file.
//!
//! The first two columns, the moves as USI and the result, are those of every games file of this
//! project; the others say what happened.

use core::fmt;
use core::str::FromStr;
use yomikiri_play::End;
use yomikiri_play::ending::UnknownEnd;
use yomikiri_shogi::Color;
use yomikiri_usi::{Setup, SetupError};

/// What a player said and took for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The score for the mover, in hundredths of a pawn; mates as ±30000.
    pub score: Option<i32>,
    /// The nodes it says it searched.
    pub nodes: Option<u64>,
    /// Microseconds from the question to the answer.
    pub micros: u64,
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Its number in the match.
    pub number: usize,
    /// The player with the black pieces.
    pub black: String,
    /// The player with the white pieces.
    pub white: String,
    /// The start and all moves, those of the opening included.
    pub moves: Setup,
    /// How many of the moves are the opening's.
    pub opening_plies: usize,
    /// One for each move after the opening.
    pub thoughts: Vec<Thought>,
    /// Who won, if anybody.
    pub winner: Option<Color>,
    /// How it ended.
    pub end: End,
    /// What an engine answered or did, where that ended the game.
    pub note: String,
}

/// The columns of a table of games. What was measured on a clock stands in a table of its own, so
/// that this one is the same whoever plays the games, and when.
pub const HEADER: &str =
    "moves\tresult\tnumber\tblack\twhite\tend\topening_plies\tscores\tnodes\tnote";

/// The columns of the table of times.
pub const TIMES_HEADER: &str = "number\tmicroseconds";

impl GameRecord {
    /// The game in the table of games.
    pub fn row(&self) -> String {
        let note = clean(&self.note);
        format!("{}\t{}\t{}\t{note}", self.front(), self.scores(), self.nodes())
    }

    /// The game in the table of times.
    pub fn times_row(&self) -> String {
        format!("{}\t{}", self.number, self.micros())
    }

    fn front(&self) -> String {
        let result = match self.winner {
            Some(Color::Black) => "B",
            Some(Color::White) => "W",
            None => "D",
        };
        let GameRecord { moves, number, black, white, end, opening_plies, .. } = self;
        format!("{moves}\t{result}\t{number}\t{black}\t{white}\t{end}\t{opening_plies}")
    }

    fn scores(&self) -> String {
        column(self.thoughts.iter().map(|thought| thought.score))
    }

    fn nodes(&self) -> String {
        column(self.thoughts.iter().map(|thought| thought.nodes))
    }

    fn micros(&self) -> String {
        column(self.thoughts.iter().map(|thought| Some(thought.micros)))
    }
}

impl fmt::Display for GameRecord {
    /// Everything in one line: a row with the times before the note.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t{}\t{}\t", self.front(), self.scores(), self.nodes())?;
        write!(f, "{}\t{}", self.micros(), clean(&self.note))
    }
}

fn clean(note: &str) -> String {
    note.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Numbers with commas between them, `-` for one that is not known.
fn column<T: fmt::Display>(values: impl Iterator<Item = Option<T>>) -> String {
    let words = values.map(|value| value.map_or("-".to_string(), |value| value.to_string()));
    words.collect::<Vec<_>>().join(",")
}

/// Why a line is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameRecordError {
    /// Too many columns or too few.
    #[error("{0} columns instead of 10 or 11")]
    Columns(usize),
    /// Something that should be a number.
    #[error("'{0}' is not a number")]
    Number(String),
    /// Something that should be `B`, `W` or `D`.
    #[error("'{0}' is no result")]
    Result(String),
    /// Moves that cannot be read.
    #[error("{0}")]
    Moves(SetupError),
    /// A word that should be an end.
    #[error(transparent)]
    End(#[from] UnknownEnd),
    /// Columns that say something about each move, and not of equally many.
    #[error("scores, nodes and times are not equally many")]
    Lengths,
}

impl FromStr for GameRecord {
    type Err = GameRecordError;

    /// Reads a line, or a row of the table without times.
    fn from_str(line: &str) -> Result<GameRecord, GameRecordError> {
        let columns: Vec<&str> = line.split('\t').collect();
        let (front, micros, note) = match columns[..] {
            [ref front @ .., micros, note] if front.len() == 9 => (front, Some(micros), note),
            [ref front @ .., note] if front.len() == 9 => (front, None, note),
            _ => return Err(GameRecordError::Columns(columns.len())),
        };
        let [moves, result, number, black, white, end, plies, scores, nodes] = front else {
            return Err(GameRecordError::Columns(columns.len()));
        };
        let winner = match *result {
            "B" => Some(Color::Black),
            "W" => Some(Color::White),
            "D" => None,
            _ => return Err(GameRecordError::Result(result.to_string())),
        };
        Ok(GameRecord {
            number: number_of(number)?,
            black: black.to_string(),
            white: white.to_string(),
            moves: moves.parse().map_err(GameRecordError::Moves)?,
            opening_plies: number_of(plies)?,
            thoughts: thoughts(scores, nodes, micros)?,
            winner,
            end: end.parse()?,
            note: note.to_string(),
        })
    }
}

fn thoughts(
    scores: &str,
    nodes: &str,
    micros: Option<&str>,
) -> Result<Vec<Thought>, GameRecordError> {
    let (scores, nodes) = (numbers::<i32>(scores)?, numbers::<u64>(nodes)?);
    let micros = match micros {
        Some(micros) => numbers::<u64>(micros)?,
        None => vec![None; nodes.len()],
    };
    if scores.len() != nodes.len() || nodes.len() != micros.len() {
        return Err(GameRecordError::Lengths);
    }
    let together = scores.into_iter().zip(nodes).zip(micros);
    let thought = |((score, nodes), micros): ((_, _), Option<u64>)| Thought {
        score,
        nodes,
        micros: micros.unwrap_or(0),
    };
    Ok(together.map(thought).collect())
}

fn number_of<T: FromStr>(text: &str) -> Result<T, GameRecordError> {
    text.parse().map_err(|_| GameRecordError::Number(text.to_string()))
}

fn numbers<T: FromStr>(text: &str) -> Result<Vec<Option<T>>, GameRecordError> {
    let read = |word: &str| if word == "-" { Ok(None) } else { number_of(word).map(Some) };
    if text.is_empty() { Ok(Vec::new()) } else { text.split(',').map(read).collect() }
}

#[cfg(test)]
mod tests {
    use super::{Color, End, GameRecord, HEADER, TIMES_HEADER, Thought};

    pub fn example() -> GameRecord {
        GameRecord {
            number: 7,
            black: "a b".into(),
            white: "c".into(),
            moves: "startpos moves 7g7f 3c3d 8h2b+".parse().unwrap(),
            opening_plies: 1,
            thoughts: vec![
                Thought { score: Some(-12), nodes: None, micros: 1500 },
                Thought { score: None, nodes: Some(99), micros: 0 },
            ],
            winner: Some(Color::White),
            end: End::Resignation,
            note: "bestmove resign".into(),
        }
    }

    #[test]
    fn a_line_is_read_back() {
        let game = example();
        let line = game.to_string();
        assert_eq!(line.parse(), Ok(game.clone()));
        let empty =
            GameRecord { thoughts: Vec::new(), winner: None, note: "a\tb\n".into(), ..game };
        assert_eq!(empty.to_string().parse::<GameRecord>().unwrap().note, "a b ");
    }

    #[test]
    fn a_row_is_read_back_without_its_times() {
        let game = example();
        assert_eq!(game.row().split('\t').count(), HEADER.split('\t').count());
        let mut untimed = game.clone();
        untimed.thoughts.iter_mut().for_each(|thought| thought.micros = 0);
        assert_eq!(game.row().parse(), Ok(untimed));
        assert_eq!(game.times_row(), "7\t1500,0");
        assert_eq!(TIMES_HEADER.split('\t').count(), 2);
    }

    #[test]
    fn a_line_that_was_cut_is_no_game() {
        let game = example();
        let line = game.to_string();
        for length in 0..line.len() {
            if let Ok(read) = line[..length].parse::<GameRecord>() {
                // Only the last column may be shortened: the note, or times that become the note.
                assert_eq!((read.number, read.moves), (game.number, game.moves.clone()));
                assert!(read.thoughts.len() == 2 && read.end == game.end);
            }
        }
    }
}
