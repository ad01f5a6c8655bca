//! What the program says to the engine.

use crate::error::UsiError;
use crate::go::{Go, UsiClock};
use crate::setup::{Setup, SetupError};
use crate::words::{OneLine, split_first};
use core::fmt;
use core::str::FromStr;

/// How the game ended, for the engine that receives it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameOverResult {
    /// The engine has won.
    Win,
    /// The engine has lost.
    Lose,
    /// Neither.
    Draw,
}

/// A line from the program to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Introduce yourself: id, options, `usiok`.
    Usi,
    /// Get ready, then say `readyok`.
    IsReady,
    /// Set an option; a button has no value.
    SetOption {
        /// The option's name.
        name: String,
        /// The new value.
        value: Option<String>,
    },
    /// A new game begins.
    UsiNewGame,
    /// The position that the next `go` is about.
    Position(Setup),
    /// Think.
    Go(Go),
    /// The expected move was played: the pondering becomes a normal search. Some programs send
    /// the clocks here.
    PonderHit(UsiClock),
    /// Answer now.
    Stop,
    /// The game is over; nothing more is thought about.
    GameOver(GameOverResult),
    /// End the process.
    Quit,
}

impl FromStr for Command {
    type Err = UsiError;

    fn from_str(line: &str) -> Result<Command, UsiError> {
        let (word, rest) = split_first(line);
        Ok(match word {
            "" => return Err(UsiError::Empty),
            "usi" => Command::Usi,
            "isready" => Command::IsReady,
            "setoption" => set_option(rest)?,
            "usinewgame" => Command::UsiNewGame,
            "position" => Command::Position(rest.parse().map_err(|reason: SetupError| {
                UsiError::malformed("position", reason.to_string())
            })?),
            "go" => Command::Go(Go::read(rest)),
            "ponderhit" => Command::PonderHit(UsiClock::read(rest)),
            "stop" => Command::Stop,
            "gameover" => Command::GameOver(match split_first(rest).0 {
                "win" => GameOverResult::Win,
                "lose" => GameOverResult::Lose,
                // Whatever else it is called, the engine has neither won nor lost.
                _ => GameOverResult::Draw,
            }),
            "quit" => Command::Quit,
            _ => return Err(UsiError::unknown(word)),
        })
    }
}

/// `name N [value V]`; both may hold spaces, and some programs leave out `name`.
fn set_option(text: &str) -> Result<Command, UsiError> {
    let text = match split_first(text) {
        ("name", rest) => rest,
        _ => text,
    };
    let (name, value) = match text.find(" value") {
        Some(at) if text[at + 6..].chars().next().is_none_or(char::is_whitespace) => {
            (text[..at].trim_end(), Some(text[at + 6..].trim().to_string()))
        }
        _ => (text, None),
    };
    if name.is_empty() {
        return Err(UsiError::malformed("setoption", "the option has no name"));
    }
    Ok(Command::SetOption { name: name.to_string(), value })
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Usi => f.write_str("usi"),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => {
                write!(f, "setoption name {}", OneLine(name))
            }
            Command::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {} value {}", OneLine(name), OneLine(value))
            }
            Command::UsiNewGame => f.write_str("usinewgame"),
            Command::Position(setup) => write!(f, "position {setup}"),
            Command::Go(go) => write!(f, "{go}"),
            Command::PonderHit(clock) => write!(f, "ponderhit{clock}"),
            Command::Stop => f.write_str("stop"),
            Command::GameOver(result) => f.write_str(match result {
                GameOverResult::Win => "gameover win",
                GameOverResult::Lose => "gameover lose",
                GameOverResult::Draw => "gameover draw",
            }),
            Command::Quit => f.write_str("quit"),
        }
    }
}
