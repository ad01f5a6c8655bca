//! A whole contest: plays what is missing in a folder, stops by a test or when asked to, and makes
//! the tables. Parts of it can be played apart and merged.

pub mod live;
pub mod plan;
mod referee;
mod settings;
pub mod text;

pub use plan::{ContestPlan, PlanError};

use crate::affinity::stay_on_one_core;
use crate::runner::{Match, MatchError};
use crate::schedule::{Fixture, TournamentFormat, schedule};
use crate::sprt::{Sprt, SprtVerdict};
use crate::standings::{OrderedTest, Standings};
use crate::store::{self, LOG, MatchManifest, MatchStore, STAGE, StoreError};
use referee::Referee;
use std::path::{Path, PathBuf};
use yomikiri_base::stages::{StageError, StageUnits, UnitFailure, UnitKeys, unit_value};
use yomikiri_base::{LocalStages, Provenance, Shard, Stages, StopToken};
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
    /// Nobody received the games: there is no store.
    #[error("the contest was not begun")]
    NotBegun,
    /// The games are not played any further from here.
    #[error(transparent)]
    Stage(UnitFailure),
}

impl From<StageError> for ContestError {
    fn from(error: StageError) -> ContestError {
        let failure = match error {
            StageError::Log(error) => return ContestError::Store(error.into()),
            StageError::Unit(failure) => failure,
            other => return ContestError::Stage(Box::new(other)),
        };
        let failure = match failure.downcast::<MatchError>() {
            Ok(error) => return ContestError::Match(*error),
            Err(failure) => failure,
        };
        match failure.downcast::<StoreError>() {
            Ok(error) => ContestError::Store(*error),
            Err(failure) => ContestError::Stage(failure),
        }
    }
}

/// A contest that is ready to be played.
pub struct Contest {
    /// Players, openings, rules.
    pub setting: Match,
    /// Who meets whom.
    pub format: TournamentFormat,
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
pub struct ContestOutcome {
    /// The table: of all games, or of those that the test's verdict is based on.
    pub standings: Standings,
    /// The test, if there is one.
    pub test: Option<OrderedTest>,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
    /// Whether all games are played, or the test has decided.
    pub complete: bool,
}

/// Receives how a contest goes on.
pub trait Watch: Send {
    /// It begins: this many games were finished before, this many are to be played.
    fn begins(&mut self, finished: usize, missing: usize);
    /// A game has ended.
    fn game(&mut self, standings: &Standings, test: Option<&OrderedTest>);
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
    ) -> Result<ContestOutcome, ContestError> {
        let mut stages = LocalStages::new(self.setting.concurrency, self.provenance.clone());
        stages.shard = self.shard;
        stages.stop = stop.clone();
        if self.setting.affinity {
            stages.on_thread = stay_on_one_core;
        }
        self.run(&mut stages, folder, watch)
    }

    /// The same; `stages` sees to it that the games are played.
    ///
    /// # Errors
    /// See [`ContestError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        folder: &Path,
        watch: &mut dyn Watch,
    ) -> Result<ContestOutcome, ContestError> {
        if self.sprt.is_some() && !self.shard.is_whole() {
            return Err(ContestError::SharedTest);
        }
        let fixtures = self.fixtures();
        let manifest = self.manifest(fixtures.len())?;
        if stages.writes() {
            store::convert(folder, &manifest)?;
        }
        stages.begin(&folder.join(LOG), &manifest.identity)?;
        // The test's verdict stops the games, the caller's token them and all else.
        let games = stages.stop().child();
        let referee = Referee::new(self, folder, &manifest, &games, watch);
        let seats = self.setting.seats();
        let work = |at: usize| match seats.game(&fixtures[at], &games)? {
            Some(game) => unit_value(&game.to_string()),
            None => Ok(None),
        };
        let keys = UnitKeys::Numbers(fixtures.len());
        // The games of a pair stay together.
        let units = StageUnits { name: STAGE, keys, group: 2, work: &work, watch: &referee };
        stages.stage(&units)?;
        drop(seats);
        let (store, test) = referee.close();
        let interrupted = stages.stop().is_stopped();
        let Some(store) = store else { return Err(ContestError::NotBegun) };
        self.close(store, fixtures.len(), test, interrupted)
    }

    fn manifest(&self, games: usize) -> Result<MatchManifest, ContestError> {
        Ok(MatchManifest {
            identity: self.identity()?,
            players: self.names(),
            games,
            shard: self.shard.to_string(),
            records: self.records,
            provenance: self.provenance.clone(),
        })
    }

    /// The table from what is saved. With a verdict, games that were under way when it fell do
    /// not count, so that the table does not depend on how many there were.
    fn close(
        &self,
        store: MatchStore,
        games: usize,
        test: Option<OrderedTest>,
        interrupted: bool,
    ) -> Result<ContestOutcome, ContestError> {
        let counted = match &test {
            Some(test) if test.verdict() != SprtVerdict::Continue => 2 * test.pairs_used(),
            _ => games,
        };
        let played = store.games().iter().filter(|game| game.number < games).count();
        let complete = played == games || decided(&test);
        let standings = write_results(store, &self.names(), counted, test.as_ref())?;
        Ok(ContestOutcome { standings, test, interrupted, complete })
    }
}

/// Writes the tables of the first games of a folder; returns what they are made of.
fn write_results(
    store: MatchStore,
    names: &[String],
    counted: usize,
    test: Option<&OrderedTest>,
) -> Result<Standings, StoreError> {
    let mut games = store.games().to_vec();
    games.sort_by_key(|game| game.number);
    let standings = Standings::of(names, games.iter().filter(|game| game.number < counted));
    let table =
        text::ratings_table(&standings, false) + &text::two_player_summary(&standings, test);
    store.close(&[("table.txt", table), ("times.txt", text::times_table(&standings))])?;
    Ok(standings)
}

fn decided(test: &Option<OrderedTest>) -> bool {
    test.as_ref().is_some_and(|test| test.verdict() != SprtVerdict::Continue)
}
