//! Every form of clock: the plan never fails and never exceeds the clock, and the engine always
//! answers in time with a legal move.

use std::time::{Duration, Instant};
use yomikiri_base::Clock;
use yomikiri_engine::search::limits::Clocks;
use yomikiri_engine::speculative::Mode;
use yomikiri_engine::time::{Planner, Schedule, TimeOptions};
use yomikiri_engine::{Engine, Limits, Settings};
use yomikiri_shogi::{Color, Position};

const MILLISECOND: Duration = Duration::from_millis(1);
const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// A time of any size, the odd ones often.
fn any_time(random: &mut fastrand::Rng) -> Duration {
    const ODD: [u64; 14] =
        [0, 0, 1, 15, 29, 30, 31, 60, 999, 1000, 1001, 3_360, i64::MAX as u64, u64::MAX];
    match random.u8(..8) {
        0 => Duration::MAX,
        1 => Duration::from_nanos(random.u64(..)),
        2 | 3 => Duration::from_millis(ODD[random.usize(..ODD.len())]),
        // Every magnitude alike.
        _ => Duration::from_millis(random.u64(..) >> random.u32(..64)),
    }
}

fn any_clocks(random: &mut fastrand::Rng) -> Clocks {
    let mut some = |often| if random.u8(..4) < often { any_time(random) } else { Duration::ZERO };
    let (remaining, increment) = ([some(3), some(3)], [some(1), some(1)]);
    Clocks { remaining, increment, byoyomi: some(2), delay: some(1) }
}

fn any_options(random: &mut fastrand::Rng) -> TimeOptions {
    if random.u8(..4) == 0 {
        return TimeOptions::default();
    }
    TimeOptions {
        network_delay: any_time(random),
        network_delay2: any_time(random),
        minimum: any_time(random),
        slow_mover: *random.choice(&[1, 10, 100, 1000, u32::MAX]).expect("there are some"),
        round_up: random.bool(),
    }
}

fn any_planner(random: &mut fastrand::Rng) -> Planner {
    let limits = Limits {
        depth: (random.u8(..8) == 0).then_some(3),
        nodes: (random.u8(..8) == 0).then_some(u64::MAX),
        move_time: (random.u8(..6) == 0).then(|| any_time(random)),
        clocks: (random.u8(..6) > 0).then(|| any_clocks(random)),
        ponder: random.bool(),
        infinite: random.u8(..8) == 0,
        search_moves: Vec::new(),
    };
    Planner {
        limits,
        options: any_options(random),
        side: if random.bool() { Color::Black } else { Color::White },
        move_number: *random.choice(&[1, 40, 130, 5000, u32::MAX]).expect("there are some"),
        speculates: random.bool(),
    }
}

/// What the clock of a side allows for one move.
fn allowed(clocks: &Clocks, side: Color) -> Duration {
    let bank = clocks.remaining[side.index()].max(clocks.increment[side.index()]);
    bank.saturating_add(clocks.byoyomi)
}

fn check_move_time(schedule: &Schedule, time: Duration, speculates: bool) {
    let (optimum, maximum) = (schedule.optimum.unwrap(), schedule.maximum.unwrap());
    assert!(optimum == maximum && maximum <= time);
    let tenth = if speculates { time / 10 } else { Duration::ZERO };
    let least = time.saturating_sub(tenth + 15 * MILLISECOND).min(CENTURY / 2);
    assert!(maximum >= least, "{schedule:?}");
}

fn check_clocks(schedule: &Schedule, clocks: &Clocks, side: Color) {
    let (optimum, maximum) = (schedule.optimum.unwrap(), schedule.maximum.unwrap());
    let all = allowed(clocks, side);
    assert!(optimum <= maximum);
    assert!(maximum <= all - (all / 2).min(30 * MILLISECOND), "no reserve is left");
    // Even at one per cent of the planned time, a clock of any size gives time to think.
    assert!(maximum >= all.min(CENTURY) / 4_000, "nothing of {all:?} is used");
}

