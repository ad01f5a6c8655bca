//! How much time to spend on a move.
//!
//! Byoyomi that is not used is lost, so that a player who has nothing else uses it up, less a
//! reserve for the way to the server. With time in the bank, a share of it is planned for each
//! move and a few times as much allowed when the search is unsure.

use crate::search::limits::{Clocks, Limits};
use crate::speculative;
use std::time::Duration;
use yomikiri_shogi::Color;

/// What the user says about clocks and the way to the server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeOptions {
    /// The usual delay of a move, taken off when times are rounded up to full seconds.
    pub network_delay: Duration,
    /// The longest delay to be feared, kept in reserve when a move must come.
    pub network_delay2: Duration,
    /// The least time to think when the clock has plenty.
    pub minimum: Duration,
    /// How much of the planned time is used, per cent.
    pub slow_mover: u32,
    /// Whether clocks count only full seconds, so that the rest of a second is free.
    pub round_up: bool,
}

impl Default for TimeOptions {
    fn default() -> TimeOptions {
        TimeOptions {
            network_delay: Duration::from_millis(120),
            network_delay2: Duration::from_millis(1120),
            minimum: Duration::from_millis(2000),
            slow_mover: 100,
            round_up: true,
        }
    }
}

/// When a search should and when it must end; `None` for never.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Schedule {
    /// After an iteration that ends later than this, no other is begun.
    pub optimum: Option<Duration>,
    /// The search is broken off here.
    pub maximum: Option<Duration>,
    /// Times are counted in full seconds, with this delay taken off.
    pub full_seconds: Option<Duration>,
}

/// No game lasts longer than a century: greater times mean this one, so that no sum overflows.
const LONGEST: Duration = Duration::from_secs(100 * 366 * 24 * 60 * 60);

/// No reserve is smaller than this: a thread may wait so long for its turn on a busy machine.
const LEAST_RESERVE: Duration = Duration::from_millis(30);

/// What is kept back of the time that may be used up for this move: the delay that the user fears,
/// or an eighth where that does not fit, besides a delay that was seen, and never more than half.
fn reserve(available: Duration, seen: Duration, options: &TimeOptions) -> Duration {
    let feared = options.network_delay2;
    let kept = match available >= feared.saturating_mul(3) {
        true => feared.max(seen),
        false => (available / 8).saturating_add(seen),
    };
    kept.max(LEAST_RESERVE).min(available / 2)
}

/// A time multiplied by a factor; the longest there is where the product has no place.
pub(crate) fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

/// What the time manager knows about one search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Planner {
    /// What the search may spend.
    pub limits: Limits,
    /// What the user says.
    pub options: TimeOptions,
    /// Whose clock runs.
    pub side: Color,
    /// The number of the move.
    pub move_number: u32,
    /// Whether a part of the time is kept for speculative play.
    pub speculates: bool,
}

impl Planner {
    /// The plan by what was known when the search began.
    pub fn schedule(&self) -> Schedule {
        self.plan(&self.limits)
    }

    /// What a ponder hit changes: clocks that come with it stand in for those of the start. A
    /// search without any limit would never end after the hit, so that it ends at once.
    pub fn on_ponder_hit(&self, clocks: Option<Clocks>) -> Option<Schedule> {
        let limits = &self.limits;
        if clocks.is_some() {
            return Some(self.plan(&Limits { clocks, ..limits.clone() }));
        }
        let ends = limits.is_fixed() || limits.clocks.is_some() || limits.infinite;
        let at_once = Some(Duration::ZERO);
        (!ends).then_some(Schedule { optimum: at_once, maximum: at_once, full_seconds: None })
    }

    fn plan(&self, limits: &Limits) -> Schedule {
        let schedule = Schedule::new(limits, &self.options, self.side, self.move_number);
        if self.speculates { speculative::leaving_time(schedule) } else { schedule }
    }
}

impl Schedule {
    /// Plans a search for the side to move at a move number.
    pub fn new(limits: &Limits, options: &TimeOptions, side: Color, move_number: u32) -> Schedule {
        if let Some(time) = limits.move_time {
            let time = time.min(LONGEST);
            let most = time - (time / 10).min(Duration::from_millis(15));
            return Schedule { optimum: Some(most), maximum: Some(most), full_seconds: None };
        }
        match limits.clocks {
            Some(clocks) => Schedule::for_clocks(&clocks, options, side, move_number),
            None => Schedule::default(),
        }
    }

