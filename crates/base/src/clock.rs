//! Time as a value that is handed in: what also runs in a browser (rules, searches, solvers, games)
//! never reads the system's clock. Deadlines for other processes, the seconds of logged units and
//! the pace of a run that is shown are the system's.
//!
//! A test moves a [`ManualClock`] by hand; a browser hands in its own function
//! ([`Clock::from_fn`]), since `wasm32-unknown-unknown` has no system clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A source of monotonic time. Clones share it.
#[derive(Clone)]
pub struct Clock {
    now: Arc<dyn Fn() -> Duration + Send + Sync>,
}

impl Clock {
    /// The system's monotonic clock.
    #[cfg(not(target_arch = "wasm32"))]
    #[must_use]
    pub fn system() -> Clock {
        let origin = std::time::Instant::now();
        Clock::from_fn(move || origin.elapsed())
    }

    /// A clock that reads the time since any fixed moment from a function; it must never go back.
    #[must_use]
    pub fn from_fn(now: impl Fn() -> Duration + Send + Sync + 'static) -> Clock {
        Clock { now: Arc::new(now) }
    }

    /// The time since the clock's origin. Only differences mean something.
    #[must_use]
    pub fn now(&self) -> Duration {
        (self.now)()
    }

    /// Begins to measure.
    #[must_use]
    pub fn stopwatch(&self) -> Stopwatch {
        Stopwatch { clock: self.clone(), start: self.now() }
    }
}

impl Default for Clock {
    /// The system's clock where there is one; elsewhere a clock that stands still, so that limits
    /// of time never end anything: hand in a clock there.
    fn default() -> Clock {
        #[cfg(not(target_arch = "wasm32"))]
        return Clock::system();
        #[cfg(target_arch = "wasm32")]
        return Clock::from_fn(|| Duration::ZERO);
    }
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clock").field("now", &self.now()).finish()
    }
}

/// The time since a moment.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    clock: Clock,
    start: Duration,
}

impl Stopwatch {
    /// The time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }

    /// The moment of the start, by the clock.
    #[must_use]
    pub fn start(&self) -> Duration {
        self.start
    }
}

/// A clock that stands still until a test moves it.
#[derive(Clone, Debug, Default)]
pub struct ManualClock {
    nanoseconds: Arc<AtomicU64>,
}

impl ManualClock {
    /// A clock at zero.
    #[must_use]
    pub fn new() -> ManualClock {
        ManualClock::default()
    }

    /// The clock to hand in.
    #[must_use]
    pub fn clock(&self) -> Clock {
        let nanoseconds = Arc::clone(&self.nanoseconds);
        Clock::from_fn(move || Duration::from_nanos(nanoseconds.load(Ordering::SeqCst)))
    }

    /// Lets time pass; the clock stops at its end after 584 years.
    pub fn advance(&self, time: Duration) {
        let step = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let add = |now: u64| Some(now.saturating_add(step));
        // The closure always gives a value, so the update cannot fail.
        let _ = self.nanoseconds.fetch_update(Ordering::SeqCst, Ordering::SeqCst, add);
    }
}

/// Clocks cannot count on to any number: thirty years are as good as no limit.
const MOST_SECONDS: f64 = 1e9;

/// A text that is no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("give a number of seconds above 0, at most {MOST_SECONDS}")]
pub struct NoSeconds;

/// A time above 0 from a number of seconds.
///
/// # Errors
/// If it is none.
pub fn parse_seconds(text: &str) -> Result<Duration, NoSeconds> {
    let number = text.parse::<f64>().map_err(|_| NoSeconds)?;
    match number > 0.0 && number <= MOST_SECONDS {
        true => Duration::try_from_secs_f64(number).map_err(|_| NoSeconds),
        false => Err(NoSeconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manual_clock_moves_only_by_hand() {
        let manual = ManualClock::new();
        let clock = manual.clock();
        manual.advance(Duration::from_secs(5));
        let watch = clock.stopwatch();
        assert_eq!((clock.now(), watch.elapsed()), (Duration::from_secs(5), Duration::ZERO));
        manual.advance(Duration::from_millis(1500));
        assert_eq!(watch.elapsed(), Duration::from_millis(1500));
        assert_eq!(watch.start(), Duration::from_secs(5));
        manual.advance(Duration::MAX);
        manual.advance(Duration::MAX);
        assert_eq!(clock.now(), Duration::from_nanos(u64::MAX));
    }

    #[test]
    fn the_system_clock_goes_on() {
        let clock = Clock::system();
        let watch = clock.stopwatch();
        std::thread::sleep(Duration::from_millis(2));
        assert!(watch.elapsed() >= Duration::from_millis(2));
        assert!(clock.now() >= watch.elapsed());
    }
}
