//! What the engine says to the program.

use crate::error::UsiError;
use crate::info::Info;
use crate::option::OptionDecl;
use crate::words::{OneLine, each, split_first};
use core::fmt;
use core::str::FromStr;
use yomikiri_shogi::{Move, ParseError};

/// Who the engine is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Id {
    /// Its name.
    Name(String),
    /// Who wrote it.
    Author(String),
}

/// What the engine does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BestMove {
    /// It plays.
    Move {
        /// The move.
        best: Move,
        /// The answer that it would like to ponder on.
        ponder: Option<Move>,
    },
    /// It gives up.
    Resign,
    /// It declares by the entering-king rule.
    Win,
}

/// The answer to `go mate`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Checkmate {
    /// There is a mate.
    Moves(Vec<Move>),
    /// There is none.
    NoMate,
    /// It was not decided in time.
    Timeout,
    /// The engine does not solve mates.
    NotImplemented,
}

/// A line from the engine to the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Who the engine is.
    Id(Id),
    /// What can be set.
    Option(OptionDecl),
    /// The introduction is over.
    UsiOk,
    /// Ready.
    ReadyOk,
    /// What it thinks.
    Info(Info),
    /// The answer to `go`.
    BestMove(BestMove),
    /// The answer to `go mate`.
    Checkmate(Checkmate),
}

impl FromStr for Reply {
    type Err = UsiError;

    fn from_str(line: &str) -> Result<Reply, UsiError> {
        let (word, rest) = split_first(line);
        Ok(match word {
            "" => return Err(UsiError::Empty),
            "id" => Reply::Id(match split_first(rest) {
                ("name", name) => Id::Name(name.to_string()),
                ("author", author) => Id::Author(author.to_string()),
                (other, _) => {
                    return Err(UsiError::malformed("id", format!("'{other}' is not known")));
                }
            }),
            "option" => Reply::Option(OptionDecl::read(rest)?),
            "usiok" => Reply::UsiOk,
            "readyok" => Reply::ReadyOk,
            "info" => Reply::Info(Info::read(rest)),
            "bestmove" => Reply::BestMove(read_best(rest)?),
            "checkmate" => Reply::Checkmate(read_checkmate(rest)?),
            _ => return Err(UsiError::unknown(word)),
        })
    }
}

fn read_best(text: &str) -> Result<BestMove, UsiError> {
    let (first, rest) = split_first(text);
    match first {
        "resign" => Ok(BestMove::Resign),
        "win" => Ok(BestMove::Win),
        _ => {
            let best = first
                .parse()
                .map_err(|error: ParseError| UsiError::malformed("bestmove", error.message))?;
            let ponder = match split_first(rest) {
                ("ponder", hint) => split_first(hint).0.parse().ok(),
                _ => None,
            };
            Ok(BestMove::Move { best, ponder })
        }
    }
}

fn read_checkmate(text: &str) -> Result<Checkmate, UsiError> {
    match split_first(text).0 {
        "nomate" => Ok(Checkmate::NoMate),
        "timeout" => Ok(Checkmate::Timeout),
        "notimplemented" => Ok(Checkmate::NotImplemented),
        "" => Err(UsiError::malformed("checkmate", "no answer follows")),
        _ => text
            .split_whitespace()
            .map(|word| word.parse())
            .collect::<Result<_, _>>()
            .map(Checkmate::Moves)
            .map_err(|error: ParseError| UsiError::malformed("checkmate", error.message)),
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BestMove::Move { best, ponder: None } => write!(f, "bestmove {best}"),
            BestMove::Move { best, ponder: Some(hint) } => {
                write!(f, "bestmove {best} ponder {hint}")
            }
            BestMove::Resign => f.write_str("bestmove resign"),
            BestMove::Win => f.write_str("bestmove win"),
        }
    }
}

impl fmt::Display for Checkmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("checkmate")?;
        match self {
            // A line without moves would not be understood: there is no mate in no move.
            Checkmate::Moves(moves) if moves.is_empty() => f.write_str(" nomate"),
            Checkmate::Moves(moves) => each(f, moves),
            Checkmate::NoMate => f.write_str(" nomate"),
            Checkmate::Timeout => f.write_str(" timeout"),
            Checkmate::NotImplemented => f.write_str(" notimplemented"),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(Id::Name(name)) => write!(f, "id name {}", OneLine(name)),
            Reply::Id(Id::Author(author)) => write!(f, "id author {}", OneLine(author)),
            Reply::Option(option) => write!(f, "{option}"),
            Reply::UsiOk => f.write_str("usiok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write!(f, "{info}"),
            Reply::BestMove(best) => write!(f, "{best}"),
            Reply::Checkmate(answer) => write!(f, "{answer}"),
        }
    }
}