    fn for_clocks(
        clocks: &Clocks,
        options: &TimeOptions,
        side: Color,
        move_number: u32,
    ) -> Schedule {
        let bank = clocks.remaining[side.index()].min(LONGEST);
        let increment = clocks.increment[side.index()].min(LONGEST);
        let byoyomi = clocks.byoyomi.min(LONGEST);
        let fresh = increment + byoyomi;
        // In USI the increment of this move comes on top of the bank, but some programs have
        // added it already. A bank smaller than the increment cannot hold it; any other may.
        let available = bank.max(increment) + byoyomi;
        let most = available - reserve(available, clocks.delay, options);
        if bank <= byoyomi / 4 {
            // Byoyomi alone: what is not used is lost.
            let all = if increment.is_zero() { most } else { most / 2 };
            return Schedule { optimum: Some(all), maximum: Some(most), full_seconds: None };
        }
        // Games last about 120 moves of both sides; late ones are planned as if 25 more of ours
        // were to come.
        let moves_left = (130_u32.saturating_sub(move_number) / 2).max(25);
        let share = bank / moves_left + fresh * 4 / 5;
        let planned = share.saturating_mul(options.slow_mover) / 100;
        let plenty = available > options.minimum.saturating_mul(30);
        let optimum = if plenty { planned.max(options.minimum) } else { planned };
        let longest = planned.saturating_mul(4).max(fresh).min(bank * 3 / 10 + fresh);
        Schedule {
            optimum: Some(optimum.min(most)),
            maximum: Some(longest.max(optimum).min(most)),
            full_seconds: (options.round_up && plenty).then_some(options.network_delay),
        }
    }

    /// Whether nothing is saved by ending early: a time for this move alone.
    pub fn is_fixed(&self) -> bool {
        self.optimum.is_some() && self.optimum == self.maximum
    }

