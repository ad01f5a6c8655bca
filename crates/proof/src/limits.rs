//! Limits of a search, and the clock that watches them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use yomikiri_base::clock::{Clock, Stopwatch};

/// How much a search may use.
#[derive(Clone, Debug)]
pub struct ProofLimits {
    /// Most nodes, over all threads.
    pub nodes: u64,
    /// Longest wall-clock time.
    pub time: Option<Duration>,
    /// Most bytes for the table.
    pub memory: usize,
    /// Raised by another thread to stop the search.
    pub stop: Arc<AtomicBool>,
    /// Where the time comes from.
    pub time_source: Clock,
    /// Where the recursion finds room.
    pub stack: Stack,
}

/// Where a recursion finds room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stack {
    /// On threads of its own, with room for the deepest lines.
    Own,
    /// On the caller's thread, of whose stack it may use this many bytes: the search gives up
    /// ([`Reason::Depth`]) where a line does not fit. Several threads are not possible then.
    Callers(usize),
}

/// Bytes of stack that a ply of a search, of an extraction or of a check is allowed: an upper bound
/// that tests hold against a stack that has no more.
const BYTES_PER_PLY: usize = 4 << 10;

/// Bytes that a recursion in a browser may use of the program's own stack, which holds what is not
/// in the browser's frames. Those take less than 1.3 KiB a ply with Chromium's baseline compiler
/// (192 plies pass with 250 KiB), and Chromium gives a worker 500 KiB: 192 plies, twice.
const BROWSER: usize = 1536 << 10;

impl Default for Stack {
    fn default() -> Stack {
        if cfg!(target_arch = "wasm32") { Stack::Callers(BROWSER) } else { Stack::Own }
    }
}

impl Stack {
    /// The deepest line that fits. The caller's stack is halved, since a search may begin within an
    /// extraction.
    #[must_use]
    pub fn deepest(self) -> usize {
        match self {
            Stack::Own => usize::MAX,
            Stack::Callers(bytes) => bytes / 2 / BYTES_PER_PLY,
        }
    }

    /// Runs a recursion where it finds room: on a thread with a stack of this size, or right here.
    ///
    /// # Panics
    /// If the work panics, or if the system gives no thread.
    pub fn run<T: Send>(self, bytes: usize, work: impl FnOnce() -> T + Send) -> T {
        match self {
            Stack::Callers(_) => work(),
            Stack::Own => std::thread::scope(|scope| {
                let builder = std::thread::Builder::new().stack_size(bytes);
                let thread = builder.spawn_scoped(scope, work);
                let thread = thread.expect("the system gives no thread for a deep recursion");
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            }),
        }
    }
}

impl Default for ProofLimits {
    fn default() -> Self {
        Self {
            nodes: u64::MAX,
            time: None,
            memory: 256 << 20,
            stop: Arc::default(),
            time_source: Clock::default(),
            stack: Stack::default(),
        }
    }
}

impl ProofLimits {
    /// A limit on nodes alone.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// A limit on time alone.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }
}

/// Why a search gave up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The node limit was reached.
    Nodes,
    /// The time was over.
    Time,
    /// The stop flag was raised.
    Stopped,
    /// The search tree no longer fits into the memory limit.
    Memory,
    /// A line no longer fits into the stack.
    Depth,
    /// The numbers grew beyond what can be counted.
    Numbers,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Nodes => "node limit",
            Self::Time => "time limit",
            Self::Stopped => "stopped",
            Self::Memory => "memory limit",
            Self::Depth => "depth limit",
            Self::Numbers => "numbers too large",
        })
    }
}

/// A running search's clock, shared by its threads.
#[derive(Debug)]
pub struct LimitClock {
    limits: ProofLimits,
    watch: Stopwatch,
    nodes: AtomicU64,
    finished: AtomicBool,
}

impl LimitClock {
    /// Starts the clock.
    #[must_use]
    pub fn start(limits: ProofLimits) -> Self {
        let watch = limits.time_source.stopwatch();
        Self { limits, watch, nodes: AtomicU64::new(0), finished: AtomicBool::new(false) }
    }

    /// Time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// Nodes reported so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// How many nodes a thread may visit before it reports again.
    #[must_use]
    pub fn stride(&self) -> u64 {
        let left = self.limits.nodes.saturating_sub(self.nodes());
        left.clamp(1, 512)
    }

    /// Adds visited nodes and says whether to stop, and why.
    pub fn tick(&self, nodes: u64) -> Option<Reason> {
        let total = self.nodes.fetch_add(nodes, Ordering::Relaxed) + nodes;
        if self.finished.load(Ordering::Relaxed) || self.limits.stop.load(Ordering::Relaxed) {
            Some(Reason::Stopped)
        } else if total >= self.limits.nodes {
            Some(Reason::Nodes)
        } else if self.limits.time.is_some_and(|limit| self.watch.elapsed() >= limit) {
            Some(Reason::Time)
        } else {
            None
        }
    }

    /// Signals to the other threads of this search that the answer is there.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_limit_is_met_exactly_by_following_the_stride() {
        let clock = LimitClock::start(ProofLimits::nodes(1000));
        let mut visited = 0;
        loop {
            let stride = clock.stride();
            visited += stride;
            if let Some(reason) = clock.tick(stride) {
                assert_eq!(reason, Reason::Nodes);
                break;
            }
        }
        assert_eq!(visited, 1000);
    }

    #[test]
    fn the_stop_flag_stops() {
        let limits = ProofLimits::default();
        let stop = Arc::clone(&limits.stop);
        let clock = LimitClock::start(limits);
        assert_eq!(clock.tick(1), None);
        stop.store(true, Ordering::Relaxed);
        assert_eq!(clock.tick(1), Some(Reason::Stopped));
    }
}
