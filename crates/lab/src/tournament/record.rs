//! A finished game, and its form as one line of a tab-separated file.
//!
//! The first two columns, the moves as USI and the result, are those of every games file of this
//! project; the others say what happened.

use core::fmt;
use core::str::FromStr;
use yomikiri_shogi::Color;
use yomikiri_usi::Setup;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// Mate.
    Mate,
    /// No legal move, without a check.
    NoMoves,
    /// A player gave up.
    Resignation,
    /// Fourth occurrence of a position.
    Repetition,
    /// Fourth occurrence, by checks of one side alone.
    PerpetualCheck,
    /// A declaration that holds, or a try.
    Declaration,
    /// A declaration that does not hold.
    WrongDeclaration,
    /// Too many moves.
    MaximumMoves,
    /// Given up for a player, by the scores.
    ResignRule,
    /// Called drawn, by the scores.
    DrawRule,
    /// A move came too late.
    Time,
    /// A move that the rules do not allow, or no move at all.
    Illegal,
    /// The engine's process ended.
    Crash,
    /// The engine did not answer, not even to `stop`.
    Silence,
}

impl End {
    /// Every end.
    pub const ALL: [End; 14] = [
        End::Mate,
        End::NoMoves,
        End::Resignation,
        End::Repetition,
        End::PerpetualCheck,
        End::Declaration,
        End::WrongDeclaration,
        End::MaximumMoves,
        End::ResignRule,
        End::DrawRule,
        End::Time,
        End::Illegal,
        End::Crash,
        End::Silence,
    ];

    /// The word in the file.
    pub const fn name(self) -> &'static str {
        match self {
            End::Mate => "mate",
            End::NoMoves => "no-moves",
            End::Resignation => "resignation",
            End::Repetition => "repetition",
            End::PerpetualCheck => "perpetual-check",
            End::Declaration => "declaration",
            End::WrongDeclaration => "wrong-declaration",
            End::MaximumMoves => "maximum-moves",
            End::ResignRule => "resign-rule",
            End::DrawRule => "draw-rule",
            End::Time => "time",
            End::Illegal => "illegal",
            End::Crash => "crash",
            End::Silence => "silence",
        }
    }

    /// Whether the loser did something that no engine should do.
    pub const fn is_fault(self) -> bool {
        matches!(self, End::Time | End::Illegal | End::Crash | End::Silence | End::WrongDeclaration)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for End {
    type Err = String;

    fn from_str(text: &str) -> Result<End, String> {
        End::ALL
            .into_iter()
            .find(|end| end.name() == text)
            .ok_or_else(|| format!("'{text}' is no end of a game"))
    }
}

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
pub struct Game {
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

/// The columns.
pub const HEADER: &str =
    "moves\tresult\tnumber\tblack\twhite\tend\topening_plies\tscores\tnodes\tmicroseconds\tnote";

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = match self.winner {
            Some(Color::Black) => "B",
            Some(Color::White) => "W",
            None => "D",
        };
        write!(f, "{}\t{result}\t{}\t{}\t", self.moves, self.number, self.black)?;
        write!(f, "{}\t{}\t{}", self.white, self.end, self.opening_plies)?;
        column(f, self.thoughts.iter().map(|thought| thought.score))?;
        column(f, self.thoughts.iter().map(|thought| thought.nodes))?;
        column(f, self.thoughts.iter().map(|thought| Some(thought.micros)))?;
        let note: String =
            self.note.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        write!(f, "\t{note}")
    }
}

/// Numbers with commas between them, `-` for one that is not known.
fn column<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    values: impl Iterator<Item = Option<T>>,
) -> fmt::Result {
    f.write_str("\t")?;
    for (index, value) in values.enumerate() {
        if index > 0 {
            f.write_str(",")?;
        }
        match value {
            Some(value) => write!(f, "{value}")?,
            None => f.write_str("-")?,
        }
    }
    Ok(())
}

impl FromStr for Game {
    type Err = String;

    fn from_str(line: &str) -> Result<Game, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [moves, result, number, black, white, end, plies, scores, nodes, micros, note] =
            columns[..]
        else {
            return Err(format!("{} columns instead of 11", columns.len()));
        };
        let count = |text: &str| text.parse().map_err(|_| format!("'{text}' is not a number"));
        let winner = match result {
            "B" => Some(Color::Black),
            "W" => Some(Color::White),
            "D" => None,
            _ => return Err(format!("'{result}' is no result")),
        };
        let (scores, nodes) = (numbers::<i32>(scores)?, numbers::<u64>(nodes)?);
        let micros = numbers::<u64>(micros)?;
        if scores.len() != nodes.len() || nodes.len() != micros.len() {
            return Err("scores, nodes and times are not equally many".into());
        }
        let thoughts = scores
            .into_iter()
            .zip(nodes)
            .zip(micros)
            .map(|((score, nodes), micros)| Thought { score, nodes, micros: micros.unwrap_or(0) })
            .collect();
        Ok(Game {
            number: count(number)?,
            black: black.to_string(),
            white: white.to_string(),
            moves: moves.parse()?,
            opening_plies: count(plies)?,
            thoughts,
            winner,
            end: end.parse()?,
            note: note.to_string(),
        })
    }
}

fn numbers<T: FromStr>(text: &str) -> Result<Vec<Option<T>>, String> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    text.split(',')
        .map(|word| match word {
            "-" => Ok(None),
            _ => word.parse().map(Some).map_err(|_| format!("'{word}' is not a number")),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Color, End, Game, HEADER, Thought};

    pub fn example() -> Game {
        Game {
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
        assert_eq!(line.split('\t').count(), HEADER.split('\t').count());
        assert_eq!(line.parse(), Ok(game.clone()));
        let empty = Game { thoughts: Vec::new(), winner: None, note: "a\tb\n".into(), ..game };
        assert_eq!(empty.to_string().parse::<Game>().unwrap().note, "a b ");
        for end in End::ALL {
            assert_eq!(end.name().parse(), Ok(end));
        }
    }

    #[test]
    fn a_line_that_was_cut_is_no_game() {
        let line = example().to_string();
        for length in 0..line.len() {
            if let Ok(game) = line[..length].parse::<Game>() {
                // Only the note, the last column, may be shortened.
                assert!(line.starts_with(&game.to_string()));
            }
        }
    }
}