    /// Whether a search that has used this much time should begin no other iteration.
    pub fn is_used_up(&self, used: Duration, optimum: Duration) -> bool {
        let target = match self.full_seconds {
            // The rest of a begun second costs nothing.
            Some(delay) => {
                let end = optimum.saturating_add(delay);
                let seconds = end.as_secs().saturating_add(u64::from(end.subsec_millis() > 0));
                Duration::from_secs(seconds).saturating_sub(delay).max(optimum)
            }
            None => optimum,
        };
        // Most of an iteration's time goes into its last part: one begun late would be lost.
        used >= scaled(target, 0.7).max(target.saturating_sub(Duration::from_millis(20)))
            || used >= target
            || self.maximum.is_some_and(|most| used >= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(bank: u64, increment: u64, byoyomi: u64) -> Limits {
        let clocks = Clocks {
            remaining: [Duration::from_secs(bank); 2],
            increment: [Duration::from_secs(increment); 2],
            byoyomi: Duration::from_secs(byoyomi),
            delay: Duration::ZERO,
        };
        Limits { clocks: Some(clocks), ..Limits::default() }
    }

    fn plan(limits: &Limits) -> (Duration, Duration) {
        let schedule = Schedule::new(limits, &TimeOptions::default(), Color::White, 41);
        (schedule.optimum.unwrap(), schedule.maximum.unwrap())
    }

    #[test]
    fn no_plan_uses_more_than_there_is() {
        for bank in [0, 1, 5, 60, 600, 7200] {
            for (increment, byoyomi) in
                [(0, 0), (0, 1), (0, 10), (0, 60), (1, 0), (10, 0), (10, 10)]
            {
                // Never on the strength of an increment that the bank may hold already.
                let all = Duration::from_secs(bank.max(increment) + byoyomi);
                let (optimum, maximum) = plan(&seconds(bank, increment, byoyomi));
                assert!(optimum <= maximum, "{bank} {increment} {byoyomi}");
                assert!(maximum < all || all.is_zero(), "{bank} {increment} {byoyomi}");
            }
        }
    }

    #[test]
    fn an_increment_alone_is_time_to_think() {
        let (optimum, maximum) = plan(&seconds(0, 10, 0));
        assert!(optimum >= Duration::from_secs(4) && maximum >= Duration::from_secs(8));
    }

    #[test]
    fn byoyomi_alone_is_used_up_but_for_the_reserve() {
        let (optimum, maximum) = plan(&seconds(0, 0, 10));
        assert_eq!(optimum, maximum);
        assert_eq!(maximum, Duration::from_millis(10_000 - 1_120));
        let (_, short) = plan(&seconds(0, 0, 1));
        assert_eq!(short, Duration::from_millis(875));
    }

    #[test]
    fn a_delay_that_was_seen_is_kept_back() {
        let late = |byoyomi, delay| {
            let clocks = seconds(0, 0, byoyomi).clocks.unwrap();
            let clocks = Clocks { delay: Duration::from_millis(delay), ..clocks };
            plan(&Limits { clocks: Some(clocks), ..Limits::default() }).1
        };
        assert_eq!(late(1, 200), Duration::from_millis(675));
        // The delay that is feared anyhow has room for it.
        assert_eq!(late(10, 200), Duration::from_millis(10_000 - 1_120));
        assert_eq!(late(10, 2_000), Duration::from_secs(8));
        assert_eq!(late(1, 5_000), Duration::from_millis(500));
    }

    #[test]
    fn a_bank_lasts_for_many_moves() {
        let (optimum, maximum) = plan(&seconds(600, 0, 0));
        assert!(optimum >= Duration::from_secs(5) && optimum <= Duration::from_secs(25));
        assert!(maximum <= Duration::from_secs(180));
    }

    #[test]
    fn move_time_is_kept() {
        let limits = Limits { move_time: Some(Duration::from_millis(500)), ..Limits::default() };
        let (optimum, maximum) = plan(&limits);
        assert!(optimum == maximum && maximum < Duration::from_millis(500));
        assert!(Schedule::new(&limits, &TimeOptions::default(), Color::Black, 1).is_fixed());
        let bank = Schedule::new(&seconds(600, 0, 0), &TimeOptions::default(), Color::Black, 1);
        assert!(!bank.is_fixed() && !Schedule::default().is_fixed());
        assert!(maximum > Duration::from_millis(450));
    }

    #[test]
    fn without_clocks_there_is_no_end() {
        let schedule = Schedule::new(&Limits::default(), &TimeOptions::default(), Color::Black, 1);
        assert_eq!(schedule, Schedule::default());
    }

    #[test]
    fn the_clocks_of_a_ponder_hit_stand_in_for_those_of_the_start() {
        let planner = |limits| Planner {
            limits,
            options: TimeOptions::default(),
            side: Color::White,
            move_number: 41,
            speculates: false,
        };
        let late = seconds(60, 0, 5);
        for limits in [Limits::default(), seconds(600, 0, 0)] {
            let hit = planner(limits).on_ponder_hit(late.clocks);
            assert_eq!(hit, Some(planner(late.clone()).schedule()));
        }
        // Whatever else ends the search is enough.
        let by_depth = Limits { depth: Some(3), ..Limits::default() };
        let by_nodes = Limits { nodes: Some(3), ..Limits::default() };
        let by_user = Limits { infinite: true, ..Limits::default() };
        for limits in [late, by_depth, by_nodes, by_user] {
            assert_eq!(planner(limits).on_ponder_hit(None), None);
        }
        let endless = planner(Limits::default()).on_ponder_hit(None).unwrap();
        assert_eq!(
            (endless.optimum, endless.maximum),
            (Some(Duration::ZERO), Some(Duration::ZERO))
        );
    }

    #[test]
    fn full_seconds_are_rounded_up() {
        let delay = Duration::from_millis(100);
        let schedule = Schedule { full_seconds: Some(delay), ..Schedule::default() };
        let optimum = Duration::from_millis(2_300);
        assert!(!schedule.is_used_up(Duration::from_millis(2_500), optimum));
        assert!(schedule.is_used_up(Duration::from_millis(2_900), optimum));
    }
}
