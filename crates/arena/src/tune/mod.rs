//! Tuning: parameters of the search are moved by the outcomes of many short games.
//!
//! A run is a list of steps; a step plays some pairs of games between two settings around the
//! present values ([`spsa`]). The pairs of a step are the units of a stage in the run's log: a run
//! that was killed goes on with the pairs that are missing, and several machines share a step. With
//! a shard, [`Tuning::run`] plays its part of the first open step and stops there.

mod games;
pub mod spsa;

pub use games::Games;

use spsa::{Gains, Perturbation, Tunable};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use yomikiri_base::unit_log::{self, UnitLog, UnitLogError};
use yomikiri_base::{Identity, Provenance, Shard, StopToken};

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

/// Plays pairs of games between two settings.
pub trait Objective {
    /// Plays the pairs of these numbers and hands over, for each, games won less games lost by the
    /// first setting. What is under way when `stop` is set may be left out.
    ///
    /// # Errors
    /// If they cannot be played.
    fn play(
        &mut self,
        settings: [&[i32]; 2],
        pairs: &[usize],
        finished: &(dyn Fn(usize, i32) + Sync),
        stop: &StopToken,
    ) -> Result<(), TuneError>;
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The log cannot be used.
    #[error(transparent)]
    Log(#[from] UnitLogError),
    /// The games cannot be played.
    #[error(transparent)]
    Match(#[from] crate::runner::MatchError),
    /// Nothing to tune.
    #[error("there is no parameter to tune")]
    NoParameter,
}

/// Where a run's log is in its folder.
pub const LOG: &str = crate::store::LOG;

/// Whether a folder holds a run of the tuner, whole or in part.
pub fn is_tuning(folder: &Path) -> bool {
    let Ok(text) = std::fs::read_to_string(folder.join(LOG)) else { return false };
    let header = text.lines().next().map(serde_json::from_str::<serde_json::Value>);
    header.is_some_and(|line| line.is_ok_and(|line| line["header"]["identity"]["kind"] == KIND))
}

/// The kind of run in its identity.
const KIND: &str = "tune";

/// Joins the folders of the parts of a step into a new one, from which the run goes on.
///
/// # Errors
/// If a part cannot be read, they are of different runs, or a pair is in none of them.
pub fn merge(folder: &Path, parts: &[PathBuf]) -> Result<(), TuneError> {
    let logs: Vec<PathBuf> = parts.iter().map(|part| part.join(LOG)).collect();
    Ok(unit_log::merge(&folder.join(LOG), &logs)?)
}

/// How far a run has come.
#[derive(Clone, PartialEq, Debug)]
pub struct TuningPath {
    /// The values before the first step and after each finished one.
    pub values: Vec<Vec<f64>>,
    /// Whether all steps are finished.
    pub complete: bool,
}

impl Tuning {
    /// The values before the first step.
    fn start(&self) -> Vec<f64> {
        self.tunables.iter().map(|tunable| tunable.start).collect()
    }

    /// Goes on with the run in this log until it is complete, `stop` is set, or the step's other
    /// shards are missing. `on_step` hears of the values after each finished step.
    ///
    /// # Errors
    /// See [`TuneError`].
    pub fn run(
        &self,
        (log, identity, provenance): (&Path, &Identity, &Provenance),
        shard: Shard,
        objective: &mut dyn Objective,
        stop: &StopToken,
        on_step: &mut dyn FnMut(usize, &[f64]),
    ) -> Result<TuningPath, TuneError> {
        if self.tunables.is_empty() {
            return Err(TuneError::NoParameter);
        }
        let log = UnitLog::open(log, identity, provenance)?;
        let mut path = TuningPath { values: vec![self.start()], complete: false };
        for step in 0..self.gains.steps {
            let values = path.values.last().cloned().unwrap_or_default();
            let perturbation = spsa::perturb(&self.tunables, &values, &self.gains, step, self.seed);
            let Some(surplus) = self.step(&log, step, &perturbation, shard, objective, stop)?
            else {
                return Ok(path);
            };
            let mut values = values;
            spsa::update(&self.tunables, &mut values, &self.gains, step, &perturbation, surplus);
            on_step(step, &values);
            path.values.push(values);
        }
        path.complete = true;
        Ok(path)
    }

    /// Plays what is missing of a step; its outcome if it is finished.
    fn step(
        &self,
        log: &UnitLog,
        step: usize,
        perturbation: &Perturbation,
        shard: Shard,
        objective: &mut dyn Objective,
        stop: &StopToken,
    ) -> Result<Option<i32>, TuneError> {
        let keys = (0..self.pairs).map(|pair| pair.to_string()).collect();
        let stage = log.stage(&format!("step {step}"), keys)?;
        let first = step * self.pairs;
        let missing: Vec<usize> = stage.missing(shard).iter().map(|pair| first + pair).collect();
        if !missing.is_empty() {
            let games = stop.child();
            let failure = Mutex::new(None);
            let began = Instant::now();
            let finished = |pair: usize, surplus: i32| {
                let seconds = began.elapsed().as_secs_f64();
                if let Err(error) = stage.put(pair - first, &surplus, seconds) {
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    games.stop();
                }
            };
            let settings = [&perturbation.plus[..], &perturbation.minus[..]];
            objective.play(settings, &missing, &finished, &games)?;
            if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
                return Err(error.into());
            }
        }
        if !stage.missing(Shard::WHOLE).is_empty() {
            return Ok(None);
        }
        let mut sum = 0;
        for pair in 0..self.pairs {
            sum += stage.get::<i32>(pair)?.map_or(0, |unit| unit.value);
        }
        Ok(Some(sum))
    }
}

#[cfg(test)]
mod tests;
