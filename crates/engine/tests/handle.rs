//! The handle: searches that are started, followed, stopped, hit and joined; files at fault; and
//! settings that change only what they concern.

use std::time::Duration;
use yomikiri_base::{Clock, ManualClock};
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::search::limits::Clocks;
use yomikiri_engine::{Engine, EngineError, Limits, SearchEvent, SearchOutcome, Settings};
use yomikiri_shogi::{EnteringKingRule, Position};

fn engine() -> Engine {
    Engine::new(Settings::with_hash(1)).unwrap()
}

fn depth(depth: i32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn middle_game() -> Position {
    let sfen = "ln1g3nl/1r3kg2/p2p1ssp1/2p1pp2p/1p5P1/2P1PPP1P/PP1PS1N2/2GK1S1R1/LN1G4L w Bbp 30";
    Position::from_sfen(sfen).unwrap()
}

#[test]
fn a_started_search_gives_its_lines_and_its_outcome() {
    let search = engine().start(&middle_game(), &nodes(20_000)).unwrap();
    let lines: Vec<_> = search
        .events()
        .map(|event| match event {
            SearchEvent::Line(info) => info,
            other => panic!("{other:?}"),
        })
        .collect();
    let outcome = search.join().unwrap();
    let last = lines.last().expect("there are lines");
    assert_eq!(last.pv.first(), outcome.best.as_ref());
    assert!(last.value == outcome.value && outcome.nodes >= 20_000);
}

#[test]
fn run_think_and_start_find_the_same() {
    let (position, limits) = (middle_game(), nodes(20_000));
    let started = engine().start(&position, &limits).unwrap().join().unwrap();
    let thought = engine().think(&position, &limits, &mut |_: &_| {});
    let run = engine().run(&position, &limits, &Clock::default(), &mut |_| {});
    assert_eq!(started, thought);
    assert_eq!(started, run);
}

#[test]
fn a_search_without_end_is_stopped() {
    let endless = Limits { infinite: true, ..Limits::default() };
    let search = engine().start(&middle_game(), &endless).unwrap();
    let first = search.events().next();
    assert!(first.is_some());
    search.stop();
    assert!(search.join().unwrap().best.is_some());
}

#[test]
fn a_search_that_is_dropped_gives_the_engine_back() {
    let mut engine = engine();
    let endless = Limits { infinite: true, ..Limits::default() };
    drop(engine.start(&middle_game(), &endless).unwrap());
    assert!(engine.think(&middle_game(), &depth(3), &mut |_: &_| {}).best.is_some());
}

#[test]
fn a_ponder_hit_begins_the_time() {
    let clocks = Clocks { byoyomi: Duration::from_millis(50), ..Clocks::default() };
    let limits = Limits { clocks: Some(clocks), ponder: true, ..Limits::default() };
    let search = engine().start(&middle_game(), &limits).unwrap();
    let controller = search.controller();
    std::thread::sleep(Duration::from_millis(200));
    assert!(controller.is_pondering(), "no clock runs before the hit");
    search.ponder_hit(None, Clock::system().stopwatch());
    assert!(search.join().unwrap().best.is_some() && !controller.is_pondering());
}

#[test]
fn the_book_and_mates_are_events_with_data() {
    let clocks = Clocks { remaining: [Duration::from_secs(60); 2], ..Clocks::default() };
    let limits = Limits { clocks: Some(clocks), ..Limits::default() };
    let search = engine().start(&Position::start(), &limits).unwrap();
    let events: Vec<SearchEvent> = search.events().collect();
    let best = search.join().unwrap().best.unwrap();
    assert!(matches!(events[..], [SearchEvent::Book { mv, .. }] if mv == best), "{events:?}");
    let mate = Position::from_sfen("8k/9/6+R2/9/9/9/9/9/K8 b S 1").unwrap();
    let search = engine().start(&mate, &nodes(100_000)).unwrap();
    let events: Vec<SearchEvent> = search.events().collect();
    let [SearchEvent::Mate(info)] = &events[..] else { panic!("{events:?}") };
    assert_eq!((info.pv.len(), info.pv.first().copied()), (3, search.join().unwrap().best));
}

#[test]
fn time_is_that_of_the_clock_handed_in() {
    // The clock stands still: a time limit never ends the search, its nodes do.
    let still = ManualClock::new();
    let limits = Limits { move_time: Some(Duration::from_millis(1)), ..nodes(30_000) };
    let mut times = Vec::new();
    let outcome = engine().run(&middle_game(), &limits, &still.clock(), &mut |event| {
        times.extend(event.info().map(|info| info.time));
    });
    assert!(outcome.nodes >= 30_000, "{}", outcome.nodes);
    assert!(!times.is_empty() && times.iter().all(Duration::is_zero));
    // It has run out when the search begins.
    let late = Clock::from_fn({
        let calls = std::sync::atomic::AtomicU64::new(0);
        move || {
            let calls = calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Duration::from_secs(calls)
        }
    });
    let outcome = engine().run(&middle_game(), &limits, &late, &mut |_| {});
    assert!(outcome.best.is_some() && outcome.nodes < 30_000, "{}", outcome.nodes);
}

#[test]
fn a_small_stack_is_enough_for_a_search_that_knows_it() {
    const STACK: usize = 512 << 10;
    let open = "sfen 9/4k4/9/9/9/9/9/4K4/9 b 2R2B2G2S2N2L9P2g2s2n2l9p 1";
    let positions = [middle_game(), Position::from_usi(open).unwrap()];
    // A stack overflow would end the whole process.
    let search = move || {
        let mut engine = engine();
        engine.set_stack(STACK);
        for position in positions {
            let mut deepest = 0;
            let mut on_event =
                |event: &SearchEvent| deepest = deepest.max(event.info().unwrap().selective_depth);
            let limits = Limits { nodes: Some(400_000), ..Limits::default() };
            let outcome = engine.run(&position, &limits, &Clock::default(), &mut on_event);
            assert!(outcome.best.is_some() && deepest <= 43, "{deepest}");
        }
    };
    let builder = std::thread::Builder::new().stack_size(STACK + (128 << 10));
    builder.spawn(search).unwrap().join().unwrap();
}

#[test]
fn a_bad_file_is_an_error_and_not_another_file() {
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad");
    std::fs::write(&bad, "no such thing\n").unwrap();
    let bad = bad.to_str().unwrap();
    type Is = fn(&EngineError) -> bool;
    let cases: [(&str, &str, Is); 8] = [
        ("EvalFile", bad, |error| matches!(error, EngineError::Evaluation(_))),
        ("EvalFile", "missing", |error| matches!(error, EngineError::Evaluation(_))),
        ("BookFile", bad, |error| matches!(error, EngineError::Book { .. })),
        ("BookFile", "missing", |error| matches!(error, EngineError::ReadBook { .. })),
        ("quiescence.probcut_file", bad, |error| matches!(error, EngineError::ProbcutModel { .. })),
        ("Quiescence.ProbCut.File", "missing", |error| {
            matches!(error, EngineError::ReadProbcutModel { .. })
        }),
        ("MoveProbabilities", bad, |error| matches!(error, EngineError::MoveProbabilities { .. })),
        ("MoveProbabilities", "missing", |error| {
            matches!(error, EngineError::ReadMoveProbabilities { .. })
        }),
    ];
    let mut running = engine();
    for (name, file, is) in cases {
        let mut settings = Settings::with_hash(1);
        settings.set(name, file).unwrap();
        let error = Engine::new(settings.clone()).err().expect("a file at fault");
        assert!(is(&error) && error.to_string().contains(file), "{name}: {error}");
        // An engine that runs goes on with what it had.
        assert!(running.configure(settings.clone()).is_err());
        assert_eq!(running.settings(), &Settings::with_hash(1));
        error.reset(&mut settings);
        assert_eq!(settings, Settings::with_hash(1), "{name}");
    }
    assert!(running.think(&middle_game(), &depth(3), &mut |_: &_| {}).best.is_some());
}

#[test]
fn realization_probability_uses_the_table_that_is_named_and_the_policy() {
    use yomikiri_engine::category::{CategoryCounts, to_text};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("table.tsv");
    let mut counts = CategoryCounts::default();
    // Everything is rare but pawn moves.
    let pawn = "7g7f".parse().unwrap();
    counts.seen.iter_mut().for_each(|count| *count = (1_000, 10));
    let category = yomikiri_engine::category::of(&Position::start(), pawn);
    counts.seen[category.index()] = (1_000, 900);
    std::fs::write(&file, to_text(&counts)).unwrap();
    let spent = |options: &[(&str, &str)]| {
        let mut settings = Settings::with_hash(1);
        options.iter().for_each(|(name, value)| settings.set(name, value).unwrap());
        let mut engine = Engine::new(settings).unwrap();
        engine.think(&middle_game(), &depth(6), &mut |_: &_| {}).nodes
    };
    let table = ("MoveProbabilities", file.to_str().unwrap());
    let by_default = spent(&[("Reduction", "realization")]);
    assert_ne!(by_default, spent(&[("Reduction", "realization"), table]));
    assert_eq!(spent(&[]), spent(&[table]), "late-move reductions do not look at it");
    assert_ne!(by_default, spent(&[("Reduction", "policy")]));
    assert_eq!(spent(&[("Reduction", "policy")]), spent(&[("Reduction", "policy")]));
}

/// A second search after a first, with a change of settings between them.
fn second_search(change: impl FnOnce(&mut Settings)) -> SearchOutcome {
    let mut engine = engine();
    engine.think(&middle_game(), &depth(7), &mut |_: &_| {});
    let mut settings = engine.settings().clone();
    change(&mut settings);
    engine.configure(settings).unwrap();
    engine.think(&middle_game(), &depth(8), &mut |_: &_| {})
}

fn fresh_search(change: impl FnOnce(&mut Settings)) -> SearchOutcome {
    let mut settings = Settings::with_hash(1);
    change(&mut settings);
    Engine::new(settings).unwrap().think(&middle_game(), &depth(8), &mut |_: &_| {})
}

#[test]
fn settings_of_the_game_cost_nothing() {
    let kept = second_search(|_| {});
    assert_ne!(kept.nodes, fresh_search(|_| {}).nodes, "the first search is remembered");
    let changed = second_search(|settings| {
        settings.game.time.slow_mover = 50;
        settings.game.resign_value = 2_000;
        settings.resources.book.own = false;
    });
    assert_eq!(changed, kept);
}

#[test]
fn another_hash_keeps_weights_and_histories() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weights.bin");
    std::fs::write(
        &file,
        yomikiri_engine::eval::linear::LinearWeights::embedded().to_bytes().unwrap(),
    )
    .unwrap();
    let mut settings = Settings::with_hash(1);
    settings.resources.evaluation.file = file.to_str().unwrap().to_string();
    let mut engine = Engine::new(settings.clone()).unwrap();
    std::fs::remove_file(&file).unwrap();
    settings.resources.hash_megabytes = 2;
    engine.configure(settings).expect("the weights are not read again");
    assert_eq!(engine.hash_megabytes(), 2);
    let changed = second_search(|settings| settings.resources.hash_megabytes = 2);
    assert_ne!(changed.nodes, second_search(|_| {}).nodes, "the table is another");
    let fresh = fresh_search(|settings| settings.resources.hash_megabytes = 2);
    assert_ne!(changed.nodes, fresh.nodes, "the histories are the same");
}

