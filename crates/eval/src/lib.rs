//! Evaluations: what a position is worth without search.
//!
//! The search is generic over [`Evaluation`]; which one is used is chosen once, at the edge, by the
//! [`registry`]. Every evaluation passes the same [`conformance`] tests.

pub mod conformance;
pub mod contribution;
pub mod explain;
pub mod king_danger;
pub mod linear;
pub mod material;
pub mod network;
pub mod policy;
pub mod registry;
pub mod stage;
pub mod value;

pub use registry::{EvaluationKind, LoadError, Model};
pub use stage::{Phase, phase};

use value::Value;
use yomikiri_shogi::{BoardChange, Position};

/// A static evaluation that follows the board.
///
/// One protocol for every caller: [`reset`](Self::reset) to a position, then
/// [`push`](Self::push) after each move that is played and [`pop`](Self::pop) for each that is
/// taken back. How much of the work is done at once and how much in [`evaluate`](Self::evaluate) is
/// the evaluation's own business.
pub trait Evaluation: Clone + Send + 'static {
    /// Looks at the whole position and forgets what was before it.
    fn reset(&mut self, position: &Position);

    /// Follows a move: the position after it, and what it changed.
    fn push(&mut self, position: &Position, change: &BoardChange);

    /// Follows a null move.
    fn push_null(&mut self, position: &Position);

    /// Goes back by one move or null move.
    ///
    /// # Panics
    /// If nothing was pushed since the last reset.
    fn pop(&mut self);

    /// The value for the side to move, within [`EVAL_LIMIT`](value::EVAL_LIMIT). The position is
    /// the one that was followed.
    fn evaluate(&mut self, position: &Position) -> Value;
}
