//! Text forms of positions and moves.

mod error;
pub mod sfen;
pub mod usi;

pub use error::ParseError;