fn check_use(schedule: &Schedule, random: &mut fastrand::Rng) {
    let (Some(optimum), Some(maximum)) = (schedule.optimum, schedule.maximum) else {
        assert_eq!((schedule.optimum, schedule.maximum), (None, None));
        return;
    };
    assert!(schedule.is_used_up(maximum, optimum));
    assert!(schedule.is_used_up(maximum, Duration::MAX));
    assert!(optimum < MILLISECOND || !schedule.is_used_up(Duration::ZERO, optimum));
    let (used, stretched) = (any_time(random), any_time(random));
    assert!(!schedule.is_used_up(used, stretched) || schedule.is_used_up(Duration::MAX, stretched));
}

#[test]
fn every_clock_form_gives_a_plan_within_the_clock() {
    let mut random = fastrand::Rng::with_seed(22);
    for number in 0..200_000 {
        let planner = any_planner(&mut random);
        let check = |schedule: &Schedule, clocks: Option<Clocks>, random: &mut _| {
            match (planner.limits.move_time, clocks) {
                (Some(time), _) => check_move_time(schedule, time, planner.speculates),
                (None, Some(clocks)) => check_clocks(schedule, &clocks, planner.side),
                (None, None) => assert_eq!(*schedule, Schedule::default()),
            }
            check_use(schedule, random);
        };
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            check(&planner.schedule(), planner.limits.clocks, &mut random);
            let clocks = any_clocks(&mut random);
            let hit = planner.on_ponder_hit(Some(clocks)).expect("clocks make a plan");
            check(&hit, Some(clocks), &mut random);
            if let Some(at_once) = planner.on_ponder_hit(None) {
                assert_eq!(at_once.maximum, Some(Duration::ZERO));
                assert_eq!(planner.schedule().maximum, None, "there was a plan already");
            }
        }));
        assert!(caught.is_ok(), "plan {number}: {planner:?}");
    }
}

const POSITIONS: [&str; 5] = [
    "startpos moves 7g7f",
    "startpos moves 7g7f 3c3d 2g2f 8c8d",
    // One legal answer to a check, a lost endgame, a mate at hand.
    "sfen 4k4/9/9/9/9/9/4r4/9/4K4 b - 1",
    "sfen 8k/9/6+R2/9/9/9/9/9/K8 w S 1",
    "sfen 8k/9/6+R2/9/9/9/9/9/K8 b S 1",
];

/// Clocks of a few hundredths of a second, or of nothing at all.
fn tiny_clocks(random: &mut fastrand::Rng) -> Clocks {
    let mut some = |most| Duration::from_millis(random.u64(..most).saturating_sub(most / 3));
    Clocks {
        remaining: [some(60), some(60)],
        increment: [some(30); 2],
        byoyomi: some(60),
        delay: Duration::ZERO,
    }
}

fn tiny_settings(random: &mut fastrand::Rng) -> Settings {
    let mut settings = Settings::with_hash(1);
    let delay = |random: &mut fastrand::Rng| Duration::from_millis(random.u64(..3) * 60);
    settings.game.time = TimeOptions {
        network_delay: delay(random),
        network_delay2: delay(random),
        minimum: delay(random),
        slow_mover: *random.choice(&[1, 100, 1000]).expect("there are some"),
        round_up: random.bool(),
    };
    settings.resources.book.own = random.bool();
    settings.resources.threads = random.usize(1..=2);
    settings.game.level.number = if random.u8(..4) == 0 { 3 } else { 15 };
    settings.game.speculation.mode = if random.bool() { Mode::Off } else { Mode::Both };
    settings
}

