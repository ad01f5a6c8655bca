//! Units by their keys, for an owner that has the log elsewhere.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use serde_json::Value;
use thiserror::Error;

use super::local::STACK;
use super::{
    FinishedStage, StageError, StageUnits, Stages, StepRole, StepUnit, StepWork, UnitFailure,
    UnitResult,
};
use crate::unit_log::Unit;
use crate::{Identity, Provenance, StopToken};

/// Why a unit was not done.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The run cannot be made ready, or a unit failed.
    #[error(transparent)]
    Failed(UnitFailure),
    /// The run is at an earlier stage, whose results were not given.
    #[error("stage `{0}` comes first: give its results")]
    Before(String),
    /// The run has no such stage.
    #[error("the run has no stage `{0}`")]
    NoStage(String),
    /// The stage has no such unit.
    #[error("stage `{stage}` has no unit `{key}`")]
    NoUnit {
        /// The stage.
        stage: String,
        /// The key.
        key: String,
    },
    /// The unit was stopped before its end.
    #[error("the unit was stopped")]
    Stopped,
    /// A thread could not be started.
    #[error("no thread for the work: {0}")]
    Thread(std::io::Error),
}

/// A run as a function of who sees to its units.
type Run = Arc<dyn Fn(&mut dyn Stages) -> Result<(), UnitFailure> + Send + Sync>;

/// Does single units of a run. It keeps the run at the stage that is being done, so that what a
/// stage needs is made ready once.
pub struct UnitWorker {
    run: Run,
    stop: StopToken,
    at: Option<Running>,
}

/// What the thread of the run reports.
enum Event {
    Begun(Identity),
    Stage(String),
    Done(UnitResult, f64),
    NoUnit,
    /// The run takes units of steps.
    Serves,
    StepDone(Result<Vec<u8>, UnitFailure>),
}

enum Message {
    Unit(String),
    Results(Vec<Value>),
    Step { number: u64, state: Arc<Vec<u8>>, unit: Vec<u8> },
}

struct Running {
    messages: Sender<Message>,
    events: Receiver<Event>,
    thread: JoinHandle<Result<(), UnitFailure>>,
    stage: Option<String>,
    passed: Vec<String>,
    serves: bool,
}

impl UnitWorker {
    /// A worker for a run. Nothing is read before the first call.
    pub fn new(
        run: impl Fn(&mut dyn Stages) -> Result<(), UnitFailure> + Send + Sync + 'static,
    ) -> UnitWorker {
        UnitWorker { run: Arc::new(run), stop: StopToken::new(), at: None }
    }

    /// Stops the unit in work, where it can be, and all later ones.
    pub fn stop_token(&self) -> StopToken {
        self.stop.clone()
    }

    /// What makes the run the one it is, from the data as this process sees it: where it differs
    /// from the owner's, results must not be mixed.
    ///
    /// # Errors
    /// If the run cannot be made ready.
    pub fn identity(&mut self) -> Result<Identity, WorkerError> {
        let running = self.start()?;
        let identity = match running.events.recv() {
            Ok(Event::Begun(identity)) => identity,
            _ => return Err(running.failure("")),
        };
        drop(running.messages);
        Ok(identity)
    }

    /// Does a unit: its result and the seconds that it took. `before` are the results of the
    /// stages before this one.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub fn unit(
        &mut self,
        before: &[FinishedStage],
        stage: &str,
        key: &str,
    ) -> Result<(Value, f64), WorkerError> {
        let mut running = match self.at.take() {
            // A run does not go back.
            Some(running) if !running.passed.iter().any(|passed| passed == stage) => running,
            _ => self.start()?,
        };
        running = running.go_to(before, stage)?;
        if running.messages.send(Message::Unit(key.to_string())).is_err() {
            return Err(running.failure(stage));
        }
        let done = match running.events.recv() {
            Ok(Event::Done(result, seconds)) => (result, seconds),
            Ok(Event::NoUnit) => {
                self.at = Some(running);
                let (stage, key) = (stage.to_string(), key.to_string());
                return Err(WorkerError::NoUnit { stage, key });
            }
            _ => return Err(running.failure(stage)),
        };
        self.at = Some(running);
        match done {
            (Ok(Some(value)), seconds) => Ok((value, seconds)),
            (Ok(None), _) => Err(WorkerError::Stopped),
            (Err(failure), _) => Err(WorkerError::Failed(failure)),
        }
    }

    /// Does a unit of a learner's step.
    ///
    /// # Errors
    /// See [`WorkerError`].
    pub fn step_unit(
        &mut self,
        number: u64,
        state: &Arc<Vec<u8>>,
        unit: Vec<u8>,
    ) -> Result<Vec<u8>, WorkerError> {
        let mut running = match self.at.take() {
            Some(running) => running,
            None => self.start()?,
        };
        while !running.serves {
            match running.events.recv() {
                Ok(Event::Begun(_)) => {}
                Ok(Event::Serves) => running.serves = true,
                Ok(Event::Stage(stage)) => return Err(WorkerError::Before(stage)),
                _ => return Err(running.failure("")),
            }
        }
        let message = Message::Step { number, state: Arc::clone(state), unit };
        if running.messages.send(message).is_err() {
            return Err(running.failure(""));
        }
        match running.events.recv() {
            Ok(Event::StepDone(result)) => {
                self.at = Some(running);
                result.map_err(WorkerError::Failed)
            }
            _ => Err(running.failure("")),
        }
    }

    fn start(&self) -> Result<Running, WorkerError> {
        let (messages, to_do) = channel();
        let (said, events) = channel();
        let (run, stop) = (Arc::clone(&self.run), self.stop.clone());
        let work = move || run(&mut WorkedStages { to_do, said, stop });
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
        let thread = thread.map_err(WorkerError::Thread)?;
        Ok(Running { messages, events, thread, stage: None, passed: Vec::new(), serves: false })
    }
}

