//! USI, the protocol between shogi programs and their engines, both sides of it.
//!
//! Reading is tolerant: unknown words are passed over, times may be negative or missing, fields
//! come in any order. Writing is strict: one line, the fields in the order that every program
//! understands, `pv` and `string` last. [`client`] starts an engine and talks to it.
//!
//! ```
//! use yomikiri_usi::{Command, Reply};
//!
//! let command: Command = "go byoyomi 1000 wtime 0 btime 0".parse().unwrap();
//! assert_eq!(command.to_string(), "go btime 0 wtime 0 byoyomi 1000");
//! let reply: Reply = "bestmove 7g7f ponder 3c3d".parse().unwrap();
//! assert_eq!(reply.to_string(), "bestmove 7g7f ponder 3c3d");
//! assert!("hello".parse::<Command>().is_err());
//! ```

pub mod client;
mod command;
mod error;
mod go;
mod info;
mod option;
mod reply;
mod setup;
mod words;

pub use command::{Command, GameOverResult};
pub use error::UsiError;
pub use go::{Go, MateLimit, UsiClock};
pub use info::{Bound, Info, MateScore, UsiScore, UsiValue};
pub use option::{OptionDecl, OptionKind};
pub use reply::{BestMove, Checkmate, Id, Reply};
pub use setup::{Setup, SetupError, Start};
pub use words::excerpt;
