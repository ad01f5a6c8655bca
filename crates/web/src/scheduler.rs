//! Threads for searches, fairly: a fixed number at a time, first come, first served, and a move or
//! a hint does not wait behind an analysis that nobody stops. Experiments are done one after
//! another, and a subject, who thinks most of the time, takes no search's place.

use std::sync::Arc;
use tokio::sync::Semaphore;
use yomikiri_session::{Emitter, Finished, STACK, Task, TaskClass};

/// Subjects at a time.
const SUBJECTS: usize = 4;

/// Permits for searches.
pub struct Scheduler {
    long: Arc<Semaphore>,
    short: Arc<Semaphore>,
    experiment: Arc<Semaphore>,
    subject: Arc<Semaphore>,
    all: (u32, u32),
}

impl Scheduler {
    pub fn new(long: usize, short: usize) -> Scheduler {
        let (long, short) = (long.clamp(1, 1_000), short.clamp(1, 1_000));
        Scheduler {
            long: Arc::new(Semaphore::new(long)),
            short: Arc::new(Semaphore::new(short)),
            experiment: Arc::new(Semaphore::new(1)),
            subject: Arc::new(Semaphore::new(SUBJECTS)),
            all: (long as u32, short as u32),
        }
    }

    /// Runs a task when its turn comes; `done` is called at its end on the thread that ran it.
    pub async fn run(&self, task: Task, emit: Emitter, done: Arc<dyn Fn(Finished) + Send + Sync>) {
        let queue = match task.class() {
            TaskClass::Short => &self.short,
            TaskClass::Long => &self.long,
            TaskClass::Experiment => &self.experiment,
            TaskClass::Subject => &self.subject,
        };
        // The semaphores are never closed; a permit that cannot be had would be a task that failed.
        let permit = Arc::clone(queue).acquire_owned().await;
        let key = task.key();
        let ended = Arc::clone(&done);
        let work = move || {
            let run = std::panic::AssertUnwindSafe(|| task.run(emit));
            ended(std::panic::catch_unwind(run).unwrap_or_else(|_| Finished::failed(key)));
            drop(permit);
        };
        let name = format!("task-{}", key.task);
        let thread = std::thread::Builder::new().name(name).stack_size(STACK).spawn(work);
        if thread.is_err() {
            done(Finished::failed(key));
        }
    }

    /// Waits until no search runs any more. The units of an experiment may take longer, and what is
    /// lost of them is done again.
    pub async fn wait(&self) {
        let _ = self.long.acquire_many(self.all.0).await;
        let _ = self.short.acquire_many(self.all.1).await;
    }
}
