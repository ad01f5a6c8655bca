//! A lost position played to its end: mated, or the mate was missed.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use yomikiri_shogi::{Move, Position};

use super::opponents::Opponent;
use super::policies::{Policy, Scholar, State};

/// How it ended for the losing side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// Mated.
    Mated,
    /// No loss can be proven any more.
    Escaped,
    /// It can mate now.
    Turned,
    /// Still not mated when the limit of plies was reached.
    Lasted,
}

/// An end and when it came.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The end.
    pub end: End,
    /// Plies played until then.
    pub plies: u32,
}

impl Outcome {
    /// Whether the opponent failed to mate.
    pub fn survived(self) -> bool {
        self.end != End::Mated
    }
}

/// Answers of opponents, each found once: a position met again is answered as before.
#[derive(Default)]
pub struct Answers(HashMap<(Opponent, u64), Option<Move>>);

impl Answers {
    /// What an opponent plays.
    pub fn of(&mut self, opponent: Opponent, position: &Position) -> Option<Move> {
        *self.0.entry((opponent, position.key())).or_insert_with(|| opponent.answer(position))
    }
}

/// Plays on from a lost position.
pub fn play_out(
    start: &Position,
    policy: Policy,
    opponent: Opponent,
    scholar: &mut Scholar<'_>,
    answers: &mut Answers,
    most: u32,
) -> Outcome {
    let mut position = start.clone();
    let mut plies = 0;
    while plies < most {
        let end = match &*scholar.know(&position) {
            State::Over => Some(End::Mated),
            State::Winning => Some(End::Turned),
            State::Free => Some(End::Escaped),
            State::Mated(_) | State::Checks(_) | State::Lost => None,
        };
        if let Some(end) = end {
            return Outcome { end, plies };
        }
        let Some(played) = scholar.choose(&position, policy) else {
            return Outcome { end: End::Escaped, plies };
        };
        position.play(played);
        let Some(answer) = answers.of(opponent, &position) else {
            return Outcome { end: End::Turned, plies: plies + 1 };
        };
        position.play(answer);
        plies += 2;
    }
    Outcome { end: End::Lasted, plies }
}
