//! A lost position played to its end: mated, or the mate was missed.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_play::{Decision, Game, Rules};
use yomikiri_shogi::{Move, Position};

use super::opponents::Opponent;
use super::policies::{Policy, Prospect, ProspectCache};

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
pub struct PlayoutOutcome {
    /// The end.
    pub end: End,
    /// Plies played until then.
    pub plies: u32,
}

impl PlayoutOutcome {
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
    prospects: &mut ProspectCache<'_>,
    answers: &mut Answers,
    most: u32,
) -> PlayoutOutcome {
    let loser = start.side_to_move();
    let mut game = Game::new(start.clone(), &[], Rules::mate_only());
    let mut plies = 0;
    let end = loop {
        let side = match game.turn() {
            _ if plies % 2 == 0 && plies >= most => break End::Lasted,
            None if game.winner() == Some(loser) => break End::Turned,
            None => break End::Mated,
            Some(side) => side,
        };
        let position = game.position();
        let mv = if side == loser {
            match &*prospects.prospect(position) {
                Prospect::Over => break End::Mated,
                Prospect::Winning => break End::Turned,
                Prospect::Free => break End::Escaped,
                Prospect::Mated(_) | Prospect::Checks(_) | Prospect::Lost => {}
            }
            match prospects.choose(position, policy) {
                Some(mv) => mv,
                None => break End::Escaped,
            }
        } else {
            match answers.of(opponent, position) {
                Some(mv) => mv,
                None => break End::Turned,
            }
        };
        game.apply(Decision::play(mv), Duration::ZERO);
        plies += 1;
    };
    PlayoutOutcome { end, plies }
}
