//! Evaluations: what a position is worth without search.
//!
//! The searcher is generic over [`Evaluation`]; which one is used is chosen once, at the edge, by
//! [`Evaluator`]. An evaluation is a board [`Listener`] that keeps running sums.

pub mod linear;
pub mod material;
pub mod progress;

use crate::value::Value;
use core::fmt;
use core::str::FromStr;
use yomikiri_shogi::{Listener, Move, Position};

/// How far a game has come, as the tables of ProbCut distinguish it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Before the first clashes.
    Opening = 0,
    /// Between.
    Middle = 1,
    /// The kings are under attack.
    End = 2,
}

/// A static evaluation that follows the board.
pub trait Evaluation: Listener + Clone + Send + 'static {
    /// Forgets what was and looks at the whole position.
    fn refresh(&mut self, position: &Position);

    /// Plays a move on the position that was followed, to be taken back by [`undo`](Self::undo).
    #[inline]
    fn play(&mut self, position: &mut Position, played: Move) {
        position.play_observed(played, self);
    }

    /// Takes back the last move that [`play`](Self::play) played.
    #[inline]
    fn undo(&mut self, position: &mut Position) {
        position.undo_observed(self);
    }

    /// The value for the side to move, within [`EVAL_LIMIT`](crate::value::EVAL_LIMIT). The
    /// position is the one that the listener has followed.
    fn evaluate(&mut self, position: &Position) -> Value;
}

/// The evaluations that can be chosen by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evaluator {
    /// Material alone (PieceEval).
    Material,
    /// Material and king danger, blended by game progress (ProgressEval).
    Progress,
    /// Some 83,000 features with coefficients learned from professional games.
    #[default]
    Linear,
}

impl Evaluator {
    /// Every evaluation.
    pub const ALL: [Evaluator; 3] = [Evaluator::Material, Evaluator::Progress, Evaluator::Linear];

    /// The name as the option has it.
    pub const fn name(self) -> &'static str {
        match self {
            Evaluator::Material => "material",
            Evaluator::Progress => "progress",
            Evaluator::Linear => "linear",
        }
    }
}

impl fmt::Display for Evaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Evaluator {
    type Err = String;

    fn from_str(text: &str) -> Result<Evaluator, String> {
        Evaluator::ALL
            .into_iter()
            .find(|evaluator| evaluator.name() == text)
            .ok_or_else(|| format!("unknown evaluation '{text}'"))
    }
}

/// The phase that a position's move number and captures suggest, for evaluations that keep no
/// progress of their own: the papers' moves 40-60, 60-80 and 80 on.
pub fn phase(position: &Position) -> Phase {
    match position.move_number() {
        ..60 => Phase::Opening,
        60..80 => Phase::Middle,
        _ => Phase::End,
    }
}
