//! Text and packed forms of positions and moves.

pub mod csa;
pub mod diagram;
mod error;
pub mod japanese;
pub mod packed;
pub mod sfen;
pub mod usi;
pub mod western;

pub use error::ParseError;
