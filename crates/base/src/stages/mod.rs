//! How the units of a long run get done: on the threads of this process, or elsewhere by workers
//! that are given their keys.
//!
//! A long run is written once, as a function over [`Stages`]: it opens its log with
//! [`Stages::begin`], hands over each stage with the keys of its units and the work that a unit
//! takes, goes on with the results, and writes its tables at the end. Who calls it decides by the
//! `Stages` that it passes what happens to the units: [`LocalStages`] does all of them or a shard;
//! an [`Owner`] only appends what others did, and a [`UnitWorker`] only does what it is given.

mod bar;
mod local;
mod owner;
mod per_thread;
#[cfg(test)]
mod tests;
mod worker;

pub use bar::StageBar;
pub use local::LocalStages;
pub use owner::{AwaitedUnits, OpenStage, OpenStep, Owner};
pub use per_thread::PerThread;
pub use worker::{UnitWorker, WorkerError};

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::unit_log::{self, Identity, Unit, UnitLogError};
use crate::{Provenance, StopToken};

/// Why a unit failed, whatever kind of run it is of.
pub type UnitFailure = Box<dyn std::error::Error + Send + Sync>;

/// Why a stage was not done.
#[derive(Debug, Error)]
pub enum StageError {
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] UnitLogError),
    /// A unit failed, or the watch of its stage.
    #[error(transparent)]
    Unit(UnitFailure),
    /// Units are missing: the run was stopped, or does a part of them only.
    #[error("{done} of {total} units of stage `{stage}` are finished")]
    Incomplete {
        /// The stage.
        stage: String,
        /// Finished units.
        done: usize,
        /// All units.
        total: usize,
    },
    /// The owner ended the run.
    #[error("the run was ended from outside")]
    Ended,
    /// A thread could not be started.
    #[error("no thread for the work: {0}")]
    Thread(std::io::Error),
}

/// The names of the units of a stage, in their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnitKeys {
    /// By key; no two may be the same.
    List(Vec<String>),
    /// By number from 0. Such a stage may grow from run to run and ends the log.
    Numbers(usize),
}

impl UnitKeys {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            UnitKeys::List(keys) => keys.len(),
            UnitKeys::Numbers(count) => *count,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The key of a unit.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<String> {
        match self {
            UnitKeys::List(keys) => keys.get(at).cloned(),
            UnitKeys::Numbers(count) => (at < *count).then(|| at.to_string()),
        }
    }
}

impl UnitKeys {
    /// All keys.
    pub(crate) fn all(&self) -> Vec<String> {
        (0..self.len()).filter_map(|at| self.get(at)).collect()
    }

    /// The index of each key.
    pub(crate) fn indices(&self) -> HashMap<String, usize> {
        self.all().into_iter().zip(0..).collect()
    }
}

/// The results of a stage that is over, which those after it may depend on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FinishedStage {
    /// Its name.
    pub name: String,
    /// The results in the order of its units.
    pub values: Vec<Value>,
}

/// What a unit comes to: its result, or nothing if it was stopped before its end.
pub type UnitResult = Result<Option<Value>, UnitFailure>;

/// Receives the results of a stage where its log is: a worker does not call it.
pub trait StageWatch: Sync {
    /// Units that the log holds, by index, and how many are to be done here. Says whether to go
    /// on with them.
    ///
    /// # Errors
    /// Whatever makes it useless to go on.
    fn begins(
        &self,
        _done: &[(usize, Value)],
        _missing: usize,
    ) -> Result<ControlFlow<()>, UnitFailure> {
        Ok(ControlFlow::Continue(()))
    }

    /// A unit is done and about to be logged. What is too large for the log is put elsewhere here;
    /// returns what the log shall hold.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn keep(&self, _at: usize, value: Value) -> Result<Value, UnitFailure> {
        Ok(value)
    }

    /// A unit is finished and logged. Says whether more are wanted.
    ///
    /// # Errors
    /// Whatever makes it useless to go on.
    fn finished(&self, _at: usize, _value: &Value) -> Result<ControlFlow<()>, UnitFailure> {
        Ok(ControlFlow::Continue(()))
    }
}

/// Ignores all results.
pub struct Unwatched;

impl StageWatch for Unwatched {}

/// A stage: its units and what to do for each.
pub struct StageUnits<'a> {
    /// Its name, unique in the run.
    pub name: &'a str,
    /// Its units.
    pub keys: UnitKeys,
    /// Number of consecutive units that always belong to one shard.
    pub group: usize,
    /// Does the unit of an index.
    pub work: &'a (dyn Fn(usize) -> UnitResult + Sync),
    /// Receives finished units.
    pub watch: &'a dyn StageWatch,
}

