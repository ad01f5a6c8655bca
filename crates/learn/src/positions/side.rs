//! Side positions: a few random moves away from a game, valued by the teacher without a search.

use fastrand::Rng;
use yomikiri_engine::eval::Evaluation;
use yomikiri_engine::eval::registry::{Model, Visitor};
use yomikiri_engine::value::Value;
use yomikiri_shogi::{EnteringKingRule, Position};

/// The static values of an evaluation.
pub(super) struct Teacher(Box<dyn FnMut(&Position) -> Value + Send>);

impl Teacher {
    pub(super) fn new(model: Model) -> Teacher {
        struct Boxed;
        impl Visitor for Boxed {
            type Output = Box<dyn FnMut(&Position) -> Value + Send>;
            fn visit<E: Evaluation>(self, mut eval: E) -> Self::Output {
                Box::new(move |position| {
                    eval.reset(position);
                    eval.evaluate(position)
                })
            }
        }
        Teacher(model.visit(Boxed))
    }

    /// The value for the side to move.
    pub(super) fn value(&mut self, position: &Position) -> Value {
        (self.0)(position)
    }
}

/// Where random moves lead from a position; `None` where the game ends on the way, or the side to
/// move is in check at last: a search evaluates no such position.
pub(super) fn leave(position: &Position, plies: usize, random: &mut Rng) -> Option<Position> {
    let mut position = position.clone();
    for _ in 0..plies {
        let mv = random.choice(position.legal_moves().iter().copied())?;
        position.play(mv);
    }
    let over = position.outcome(EnteringKingRule::CsaRule27, 0).is_some();
    (!over && !position.in_check()).then_some(position)
}
