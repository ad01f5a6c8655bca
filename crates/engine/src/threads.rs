//! Threads and stacks, where they exist: the main worker and its helpers, and deep stacks.

use crate::events::{LineInfo, OnEvent, SearchEvent};
use crate::search::RootMove;
use crate::search::driver::{SearchJob, SearchWorker};
use crate::search::limits::{Control, Limits};
use crate::tt::Bound;
use crate::value::{MATE_BOUND, Value};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use yomikiri_shogi::Move;

/// Bytes of the caller's stack that a search may use by default: half of what a thread
/// has in WebAssembly.
pub const RUN_STACK: usize = 512 << 10;

/// The stack of a search's own thread: deep enough for every search and nearly every proof. Pages
/// that are not used take no memory.
const DEEP_STACK: usize = 256 << 20;
/// Where the system does not give that, half is tried, and so on down to this.
const LEAST_STACK: usize = 1 << 20;
/// What the frames above and beside the recursion may take.
const STACK_MARGIN: usize = LEAST_STACK / 2;

/// Every ply of a search keeps its moves on the stack.
const HELPER_STACK: usize = 32 << 20;

/// Work that several threads may be offered, and one takes.
struct Offer<F>(Mutex<Option<F>>);

impl<F> Offer<F> {
    fn new(work: F) -> Offer<F> {
        Offer(Mutex::new(Some(work)))
    }

    fn take(&self) -> Option<F> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The sizes to ask for, deepest first.
fn stack_sizes() -> impl Iterator<Item = usize> {
    core::iter::successors(Some(DEEP_STACK), |bytes| Some(bytes / 2))
        .take_while(|&bytes| bytes >= LEAST_STACK)
}

/// Runs work with a deep stack, on a thread of its own where there are threads; its argument is how
/// many bytes it may use.
///
/// # Panics
/// If the work does.
pub fn on_deep_stack<T: Send>(work: impl FnOnce(usize) -> T + Send) -> T {
    let offer = Offer::new(work);
    let run = |bytes: usize| offer.take().map(|work| work(bytes));
    let sizes = stack_sizes().filter(|_| cfg!(not(target_arch = "wasm32")));
    for bytes in sizes {
        let result = std::thread::scope(|scope| {
            let builder = Builder::new().stack_size(bytes);
            let thread = builder.spawn_scoped(scope, || run(bytes - STACK_MARGIN)).ok()?;
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        if let Some(result) = result {
            return result;
        }
    }
    run(RUN_STACK).expect("no thread took the work")
}

/// Starts work on a thread with a deep stack; its argument is how many bytes it may use.
///
/// # Errors
/// If the system gives no thread.
pub(crate) fn spawn_deep<T: Send + 'static>(
    work: impl FnOnce(usize) -> T + Send + 'static,
) -> std::io::Result<JoinHandle<T>> {
    let offer = Arc::new(Offer::new(work));
    let mut result = Err(std::io::ErrorKind::Unsupported.into());
    for bytes in stack_sizes() {
        let offer = Arc::clone(&offer);
        result = Builder::new().stack_size(bytes).spawn(move || {
            let work = offer.take().expect("one thread was started");
            work(bytes - STACK_MARGIN)
        });
        if result.is_ok() {
            break;
        }
    }
    result
}

/// Stops the helpers when the main worker is done, even if it ends by a panic: nothing else
/// would stop them.
struct StopAtEnd<'a>(&'a Control);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.stop_workers();
    }
}

