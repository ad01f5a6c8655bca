//! A whole contest: plays what is missing in a folder, stops by a test or when asked to, and makes
//! the tables. Parts of it can be played apart and merged.

mod merge;
mod settings;
pub mod text;

pub use merge::merge;

use crate::record::GameRecord;
use crate::runner::{Match, MatchError};
use crate::schedule::{Fixture, Format, schedule};
use crate::sprt::{Sprt, Verdict};
use crate::standings::{OrderedTest, Standings};
use crate::store::{Manifest, Store, StoreError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use yomikiri_base::{Provenance, Shard, StopToken};
use yomikiri_engine::settings::declared::SetError;

/// Why a contest cannot be played or merged.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The folder cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The games cannot go on.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// An option of this program that does not exist, or does not take the value.
    #[error("{player}: {reason}")]
    Option {
        /// Whose option.
        player: String,
        /// What is wrong.
        reason: SetError,
    },
    /// The weights of a player cannot be read.
    #[error("{}: {reason}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: std::io::Error,
    },
    /// A sequential test looks at the games in their order: it needs them all.
    #[error("a sequential test cannot be shared: play it whole")]
    SharedTest,
    /// A game that none of the parts has.
    #[error("game {0} is in none of the parts: play them to their end first")]
    Missing(usize),
    /// Nothing to merge.
    #[error("there is nothing to merge")]
    NoParts,
}

/// A contest that is ready to be played.
pub struct Contest {
    /// Players, openings, rules.
    pub setting: Match,
    /// Who meets whom.
    pub format: Format,
    /// Pairs of games that any two players who meet play.
    pub rounds: usize,
    /// Shuffles the openings.
    pub seed: u64,
    /// A test that ends it early.
    pub sprt: Option<Sprt>,
    /// Whether each game is written as CSA and KIF too.
    pub records: bool,
    /// Which pairs are played here.
    pub shard: Shard,
    /// Who plays it.
    pub provenance: Provenance,
}

/// What has come of a contest.
pub struct Outcome {
    /// The table: of all games, or of those that the test's verdict is based on.
    pub standings: Standings,
    /// The test, if there is one.
    pub test: Option<OrderedTest>,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
}

/// Hears how a contest goes on.
pub trait Watch: Send {
    /// It begins: so many games were finished before, so many are to be played.
    fn begins(&mut self, finished: usize, missing: usize);
    /// A game has ended.
    fn game(&mut self, standings: &Standings, test: Option<&OrderedTest>);
}

struct State<'a> {
    store: Store,
    standings: Standings,
    test: Option<OrderedTest>,
    watch: &'a mut dyn Watch,
    failure: Option<StoreError>,
}

impl Contest {
    fn names(&self) -> Vec<String> {
        self.setting.players.iter().map(|player| player.name.clone()).collect()
    }

    /// All games of the contest, those of other parts too.
    pub fn fixtures(&self) -> Vec<Fixture> {
        let players = self.setting.players.len();
        schedule(self.format, players, self.rounds, self.setting.openings.len(), self.seed)
    }

    /// Plays what is missing in the folder, and writes the tables into it. The same contest goes
    /// on where it was; another one's folder is refused.
    ///
    /// # Errors
    /// See [`ContestError`].
    pub fn play(
        &self,
        folder: &Path,
        stop: &StopToken,
        watch: &mut dyn Watch,
    ) -> Result<Outcome, ContestError> {
        if self.sprt.is_some() && !self.shard.is_whole() {
            return Err(ContestError::SharedTest);
        }
        let fixtures = self.fixtures();
        let (store, done) = Store::open(folder, &self.manifest(fixtures.len())?)?;
        let names = self.names();
        let mut test = self.sprt.map(|sprt| OrderedTest::new(sprt, &names[0]));
        if let Some(test) = &mut test {
            done.iter().for_each(|game| test.add(game));
        }
        let missing = self.missing(&fixtures, &done);
        watch.begins(done.len(), missing.len());
        let standings = Standings::of(&names, &done);
        // The test's verdict stops the games, the caller's token them and all else.
        let games = stop.child();
        let is_decided = decided(&test);
        let state = Mutex::new(State { store, standings, test, watch, failure: None });
        let finished = |game: GameRecord| {
            state.lock().unwrap_or_else(PoisonError::into_inner).finished(&game, &games);
        };
        if !is_decided && !games.is_stopped() {
            self.setting.run(&missing, &finished, &games)?;
        }
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.failure {
            Some(failure) => Err(failure.into()),
            None => self.close(state.store, fixtures.len(), state.test, stop.is_stopped()),
        }
    }

    fn manifest(&self, games: usize) -> Result<Manifest, ContestError> {
        Ok(Manifest {
            identity: self.identity()?,
            players: self.names(),
            games,
            shard: self.shard.to_string(),
            records: self.records,
            provenance: self.provenance.clone(),
        })
    }

    /// The games of this part that are not finished. The games of a pair stay together.
    fn missing(&self, fixtures: &[Fixture], done: &[GameRecord]) -> Vec<Fixture> {
        let numbers: std::collections::HashSet<usize> =
            done.iter().map(|game| game.number).collect();
        let open = |game: &Fixture| {
            self.shard.contains(game.number / 2) && !numbers.contains(&game.number)
        };
        fixtures.iter().copied().filter(open).collect()
    }

    /// The table from what is saved. With a verdict, games that were under way when it fell do
    /// not count, so that the table does not depend on how many there were.
    fn close(
        &self,
        store: Store,
        games: usize,
        test: Option<OrderedTest>,
        interrupted: bool,
    ) -> Result<Outcome, ContestError> {
        let counted = match &test {
            Some(test) if test.verdict() != Verdict::Continue => 2 * test.pairs_used(),
            _ => games,
        };
        let standings = write_results(store, &self.names(), counted, test.as_ref())?;
        Ok(Outcome { standings, test, interrupted })
    }
}

/// Writes the tables of the first games of a folder; returns what they are made of.
fn write_results(
    store: Store,
    names: &[String],
    counted: usize,
    test: Option<&OrderedTest>,
) -> Result<Standings, StoreError> {
    let games = store.games()?;
    let standings = Standings::of(names, games.iter().filter(|game| game.number < counted));
    let table =
        text::ratings_table(&standings, false) + &text::two_player_summary(&standings, test);
    store.close(&[("table.txt", table), ("times.txt", text::times_table(&standings))])?;
    Ok(standings)
}

impl State<'_> {
    fn finished(&mut self, game: &GameRecord, stop: &StopToken) {
        if let Err(error) = self.store.save(game) {
            self.failure.get_or_insert(error);
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
        self.watch.game(&self.standings, self.test.as_ref());
    }
}

fn decided(test: &Option<OrderedTest>) -> bool {
    test.as_ref().is_some_and(|test| test.verdict() != Verdict::Continue)
}
