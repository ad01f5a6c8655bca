//! The two clocks of a game, moved by hand: whoever plays says how long a move took.

use crate::protocol::{BySide, ClockAsk, ClockSide, ClockView, Side};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use yomikiri_engine::search::limits::Clocks;
use yomikiri_shogi::Color;

/// The longest main time, byoyomi or increment: a week.
const LONGEST: u64 = 7 * 24 * 3600 * 1000;

/// The clocks as they stood when the present move began.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SessionClock {
    agreed: ClockAsk,
    /// Milliseconds, with the increment of the next move.
    left: [u64; 2],
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl SessionClock {
    /// Both clocks at the start; `None` for an agreement that leaves no time.
    pub fn new(agreed: ClockAsk) -> Option<SessionClock> {
        let ClockAsk { main, byoyomi, increment } = agreed;
        let sensible = [main, byoyomi, increment].iter().all(|&part| part <= LONGEST);
        let some = main + byoyomi + increment > 0;
        (sensible && some).then_some(SessionClock { agreed, left: [main + increment; 2] })
    }

    /// Whether what was saved can stand.
    pub fn is_sensible(&self) -> bool {
        SessionClock::new(self.agreed).is_some()
            && self.left.iter().all(|&left| left <= 1000 * LONGEST)
    }

    /// The longest that a side may think now.
    pub fn allowance(&self, side: Color) -> Duration {
        Duration::from_millis(self.left[side.index()] + self.agreed.byoyomi)
    }

    /// A side has moved after so long. Whether it was in time.
    pub fn spend(&mut self, side: Color, used: Duration) -> bool {
        let left = &mut self.left[side.index()];
        if used > Duration::from_millis(*left + self.agreed.byoyomi) {
            *left = 0;
            return false;
        }
        *left = left.saturating_sub(milliseconds(used)) + self.agreed.increment;
        true
    }

    /// The present move has used so much and the clock is put aside: it goes on with the rest.
    pub fn pause(&mut self, side: Color, used: Duration) {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(milliseconds(used));
    }

    /// The clocks for the engine: as in USI, the increment comes on top of what is left.
    pub fn for_engine(&self) -> Clocks {
        let ClockAsk { byoyomi, increment, .. } = self.agreed;
        let rest = |left: u64| Duration::from_millis(left.saturating_sub(increment));
        Clocks {
            remaining: self.left.map(rest),
            increment: [Duration::from_millis(increment); 2],
            byoyomi: Duration::from_millis(byoyomi),
            delay: Duration::ZERO,
        }
    }

    /// The clocks now, `used` after the present move began.
    pub fn view(&self, running: Option<Color>, used: Duration) -> ClockView {
        let used = milliseconds(used);
        let [black, white] = Color::ALL.map(|side| {
            let used = if running == Some(side) { used } else { 0 };
            let main = self.left[side.index()];
            ClockSide {
                main: main.saturating_sub(used),
                byoyomi: self.agreed.byoyomi.saturating_sub(used.saturating_sub(main)),
            }
        });
        ClockView {
            agreed: self.agreed,
            left: BySide { black, white },
            running: running.map(Side::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(main: u64, byoyomi: u64, increment: u64) -> SessionClock {
        let seconds = |count: u64| count * 1000;
        let agreed = ClockAsk {
            main: seconds(main),
            byoyomi: seconds(byoyomi),
            increment: seconds(increment),
        };
        SessionClock::new(agreed).unwrap()
    }

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn byoyomi_begins_when_the_main_time_is_used_up() {
        let mut clock = clock(60, 10, 0);
        assert!(clock.spend(Color::Black, seconds(65)));
        let view = clock.view(Some(Color::Black), seconds(4));
        assert_eq!(view.left.black, ClockSide { main: 0, byoyomi: 6_000 });
        assert_eq!(view.left.white, ClockSide { main: 60_000, byoyomi: 10_000 });
        assert!(clock.spend(Color::Black, seconds(10)));
        assert!(!clock.spend(Color::Black, seconds(11)));
    }

    #[test]
    fn increments_are_added_before_the_move() {
        let mut clock = clock(5, 0, 3);
        assert!(clock.spend(Color::White, seconds(7)));
        assert_eq!(clock.allowance(Color::White), seconds(4));
        assert!(!clock.spend(Color::White, seconds(5)));
    }

    #[test]
    fn a_pause_keeps_what_was_used() {
        let mut clock = clock(60, 10, 0);
        clock.pause(Color::Black, seconds(20));
        assert_eq!(clock.allowance(Color::Black), seconds(50));
        assert_eq!(clock.allowance(Color::White), seconds(70));
    }

    #[test]
    fn the_engine_never_plans_beyond_its_allowance() {
        use yomikiri_engine::Limits;
        use yomikiri_engine::time::{Schedule, TimeOptions};
        for (main, byoyomi, increment) in [(0, 0, 10), (5, 0, 10), (60, 0, 1), (3, 5, 0), (0, 5, 9)]
        {
            let mut clock = clock(main, byoyomi, increment);
            for number in 1..200 {
                let limits = Limits { clocks: Some(clock.for_engine()), ..Limits::default() };
                let plan = Schedule::new(&limits, &TimeOptions::default(), Color::Black, number);
                assert!(clock.spend(Color::Black, plan.maximum.unwrap()), "{clock:?}");
            }
        }
    }

    #[test]
    fn no_time_at_all_and_endless_time_are_refused() {
        assert_eq!(SessionClock::new(ClockAsk::default()), None);
        assert_eq!(SessionClock::new(ClockAsk { main: u64::MAX / 4, ..ClockAsk::default() }), None);
    }
}
