//! Limits of every kind on the way through the protocol: clocks, memory, the length of a line, the
//! moves to search, the end of input.

mod session;

use session::Session;
use std::process::Command;
use std::time::{Duration, Instant};

#[test]
fn a_ponder_hit_with_less_time_than_any_reserve_is_answered() {
    let mut session = Session::start();
    session.set(&[("NetworkDelay2", "0")]);
    session.say("position startpos");
    session.say("go ponder btime 1000 wtime 1000");
    session.say("ponderhit btime 20 wtime 20");
    assert_ne!(session.expect("bestmove"), "bestmove resign");
    assert!(session.end().iter().all(|line| !line.starts_with("bestmove")));
}

#[test]
fn a_clock_without_any_time_is_answered_by_the_search() {
    let mut session = Session::start();
    session.set(&[("NetworkDelay2", "0")]);
    session.say("position startpos moves 7g7f");
    session.say("go btime 0 wtime 0");
    let lines = session.answer();
    assert_ne!(lines.last().unwrap(), "bestmove resign");
    assert!(lines.iter().all(|line| !line.contains("fault")), "{lines:?}");
    session.end();
}

#[test]
fn very_large_clocks_do_not_end_a_search_at_once() {
    let digits = "9".repeat(400);
    let mut session = Session::start();
    session.set(&[("SlowMover", "1000"), ("PvInterval", "0"), ("Speculative", "both")]);
    session.say("position startpos");
    for time in ["18446744073709551615", "9223372036854775807", &digits] {
        session
            .say(&format!("go btime {time} wtime {time} byoyomi {time} binc {time} winc {time}"));
        session.expect("info depth 5");
        std::thread::sleep(Duration::from_millis(200));
        let early: Vec<String> = session.lines.try_iter().collect();
        assert!(early.iter().all(|line| !line.starts_with("bestmove")), "{time}: {early:?}");
        session.say("stop");
        assert_ne!(session.expect("bestmove"), "bestmove resign", "{time}");
    }
    session.end();
}

/// A `go` with some of the clock fields, of a tenth of a second at most or absurd.
fn any_go(random: &mut fastrand::Rng) -> String {
    let mut go = String::from("go");
    for name in ["btime", "wtime", "byoyomi", "binc", "winc", "movetime"] {
        if random.u8(..3) == 0 {
            continue;
        }
        let value = match random.u8(..6) {
            0 => "0".to_string(),
            1 => "-18446744073709551616".to_string(),
            2 => "nonsense".to_string(),
            _ => random.u64(..40).to_string(),
        };
        go += &format!(" {name} {value}");
    }
    go
}

#[test]
fn every_form_of_clock_gets_one_legal_answer() {
    let mut random = fastrand::Rng::with_seed(31);
    let mut session = Session::start();
    let position = yomikiri_shogi::Position::from_usi("startpos moves 7g7f").unwrap();
    session.say("position startpos moves 7g7f");
    for _ in 0..60 {
        let delay = random.u32(..3) * 5000;
        let percent = random.choice(["1", "100", "1000"]).unwrap();
        session.set(&[
            ("NetworkDelay", &delay.to_string()),
            ("NetworkDelay2", &(10_000 - delay).to_string()),
            ("MinimumThinkingTime", &(delay * 10).to_string()),
            ("SlowMover", percent),
            ("RoundUpToFullSecond", if random.bool() { "true" } else { "false" }),
        ]);
        let go = any_go(&mut random);
        if random.bool() {
            session.say(&go);
        } else {
            session.say(&format!("go ponder{}", &go[2..]));
            session.say(&any_go(&mut random).replacen("go", "ponderhit", 1));
        }
        // Where no clock was said at all, nothing but a stop ends the search.
        std::thread::sleep(Duration::from_millis(random.u64(..20)));
        session.say("stop");
        let lines = session.answer();
        let best = lines.last().unwrap().split(' ').nth(1).unwrap();
        assert!(best.parse().is_ok_and(|best| position.is_legal(best)), "{go}: {lines:?}");
        assert!(lines.iter().all(|line| !line.contains("fault")), "{go}: {lines:?}");
    }
    assert!(session.end().iter().all(|line| !line.starts_with("bestmove")));
}

