//! The engine of this program as a player.

use super::{Player, TimedDecision};
use crate::game::{Decision, Game, MoveInfo};
use yomikiri_base::Clock;
use yomikiri_engine::{Engine, Limits, SearchOutcome};

/// An engine in this process. It thinks on the caller's thread, which must have a deep stack.
pub struct EnginePlayer<'a> {
    /// The engine.
    pub engine: &'a mut Engine,
    /// What it may spend on a move; the clocks are those of the game.
    pub limits: Limits,
    /// Where it reads the time.
    pub clock: Clock,
}

impl Player for EnginePlayer<'_> {
    fn decide(&mut self, game: &Game) -> TimedDecision {
        let side = game.position().side_to_move();
        let mut limits = self.limits.clone();
        limits.clocks = game.clock().and_then(|clock| clock.for_engine(side)).or(limits.clocks);
        let watch = self.clock.stopwatch();
        let thought = self.engine.think(game.position(), &limits, &mut |_: &_| {});
        TimedDecision { decision: decision(&thought), elapsed: watch.elapsed() }
    }
}

/// What a thought of the engine decides.
pub fn decision(thought: &SearchOutcome) -> Decision {
    match thought.best {
        _ if thought.declares => Decision::Declare,
        None => Decision::Resign,
        Some(mv) => {
            Decision::Move(mv, MoveInfo { score: Some(thought.value), nodes: Some(thought.nodes) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EnginePlayer;
    use crate::player::{TimedDecision, play};
    use crate::{Decision, Game, Rules};
    use std::time::Duration;
    use yomikiri_base::{Clock, StopToken};
    use yomikiri_engine::{Engine, Limits, Settings};
    use yomikiri_shogi::{Color, Position};

    #[test]
    fn the_engine_mates_somebody_who_plays_any_move() {
        let mut engine = Engine::new(Settings::with_hash(1)).unwrap();
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let clock = Clock::system();
        let mut player = EnginePlayer { engine: &mut engine, limits, clock };
        let mut anybody = |game: &Game| {
            let decision = Decision::play(game.position().legal_moves()[0]);
            TimedDecision { decision, elapsed: Duration::ZERO }
        };
        let start = Position::from_sfen("3gkg3/9/4P4/9/9/9/9/9/4K4 b 2R2G 1").expect("a position");
        let mut game = Game::new(start, &[], Rules::default());
        play(&mut game, [&mut player, &mut anybody], &StopToken::new()).expect("nobody stops it");
        assert_eq!(game.winner(), Some(Color::Black), "{:?}", game.over());
        assert!(game.plies()[0].info.nodes.is_some_and(|nodes| nodes > 0));
    }
}
