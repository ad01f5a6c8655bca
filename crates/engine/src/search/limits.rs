//! When to stop: the limits of a search, and the signals that come while it runs.

use crate::time::Schedule;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use yomikiri_base::clock::{Clock, Stopwatch};
use yomikiri_base::stop::StopToken;
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
    /// How long a move is known to take on its way to whoever holds the clock: it counts as ours.
    pub delay: Duration,
}

/// What a search may spend. Everything empty means: until stopped.
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
#[derive(Clone)]
struct PonderHit {
    /// Since when: the clock runs from then on.
    watch: Stopwatch,
    /// What is allowed from then on, if that became known only now.
    schedule: Option<Schedule>,
}

/// The signals of one search, from any thread.
pub struct Control {
    clock: Clock,
    /// Since the search was requested, which may be well before its thread gets its turn.
    watch: Stopwatch,
    /// What the caller stops.
    stop: StopToken,
    /// Stops with it, and ends the workers when the main one is done.
    workers: StopToken,
    /// Stops with it, and ends the solver before the search when its time was planned by clocks
    /// that no longer count.
    solver: StopToken,
    pondering: AtomicBool,
    hit: Mutex<Option<PonderHit>>,
    nodes: AtomicU64,
}

impl Default for Control {
    /// The signals of a search that does not ponder and begins now, by the system's time.
    fn default() -> Control {
        Control::new(&Clock::default(), false, StopToken::new())
    }
}

impl Control {
    /// The signals of a search that begins now; `stop` ends it.
    pub fn new(clock: &Clock, ponder: bool, stop: StopToken) -> Control {
        Control {
            clock: clock.clone(),
            watch: clock.stopwatch(),
            workers: stop.child(),
            solver: stop.child(),
            stop,
            pondering: AtomicBool::new(ponder),
            hit: Mutex::new(None),
            nodes: AtomicU64::new(0),
        }
    }

    /// The same for a search that was requested earlier: its clock runs from then on.
    #[must_use]
    pub fn since(self, watch: Stopwatch) -> Control {
        Control { watch, ..self }
    }

    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.stop.stop();
        self.pondering.store(false, Relaxed);
    }

    /// The opponent played the expected move: the clock runs since then, by this schedule or, if
    /// there is none, by the one that the search began with. Does nothing to a search that does
    /// not ponder.
    pub fn ponder_hit(&self, schedule: Option<Schedule>, since: Stopwatch) {
        let mut hit = self.lock_hit();
        if self.is_pondering() {
            *hit = Some(PonderHit { watch: since, schedule });
            if schedule.is_some() {
                self.solver.stop();
            }
            // While the lock is held: whoever sees that the pondering is over sees the hit too.
            self.pondering.store(false, Relaxed);
        }
    }

    /// Where the time comes from.
    pub(crate) fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The time since the search was requested.
    pub(crate) fn elapsed(&self) -> Duration {
        self.watch.elapsed()
    }

    /// The time that counts against the schedule: since the ponder hit if there was one.
    pub(crate) fn used(&self) -> Duration {
        let hit = self.lock_hit();
        hit.as_ref().map_or_else(|| self.watch.elapsed(), |hit| hit.watch.elapsed())
    }

    /// The token that the caller stops, for work after the search.
    pub(crate) fn stop_token(&self) -> &StopToken {
        &self.stop
    }

    /// The token that also a ponder hit with a schedule of its own stops.
    pub(crate) fn solver_token(&self) -> &StopToken {
        &self.solver
    }

    /// Ends the workers, and nothing that follows them.
    pub(crate) fn stop_workers(&self) {
        self.workers.stop();
    }

    /// Whether the workers are to end.
    #[inline]
    pub(crate) fn workers_stopped(&self) -> bool {
        self.workers.is_stopped()
    }

    /// Whether the caller stopped the search.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_stopped()
    }

    /// Whether the opponent's move is still awaited.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Relaxed) && !self.is_stopped()
    }

    /// The schedule that came with the ponder hit.
    pub(crate) fn schedule_of_hit(&self) -> Option<Schedule> {
        self.lock_hit().as_ref()?.schedule
    }

    fn lock_hit(&self) -> MutexGuard<'_, Option<PonderHit>> {
        self.hit.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds nodes of one thread, and gives the sum of all.
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

    fn control(ponder: bool) -> Control {
        Control::new(&Clock::default(), ponder, StopToken::new())
    }

    #[test]
    fn only_a_search_that_ponders_is_hit_and_only_once() {
        let plan = |seconds| Schedule {
            maximum: Some(Duration::from_secs(seconds)),
            ..Schedule::default()
        };
        let plain = control(false);
        let now = || Clock::default().stopwatch();
        plain.ponder_hit(Some(plan(1)), now());
        assert_eq!(plain.schedule_of_hit(), None);
        let pondering = control(true);
        assert!(pondering.is_pondering());
        pondering.ponder_hit(Some(plan(2)), now());
        pondering.ponder_hit(Some(plan(3)), now());
        assert!(!pondering.is_pondering());
        assert_eq!(pondering.schedule_of_hit(), Some(plan(2)));
        let again = control(true);
        again.ponder_hit(None, now());
        assert!(!again.is_pondering() && again.schedule_of_hit().is_none());
    }

    #[test]
    fn a_stop_ends_everything_and_the_end_of_the_workers_only_them() {
        let control = control(true);
        control.stop_workers();
        assert!(control.workers_stopped() && !control.is_stopped() && control.is_pondering());
        control.stop();
        assert!(control.is_stopped() && control.solver_token().is_stopped());
        assert!(!control.is_pondering());
    }

    #[test]
    fn after_a_ponder_hit_the_clock_runs_anew() {
        let manual = yomikiri_base::clock::ManualClock::new();
        let control = Control::new(&manual.clock(), true, StopToken::new());
        manual.advance(Duration::from_secs(5));
        assert_eq!(control.used(), Duration::from_secs(5));
        let played = manual.clock().stopwatch();
        manual.advance(Duration::from_secs(1));
        // The word of it waited for a second, which the opponent's clock does not pay.
        control.ponder_hit(None, played);
        assert_eq!(control.used(), Duration::from_secs(1));
        manual.advance(Duration::from_secs(1));
        assert_eq!(control.used(), Duration::from_secs(2));
        assert_eq!(control.elapsed(), Duration::from_secs(7));
    }
}
