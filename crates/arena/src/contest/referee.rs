//! What is done with each finished game: its files, the table, the test, and who watches.

use super::{Contest, Watch, decided};
use crate::record::{GameRecord, GameRecordError};
use crate::standings::{OrderedTest, Standings};
use crate::store::{MatchManifest, MatchStore};
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use yomikiri_base::stages::{StageWatch, UnitFailure};
use yomikiri_base::{StopToken, UnitLogError};

/// Receives the games of a contest.
pub(super) struct Referee<'a> {
    folder: &'a Path,
    manifest: &'a MatchManifest,
    /// Stops the games under way.
    games: &'a StopToken,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    store: Option<MatchStore>,
    standings: Standings,
    test: Option<OrderedTest>,
    watch: &'a mut dyn Watch,
}

impl<'a> Referee<'a> {
    pub(super) fn new(
        contest: &Contest,
        folder: &'a Path,
        manifest: &'a MatchManifest,
        games: &'a StopToken,
        watch: &'a mut dyn Watch,
    ) -> Referee<'a> {
        let names = &manifest.players;
        let test = contest.sprt.map(|sprt| OrderedTest::new(sprt, &names[0]));
        let standings = Standings::of(names, &[]);
        let state = Mutex::new(State { store: None, standings, test, watch });
        Referee { folder, manifest, games, state }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What it has at the end; no store where it received nothing.
    pub(super) fn close(self) -> (Option<MatchStore>, Option<OrderedTest>) {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        (state.store, state.test)
    }

    /// Whether games are still wanted; where not, those under way are left.
    fn go_on(&self, test: &Option<OrderedTest>) -> ControlFlow<()> {
        if !decided(test) {
            return ControlFlow::Continue(());
        }
        self.games.stop();
        ControlFlow::Break(())
    }
}

/// A game from a line of the log.
fn game(value: &Value) -> Result<GameRecord, UnitFailure> {
    let wrong = |reason: String| UnitLogError::Value(reason);
    let line = value.as_str().ok_or_else(|| wrong("a game is no text".into()))?;
    Ok(line.parse().map_err(|error: GameRecordError| wrong(error.to_string()))?)
}

impl StageWatch for Referee<'_> {
    fn begins(
        &self,
        done: &[(usize, Value)],
        missing: usize,
    ) -> Result<ControlFlow<()>, UnitFailure> {
        let done: Vec<GameRecord> =
            done.iter().map(|(_, value)| game(value)).collect::<Result<_, _>>()?;
        let mut state = self.lock();
        state.watch.begins(done.len(), missing);
        state.standings = Standings::of(&self.manifest.players, &done);
        if let Some(test) = &mut state.test {
            done.iter().for_each(|game| test.add(game));
        }
        state.store = Some(MatchStore::beside_log(self.folder, self.manifest, done)?);
        Ok(self.go_on(&state.test))
    }

    fn finished(&self, _at: usize, value: &Value) -> Result<ControlFlow<()>, UnitFailure> {
        let game = game(value)?;
        let mut state = self.lock();
        if let Some(store) = &mut state.store {
            store.save(&game)?;
        }
        let State { standings, test, watch, .. } = &mut *state;
        standings.add(&game);
        if let Some(test) = test {
            test.add(&game);
        }
        watch.game(standings, test.as_ref());
        Ok(self.go_on(&state.test))
    }
}
