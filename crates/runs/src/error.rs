//! Why a run cannot be made, done or merged.

use std::path::PathBuf;
use yomikiri_arena::contest::{ContestError, PlanError};
use yomikiri_arena::store::StoreError;
use yomikiri_base::UnitLogError;
use yomikiri_base::stages::{StageError, UnitFailure};
use yomikiri_lab::LabError;
use yomikiri_learn::positions::RunError;
use yomikiri_usi::client::ClientError;

/// Why a run cannot be made, done or merged.
#[derive(Debug, thiserror::Error)]
pub enum RunsError {
    /// A text that is no plan.
    #[error("this is no plan: {0}")]
    NoPlan(serde_json::Error),
    /// A plan of another version of the format.
    #[error("the plan is of version {0}, and this program knows version 1")]
    Version(u64),
    /// A plan with a value that cannot be.
    #[error("{0}")]
    Wrong(String),
    /// A file.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// A game that the engine does not analyse.
    #[error("{name}: {error}")]
    Game {
        /// Which.
        name: String,
        /// What is wrong with the engine.
        error: ClientError,
    },
    /// Nothing to merge.
    #[error("there is nothing to merge")]
    NoParts,
    /// A folder that is no part of a run.
    #[error("{} holds no {}: it is no part of a run, or of an older version", .0.display(), crate::PLAN_FILE)]
    NoPlanFile(PathBuf),
    /// A folder of several experiments.
    #[error("{} holds several experiments: merge folders of one each", .0.display())]
    SeveralPlans(PathBuf),
    /// A folder with no log, or several.
    #[error("{} holds {count} logs, and one is wanted", folder.display())]
    Logs {
        /// Which.
        folder: PathBuf,
        /// How many.
        count: usize,
    },
    /// A unit that none of the parts has.
    #[error("units are in none of the parts: do them to their end first")]
    Hole,
    /// A plan that makes no contest.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A contest.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// An experiment.
    #[error(transparent)]
    Lab(LabError),
    /// Training positions.
    #[error(transparent)]
    Positions(RunError),
    /// Whatever another kind of run says.
    #[error(transparent)]
    Other(UnitFailure),
    /// The units.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// The logs of parts.
    #[error(transparent)]
    Log(#[from] UnitLogError),
}

impl RunsError {
    /// Whether a folder belongs to another run.
    #[must_use]
    pub fn is_other_run(&self) -> bool {
        matches!(
            self,
            RunsError::Log(UnitLogError::OtherRun { .. })
                | RunsError::Stage(StageError::Log(UnitLogError::OtherRun { .. }))
                | RunsError::Contest(ContestError::Store(StoreError::OtherMatch { .. }))
        )
    }
}

impl From<LabError> for RunsError {
    fn from(error: LabError) -> RunsError {
        match error {
            LabError::Interrupted { stage, done, total } => {
                RunsError::Stage(StageError::Incomplete { stage, done, total })
            }
            LabError::Ended => RunsError::Stage(StageError::Ended),
            error => RunsError::Lab(error),
        }
    }
}

impl From<RunError> for RunsError {
    fn from(error: RunError) -> RunsError {
        match error {
            RunError::Stage(error) => RunsError::Stage(error),
            error => RunsError::Positions(error),
        }
    }
}

/// Whatever a crate below says.
pub(crate) fn other(error: impl std::error::Error + Send + Sync + 'static) -> RunsError {
    RunsError::Other(Box::new(error))
}

/// What the system says about a file.
pub(crate) fn file_error(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> RunsError {
    let path = path.into();
    move |error| RunsError::File { path, error }
}