#[test]
#[cfg(target_os = "linux")]
fn a_hash_beyond_memory_takes_what_there_is_and_says_so() {
    let mut shell = Command::new("sh");
    // In kilobytes of address space.
    shell.args(["-c", "ulimit -v 800000 && exec \"$0\" usi", env!("CARGO_BIN_EXE_yomikiri")]);
    let mut session = Session::of(shell);
    session.say("setoption name USI_Hash value 65536");
    session.say("isready");
    let note = session.expect("info string USI_Hash 65536: ");
    let taken: u64 = note.split(' ').find_map(|word| word.parse().ok()).expect("a number");
    assert!((1..800).contains(&taken), "{note}");
    session.expect("readyok");
    session.say("position startpos");
    session.say("go nodes 2000");
    assert_ne!(session.expect("bestmove"), "bestmove resign");
    // A smaller request is met without a message.
    session.say("setoption name USI_Hash value 2");
    session.say("isready");
    let mut line = String::new();
    while line != "readyok" {
        line = session.expect("");
        assert!(!line.contains("USI_Hash"), "{line}");
    }
    session.end();
}

#[test]
fn an_unknown_command_of_half_a_megabyte_is_not_echoed_whole() {
    let long = "x".repeat(500_000);
    let mut session = Session::start();
    for line in [
        long.clone(),
        format!("setoption name {long} value 1"),
        format!("setoption name Threads value {long}"),
        format!("position sfen {long}"),
        format!("position startpos moves {long}"),
    ] {
        session.say(&line);
        let answer = session.expect("info string");
        assert!(answer.len() < 1000, "{} bytes", answer.len());
    }
    session.end();
}

#[test]
fn a_level_prints_no_lines_that_nobody_asked_for() {
    let mut session = Session::start();
    session.set(&[("Level", "3"), ("PvInterval", "0")]);
    session.say("position startpos moves 7g7f");
    session.say("go nodes 500");
    let lines = session.answer();
    assert!(lines.iter().any(|line| line.contains(" multipv 1 ")), "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains(" multipv 2 ")), "{lines:?}");
    session.end();
}

#[test]
fn go_searchmoves_without_moves_searches_all_moves() {
    let mut session = Session::start();
    session.say("position startpos");
    for go in
        ["go searchmoves nodes 300", "go nodes 300 searchmoves", "go depth 2 searchmoves 1a1b"]
    {
        session.say(go);
        assert_ne!(session.expect("bestmove"), "bestmove resign", "{go}");
    }
    session.end();
}

#[test]
fn the_end_of_input_finishes_searches_with_a_fixed_limit() {
    let nodes_of = |lines: &[String]| -> u64 {
        let last = lines.iter().rev().find(|line| line.contains(" nodes ")).expect("an info line");
        let nodes = last.split(' ').skip_while(|&word| word != "nodes").nth(1);
        nodes.unwrap().parse().unwrap()
    };
    let rest_after = |options: &[(&str, &str)], go: &str| {
        let mut session = Session::start();
        session.set(options);
        session.say("position startpos moves 7g7f");
        session.say(go);
        let rest = session.end();
        assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove")).count(), 1, "{go}");
        rest
    };
    assert!(nodes_of(&rest_after(&[], "go nodes 60000")) >= 60_000);
    let deep = rest_after(&[], "go depth 9");
    assert!(deep.iter().any(|line| line.starts_with("info depth 9 ")), "{deep:?}");
    assert!(nodes_of(&rest_after(&[("NodesLimit", "50000")], "go")) >= 50_000);
    let begun = Instant::now();
    rest_after(&[], "go movetime 400");
    assert!(begun.elapsed() >= Duration::from_millis(350));
    let mut session = Session::start();
    session.say("position sfen 8k/9/6+R2/9/9/9/9/9/K8 b S 1");
    session.say("go mate 60000");
    assert!(session.end().iter().any(|line| line == "checkmate S*2b 1a1b 3c1c"));
}

#[test]
fn the_end_of_input_stops_searches_without_a_fixed_limit() {
    for go in [
        "go",
        "go infinite nodes 100",
        "go ponder nodes 100",
        "go btime 999999999 wtime 999999999",
        "go mate infinite",
    ] {
        let mut session = Session::start();
        session.set(&[]);
        // Much in hand on an open board: no mate is proven or disproven in a hurry.
        session.say("position sfen 9/4k4/9/9/9/9/9/4K4/9 b 2R2B2G2S2N2L9P2g2s2n2l9p 1");
        session.say(go);
        let begun = Instant::now();
        let rest = session.end();
        assert!(begun.elapsed() < Duration::from_secs(30), "{go}");
        let answer = |line: &&String| line.starts_with("bestmove") || line.starts_with("checkmate");
        assert_eq!(rest.iter().filter(answer).count(), 1, "{go}");
    }
}
