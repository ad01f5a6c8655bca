//! The units of a run on the threads of this process.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use serde_json::Value;

use super::{NoProgress, StageError, StageProgress, StageUnits, Stages, UnitFailure, UnitKeys};
use crate::unit_log::{ForeignUnits, Stage, Unit};
use crate::{Identity, Provenance, Shard, StopToken, UnitLog};

/// Searches go deep, and every ply keeps its moves on the stack.
pub(super) const STACK: usize = 32 << 20;

/// Does the units of a run, or of a shard of it, on threads of this process.
pub struct LocalStages<'a> {
    /// Threads.
    pub threads: usize,
    /// The part to do.
    pub shard: Shard,
    /// Ends the run after the units in work, or between their steps.
    pub stop: StopToken,
    /// Who does them.
    pub provenance: Provenance,
    /// Receives its progress.
    pub progress: &'a dyn StageProgress,
    /// The log of another run whose units are taken over, for changes known not to matter.
    pub carry: Option<PathBuf>,
    /// A log of this run, or the folder that holds it, such as that of merged shards, whose units
    /// are taken over.
    pub from: Option<PathBuf>,
    /// Whether missing units are done; without it a stage with holes ends the run.
    pub works: bool,
    /// Called on each thread with its number before its first unit.
    pub on_thread: fn(usize),
    log: Option<UnitLog>,
    foreign: Option<ForeignUnits>,
}

impl<'a> LocalStages<'a> {
    /// The whole run on this many threads, silently.
    #[must_use]
    pub fn new(threads: usize, provenance: Provenance) -> LocalStages<'a> {
        LocalStages {
            threads,
            shard: Shard::WHOLE,
            stop: StopToken::new(),
            provenance,
            progress: &NoProgress,
            carry: None,
            from: None,
            works: true,
            on_thread: |_| {},
            log: None,
            foreign: None,
        }
    }
}

impl Stages for LocalStages<'_> {
    fn begin(&mut self, log: &Path, identity: &Identity) -> Result<(), StageError> {
        let opened = UnitLog::open(log, identity, &self.provenance)?;
        if let Some(other) = &self.from {
            let in_folder = log.file_name().map(|name| other.join(name));
            let other = in_folder.filter(|_| other.is_dir()).unwrap_or_else(|| other.clone());
            opened.adopt(&other)?;
        }
        self.log = Some(opened);
        if let Some(other) = &self.carry {
            self.foreign = Some(UnitLog::read_foreign(other)?);
        }
        Ok(())
    }

    fn stage(&mut self, units: &StageUnits<'_>) -> Result<Vec<Option<Unit<Value>>>, StageError> {
        let Some(log) = &self.log else { return Err(StageError::Ended) };
        let stage = open_stage(log, units)?;
        if let Some(foreign) = &self.foreign {
            stage.take_over(foreign)?;
        }
        let missing = match self.works {
            true => stage.missing_in(self.shard, units.group),
            false => Vec::new(),
        };
        let done = log.units_of::<Value>(units.name)?;
        let go_on = units.watch.begins(&done, missing.len()).map_err(StageError::Unit)?;
        self.progress.begin(units.name, done.len() + missing.len(), done.len());
        drop(done);
        let worked = match go_on {
            ControlFlow::Continue(()) => self.work(&stage, units, &missing),
            ControlFlow::Break(()) => Ok(()),
        };
        self.progress.end();
        worked?;
        results(&stage)
    }

    fn stop(&self) -> StopToken {
        self.stop.clone()
    }

    fn writes(&self) -> bool {
        true
    }

    fn provenances(&self) -> Vec<Provenance> {
        self.log.as_ref().map(UnitLog::provenances).unwrap_or_default()
    }
}

/// Begins a stage in a log.
pub(super) fn open_stage<'l>(
    log: &'l UnitLog,
    units: &StageUnits<'_>,
) -> Result<Stage<'l>, StageError> {
    Ok(match &units.keys {
        UnitKeys::List(keys) => log.stage(units.name, keys.clone())?,
        UnitKeys::Numbers(count) => log.numbered_stage(units.name, *count)?,
    })
}

/// What a log holds of a stage, in the order of its units.
pub(super) fn results(stage: &Stage<'_>) -> Result<Vec<Option<Unit<Value>>>, StageError> {
    (0..stage.units()).map(|at| Ok(stage.get(at)?)).collect()
}

impl LocalStages<'_> {
    fn work(
        &self,
        stage: &Stage<'_>,
        units: &StageUnits<'_>,
        missing: &[usize],
    ) -> Result<(), StageError> {
        let next = AtomicUsize::new(0);
        // Stops the other threads when a unit fails or no more are wanted.
        let over = self.stop.child();
        let failure: Mutex<Option<StageError>> = Mutex::new(None);
        let work = || {
            while !over.is_stopped() {
                let Some(&at) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                match self.unit(stage, units, at) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => {
                        over.stop();
                    }
                    Err(error) => {
                        over.stop();
                        lock(&failure).get_or_insert(error);
                    }
                }
            }
        };
        std::thread::scope(|scope| -> Result<(), StageError> {
            for number in 0..self.threads.clamp(1, missing.len().max(1)) {
                let thread = std::thread::Builder::new().stack_size(STACK);
                let (work, on_thread) = (&work, self.on_thread);
                let body = move || {
                    on_thread(number);
                    work();
                };
                thread.spawn_scoped(scope, body).map_err(|error| {
                    over.stop();
                    StageError::Thread(error)
                })?;
            }
            Ok(())
        })?;
        match lock(&failure).take() {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    fn unit(
        &self,
        stage: &Stage<'_>,
        units: &StageUnits<'_>,
        at: usize,
    ) -> Result<ControlFlow<()>, StageError> {
        let start = Instant::now();
        let value = match (units.work)(at) {
            Ok(Some(value)) => value,
            Ok(None) => return Ok(ControlFlow::Break(())),
            // A unit that was interrupted may fail for that; it is done anew.
            Err(_) if self.stop.is_stopped() => return Ok(ControlFlow::Break(())),
            Err(failure) => return Err(StageError::Unit(failure)),
        };
        let value = units.watch.keep(at, value).map_err(StageError::Unit)?;
        let unit = stage.put::<Value>(at, &value, start.elapsed().as_secs_f64())?;
        self.progress.advance();
        let flow: Result<ControlFlow<()>, UnitFailure> = units.watch.finished(at, &unit.value);
        flow.map_err(StageError::Unit)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
