//! One way to run every learner: from a plan, with checkpoints, to a file and its lineage. The
//! result is that of an unbroken run for any number of threads.

use crate::checkpoint::CheckpointError;
use crate::config::LinearConfigError;
use crate::dataset::{Dataset, DatasetError, TrainingGame};
use crate::mining::PatternError;
use crate::network;
use core::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use yomikiri_base::abort::Checkpoints;
use yomikiri_base::packed::UnpackLimits;
use yomikiri_base::stages::StageError;
use yomikiri_base::{Identity, Stages};
use yomikiri_engine::eval::linear::WeightsError;

/// Between two checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// This many checkpoints are saved in any case, at equal distances.
const MILESTONES: usize = 8;

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// The games.
    #[error(transparent)]
    Games(#[from] DatasetError),
    /// No game is left.
    #[error("no games to learn from: {0}")]
    NoGames(&'static str),
    /// The same for a comparison.
    #[error("no games to compare with")]
    NothingToCompare,
    /// No file of positions.
    #[error("no files to learn from: name them with --data or in the config")]
    NoData,
    /// A part of the games that is none.
    #[error("'{0}' is no part of games, as 1/2 is")]
    Part(String),
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// Weights to begin with that are none.
    #[error("{}: {error}", path.display())]
    Weights {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        error: WeightsError,
    },
    /// Constants that make no sense.
    #[error("config: {0}")]
    Config(#[from] LinearConfigError),
    /// Patterns that are none.
    #[error("{}: {error}", path.display())]
    Patterns {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: PatternError,
    },
    /// The checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A network.
    #[error(transparent)]
    Network(#[from] network::TrainError),
    /// Results of workers elsewhere do not come.
    #[error(transparent)]
    Elsewhere(#[from] StageError),
    /// A learner that is done whole by its owner.
    #[error("this learner has no units for workers")]
    NoUnits,
    /// What was learned cannot be written down.
    #[error("what was learned cannot be packed: {0}")]
    Pack(Box<dyn std::error::Error + Send + Sync>),
}

/// How far a learner is.
#[derive(Clone, PartialEq, Debug)]
pub struct LearnerProgress {
    /// Steps done.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
    /// The rest in words.
    pub text: String,
    /// What was measured after this step, in words, where something was.
    pub measured: Option<String>,
}

/// Who watches a learner, and where it saves itself.
pub struct LearnerHost<'a> {
    /// Where it goes on from, and saves itself now and then.
    pub checkpoint: Option<&'a Path>,
    /// Threads.
    pub threads: usize,
    /// What the program was built from, for the lineage.
    pub commit: &'a str,
    /// Receives each step, and may break off.
    pub on_step: &'a mut dyn FnMut(&LearnerProgress) -> ControlFlow<()>,
    /// Gives the units of each step to workers elsewhere, where there are any.
    pub elsewhere: Option<&'a mut dyn Stages>,
}

/// What a run has come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Learned {
    /// The file.
    pub bytes: Vec<u8>,
    /// Its lineage, where the file itself does not hold it.
    pub lineage: Option<Vec<u8>>,
    /// Whether all steps are done.
    pub finished: bool,
    /// What came of it in words, a line or more.
    pub text: String,
}

/// A learner whose data is read.
pub trait Learner {
    /// What is odd about the data, in words.
    fn notes(&self) -> Vec<String>;

    /// What makes the run the one it is: constants and data.
    fn identity(&self) -> Identity;

    /// Learns until all steps are done or the driver breaks off.
    ///
    /// # Errors
    /// If the checkpoint is of another run or cannot be written, or data cannot be read.
    fn run(&self, driver: LearnerHost<'_>) -> Result<Learned, LearnError>;

    /// Does units of steps for an owner elsewhere until no more are wanted.
    ///
    /// # Errors
    /// At its end, which is the error that it returns, and before if there is no data.
    fn serve(&self, stages: &mut dyn Stages) -> Result<(), LearnError> {
        Ok(stages.serve(&mut |_| Err(LearnError::NoUnits.into()))?)
    }
}

/// A plan of something to be learned.
pub trait LearnPlan {
    /// The name of what is learned, in the folder of a run.
    fn file(&self) -> &'static str;

    /// Reads everything.
    ///
    /// # Errors
    /// See [`LearnError`].
    fn load(&self, input: UnpackLimits) -> Result<Box<dyn Learner>, LearnError>;
}

/// Saves a learner now and then.
pub(crate) struct Saver<'a> {
    path: Option<&'a Path>,
    saved: Instant,
    milestone: Option<usize>,
    checkpoints: Checkpoints,
    failure: Option<CheckpointError>,
}

impl<'a> Saver<'a> {
    pub(crate) fn new(path: Option<&'a Path>) -> Saver<'a> {
        let (saved, checkpoints) = (Instant::now(), Checkpoints::begin());
        Saver { path, saved, milestone: None, checkpoints, failure: None }
    }

    /// Reports a step to the driver, and saves what `save` saves where it is time to. Says whether
    /// to go on.
    pub(crate) fn after(
        &mut self,
        step: &LearnerProgress,
        on_step: &mut dyn FnMut(&LearnerProgress) -> ControlFlow<()>,
        save: impl FnOnce(&Path) -> Result<(), CheckpointError>,
    ) -> ControlFlow<()> {
        let flow = on_step(step);
        let Some(path) = self.path else { return flow };
        let milestone = step.done * MILESTONES / step.total.max(1);
        let passed = self.milestone.replace(milestone).is_some_and(|before| before < milestone);
        let ends = flow.is_break() || step.done == step.total;
        if ends || passed || self.saved.elapsed() >= SAVE_EVERY {
            self.saved = Instant::now();
            self.failure = self.checkpoints.save(|| save(path)).err();
        }
        if self.failure.is_some() { ControlFlow::Break(()) } else { flow }
    }

    /// Why it could not be saved, if so.
    pub(crate) fn finish(self) -> Result<(), CheckpointError> {
        self.failure.map_or(Ok(()), Err)
    }
}

impl Dataset {
    /// The games of some files, or those in the program where there are none.
    ///
    /// # Errors
    /// If a file cannot be read or holds no game.
    pub fn read_or_carried(
        files: &[PathBuf],
        input: UnpackLimits,
    ) -> Result<Dataset, DatasetError> {
        match files.is_empty() {
            true => Dataset::carried(input),
            false => Dataset::read(files, input),
        }
    }

    /// The games to learn from, this many at most: those of the test set are left out.
    ///
    /// # Errors
    /// If none is left.
    pub fn to_learn(&self, limit: Option<usize>) -> Result<Vec<&TrainingGame>, LearnError> {
        let (mut games, _) = self.split();
        games.truncate(limit.unwrap_or(usize::MAX));
        match games.is_empty() {
            true => Err(LearnError::NoGames("all of them belong to the test set")),
            false => Ok(games),
        }
    }

    /// The games to compare with, this many at most: all, or those of the test set.
    ///
    /// # Errors
    /// If there is none.
    pub fn to_compare(
        &self,
        limit: Option<usize>,
        test: bool,
    ) -> Result<Vec<&TrainingGame>, LearnError> {
        let games = self.games.iter().filter(|game| !test || game.is_test());
        let games: Vec<&TrainingGame> = games.take(limit.unwrap_or(usize::MAX)).collect();
        match games.is_empty() {
            true => Err(LearnError::NothingToCompare),
            false => Ok(games),
        }
    }
}

/// The bytes of a file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, LearnError> {
    std::fs::read(path).map_err(|error| LearnError::File { path: path.to_path_buf(), error })
}
/// How many batches are done.
pub(crate) fn of_batches(done: usize, total: usize) -> String {
    format!("{done} of {total} {}", if total == 1 { "batch" } else { "batches" })
}
