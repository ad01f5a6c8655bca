//! The threads of one search: the main worker and its helpers.

use crate::search::RootMove;
use crate::search::driver::{Job, Worker};
use crate::search::limits::{Control, Limits};
use crate::search::report::{Info, Report};

/// Searches go deep, and every ply keeps its moves on the stack.
const STACK: usize = 32 << 20;

/// Stops the helpers when the main worker is done, even if it ends by a panic: nobody else would
/// tell them.
struct StopAtEnd<'a>(&'a Control);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs the main worker and its helpers, and gives what the main one found, and whether the search
/// was told to stop.
pub(super) fn run_workers(
    workers: &mut [Box<dyn Worker>],
    job: &Job<'_>,
    control: &Control,
    report: &mut dyn Report,
) -> (Vec<RootMove>, bool) {
    let Some((main, helpers)) = workers.split_first_mut() else { return (Vec::new(), true) };
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for helper in helpers {
            let silent = |_: &Info| {};
            let spawned =
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                    let mut silent = silent;
                    helper.work(job, &mut silent);
                });
            // A machine that gives no more threads searches with those it gave.
            let Ok(thread) = spawned else { break };
            running.push(thread);
        }
        let end = StopAtEnd(control);
        let found = main.work(job, report);
        wait_until_told(job.limits, control);
        let told_to_stop = control.is_stopped();
        drop(end);
        for thread in running {
            // What the main worker found stands without a helper that failed.
            let _ = thread.join();
        }
        (found, told_to_stop)
    })
}

/// Pondering and infinite searches end only when told to.
pub(super) fn wait_until_told(limits: &Limits, control: &Control) {
    while (limits.infinite || control.is_pondering()) && !control.is_stopped() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Schedule;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::time::{Duration, Instant};
    use yomikiri_shogi::Position;

    /// Workers that fail, or that end only when told to.
    enum Mock {
        Fails,
        Finds,
        WaitsForStop(Arc<Control>),
    }

    impl Worker for Mock {
        fn work(&mut self, job: &Job<'_>, _: &mut dyn Report) -> Vec<RootMove> {
            match self {
                Mock::Fails => panic!("a worker that fails, as the test wants"),
                Mock::Finds => {
                    vec![RootMove::of_line(job.position.legal_moves()[..1].to_vec(), 0)]
                }
                Mock::WaitsForStop(control) => {
                    while !control.is_stopped() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    Vec::new()
                }
            }
        }

        fn forget(&mut self) {}
    }

    fn run(workers: Vec<Mock>, control: &Control) -> std::thread::Result<(Vec<RootMove>, bool)> {
        let mut workers: Vec<Box<dyn Worker>> =
            workers.into_iter().map(|worker| Box::new(worker) as Box<dyn Worker>).collect();
        let (position, limits) = (Position::start(), Limits::default());
        let job = Job {
            position: &position,
            limits: &limits,
            schedule: Schedule::default(),
            started: Instant::now(),
            lines: 1,
        };
        catch_unwind(AssertUnwindSafe(|| run_workers(&mut workers, &job, control, &mut |_: &_| {})))
    }

    #[test]
    fn helpers_end_when_the_main_worker_fails() {
        let control = Arc::new(Control::default());
        let waiting = || Mock::WaitsForStop(Arc::clone(&control));
        // That this comes back at all is the point.
        assert!(run(vec![Mock::Fails, waiting(), waiting()], &control).is_err());
        assert!(control.is_stopped());
    }

    #[test]
    fn a_helper_that_fails_costs_nothing() {
        let control = Arc::new(Control::default());
        let waiting = Mock::WaitsForStop(Arc::clone(&control));
        let (found, told_to_stop) =
            run(vec![Mock::Finds, Mock::Fails, waiting], &control).expect("the main one is well");
        assert!(found.len() == 1 && !told_to_stop);
    }
}
