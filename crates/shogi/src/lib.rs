//! The rules of shogi: positions, moves, notation and game records.
//!
//! ```
//! use yomikiri_shogi::Position;
//!
//! let mut position = Position::from_usi("startpos moves 7g7f 3c3d").unwrap();
//! for mv in position.legal_moves() {
//!     position.play(mv);
//!     position.undo();
//! }
//! ```

pub mod attacks;
mod mate1;
pub mod movegen;
pub mod notation;
pub mod perft;
pub mod position;
pub mod record;
pub mod see;
pub mod types;

pub use notation::ParseError;
pub use position::{
    BoardChange, CheckHints, EnteringKingRule, Handicap, Outcome, Position, Repetition,
    UnknownHandicap, UnknownRule,
};
pub use types::{Bitboard, Color, Hand, Kind, Move, MoveList, Origin, Piece, Square, Squares};
