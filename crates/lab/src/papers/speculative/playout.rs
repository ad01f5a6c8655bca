//! A lost position played to its end: mated, or the mate was missed.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_play::{Decision, Game, Rules};
use yomikiri_shogi::{Move, Position};

use super::opponents::ModelOpponent;
use super::policies::{LosingPolicy, Prospect, ProspectCache};

/// How it ended for the losing side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlayoutEnd {
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
pub struct PlayoutOutcome {
    /// The end.
    pub end: PlayoutEnd,
    /// Plies played until then.
    pub plies: u32,
}

impl PlayoutOutcome {
    /// Whether the opponent failed to mate.
    pub fn survived(self) -> bool {
        self.end != PlayoutEnd::Mated
    }
}

/// Answers of opponents, each found once: a position met again is answered as before.
#[derive(Default)]
pub struct KnownAnswers(HashMap<(ModelOpponent, u64), Option<Move>>);

impl KnownAnswers {
    /// What an opponent plays.
    pub fn of(&mut self, opponent: ModelOpponent, position: &Position) -> Option<Move> {
        *self.0.entry((opponent, position.key())).or_insert_with(|| opponent.answer(position))
    }
}

/// Plays on from a lost position.
pub fn play_out(
    start: &Position,
    policy: LosingPolicy,
    opponent: ModelOpponent,
    prospects: &mut ProspectCache<'_>,
    answers: &mut KnownAnswers,
    most: u32,
) -> PlayoutOutcome {
    let loser = start.side_to_move();
    let mut game = Game::new(start.clone(), &[], Rules::mate_only());
    let mut plies = 0;
    let end = loop {
        let side = match game.turn() {
            _ if plies % 2 == 0 && plies >= most => break PlayoutEnd::Lasted,
            None if game.winner() == Some(loser) => break PlayoutEnd::Turned,
            None => break PlayoutEnd::Mated,
            Some(side) => side,
        };
        let position = game.position();
        let mv = if side == loser {
            match &*prospects.prospect(position) {
                Prospect::Over => break PlayoutEnd::Mated,
                Prospect::Winning => break PlayoutEnd::Turned,
                Prospect::Free => break PlayoutEnd::Escaped,
                Prospect::Mated(_) | Prospect::Checks(_) | Prospect::Lost => {}
            }
            match prospects.choose(position, policy) {
                Some(mv) => mv,
                None => break PlayoutEnd::Escaped,
            }
        } else {
            match answers.of(opponent, position) {
                Some(mv) => mv,
                None => break PlayoutEnd::Turned,
            }
        };
        game.apply(Decision::play(mv), Duration::ZERO);
        plies += 1;
    };
    PlayoutOutcome { end, plies }
}