#[test]
fn the_engine_answers_in_time_with_a_legal_move_on_the_smallest_clocks() {
    let mut random = fastrand::Rng::with_seed(3);
    // A shared machine may let a thread wait; a clock that is passed by is passed by far.
    let slack = Duration::from_secs(5);
    for number in 0..120 {
        let settings = tiny_settings(&mut random);
        let position = Position::from_usi(POSITIONS[number % POSITIONS.len()]).unwrap();
        let clocks = tiny_clocks(&mut random);
        let long = Clocks { byoyomi: Duration::from_secs(3600), ..clocks };
        let ponder = random.u8(..3) == 0;
        // The clocks of the hit stand in for whatever the search began with.
        let late = (ponder && random.bool()).then_some(clocks);
        let first = if late.is_some() { random.bool().then_some(long) } else { Some(clocks) };
        let limits = Limits { clocks: first, ponder, ..Limits::default() };
        let mut engine = Engine::new(settings).unwrap();
        let pause = Duration::from_millis(random.u64(..10));
        let search = engine.start(&position, &limits).expect("there are threads");
        if ponder {
            std::thread::sleep(pause);
            search.ponder_hit(late, Clock::system().stopwatch());
        }
        let hit = Instant::now();
        let thought = search.join().expect("no clock is a fault");
        let used = hit.elapsed();
        let best = thought.best.unwrap_or_else(|| panic!("search {number}: {thought:?}"));
        assert!(position.is_legal(best), "search {number}: {best}");
        let most = allowed(&clocks, position.side_to_move()) + slack;
        assert!(used <= most, "search {number}: {used:?} of {clocks:?}");
    }
}

#[test]
fn clocks_that_come_with_a_ponder_hit_end_the_solver_before_the_search() {
    // Kings in the open with much in hand: the solver has work for longer than the test waits.
    let open = "sfen 9/4k4/9/9/9/9/9/4K4/9 b 2R2B2G2S2N2L9P2g2s2n2l9p 1";
    let position = Position::from_usi(open).unwrap();
    let hour = Clocks { byoyomi: Duration::from_secs(36_000), ..Clocks::default() };
    let limits = Limits { clocks: Some(hour), ponder: true, ..Limits::default() };
    let mut engine = Engine::new(Settings::with_hash(1)).unwrap();
    let search = engine.start(&position, &limits).unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let clocks = Clocks { byoyomi: Duration::from_millis(100), ..Clocks::default() };
    let hit = Instant::now();
    search.ponder_hit(Some(clocks), Clock::system().stopwatch());
    assert!(search.join().unwrap().best.is_some());
    assert!(hit.elapsed() < Duration::from_secs(10), "{:?}", hit.elapsed());
}

#[test]
fn search_moves_of_which_none_is_legal_restrict_nothing() {
    let mut engine = Engine::new(Settings::with_hash(1)).unwrap();
    let search_moves = vec!["1a1b".parse().unwrap()];
    let limits = Limits { nodes: Some(200), search_moves, ..Limits::default() };
    let thought = engine.think(&Position::start(), &limits, &mut |_: &_| {});
    assert!(thought.best.is_some_and(|best| Position::start().is_legal(best)));
}

#[test]
fn a_level_reports_only_the_lines_asked_for() {
    for lines in [1, 2] {
        let mut settings = Settings::with_hash(1);
        settings.game.lines = lines;
        settings.game.level.number = 3;
        let mut most = 0;
        let mut report = |info: &yomikiri_engine::LineInfo| most = most.max(info.line);
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let thought =
            Engine::new(settings).unwrap().think(&Position::start(), &limits, &mut report);
        assert!(most == lines && thought.lines.len() >= 3, "{most} for {lines}");
    }
}

#[test]
fn a_limit_of_all_the_nodes_there_are_is_no_fault() {
    let mut engine = Engine::new(Settings::with_hash(1)).unwrap();
    let limits = Limits { nodes: Some(u64::MAX), depth: Some(3), ..Limits::default() };
    assert!(engine.think(&Position::start(), &limits, &mut |_: &_| {}).best.is_some());
}
