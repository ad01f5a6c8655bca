//! Games between two settings of this program.

use super::{KIND, Objective, PlayPair, Tuning};
use crate::contest::{Contest, ContestError};
use crate::record::GameRecord;
use crate::schedule::Fixture;
use yomikiri_base::{Identity, StopToken};
use yomikiri_shogi::Color;

/// Plays pairs of games at the control of a contest, whose two players differ in nothing but the
/// parameters that are tuned.
pub struct TuningGames {
    contest: Contest,
    names: Vec<String>,
    fixtures: Vec<Fixture>,
    /// Options that both players have beside those.
    common: usize,
}

impl TuningGames {
    /// Of a contest between two equal players, with a round for every pair of the run.
    pub fn new(contest: Contest, tuning: &Tuning) -> TuningGames {
        let names = tuning.tunables.iter().map(|tunable| tunable.name.clone()).collect();
        let common = contest.setting.players.first().map_or(0, |player| player.options.len());
        TuningGames { names, common, fixtures: contest.fixtures(), contest }
    }

    /// What makes a run the one it is: its games, and how they move which parameters.
    ///
    /// # Errors
    /// If an option or a file of weights is not there.
    pub fn identity(&self, tuning: &Tuning) -> Result<Identity, ContestError> {
        let games = self.contest.identity()?;
        let tunables: Vec<_> = tuning
            .tunables
            .iter()
            .map(|one| serde_json::json!([one.name, one.start, one.min, one.max, one.step]))
            .collect();
        let settings = serde_json::json!({
            "games": games.settings,
            "parameters": tunables,
            "steps": tuning.gains.steps,
            "rate": tuning.gains.rate,
            "pairs": tuning.pairs,
        });
        let identity = Identity::new(KIND, 1, settings);
        Ok(Identity { data: games.data, parts: games.parts, seed: tuning.seed, ..identity })
    }
}

/// Games won less games lost by the first player.
fn surplus(game: &GameRecord, first: &str) -> i32 {
    match game.winner {
        None => 0,
        Some(winner) => {
            let name = if winner == Color::Black { &game.black } else { &game.white };
            if name == first { 1 } else { -1 }
        }
    }
}

impl Objective for TuningGames {
    fn step<'a>(&'a mut self, settings: [&[i32]; 2], stop: &'a StopToken) -> Box<PlayPair<'a>> {
        let players = &mut self.contest.setting.players;
        for (player, values) in players.iter_mut().zip(settings) {
            player.options.truncate(self.common);
            let values = values.iter().map(|value| Some(value.to_string()));
            player.options.extend(self.names.iter().cloned().zip(values));
        }
        let first = players.first().map(|player| player.name.clone()).unwrap_or_default();
        let (seats, fixtures) = (self.contest.setting.seats(), &self.fixtures);
        Box::new(move |pair: usize| {
            let mut sum = 0;
            for fixture in fixtures.iter().filter(|fixture| fixture.number / 2 == pair) {
                match seats.game(fixture, stop)? {
                    Some(game) => sum += surplus(&game, &first),
                    None => return Ok(None),
                }
            }
            Ok(Some(sum))
        })
    }
}
