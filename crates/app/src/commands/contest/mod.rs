//! What `match` and `rate` share: reading the settings, playing the games with a live table,
//! saving and resuming.

mod args;
mod cpu;
mod live;
mod text;

pub use args::{ContestArgs, openings_from};
pub use text::{ratings_table, two_player_summary};

use crate::interrupt::stop_on_interrupt;
use live::Live;
use std::path::Path;
use std::sync::Mutex;
use yomikiri_base::StopToken;
use yomikiri_lab::sprt::{Sprt, Verdict};
use yomikiri_lab::tournament::record::Game;
use yomikiri_lab::tournament::runner::Match;
use yomikiri_lab::tournament::schedule::Fixture;
use yomikiri_lab::tournament::standings::{OrderedTest, Standings};
use yomikiri_lab::tournament::store::{self, Store, StoreError};

/// A contest that is ready to be played.
pub struct Contest {
    /// Players, openings, rules.
    pub setting: Match,
    /// All its games.
    pub fixtures: Vec<Fixture>,
    /// The lines that make it the contest it is.
    pub settings_text: String,
    /// A test that ends it early.
    pub sprt: Option<Sprt>,
    /// Whether each game is written as CSA and KIF too.
    pub records: bool,
}

/// What has come of a contest.
pub struct Outcome {
    /// The table: of all games, or of those that the test's verdict is based on.
    pub standings: Standings,
    /// The test, if there is one.
    pub test: Option<OrderedTest>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

struct Progress {
    store: Store,
    standings: Standings,
    test: Option<OrderedTest>,
    live: Live,
    failure: Option<anyhow::Error>,
}

impl Contest {
    fn names(&self) -> Vec<String> {
        self.setting.players.iter().map(|player| player.name.clone()).collect()
    }

    /// Plays what is missing in the folder.
    pub fn play(&self, folder: &Path) -> anyhow::Result<Outcome> {
        let opened = Store::open(folder, &self.settings_text, self.records);
        let (store, done) = opened.map_err(|error| match error {
            StoreError::OtherMatch { .. } => anyhow::anyhow!("{error}; --out names another folder"),
            error => error.into(),
        })?;
        let names = self.names();
        let mut test = self.sprt.map(|sprt| OrderedTest::new(sprt, &names[0]));
        if let Some(test) = &mut test {
            done.iter().for_each(|game| test.add(game));
        }
        let missing = self.missing(&done);
        if !done.is_empty() {
            eprintln!(
                "{}: {} games are finished, {} to play",
                folder.display(),
                done.len(),
                missing.len()
            );
        }
        let live = Live::new(done.len(), done.len() + missing.len());
        let standings = Standings::of(&names, &done);
        let interrupted = stop_on_interrupt("stopping; the same command goes on from here")?;
        // The test's verdict stops the games, Ctrl-C them and all else.
        let stop = interrupted.child();
        if decided(&test) {
            stop.stop();
        }
        let progress = Mutex::new(Progress { store, standings, test, live, failure: None });
        let finished = |game: Game| {
            let mut progress = progress.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            progress.finished(&game, &stop);
        };
        if !stop.is_stopped() {
            self.setting.run(&missing, &finished, &stop)?;
        }
        let progress = progress.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        progress.live.done();
        match progress.failure {
            Some(failure) => Err(failure),
            None => self.outcome(folder, progress.test, interrupted.is_stopped()),
        }
    }

    fn missing(&self, done: &[Game]) -> Vec<Fixture> {
        let numbers: std::collections::HashSet<usize> =
            done.iter().map(|game| game.number).collect();
        self.fixtures.iter().copied().filter(|game| !numbers.contains(&game.number)).collect()
    }

    /// The table from what is saved. With a verdict, games that were under way when it fell do
    /// not count, so that the table does not depend on how many there were.
    fn outcome(
        &self,
        folder: &Path,
        test: Option<OrderedTest>,
        interrupted: bool,
    ) -> anyhow::Result<Outcome> {
        let games = store::read(folder)?;
        let counted = match &test {
            Some(test) if test.verdict() != Verdict::Continue => 2 * test.pairs_used(),
            _ => self.fixtures.len(),
        };
        let standings =
            Standings::of(&self.names(), games.iter().filter(|game| game.number < counted));
        Ok(Outcome { standings, test, interrupted })
    }
}

impl Progress {
    fn finished(&mut self, game: &Game, stop: &StopToken) {
        if let Err(error) = self.store.save(game) {
            self.failure.get_or_insert(error.into());
            stop.stop();
            return;
        }
        self.standings.add(game);
        if let Some(test) = &mut self.test {
            test.add(game);
        }
        if decided(&self.test) {
            stop.stop();
        }
        self.live.show(&self.standings, self.test.as_ref());
    }
}

fn decided(test: &Option<OrderedTest>) -> bool {
    test.as_ref().is_some_and(|test| test.verdict() != Verdict::Continue)
}

/// Prints how much of the processors' time the runner took, where the system tells.
pub fn report_cpu() {
    if let Some(times) = cpu::times() {
        eprintln!("{times}");
    }
}
