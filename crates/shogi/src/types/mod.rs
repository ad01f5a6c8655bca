//! The plain values that everything else is made of.

mod bitboard;
mod color;
mod hand;
mod kind;
mod moves;
mod piece;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use color::Color;
pub use hand::Hand;
pub use kind::Kind;
pub use moves::{Move, MoveList, Origin};
pub use piece::Piece;
pub use square::Square;
