//! Tuning: parameters of the search are moved by the outcomes of many short games.
//!
//! A run is a list of steps; a step plays some pairs of games between two settings around the
//! present values ([`spsa`]). A step is a stage of the run and its pairs are the units: a run that
//! was killed goes on with the pairs that are missing, and several machines share a step.

mod games;
mod plan;
pub mod spsa;

pub use games::TuningGames;
pub use plan::TunePlan;

use spsa::{Gains, Perturbation, Tunable};
use std::path::Path;
use yomikiri_base::stages::{
    StageError, StageUnits, UnitFailure, UnitKeys, UnitResult, Unwatched, all_units,
};
use yomikiri_base::{Identity, Stages, StopToken};
use yomikiri_engine::settings::declared::{Range, SetError};

use crate::contest::{ContestError, PlanError};

/// What a run is made of.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    /// What is tuned.
    pub tunables: Vec<Tunable>,
    /// How far and how fast.
    pub gains: Gains,
    /// Pairs of games in a step.
    pub pairs: usize,
    /// Decides every coin.
    pub seed: u64,
}

/// Plays the pair of a number: games won less games lost by the first setting, or nothing if it was
/// stopped.
pub type PlayPair<'a> = dyn Fn(usize) -> Result<Option<i32>, UnitFailure> + Sync + 'a;

/// Plays pairs of games between two settings.
pub trait Objective {
    /// What plays the pairs of a step.
    fn step<'a>(&'a mut self, settings: [&[i32]; 2], stop: &'a StopToken) -> Box<PlayPair<'a>>;
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The units.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// The contest of the two settings.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The same.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// A setting of both sides.
    #[error(transparent)]
    Set(#[from] SetError),
    /// Nothing to tune.
    #[error("there is no parameter to tune")]
    NoParameter,
    /// Nothing to play.
    #[error("steps, pairs and nodes must be at least 1, and the rate above 0")]
    Nothing,
    /// No such parameter.
    #[error("there is no parameter '{0}'")]
    Unknown(String),
    /// One that is no number.
    #[error("{name} takes {range}: only numbers can be tuned")]
    NoNumber {
        /// Which.
        name: String,
        /// What it takes.
        range: Range,
    },
    /// A step that is none.
    #[error("--parameter {0}: the step must be a positive number")]
    Step(String),
    /// One that is there twice.
    #[error("{0} is there twice")]
    Twice(String),
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: std::path::PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// The kind of run in its identity.
const KIND: &str = "tune";

/// How far a run has come.
#[derive(Clone, PartialEq, Debug)]
pub struct TuningPath {
    /// The values before the first step and after each finished one.
    pub values: Vec<Vec<f64>>,
    /// The step that is not finished, if there is one: what it lacks.
    pub open: Option<(String, usize, usize)>,
}

impl TuningPath {
    /// Whether all steps are finished.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.open.is_none()
    }
}

impl Tuning {
    /// The values before the first step.
    fn start(&self) -> Vec<f64> {
        self.tunables.iter().map(|tunable| tunable.start).collect()
    }

    /// Goes on with the run in this log until it is complete, or pairs of a step are missing: it
    /// was stopped, or the step's other shards have them. `on_step` receives the values after each
    /// finished step.
    ///
    /// # Errors
    /// See [`TuneError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        (log, identity): (&Path, &Identity),
        objective: &mut dyn Objective,
        on_step: &mut dyn FnMut(usize, &[f64]),
    ) -> Result<TuningPath, TuneError> {
        if self.tunables.is_empty() {
            return Err(TuneError::NoParameter);
        }
        stages.begin(log, identity)?;
        let mut path = TuningPath { values: vec![self.start()], open: None };
        for step in 0..self.gains.steps {
            let values = path.values.last().cloned().unwrap_or_default();
            let perturbation = spsa::perturb(&self.tunables, &values, &self.gains, step, self.seed);
            let surplus = match self.step(stages, step, &perturbation, objective) {
                Err(StageError::Incomplete { stage, done, total }) => {
                    path.open = Some((stage, done, total));
                    return Ok(path);
                }
                surplus => surplus?,
            };
            let mut values = values;
            spsa::update(&self.tunables, &mut values, &self.gains, step, &perturbation, surplus);
            on_step(step, &values);
            path.values.push(values);
        }
        Ok(path)
    }

    /// Plays what is missing of a step; its outcome if it is finished.
    fn step(
        &self,
        stages: &mut dyn Stages,
        step: usize,
        perturbation: &Perturbation,
        objective: &mut dyn Objective,
    ) -> Result<i32, StageError> {
        let name = format!("step {step}");
        let keys = UnitKeys::List((0..self.pairs).map(|pair| pair.to_string()).collect());
        let stop = stages.stop();
        let play = objective.step([&perturbation.plus[..], &perturbation.minus[..]], &stop);
        let first = step * self.pairs;
        let work = |at: usize| -> UnitResult { Ok(play(first + at)?.map(Into::into)) };
        let units = StageUnits { name: &name, keys, group: 1, work: &work, watch: &Unwatched };
        let played = all_units::<i32>(&name, stages.stage(&units)?)?;
        Ok(played.iter().map(|unit| unit.value).sum())
    }
}

#[cfg(test)]
mod tests;
