//! A game as it is kept while nobody plays it.

use super::{Ply, SessionGame, Terms};
use crate::RestoreError;
use crate::clock::SessionClock;
use crate::protocol::{EndView, Side, SpeculativeView};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use yomikiri_engine::strength::FULL;
use yomikiri_shogi::{Move, Position};

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    level: u8,
    seed: u32,
    user: Side,
    rule: String,
    speculative: bool,
    think: u64,
    start: String,
    plies: Vec<SavedPly>,
    clock: Option<SessionClock>,
    end: Option<EndView>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedPly {
    #[serde(rename = "move")]
    mv: String,
    spent: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    speculative: Option<SpeculativeView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<SessionClock>,
}

impl SessionGame {
    /// The game as it stands at `now`, its clock put aside.
    pub fn save(&self, now: Duration) -> SavedGame {
        let mut paused = self.clone();
        paused.pause(now);
        let plies = paused.plies.into_iter().map(|ply| SavedPly {
            mv: ply.mv.to_string(),
            spent: ply.spent.as_millis() as u64,
            speculative: ply.speculative,
            clock: ply.clock,
        });
        SavedGame {
            level: self.terms.level,
            seed: self.terms.seed,
            user: self.terms.user.into(),
            rule: self.terms.rule.name().to_string(),
            speculative: self.terms.speculative,
            think: self.terms.think.as_millis() as u64,
            start: self.start.to_sfen(),
            plies: plies.collect(),
            clock: paused.clock,
            end: self.end.clone(),
        }
    }

    /// Goes on with a game that was kept; its clock runs from `now` on. What cannot be is refused
    /// with the reason.
    pub fn restore(saved: SavedGame, now: Duration) -> Result<SessionGame, RestoreError> {
        let start = Position::from_sfen(&saved.start)?;
        if !(1..=FULL).contains(&saved.level) {
            return Err(RestoreError::Level(saved.level));
        }
        let terms = Terms {
            level: saved.level,
            seed: saved.seed,
            user: saved.user.into(),
            rule: saved.rule.parse().map_err(|_| RestoreError::Rule(saved.rule))?,
            speculative: saved.speculative,
            think: Duration::from_millis(saved.think.clamp(10, super::LONGEST_THINK.into())),
        };
        let clocks = saved.plies.iter().map(|ply| &ply.clock).chain([&saved.clock]);
        if !clocks.flatten().all(SessionClock::is_sensible) {
            return Err(RestoreError::Clocks);
        }
        let mut position = start.clone();
        let mut plies = Vec::with_capacity(saved.plies.len());
        for ply in saved.plies {
            let mv: Move = ply.mv.parse().map_err(|_| RestoreError::Move(ply.mv))?;
            if !position.is_legal(mv) {
                return Err(RestoreError::Illegal(plies.len() + 1));
            }
            position.play(mv);
            plies.push(Ply {
                mv,
                spent: Duration::from_millis(ply.spent),
                speculative: ply.speculative,
                clock: ply.clock,
            });
        }
        let clock = saved.clock;
        Ok(SessionGame { terms, start, position, plies, clock, since: now, end: saved.end })
    }
}
