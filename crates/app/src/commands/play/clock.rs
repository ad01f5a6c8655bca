//! The two clocks of a game.

use std::time::Duration;
use yomikiri_engine::search::limits::Clocks;
use yomikiri_shogi::Color;

/// What the players agreed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// For the whole game.
    pub main: Duration,
    /// For each move after that.
    pub byoyomi: Duration,
    /// Added before each move.
    pub increment: Duration,
}

/// The clocks as they stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    agreement: Agreement,
    /// With the increment of the next move.
    left: [Duration; 2],
}

impl Clock {
    /// Both clocks at the start.
    pub fn new(agreement: Agreement) -> Clock {
        Clock { agreement, left: [agreement.main + agreement.increment; 2] }
    }

    /// The longest that a side may think now.
    pub fn allowance(&self, side: Color) -> Duration {
        self.left[side.index()] + self.agreement.byoyomi
    }

    /// A side has moved after so long. Whether it was in time.
    pub fn spend(&mut self, side: Color, used: Duration) -> bool {
        if used > self.allowance(side) {
            self.left[side.index()] = Duration::ZERO;
            return false;
        }
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(used) + self.agreement.increment;
        true
    }

    /// What the engine is told: as in USI, the increment comes on top of what is left.
    pub fn for_engine(&self) -> Clocks {
        Clocks {
            remaining: self.left.map(|left| left.saturating_sub(self.agreement.increment)),
            increment: [self.agreement.increment; 2],
            byoyomi: self.agreement.byoyomi,
        }
    }

    /// What a side has left, as `9:58 +30`.
    pub fn show(&self, side: Color) -> String {
        let seconds = self.left[side.index()].as_secs();
        let (minutes, rest) = (seconds / 60, seconds % 60);
        match self.agreement.byoyomi.as_secs() {
            0 => format!("{minutes}:{rest:02}"),
            byoyomi => format!("{minutes}:{rest:02} +{byoyomi}"),
        }
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

    #[test]
    fn byoyomi_begins_when_the_main_time_is_used_up() {
        let agreement =
            Agreement { main: seconds(60), byoyomi: seconds(10), increment: Duration::ZERO };
        let mut clock = Clock::new(agreement);
        assert!(clock.spend(Color::Black, seconds(65)));
        assert_eq!(clock.show(Color::Black), "0:00 +10");
        assert!(clock.spend(Color::Black, seconds(10)));
        assert!(!clock.spend(Color::Black, seconds(11)));
        assert_eq!(clock.show(Color::White), "1:00 +10");
    }

    #[test]
    fn increments_are_added_before_the_move() {
        let agreement =
            Agreement { main: seconds(5), byoyomi: Duration::ZERO, increment: seconds(3) };
        let mut clock = Clock::new(agreement);
        assert!(clock.spend(Color::White, seconds(7)));
        assert_eq!(clock.show(Color::White), "0:04");
        assert!(!clock.spend(Color::White, seconds(5)));
    }

    #[test]
    fn the_engine_never_plans_beyond_its_allowance() {
        for (main, byoyomi, increment) in [(0, 0, 10), (5, 0, 10), (60, 0, 1), (3, 5, 0), (0, 5, 9)]
        {
            let agreement = Agreement {
                main: seconds(main),
                byoyomi: seconds(byoyomi),
                increment: seconds(increment),
            };
            let mut clock = Clock::new(agreement);
            for number in 1..200 {
                let limits = Limits { clocks: Some(clock.for_engine()), ..Limits::default() };
                let options = TimeOptions::default();
                let plan = Schedule::new(&limits, &options, Color::Black, number);
                // Even a search that always uses all it may is in time.
                assert!(clock.spend(Color::Black, plan.maximum.unwrap()), "{agreement:?}");
            }
        }
    }
}
