//! Work that takes long: made by the session, run by the host on a thread of its own.

use crate::game::EngineDecision;
use crate::mate::ProvenMate;
use crate::protocol::{Event, MateEvent};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use yomikiri_base::{Clock, StopToken};

/// Who receives the events of a running task.
pub type Emitter = Arc<dyn Fn(Event) + Send + Sync>;

/// The least time between two events that tell of progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// A way to stop a task from any thread.
#[derive(Clone, Default)]
pub struct Stopper {
    token: StopToken,
}

impl Stopper {
    /// Stops the task, whether it runs already or not.
    pub fn stop(&self) {
        self.token.stop();
    }

    /// Whether it was stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.token.is_stopped()
    }

    /// The token that engine and solvers watch.
    pub(crate) fn token(&self) -> &StopToken {
        &self.token
    }
}

/// What a running task has at hand.
pub(crate) struct Context {
    pub(crate) stop: Stopper,
    pub(crate) emit: Emitter,
    pub(crate) clock: Clock,
}

impl Context {
    /// A throttle for events of progress.
    pub(crate) fn throttle(&self) -> Throttle {
        Throttle { clock: self.clock.clone(), last: Mutex::new(None) }
    }
}

/// Lets through one event in [`INTERVAL`].
pub(crate) struct Throttle {
    clock: Clock,
    last: Mutex<Option<Duration>>,
}

impl Throttle {
    pub(crate) fn is_due(&self) -> bool {
        let now = self.clock.now();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|last| now.saturating_sub(last) >= INTERVAL);
        if due {
            *last = Some(now);
        }
        due
    }
}

/// What became of a task.
pub(crate) enum TaskOutcome {
    /// What the engine plays in the game.
    Engine(EngineDecision),
    /// The answer to a mate problem, and the proof.
    Mate(Box<MateEvent>, Option<Arc<ProvenMate>>),
    /// The last event.
    Event(Box<Event>),
    /// It was stopped before there was an answer.
    Stopped,
    /// The host's stack was too small for it.
    TooDeep,
    /// It broke down.
    Failed,
}

pub(crate) type Work = Box<dyn FnOnce(&Context) -> TaskOutcome + Send>;

/// Which run of which task: one that was suspended runs again under the same number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct TaskKey {
    /// The task's number, as the page knows it.
    pub task: u32,
    /// The number of the run, unique in the session.
    pub run: u32,
}

/// What a host needs to know of a task to find a thread for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TaskClass {
    /// Somebody waits for it and it ends soon: a move, a hint, an answer in a problem.
    Short,
    /// A search that may go on for long.
    Long,
    /// An experiment, which uses several threads.
    Experiment,
    /// An experiment with a person, who mostly thinks.
    Subject,
}

/// Work for the host.
pub struct Task {
    key: TaskKey,
    class: TaskClass,
    stop: Stopper,
    clock: Clock,
    work: Work,
}

/// A task that has ended, for [`Session::finish`](crate::Session::finish).
pub struct Finished {
    pub(crate) key: TaskKey,
    pub(crate) outcome: TaskOutcome,
}

impl Finished {
    /// Which task it was.
    #[must_use]
    pub fn key(&self) -> TaskKey {
        self.key
    }

    /// The task needed more stack than its host has: what was asked stays unknown.
    #[must_use]
    pub fn too_deep(key: TaskKey) -> Finished {
        Finished { key, outcome: TaskOutcome::TooDeep }
    }

    /// The task broke down.
    #[must_use]
    pub fn failed(key: TaskKey) -> Finished {
        Finished { key, outcome: TaskOutcome::Failed }
    }
}

impl Task {
    pub(crate) fn new(key: TaskKey, class: TaskClass, clock: Clock, work: Work) -> Task {
        Task { key, class, stop: Stopper::default(), clock, work }
    }

    /// Which task it is.
    #[must_use]
    pub fn key(&self) -> TaskKey {
        self.key
    }

    /// The same work as another task, which another session knows.
    pub(crate) fn under(self, key: TaskKey) -> Task {
        Task { key, ..self }
    }

    /// What kind of work it is.
    #[must_use]
    pub fn class(&self) -> TaskClass {
        self.class
    }

    /// A way to stop it.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        self.stop.clone()
    }

    /// Runs it to its end. The thread needs a stack of [`STACK`](crate::STACK) bytes.
    #[must_use]
    pub fn run(self, emit: Emitter) -> Finished {
        let context = Context { stop: self.stop, emit, clock: self.clock };
        let outcome = match context.stop.is_stopped() {
            true => TaskOutcome::Stopped,
            false => (self.work)(&context),
        };
        Finished { key: self.key, outcome }
    }
}
