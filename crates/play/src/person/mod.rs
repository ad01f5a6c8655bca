//! Somebody at a terminal plays: what is typed, what is shown, and the engine at the other side.
//!
//! Nothing here knows the terminal. Lines come through a channel, text goes to any writer, files
//! are written by whoever runs the session, and time is read from a clock that is handed in.

pub mod board;
mod describe;
mod errors;
mod lines;
pub mod opponent;
pub mod request;
pub mod session;
pub mod words;

pub use board::{BoardView, draw};
pub use describe::describe;
pub use errors::{SaveError, SessionError};
pub use lines::typed_lines;
pub use opponent::{Opponent, OpponentStyle};
pub use request::{PersonRequest, RequestFault, read};
pub use session::{PersonSession, save};