#[test]
fn another_evaluation_begins_anew() {
    let material = |settings: &mut Settings| {
        settings.resources.evaluation.kind = EvaluationKind::Material;
    };
    assert_eq!(second_search(material), fresh_search(material));
}

#[test]
fn other_rules_empty_the_table_and_keep_the_histories() {
    let rules = |settings: &mut Settings| {
        settings.game.rules.entering_king = EnteringKingRule::NoEnteringKing;
    };
    let changed = second_search(rules);
    assert_ne!(changed.nodes, second_search(|_| {}).nodes);
    assert_ne!(changed.nodes, fresh_search(rules).nodes);
}

#[test]
fn parameters_of_the_search_keep_table_and_histories() {
    let reductions = |settings: &mut Settings| settings.search.lmr.divisor = 120;
    let changed = second_search(reductions);
    assert_ne!(changed.nodes, second_search(|_| {}).nodes, "the parameter is in force");
    assert_ne!(changed.nodes, fresh_search(reductions).nodes, "the first search is remembered");
    // A parameter that changes no decision shows that nothing else changed.
    let step = second_search(|settings| settings.search.driver.mtdf_step = 20);
    assert_eq!(step, second_search(|_| {}));
}

#[test]
fn more_threads_keep_what_the_first_one_learned() {
    let mut engine = engine();
    engine.think(&middle_game(), &depth(7), &mut |_: &_| {});
    for threads in [3, 1] {
        let mut settings = engine.settings().clone();
        settings.resources.threads = threads;
        engine.configure(settings).unwrap();
    }
    let second = engine.think(&middle_game(), &depth(8), &mut |_: &_| {});
    assert_eq!(second, second_search(|_| {}));
}

#[test]
fn several_threads_give_a_legal_move_and_say_its_line_last() {
    let mut settings = Settings::with_hash(4);
    settings.resources.threads = 3;
    let mut engine = Engine::new(settings).unwrap();
    for _ in 0..5 {
        let search = engine.start(&middle_game(), &nodes(60_000)).unwrap();
        let last = search.events().filter_map(|event| event.info().cloned()).last().unwrap();
        let outcome = search.join().unwrap();
        assert!(middle_game().is_legal(outcome.best.unwrap()));
        assert_eq!(last.pv.first(), outcome.best.as_ref());
    }
}
