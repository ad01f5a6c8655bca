//! The rules of shogi: positions, moves, notation and game records.

pub mod types;

pub use types::{Bitboard, Color, Hand, Kind, Move, MoveList, Origin, Piece, Square, Squares};
