//! The two clocks of a game.

use std::time::Duration;
use yomikiri_engine::search::limits::Clocks;
use yomikiri_shogi::Color;

/// What a player agreed to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockSettings {
    /// For the whole game.
    pub main: Duration,
    /// For each move once that is used up.
    pub byoyomi: Duration,
    /// Added before each move.
    pub increment: Duration,
    /// A move that comes this much after its time is still taken.
    pub grace: Duration,
    /// Time is charged in whole units of this, rounded down; zero for exact times.
    pub unit: Duration,
}

impl ClockSettings {
    /// As people set a clock: seconds for the game, for each move after that, and added by each
    /// move. No clock if none of them is given.
    #[must_use]
    pub fn of_seconds(
        main: Option<u32>,
        byoyomi: Option<u32>,
        increment: Option<u32>,
    ) -> Option<ClockSettings> {
        main.or(byoyomi).or(increment)?;
        let seconds = |count: Option<u32>| Duration::from_secs(count.unwrap_or(0).into());
        Some(ClockSettings {
            main: seconds(main),
            byoyomi: seconds(byoyomi),
            increment: seconds(increment),
            ..ClockSettings::default()
        })
    }
}

impl ClockSettings {
    fn charged(&self, used: Duration) -> Duration {
        match self.unit.as_nanos() {
            0 => used,
            unit => used.saturating_sub(Duration::from_nanos((used.as_nanos() % unit) as u64)),
        }
    }
}

/// The clocks as they stand. A player may have none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameClock {
    settings: [Option<ClockSettings>; 2],
    /// With the increment of the next move.
    left: [Duration; 2],
}

impl GameClock {
    /// Both clocks at the start, by colour.
    pub fn new(settings: [Option<ClockSettings>; 2]) -> GameClock {
        let left = settings.map(|side| side.map_or(Duration::ZERO, |s| s.main + s.increment));
        GameClock { settings, left }
    }

    /// Both clocks at the start, set alike.
    pub fn even(settings: ClockSettings) -> GameClock {
        GameClock::new([Some(settings); 2])
    }

    /// The longest that a side may think now; `None` without a clock.
    pub fn allowance(&self, side: Color) -> Option<Duration> {
        let settings = self.settings[side.index()]?;
        Some(self.left[side.index()].saturating_add(settings.byoyomi))
    }

    /// A side has moved after this time. Whether it was in time.
    pub fn charge(&mut self, side: Color, used: Duration) -> bool {
        let (Some(settings), Some(allowance)) = (self.settings[side.index()], self.allowance(side))
        else {
            return true;
        };
        let left = &mut self.left[side.index()];
        if used > allowance.saturating_add(settings.grace) {
            *left = Duration::ZERO;
            return false;
        }
        *left = left.saturating_sub(settings.charged(used)) + settings.increment;
        true
    }

    /// The time left to both sides, without the increment of the next move; zero without a clock.
    pub fn remaining(&self) -> [Duration; 2] {
        let increment = |at: usize| self.settings[at].map_or(Duration::ZERO, |s| s.increment);
        [0, 1].map(|at| self.left[at].saturating_sub(increment(at)))
    }

    /// The clocks for an engine that plays a side: as in USI, the increment comes on top of what is
    /// left. `None` if that side has no clock.
    pub fn for_engine(&self, side: Color) -> Option<Clocks> {
        let own = self.settings[side.index()]?;
        let increment = self.settings.map(|side| side.map_or(Duration::ZERO, |s| s.increment));
        let (remaining, delay) = (self.remaining(), Duration::ZERO);
        Some(Clocks { remaining, increment, byoyomi: own.byoyomi, delay })
    }

    /// What a side has left, and its byoyomi; `None` without a clock.
    pub fn left(&self, side: Color) -> Option<(Duration, Duration)> {
        let settings = self.settings[side.index()]?;
        Some((self.left[side.index()], settings.byoyomi))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_engine::Limits;
    use yomikiri_engine::time::{Schedule, TimeOptions};

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn settings(main: u64, byoyomi: u64, increment: u64) -> ClockSettings {
        let [main, byoyomi, increment] = [main, byoyomi, increment].map(seconds);
        ClockSettings { main, byoyomi, increment, ..ClockSettings::default() }
    }

    #[test]
    fn byoyomi_begins_when_the_main_time_is_used_up() {
        let mut clock = GameClock::even(settings(60, 10, 0));
        assert!(clock.charge(Color::Black, seconds(65)));
        assert_eq!(clock.left(Color::Black), Some((seconds(0), seconds(10))));
        assert!(clock.charge(Color::Black, seconds(10)));
        assert!(!clock.charge(Color::Black, seconds(11)));
        assert_eq!(clock.left(Color::White), Some((seconds(60), seconds(10))));
    }

    #[test]
    fn increments_are_added_before_the_move() {
        let mut clock = GameClock::even(settings(5, 0, 3));
        assert!(clock.charge(Color::White, seconds(7)));
        assert_eq!(clock.left(Color::White), Some((seconds(4), seconds(0))));
        assert_eq!(clock.remaining(), [seconds(5), seconds(1)]);
        assert!(!clock.charge(Color::White, seconds(5)));
    }

    #[test]
    fn a_player_without_a_clock_is_never_late() {
        let mut clock = GameClock::new([None, Some(settings(1, 0, 0))]);
        assert!(clock.charge(Color::Black, seconds(1000)));
        assert_eq!((clock.allowance(Color::Black), clock.for_engine(Color::Black)), (None, None));
        assert_eq!(clock.left(Color::Black), None);
        assert_eq!(clock.remaining(), [seconds(0), seconds(1)]);
        assert!(!clock.charge(Color::White, seconds(2)));
    }

    #[test]
    fn grace_forgives_and_units_are_rounded_down() {
        let unit = Duration::from_millis(1);
        let grace = Duration::from_millis(200);
        let mut clock = GameClock::even(ClockSettings { grace, unit, ..settings(1, 0, 0) });
        assert!(clock.charge(Color::Black, Duration::from_micros(300_900)));
        assert_eq!(clock.remaining()[0], Duration::from_millis(700));
        assert!(clock.charge(Color::Black, Duration::from_millis(900)));
        assert_eq!(clock.remaining()[0], Duration::ZERO);
        assert!(!clock.charge(Color::Black, Duration::from_millis(201)));
    }

    #[test]
    fn the_engine_never_plans_beyond_its_allowance() {
        for (main, byoyomi, increment) in [(0, 0, 10), (5, 0, 10), (60, 0, 1), (3, 5, 0), (0, 5, 9)]
        {
            let settings = settings(main, byoyomi, increment);
            let mut clock = GameClock::even(settings);
            for number in 1..200 {
                let limits = Limits { clocks: clock.for_engine(Color::Black), ..Limits::default() };
                let options = TimeOptions::default();
                let plan = Schedule::new(&limits, &options, Color::Black, number);
                // Even a search that always uses all it may is in time.
                assert!(clock.charge(Color::Black, plan.maximum.unwrap()), "{settings:?}");
            }
        }
    }
}