impl Running {
    /// Goes on to a stage with the results of those before it.
    fn go_to(mut self, before: &[FinishedStage], wanted: &str) -> Result<Running, WorkerError> {
        if self.serves {
            return Err(WorkerError::NoStage(wanted.to_string()));
        }
        loop {
            if let Some(stage) = self.stage.take() {
                if stage == wanted {
                    self.stage = Some(stage);
                    return Ok(self);
                }
                let Some(finished) = before.iter().find(|finished| finished.name == stage) else {
                    return Err(WorkerError::Before(stage));
                };
                self.passed.push(stage);
                if self.messages.send(Message::Results(finished.values.clone())).is_err() {
                    return Err(self.failure(wanted));
                }
            }
            match self.events.recv() {
                Ok(Event::Begun(_)) => {}
                Ok(Event::Stage(name)) => self.stage = Some(name),
                Ok(Event::Serves) => return Err(WorkerError::NoStage(wanted.to_string())),
                _ => return Err(self.failure(wanted)),
            }
        }
    }

    /// Why the thread is no longer there.
    fn failure(self, stage: &str) -> WorkerError {
        drop((self.messages, self.events));
        match self.thread.join() {
            Ok(Err(failure)) => WorkerError::Failed(failure),
            Ok(Ok(())) => WorkerError::NoStage(stage.to_string()),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

struct WorkedStages {
    to_do: Receiver<Message>,
    said: Sender<Event>,
    stop: StopToken,
}

impl WorkedStages {
    fn say(&self, event: Event) -> Result<(), StageError> {
        self.said.send(event).map_err(|_| StageError::Ended)
    }
}

impl Stages for WorkedStages {
    fn begin(&mut self, _log: &Path, identity: &Identity) -> Result<(), StageError> {
        self.say(Event::Begun(identity.clone()))
    }

    fn stage(&mut self, units: &StageUnits<'_>) -> Result<Vec<Option<Unit<Value>>>, StageError> {
        let indices = units.keys.indices();
        self.say(Event::Stage(units.name.to_string()))?;
        loop {
            match self.to_do.recv().map_err(|_| StageError::Ended)? {
                Message::Unit(key) => match indices.get(&key) {
                    Some(&at) => {
                        let start = Instant::now();
                        let result = match (units.work)(at) {
                            // A unit that was interrupted may fail for that; it is done anew.
                            Err(_) if self.stop.is_stopped() => Ok(None),
                            result => result,
                        };
                        self.say(Event::Done(result, start.elapsed().as_secs_f64()))?;
                    }
                    None => self.say(Event::NoUnit)?,
                },
                Message::Results(values) => {
                    let unit = |value| Some(Unit { value, seconds: 0.0, by: 0 });
                    return Ok(values.into_iter().map(unit).collect());
                }
                // There are no steps here: the caller receives the end of the run.
                Message::Step { .. } => return Err(StageError::Ended),
            }
        }
    }

    fn step_role(&self) -> StepRole {
        StepRole::Worker
    }

    fn serve(&mut self, work: &mut StepWork<'_>) -> Result<(), StageError> {
        self.say(Event::Serves)?;
        loop {
            match self.to_do.recv().map_err(|_| StageError::Ended)? {
                Message::Step { number, state, unit } => {
                    let result = work(StepUnit { number, state: &state, unit: &unit });
                    self.say(Event::StepDone(result))?;
                }
                Message::Unit(_) => self.say(Event::NoUnit)?,
                Message::Results(_) => return Err(StageError::Ended),
            }
        }
    }

    fn stop(&self) -> StopToken {
        self.stop.clone()
    }

    fn writes(&self) -> bool {
        false
    }

    fn provenances(&self) -> Vec<Provenance> {
        vec![Provenance::default()]
    }
}