/// Runs the main worker and its helpers, and gives the root moves of the one that is believed, best
/// first.
pub(crate) fn run_workers(
    workers: &mut [Box<dyn SearchWorker>],
    job: &SearchJob<'_>,
    on_event: &mut OnEvent<'_>,
) -> Vec<RootMove> {
    let Some((main, helpers)) = workers.split_first_mut() else { return Vec::new() };
    if helpers.is_empty() {
        let found = main.work(job, on_event);
        wait_until_told(job.limits, job.control);
        return found;
    }
    let mut found = std::thread::scope(|scope| {
        let mut running = Vec::new();
        for helper in helpers {
            let builder = Builder::new().stack_size(HELPER_STACK);
            let spawned =
                builder.spawn_scoped(scope, || helper.work(job, &mut |_: &SearchEvent| {}));
            // A machine that gives no more threads searches with those it gave.
            let Ok(thread) = spawned else { break };
            running.push(thread);
        }
        let end = StopAtEnd(job.control);
        let mut found = vec![main.work(job, on_event)];
        wait_until_told(job.limits, job.control);
        drop(end);
        // What the others found stands without a helper that failed.
        found.extend(running.into_iter().filter_map(|thread| thread.join().ok()));
        found
    });
    // A search to a depth or of several lines gives those of the main worker.
    let votes = job.lines == 1 && job.limits.depth.is_none();
    let elected = if votes { elect(&found) } else { 0 };
    if elected > 0 {
        report_elected(&found[elected][0], job, on_event);
    }
    found.swap_remove(elected)
}

/// The place of the worker that is believed. Each votes for its move by the depth it searched and
/// by how much better its value is than the worst (as Stockfish does it); the deepest of those that
/// found the elected move represents it. A proven mate counts more than votes, the shortest most.
fn elect(found: &[Vec<RootMove>]) -> usize {
    let best = |place: usize| found[place].first().filter(|root| root.depth > 0);
    let Some(main) = best(0) else { return 0 };
    let places = || (0..found.len()).filter_map(|place| Some((place, best(place)?)));
    let least = places().map(|(_, root)| root.value).min().unwrap_or(main.value);
    let mut votes: HashMap<Move, i64> = HashMap::new();
    for (_, root) in places() {
        *votes.entry(root.mv).or_default() += weight(root, least);
    }
    let rank = |root: &RootMove| {
        let mate = if root.value >= MATE_BOUND { root.value } else { 0 };
        (mate, votes[&root.mv], root.depth)
    };
    let (mut elected, mut highest) = (0, rank(main));
    for (place, root) in places().skip(1) {
        if rank(root) > highest {
            (elected, highest) = (place, rank(root));
        }
    }
    elected
}

/// What a worker's vote counts.
fn weight(root: &RootMove, least: Value) -> i64 {
    /// So that depth counts where all values are alike.
    const BASE: Value = 20;
    i64::from(root.value - least + BASE) * i64::from(root.depth)
}

/// The last line said is that of the move played.
fn report_elected(root: &RootMove, job: &SearchJob<'_>, on_event: &mut OnEvent<'_>) {
    on_event(&SearchEvent::Line(LineInfo {
        depth: root.depth,
        selective_depth: root.line.len(),
        line: 1,
        value: root.value,
        bound: Bound::Exact,
        whole: true,
        nodes: job.control.nodes(),
        time: job.control.elapsed(),
        fullness: 0,
        pv: root.line.clone(),
    }));
}

