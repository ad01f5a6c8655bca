//! When to stop: limits asked for, and the signals that come while a search runs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use yomikiri_shogi::Move;

/// The clocks of a game, by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// Time left.
    pub remaining: [Duration; 2],
    /// Time added after each move.
    pub increment: [Duration; 2],
    /// Time for every move once the rest is used up.
    pub byoyomi: Duration,
}

/// What a search may spend. Everything empty means: until told to stop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Greatest depth in plies.
    pub depth: Option<i32>,
    /// Nodes, all threads together.
    pub nodes: Option<u64>,
    /// Exactly so long.
    pub move_time: Option<Duration>,
    /// The clocks of the game, for the time manager to divide.
    pub clocks: Option<Clocks>,
    /// Start on the opponent's time: no clock runs until the ponder hit.
    pub ponder: bool,
    /// Do not end by itself even when everything is searched.
    pub infinite: bool,
    /// Only these moves at the root; empty means all.
    pub search_moves: Vec<Move>,
}

/// Signals to a running search, from any thread.
#[derive(Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    pondering: AtomicBool,
    ponder_hit: Mutex<Option<Instant>>,
    /// When the search was asked for, which may be well before its thread gets its turn.
    asked: Mutex<Option<Instant>>,
    nodes: AtomicU64,
}

impl Control {
    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.pondering.store(false, Relaxed);
    }

    /// The opponent played the expected move: the clock runs from now on.
    pub fn ponder_hit(&self) {
        if let Ok(mut hit) = self.ponder_hit.lock() {
            *hit = Some(Instant::now());
        }
        self.pondering.store(false, Relaxed);
    }

    /// Prepares for a new search. Called before the search's thread starts, so that a stop that
    /// follows at once is not lost.
    pub fn prepare(&self, ponder: bool) {
        self.stop.store(false, Relaxed);
        self.pondering.store(ponder, Relaxed);
        self.nodes.store(0, Relaxed);
        if let Ok(mut hit) = self.ponder_hit.lock() {
            *hit = None;
        }
        if let Ok(mut asked) = self.asked.lock() {
            *asked = Some(Instant::now());
        }
    }

    /// When the search was prepared: its clock runs from then on.
    pub(crate) fn asked(&self) -> Instant {
        self.asked.lock().ok().and_then(|asked| *asked).unwrap_or_else(Instant::now)
    }

    /// The flag that [`stop`](Self::stop) raises, for solvers that watch it themselves.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Lowers the flag after a search that ended by itself, for the work that follows it.
    pub(crate) fn lower_flag(&self) -> Arc<AtomicBool> {
        self.stop.store(false, Relaxed);
        self.stop_flag()
    }

    /// Whether the search was told to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Whether the opponent's move is still awaited.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed)
    }

    /// From when the clock runs: the ponder hit if there was one, else the given start.
    pub(crate) fn clock_start(&self, start: Instant) -> Instant {
        self.ponder_hit.lock().ok().and_then(|hit| *hit).unwrap_or(start)
    }

    /// Adds nodes of one thread, and tells the sum of all.
    pub(crate) fn add_nodes(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    /// Nodes that all threads have reported.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }
}
