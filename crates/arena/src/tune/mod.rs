//! Tuning: parameters of the search are moved by the outcomes of many short games.
//!
//! A run is a list of steps; a step plays some pairs of games between two settings around the
//! present values ([`spsa`]). The pairs of a step are the units of a stage in the run's log: a run
//! that was killed goes on with the pairs that are missing, and several machines share a step.

mod games;
pub mod plan;
pub mod spsa;

pub use games::Games;
pub use plan::TunePlan;

use crate::contest::{ContestError, PlanError};
use spsa::{Gains, Tunable};
use std::path::{Path, PathBuf};
use yomikiri_base::stages::{
    StageError, StageUnits, UnitFailure, UnitKeys, Unwatched, all_units, unit_value,
};
use yomikiri_base::{Identity, Stages, StopToken};

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
pub type PairWork<'a> = dyn Fn(usize) -> Result<Option<i32>, UnitFailure> + Sync + 'a;

/// Plays pairs of games between two settings.
pub trait Objective {
    /// Makes two settings ready for each other and lets `go` see to their pairs. What is under way
    /// when `stop` is set may be left out.
    ///
    /// # Errors
    /// Those of `go`.
    fn between(
        &mut self,
        settings: [&[i32]; 2],
        stop: &StopToken,
        go: &mut dyn FnMut(&PairWork<'_>) -> Result<(), StageError>,
    ) -> Result<(), StageError>;
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The pairs are not played any further.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// The games cannot be made.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// The plan asks for something that cannot be.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Nothing to tune.
    #[error("there is no parameter to tune")]
    NoParameter,
    /// A number that must be positive.
    #[error("{0} must be positive")]
    NotPositive(&'static str),
    /// A parameter that does not exist.
    #[error("there is no parameter '{0}'")]
    Unknown(String),
    /// A parameter that is no number.
    #[error("{name} takes {range}: only numbers can be tuned")]
    NoNumber {
        /// Which.
        name: String,
        /// What it takes.
        range: String,
    },
    /// A parameter that is named twice.
    #[error("{0} is there twice")]
    Twice(String),
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
}

/// Where a run's log is in its folder.
pub const LOG: &str = crate::store::LOG;

/// The kind of run in its identity.
const KIND: &str = "tune";

/// The values before the first step and after each finished one.
pub type TuningPath = Vec<Vec<f64>>;

impl Tuning {
    /// The values before the first step.
    fn start(&self) -> Vec<f64> {
        self.tunables.iter().map(|tunable| tunable.start).collect()
    }

    /// Goes on with the run in this log; `stages` sees to the pairs. `on_step` hears of the values
    /// after each finished step.
    ///
    /// # Errors
    /// See [`TuneError`]; `Stage(Incomplete)` where it was stopped, or the other shards of a step
    /// are missing.
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
        let mut path = vec![self.start()];
        for step in 0..self.gains.steps {
            let mut values = path.last().cloned().unwrap_or_default();
            let perturbation = spsa::perturb(&self.tunables, &values, &self.gains, step, self.seed);
            let settings = [&perturbation.plus[..], &perturbation.minus[..]];
            let surplus = self.step(stages, step, settings, objective)?;
            spsa::update(&self.tunables, &mut values, &self.gains, step, &perturbation, surplus);
            on_step(step, &values);
            path.push(values);
        }
        Ok(path)
    }

    /// The outcome of a step: games won less games lost by the first setting.
    fn step(
        &self,
        stages: &mut dyn Stages,
        step: usize,
        settings: [&[i32]; 2],
        objective: &mut dyn Objective,
    ) -> Result<i32, StageError> {
        let name = format!("step {step}");
        let (first, stop) = (step * self.pairs, stages.stop());
        let mut sum = 0;
        objective.between(settings, &stop, &mut |pair| {
            let work = |at: usize| match pair(first + at)? {
                Some(surplus) => unit_value(&surplus),
                None => Ok(None),
            };
            let keys = UnitKeys::List((0..self.pairs).map(|pair| pair.to_string()).collect());
            let units = StageUnits { name: &name, keys, group: 1, work: &work, watch: &Unwatched };
            let units = all_units::<i32>(&name, stages.stage(&units)?)?;
            sum = units.iter().map(|unit| unit.value).sum();
            Ok(())
        })?;
        Ok(sum)
    }
}

#[cfg(test)]
mod tests;