/// A step of a learner: its units follow each other too fast to be logged one by one, so that the
/// run keeps a checkpoint instead. Units and results are bytes.
pub struct Step {
    /// Counts the steps of the run.
    pub number: u64,
    /// What all its units need: the weights.
    pub state: Vec<u8>,
    /// The units in the order of their results.
    pub units: Vec<Vec<u8>>,
}

/// A unit of a step as it is given to a worker.
#[derive(Clone, Copy)]
pub struct StepUnit<'a> {
    /// Which step.
    pub number: u64,
    /// What all its units need.
    pub state: &'a [u8],
    /// The unit.
    pub unit: &'a [u8],
}

/// Does a unit of a step.
pub type StepWork<'a> = dyn FnMut(StepUnit<'_>) -> Result<Vec<u8>, UnitFailure> + 'a;

/// Who does the units of a learner's steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepRole {
    /// The learner itself, on threads of its own.
    Here,
    /// Others: the learner hands steps over with [`Stages::step`].
    Owner,
    /// The learner does units for an owner: it waits for them in [`Stages::serve`].
    Worker,
}

/// How far a run is, for those who draw it.
pub trait StageProgress: Sync {
    /// A stage of `total` units begins, `done` of them known from before.
    fn begin(&self, stage: &str, total: usize, done: usize);
    /// One more unit is done.
    fn advance(&self);
    /// The stage is over.
    fn end(&self);
}

/// Draws nothing.
pub struct NoProgress;

impl StageProgress for NoProgress {
    fn begin(&self, _stage: &str, _total: usize, _done: usize) {}
    fn advance(&self) {}
    fn end(&self) {}
}

/// Who sees to the units of a run.
pub trait Stages {
    /// Begins the run, or goes on with it. Once, before the first stage.
    ///
    /// # Errors
    /// If the log cannot be used or is of another run.
    fn begin(&mut self, log: &Path, identity: &Identity) -> Result<(), StageError>;

    /// Sees to the units of a stage that are missing. Returns the results in the order of the
    /// units, with holes where the run was stopped, does a shard only, or the watch wanted no
    /// more.
    ///
    /// # Errors
    /// See [`StageError`].
    fn stage(&mut self, units: &StageUnits<'_>) -> Result<Vec<Option<Unit<Value>>>, StageError>;

    /// Who does the units of a learner's steps.
    fn step_role(&self) -> StepRole {
        StepRole::Here
    }

    /// Has the units of a step done elsewhere; their results in the order of the units.
    ///
    /// # Errors
    /// If nobody does units elsewhere, or no more are wanted.
    fn step(&mut self, _step: Step) -> Result<Vec<Vec<u8>>, StageError> {
        Err(StageError::Ended)
    }

    /// Does units of steps for an owner elsewhere until no more are wanted, which is the error
    /// [`StageError::Ended`].
    ///
    /// # Errors
    /// Always; it is over then.
    fn serve(&mut self, _work: &mut StepWork<'_>) -> Result<(), StageError> {
        Err(StageError::Ended)
    }

    /// Raised when units in work should be left. A unit may look at it between its steps.
    fn stop(&self) -> StopToken;

    /// Whether results are wanted on disk; a worker writes nothing.
    fn writes(&self) -> bool;

    /// Who did the units of the log: the index of a unit's `by` is into these.
    fn provenances(&self) -> Vec<Provenance>;
}

/// The results of a stage that must be whole.
///
/// # Errors
/// If a unit is missing, or one is something else than a `V`.
pub fn all_units<V: DeserializeOwned>(
    stage: &str,
    units: Vec<Option<Unit<Value>>>,
) -> Result<Vec<Unit<V>>, StageError> {
    let total = units.len();
    let units: Vec<Unit<Value>> = units.into_iter().flatten().collect();
    if units.len() < total {
        let (stage, done) = (stage.to_string(), units.len());
        return Err(StageError::Incomplete { stage, done, total });
    }
    units.into_iter().map(|unit| Ok(unit.typed()?)).collect()
}

/// A result as the log will hold it.
///
/// # Errors
/// If JSON cannot hold it.
pub fn unit_value<V: Serialize>(value: &V) -> UnitResult {
    Ok(Some(unit_log::kept(value)?))
}
