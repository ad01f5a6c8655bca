//! A run whose units are done elsewhere: it has the log, says which units are missing, takes in
//! results and writes the tables.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use serde_json::Value;

use super::local::{STACK, open_stage, results};
use super::{FinishedStage, StageError, StageUnits, Stages, Step, StepRole};
use crate::unit_log::{Stage, Unit, UnitPut};
use crate::{Identity, Provenance, Shard, StopToken, UnitLog};

/// A stage that has units to do.
#[derive(Clone, Debug)]
pub struct OpenStage {
    /// Its name.
    pub name: String,
    /// All its units, in their order.
    pub keys: Vec<String>,
    /// The indices of those to do.
    pub missing: Vec<usize>,
    /// Number of consecutive units that are best done by one worker.
    pub group: usize,
    /// The results of the stages before it, for the workers.
    pub before: Arc<Vec<FinishedStage>>,
}

/// A step of a learner whose units are to be done.
#[derive(Clone, Debug)]
pub struct OpenStep {
    /// Which one.
    pub number: u64,
    /// What all its units need.
    pub state: Vec<u8>,
    /// The units.
    pub units: Vec<Vec<u8>>,
}

/// What a run waits for.
#[derive(Clone, Debug)]
pub enum AwaitedUnits {
    /// Units of a stage, which are logged: [`Owner::put`].
    Stage(OpenStage),
    /// All units of a step of a learner: [`Owner::put_step`].
    Step(OpenStep),
}

enum Put {
    Units { stage: String, units: Vec<(String, Value, f64)>, by: Provenance, reply: Sender<usize> },
    Step { number: u64, results: Vec<Vec<u8>> },
}

/// A run in a thread of its own, which waits for the units of one stage after another.
pub struct Owner<T> {
    puts: Sender<Put>,
    stages: Receiver<AwaitedUnits>,
    identity: Receiver<Identity>,
    stop: StopToken,
    thread: JoinHandle<T>,
}

