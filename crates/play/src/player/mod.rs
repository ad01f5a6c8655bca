//! Players, and the loop that lets them move in turn.

pub mod engine;
pub mod usi;

use crate::ending::GameOver;
use crate::game::{Decision, Game};
use std::time::Duration;
use yomikiri_base::StopToken;
use yomikiri_shogi::Color;

pub use engine::EnginePlayer;
pub use usi::{Timeouts, UsiPlayer};

/// A decision and the time that it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedDecision {
    /// What was decided.
    pub decision: Decision,
    /// How long it took.
    pub elapsed: Duration,
}

/// A player of one side. A person, or anything else, joins through a callback: every
/// `FnMut(&Game) -> TimedDecision` is a player.
pub trait Player {
    /// Decides in the position of the game, in which it is to move.
    fn decide(&mut self, game: &Game) -> TimedDecision;

    /// Called when the game is over; it had this side.
    fn game_over(&mut self, _game: &Game, _side: Color) {}
}

impl<F: FnMut(&Game) -> TimedDecision> Player for F {
    fn decide(&mut self, game: &Game) -> TimedDecision {
        self(game)
    }
}

/// The game was given up because somebody asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

/// Plays a game to its end, black being the first player. Returns how it ended.
///
/// # Errors
/// If `stop` was set meanwhile; the players then do not receive an end.
pub fn play(
    game: &mut Game,
    players: [&mut dyn Player; 2],
    stop: &StopToken,
) -> Result<GameOver, Interrupted> {
    let over = loop {
        if stop.is_stopped() {
            return Err(Interrupted);
        }
        if let Some(over) = game.over() {
            break over.clone();
        }
        let side = game.position().side_to_move();
        let TimedDecision { decision, elapsed } = players[side.index()].decide(game);
        game.apply(decision, elapsed);
    };
    for (player, side) in players.into_iter().zip(Color::ALL) {
        player.game_over(game, side);
    }
    Ok(over)
}
