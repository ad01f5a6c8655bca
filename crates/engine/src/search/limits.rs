//! When to stop: limits asked for, and the signals that come while a search runs.

use crate::time::Schedule;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use yomikiri_shogi::Move;

/// The clocks of a game, by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clocks {
    /// Time left. Some clocks have added the increment of this move already, others have not.
    pub remaining: [Duration; 2],
    /// Time that comes with each move.
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
    /// Only these moves at the root; all moves if none of these is legal.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Whether the search ends by itself after a fixed effort, whatever the clocks say.
    pub fn is_fixed(&self) -> bool {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.move_time.is_some();
        limited && !self.infinite
    }
}

/// The opponent's expected move was played.
#[derive(Clone, Copy)]
struct PonderHit {
    /// When: the clock runs from then on.
    at: Instant,
    /// What is allowed from then on, if that became known only now.
    schedule: Option<Schedule>,
}

/// Signals to a running search, from any thread.
#[derive(Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    /// For the solver before the search, which must end as well when its time was planned by
    /// clocks that no longer count.
    solver_stop: Arc<AtomicBool>,
    pondering: AtomicBool,
    ponder_hit: Mutex<Option<PonderHit>>,
    /// When the search was asked for, which may be well before its thread gets its turn.
    asked: Mutex<Option<Instant>>,
    nodes: AtomicU64,
}

impl Control {
    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        self.solver_stop.store(true, Relaxed);
        self.pondering.store(false, Relaxed);
    }

    /// The opponent played the expected move: the clock runs from now on, by this schedule or, if
    /// there is none, by the one that the search began with. Does nothing to a search that does
    /// not ponder.
    pub fn ponder_hit(&self, schedule: Option<Schedule>) {
        if let Ok(mut hit) = self.ponder_hit.lock()
            && self.is_pondering()
        {
            *hit = Some(PonderHit { at: Instant::now(), schedule });
            self.solver_stop.fetch_or(schedule.is_some(), Relaxed);
            // While the lock is held: whoever sees that the pondering is over sees the hit too.
            self.pondering.store(false, Relaxed);
        }
    }

    /// Prepares for a new search that is asked for now. Called before the search's thread starts,
    /// so that a stop that follows at once is not lost.
    pub fn prepare(&self, ponder: bool) {
        self.prepare_since(Instant::now(), ponder);
    }

    /// The same for a search that was asked for a while ago: its clock runs from then on.
    pub fn prepare_since(&self, since: Instant, ponder: bool) {
        self.stop.store(false, Relaxed);
        self.solver_stop.store(false, Relaxed);
        self.pondering.store(ponder, Relaxed);
        self.nodes.store(0, Relaxed);
        if let Ok(mut hit) = self.ponder_hit.lock() {
            *hit = None;
        }
        if let Ok(mut asked) = self.asked.lock() {
            *asked = Some(since);
        }
    }

    /// When the search was asked for: its clock runs from then on.
    pub(crate) fn asked(&self) -> Instant {
        self.asked.lock().ok().and_then(|asked| *asked).unwrap_or_else(Instant::now)
    }

    /// The flag that [`stop`](Self::stop) raises, for solvers that watch it themselves.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// The flag that also a ponder hit with a schedule of its own raises.
    pub(crate) fn solver_stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.solver_stop)
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
        self.hit().map_or(start, |hit| hit.at)
    }

    /// The schedule that came with the ponder hit.
    pub(crate) fn schedule_of_hit(&self) -> Option<Schedule> {
        self.hit()?.schedule
    }

    fn hit(&self) -> Option<PonderHit> {
        self.ponder_hit.lock().ok().and_then(|hit| *hit)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_search_that_ponders_is_hit_and_only_once() {
        let control = Control::default();
        let plan = |seconds| Schedule {
            maximum: Some(Duration::from_secs(seconds)),
            ..Schedule::default()
        };
        control.prepare(false);
        control.ponder_hit(Some(plan(1)));
        assert_eq!(control.schedule_of_hit(), None);
        control.prepare(true);
        assert!(control.is_pondering());
        control.ponder_hit(Some(plan(2)));
        control.ponder_hit(Some(plan(3)));
        assert!(!control.is_pondering());
        assert_eq!(control.schedule_of_hit(), Some(plan(2)));
        control.prepare(true);
        control.ponder_hit(None);
        assert!(!control.is_pondering() && control.schedule_of_hit().is_none());
    }
}
