//! A USI engine in a process of its own as a player.

use super::{Player, TimedDecision};
use crate::ending::End;
use crate::game::{Decision, Game, MoveInfo};
use crate::time_control::TimeControl;
use std::fmt::Write;
use std::time::{Duration, Instant};
use yomikiri_shogi::Color;
use yomikiri_usi::client::{Client, ClientError, Searched};
use yomikiri_usi::{BestMove, Command, GameOverResult, Setup, Start, UsiValue};

/// How long to wait for an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timeouts {
    /// A move may come this much later than its limit.
    pub margin: Duration,
    /// For a move without a time limit.
    pub unlimited: Duration,
    /// For the answer to `stop`.
    pub stop: Duration,
    /// For a word during the introduction and after `isready`.
    pub start: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            margin: Duration::from_millis(200),
            unlimited: Duration::from_secs(120),
            stop: Duration::from_secs(3),
            start: Duration::from_secs(60),
        }
    }
}

/// A running engine at the board. It must be ready for a new game.
pub struct UsiPlayer<'a> {
    client: &'a mut Client,
    control: TimeControl,
    timeouts: Timeouts,
    /// What follows `position` in USI, and how many moves are in it.
    text: String,
    written: usize,
    broken: bool,
}

impl<'a> UsiPlayer<'a> {
    /// A player of a game that begins there.
    pub fn new(
        client: &'a mut Client,
        control: TimeControl,
        timeouts: Timeouts,
        start: &Start,
    ) -> UsiPlayer<'a> {
        let text = Setup { start: start.clone(), moves: Vec::new() }.to_string();
        UsiPlayer { client, control, timeouts, text, written: 0, broken: false }
    }

    /// Whether the engine must be started anew.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    fn write_moves(&mut self, game: &Game) {
        for ply in &game.plies()[self.written..] {
            if self.written == 0 {
                self.text.push_str(" moves");
            }
            // Writing to a string cannot fail.
            let _ = write!(self.text, " {}", ply.mv);
            self.written += 1;
        }
    }

    /// The answer is late. An engine that still answers to `stop` can go on.
    fn overdue(&mut self, had_limit: bool, asked: Instant) -> Decision {
        let waited = asked.elapsed();
        if self.client.send(&Command::Stop).is_ok() {
            match self.client.answer(Instant::now(), self.timeouts.stop) {
                Ok(_) if had_limit => {
                    let note = format!("no answer after {} ms", waited.as_millis());
                    return Decision::Forfeit(End::Time, note);
                }
                Ok(_) => return Decision::Forfeit(End::Time, "no answer before stop".into()),
                Err(ClientError::Silent { .. }) => {}
                Err(error) => return self.failure(&error),
            }
        }
        self.broken = true;
        let note = format!("silent for {} ms", asked.elapsed().as_millis());
        Decision::Forfeit(End::Silence, note)
    }

    fn failure(&mut self, error: &ClientError) -> Decision {
        let end = match error {
            ClientError::BadAnswer { line } => {
                return Decision::Forfeit(End::Illegal, line.clone());
            }
            ClientError::Silent { .. } => End::Silence,
            // Where it was interrupted, the game is given up and nobody sees its end.
            ClientError::Interrupted | ClientError::Spawn { .. } | ClientError::Exited { .. } => {
                End::Crash
            }
        };
        self.broken = true;
        Decision::Forfeit(end, error.to_string())
    }
}

impl Player for UsiPlayer<'_> {
    fn decide(&mut self, game: &Game) -> TimedDecision {
        self.write_moves(game);
        let left = game.clock().map_or([0; 2], |clock| clock.remaining().map(millis));
        let limit = self.control.limit(game.allowance());
        let timeout = match limit {
            Some(limit) => limit.saturating_add(self.timeouts.margin),
            None => self.timeouts.unlimited,
        };
        let asked = match self.client.ask(&self.text, &self.control.go(left)) {
            Ok(asked) => asked,
            Err(error) => {
                return TimedDecision { decision: self.failure(&error), elapsed: Duration::ZERO };
            }
        };
        match self.client.answer(asked, timeout) {
            Ok(searched) => {
                TimedDecision { decision: decision(&searched), elapsed: searched.elapsed }
            }
            Err(ClientError::Silent { .. }) => {
                let decision = self.overdue(limit.is_some(), asked);
                TimedDecision { decision, elapsed: asked.elapsed() }
            }
            Err(error) => {
                TimedDecision { decision: self.failure(&error), elapsed: asked.elapsed() }
            }
        }
    }

    /// Informs the engine how it ended. One that is gone cannot receive it; the next game will see.
    fn game_over(&mut self, game: &Game, side: Color) {
        if self.broken {
            return;
        }
        let result = match game.winner() {
            None => GameOverResult::Draw,
            Some(winner) if winner == side => GameOverResult::Win,
            Some(_) => GameOverResult::Lose,
        };
        let _ = self.client.send(&Command::GameOver(result));
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn decision(searched: &Searched) -> Decision {
    let info = searched.info.as_ref();
    let score = info.and_then(|info| info.score).map(|score| match score.value {
        UsiValue::Centipawns(score) => score.clamp(-29_999, 29_999),
        UsiValue::Mate(mate) if mate.winning => 30_000,
        UsiValue::Mate(_) => -30_000,
    });
    match searched.best {
        BestMove::Resign => Decision::Resign,
        BestMove::Win => Decision::Declare,
        BestMove::Move { best, .. } => {
            Decision::Move(best, MoveInfo { score, nodes: info.and_then(|info| info.nodes) })
        }
    }
}