/// Pondering and infinite searches end only when stopped. Without threads nobody could stop them.
pub(crate) fn wait_until_told(limits: &Limits, control: &Control) {
    let waits = || (limits.infinite || control.is_pondering()) && !control.is_stopped();
    while cfg!(not(target_arch = "wasm32")) && waits() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::EndRules;
    use crate::search::probcut::QuiescenceModel;
    use crate::settings::SearchParams;
    use crate::tt::TranspositionTable;
    use crate::value::mate_in;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::time::Duration;
    use yomikiri_shogi::Position;

    /// Workers that fail, or that end only when stopped.
    enum Mock {
        Fails,
        Finds,
        WaitsForStop,
    }

    impl SearchWorker for Mock {
        fn work(&mut self, job: &SearchJob<'_>, _: &mut OnEvent<'_>) -> Vec<RootMove> {
            match self {
                Mock::Fails => panic!("a worker that fails, on purpose"),
                Mock::Finds => {
                    vec![RootMove::of_line(job.position.legal_moves()[..1].to_vec(), 0)]
                }
                Mock::WaitsForStop => {
                    while !job.control.workers_stopped() {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    Vec::new()
                }
            }
        }

        fn configure(&mut self, _: &SearchParams, _: &EndRules, _: &QuiescenceModel) {}

        fn set_move_probabilities(&mut self, _: &[u32; crate::category::COUNT]) {}

        fn set_table(&mut self, _: &Arc<TranspositionTable>) {}

        fn forget(&mut self) {}

        fn counters(&self) -> crate::search::Counters {
            crate::search::Counters::default()
        }
    }

    fn run(workers: Vec<Mock>, control: &Arc<Control>) -> std::thread::Result<Vec<RootMove>> {
        let mut workers: Vec<Box<dyn SearchWorker>> =
            workers.into_iter().map(|worker| Box::new(worker) as Box<dyn SearchWorker>).collect();
        let (position, limits) = (Position::start(), Limits::default());
        let job = SearchJob::new(&position, &limits, control);
        catch_unwind(AssertUnwindSafe(|| run_workers(&mut workers, &job, &mut |_: &_| {})))
    }

    #[test]
    fn helpers_end_when_the_main_worker_fails() {
        let control = Arc::new(Control::default());
        // That this comes back at all is the point.
        assert!(run(vec![Mock::Fails, Mock::WaitsForStop, Mock::WaitsForStop], &control).is_err());
        assert!(control.workers_stopped() && !control.is_stopped());
    }

    #[test]
    fn a_helper_that_fails_costs_nothing() {
        let control = Arc::new(Control::default());
        let found = run(vec![Mock::Finds, Mock::Fails, Mock::WaitsForStop], &control);
        assert!(found.expect("the main one is well").len() == 1 && !control.is_stopped());
    }

    /// What a worker found: move, value, depth.
    fn found(text: &str, value: Value, depth: i32) -> Vec<RootMove> {
        let root = RootMove::of_line(vec![text.parse().unwrap()], value);
        vec![RootMove { depth, ..root }]
    }

    #[test]
    fn the_main_worker_is_believed_where_all_agree() {
        assert_eq!(elect(&[found("7g7f", 30, 10), found("7g7f", 30, 10)]), 0);
        assert_eq!(elect(&[found("7g7f", 30, 10), Vec::new()]), 0);
        assert_eq!(elect(&[Vec::new(), found("7g7f", 30, 10)]), 0);
        assert_eq!(elect(&[found("7g7f", 30, 10)]), 0);
    }

    #[test]
    fn depth_and_value_and_number_decide_a_vote() {
        let main = found("7g7f", 30, 10);
        assert_eq!(elect(&[main.clone(), found("2g2f", 30, 13)]), 1, "deeper");
        assert_eq!(elect(&[main.clone(), found("2g2f", 90, 10)]), 1, "better");
        assert_eq!(elect(&[main.clone(), found("2g2f", 20, 9)]), 0, "neither");
        let agree = [main.clone(), found("2g2f", 30, 9), found("2g2f", 30, 8)];
        assert_eq!(elect(&agree), 1, "more, and the deeper of them represents it");
    }

    #[test]
    fn the_shortest_mate_counts_more_than_votes() {
        let lines = [
            found("7g7f", 900, 20),
            found("2g2f", mate_in(9), 9),
            found("3g3f", mate_in(5), 6),
            found("7g7f", 900, 20),
        ];
        assert_eq!(elect(&lines), 2);
    }

    #[test]
    fn work_with_a_deep_stack_gets_one() {
        fn depth(left: usize) -> usize {
            let room = std::hint::black_box([0_u8; 16 << 10]);
            if left == 0 { usize::from(room[0]) } else { 1 + depth(left - 1) }
        }
        // 64 MiB, which no ordinary thread has.
        assert_eq!(on_deep_stack(|bytes| depth(bytes.min(64 << 20) / (32 << 10))), 2048);
        let thread = spawn_deep(|bytes| depth(bytes.min(64 << 20) / (32 << 10)));
        assert_eq!(thread.unwrap().join().unwrap(), 2048);
    }
}