impl<T: Send + 'static> Owner<T> {
    /// Starts a run. `provenance` is this process.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub fn start(
        provenance: Provenance,
        run: impl FnOnce(&mut dyn Stages) -> T + Send + 'static,
    ) -> Result<Owner<T>, StageError> {
        let (puts, to_put) = channel();
        let (stage_opened, stages) = channel();
        let (identified, identity) = channel();
        let stop = StopToken::new();
        let mut owned = OwnedStages {
            provenance,
            puts: to_put,
            opened: stage_opened,
            identified,
            stop: stop.clone(),
            log: None,
            finished: Arc::new(Vec::new()),
        };
        let thread = std::thread::Builder::new().stack_size(STACK);
        let thread = thread.spawn(move || run(&mut owned)).map_err(StageError::Thread)?;
        Ok(Owner { puts, stages, identity, stop, thread })
    }

    /// What makes the run the one it is; a worker must have the same. Once, before the first
    /// stage; nothing if the run failed before it began.
    pub fn identity(&self) -> Option<Identity> {
        self.identity.recv().ok()
    }

    /// Waits for the next stage or step that has units to do. Nothing when the run is over: see
    /// [`Owner::finish`].
    pub fn next_stage(&self) -> Option<AwaitedUnits> {
        self.stages.recv().ok()
    }

    /// Gives the results of all units of a step, in their order, to the learner that waits for
    /// them; go on with [`Owner::next_stage`].
    pub fn put_step(&self, number: u64, results: Vec<Vec<u8>>) {
        // If the run has failed, its error is returned at its end.
        let _ = self.puts.send(Put::Step { number, results });
    }

    /// Ends the run: a learner saves itself after the step it waits for.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Appends results: keys, values and the seconds they took. They are on the disk when it
    /// returns, in one write. A unit that is finished already is passed over, so that a unit may
    /// be given to two workers. Returns how many were new; nothing if the stage is over, because
    /// it is complete, wants no more or has failed: go on with [`Owner::next_stage`].
    pub fn put(
        &self,
        stage: &str,
        units: Vec<(String, Value, f64)>,
        by: &Provenance,
    ) -> Option<usize> {
        let (reply, replied) = channel();
        let put = Put::Units { stage: stage.to_string(), units, by: by.clone(), reply };
        self.puts.send(put).ok()?;
        replied.recv().ok()
    }

    /// Ends the run: what it came to, or why it did not if stages were missing.
    ///
    /// # Panics
    /// If the run did.
    pub fn finish(self) -> T {
        let Owner { puts, stages, identity, stop, thread } = self;
        drop((puts, stages, identity, stop));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

struct OwnedStages {
    provenance: Provenance,
    puts: Receiver<Put>,
    opened: Sender<AwaitedUnits>,
    identified: Sender<Identity>,
    stop: StopToken,
    log: Option<UnitLog>,
    finished: Arc<Vec<FinishedStage>>,
}

impl Stages for OwnedStages {
    fn begin(&mut self, log: &Path, identity: &Identity) -> Result<(), StageError> {
        self.log = Some(UnitLog::open(log, identity, &self.provenance)?);
        // Nobody has to ask for it.
        let _ = self.identified.send(identity.clone());
        Ok(())
    }

    fn stage(&mut self, units: &StageUnits<'_>) -> Result<Vec<Option<Unit<Value>>>, StageError> {
        let Some(log) = &self.log else { return Err(StageError::Ended) };
        let stage = open_stage(log, units)?;
        let missing = stage.missing(Shard::WHOLE);
        let done = log.units_of::<Value>(units.name)?;
        let go_on = units.watch.begins(&done, missing.len()).map_err(StageError::Unit)?;
        drop(done);
        if go_on.is_continue() && !missing.is_empty() {
            let open = OpenStage {
                name: units.name.to_string(),
                keys: units.keys.all(),
                missing,
                group: units.group,
                before: Arc::clone(&self.finished),
            };
            self.opened.send(AwaitedUnits::Stage(open)).map_err(|_| StageError::Ended)?;
            self.collect(&stage, units)?;
        }
        let results = results(&stage)?;
        let values = results.iter().flatten().map(|unit| unit.value.clone()).collect();
        let finished = FinishedStage { name: units.name.to_string(), values };
        Arc::make_mut(&mut self.finished).push(finished);
        Ok(results)
    }

    fn step_role(&self) -> StepRole {
        StepRole::Owner
    }

    fn step(&mut self, step: Step) -> Result<Vec<Vec<u8>>, StageError> {
        let Step { number, state, units } = step;
        let wanted = units.len();
        let open = OpenStep { number, state, units };
        self.opened.send(AwaitedUnits::Step(open)).map_err(|_| StageError::Ended)?;
        loop {
            match self.puts.recv().map_err(|_| StageError::Ended)? {
                Put::Step { number: of, results } if of == number && results.len() == wanted => {
                    return Ok(results);
                }
                // Late results of another step or stage.
                Put::Step { .. } | Put::Units { .. } => {}
            }
        }
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

impl OwnedStages {
    /// Takes in results until none is missing or no more are wanted.
    fn collect(&self, stage: &Stage<'_>, units: &StageUnits<'_>) -> Result<(), StageError> {
        let indices: HashMap<String, usize> = units.keys.indices();
        let mut left = stage.missing(Shard::WHOLE).len();
        while left > 0 {
            let put = self.puts.recv().map_err(|_| StageError::Ended)?;
            let Put::Units { stage: of, units: results, by, reply } = put else { continue };
            // A late result of an earlier stage: dropping its reply reports that.
            if of != units.name {
                continue;
            }
            let mut fresh = Vec::with_capacity(results.len());
            for (key, value, seconds) in results {
                let Some(&at) = indices.get(&key) else { continue };
                // What is finished is neither kept nor logged a second time.
                if !stage.is_finished(at) {
                    let value = units.watch.keep(at, value).map_err(StageError::Unit)?;
                    fresh.push(UnitPut { at, value, seconds });
                }
            }
            let appended = stage.put_all(fresh, &by)?;
            left -= appended.len();
            // Who no longer waits needs no answer.
            let _ = reply.send(appended.len());
            for at in appended {
                let Some(unit) = stage.get::<Value>(at)? else { continue };
                let flow = units.watch.finished(at, &unit.value).map_err(StageError::Unit)?;
                if flow == ControlFlow::Break(()) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}
