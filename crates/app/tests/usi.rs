//! The binary as a GUI meets it: a pipe on both sides.

mod session;

use session::Session;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn a_game_of_a_few_moves() {
    let mut session = Session::start();
    session.say("isready");
    session.expect("readyok");
    session.say("usinewgame");
    let mut moves = String::new();
    for _ in 0..4 {
        session.say(&format!("position startpos moves{moves}"));
        session.say("go nodes 500");
        let best = session.expect("bestmove");
        moves += " ";
        moves += best.split_whitespace().nth(1).unwrap();
    }
    let text = format!("startpos moves{moves}");
    assert!(yomikiri_shogi::Position::from_usi(&text).is_ok(), "{text}");
    session.say("gameover win");
    assert!(session.end().iter().all(|line| !line.starts_with("bestmove")));
}

#[test]
fn every_go_has_one_answer() {
    let mut session = Session::start();
    session.say("position startpos");
    session.say("go infinite");
    session.say("stop");
    session.expect("bestmove");
    session.say("go ponder btime 1000 wtime 1000");
    session.say("ponderhit");
    session.expect("bestmove");
    session.say("go ponder byoyomi 1000");
    session.say("gameover lose");
    session.expect("bestmove");
    // A second go while the first still runs ends the first.
    session.say("go infinite");
    session.say("go nodes 100");
    session.expect("bestmove");
    session.expect("bestmove");
    session.say("stop");
    session.say("isready");
    session.expect("readyok");
    assert!(session.end().iter().all(|line| !line.starts_with("bestmove")));
}

#[test]
fn the_clocks_may_come_with_the_ponder_hit() {
    let mut session = Session::start();
    session.say("position startpos");
    // A search without limits would go on for hours after the hit.
    for hit in
        ["ponderhit btime 0 wtime 0 byoyomi 200", "ponderhit btime 1000 wtime 1000", "ponderhit"]
    {
        session.say("go ponder");
        session.expect("info depth");
        assert!(session.lines.try_iter().all(|line| !line.starts_with("bestmove")));
        session.say(hit);
        assert_ne!(session.expect("bestmove"), "bestmove resign", "{hit}");
    }
    assert!(session.end().iter().all(|line| !line.starts_with("bestmove")));
}

#[test]
fn a_new_game_begins_with_nothing_learned() {
    let mut session = Session::start();
    session.say("setoption name PvInterval value 0");
    session.say("isready");
    session.expect("readyok");
    session.say("position startpos moves 7g7f 3c3d");
    let mut nodes_after = |commands: &[&str]| {
        for command in commands {
            session.say(command);
            if *command == "isready" {
                session.expect("readyok");
            }
        }
        session.say("go depth 6");
        let lines = session.answer();
        let last = lines.iter().rev().find(|line| line.contains(" nodes ")).unwrap().clone();
        let mut words = last.split_whitespace().skip_while(|&word| word != "nodes");
        words.nth(1).unwrap().parse::<u64>().unwrap()
    };
    let first = nodes_after(&["usinewgame"]);
    assert_ne!(nodes_after(&[]), first, "what was learned is used within a game");
    assert_eq!(nodes_after(&["usinewgame"]), first);
    assert_eq!(nodes_after(&["isready"]), first);
    assert_eq!(nodes_after(&["isready", "usinewgame"]), first);
    session.end();
}

#[test]
fn the_end_of_input_ends_a_running_search() {
    let mut session = Session::start();
    session.say("position startpos");
    session.say("go infinite");
    let rest = session.end();
    assert_eq!(rest.iter().filter(|line| line.starts_with("bestmove")).count(), 1);
}

#[test]
fn nonsense_is_survived() {
    let mut session = Session::start();
    for line in [
        "hello",
        "setoption",
        "setoption name Threads value many",
        "setoption name NoSuchThing value 1",
        "position sfen x/y/z b - 1",
        "position",
        "ponderhit",
        "stop",
        "gameover",
        "\u{fffd}\u{0}\u{7f}",
        "",
    ] {
        session.say(line);
    }
    session.input.as_mut().unwrap().write_all(b"\xff\xfe\x00\n").unwrap();
    session.say("position startpos moves 7g7f");
    session.say("go depth 2");
    let best = session.expect("bestmove");
    assert_ne!(best, "bestmove resign");
    session.say("position startpos moves 1a1b");
    session.say("go depth 2");
    assert_eq!(session.expect("bestmove"), "bestmove resign");
    session.end();
}

#[test]
fn options_are_declared_with_names_that_programs_can_read() {
    let mut session = Session::start();
    session.say("usi");
    let mut names = Vec::new();
    loop {
        let line = session.expect("");
        if line == "usiok" {
            break;
        }
        if let Some(rest) = line.strip_prefix("option name ") {
            let words: Vec<&str> = rest.split_whitespace().collect();
            assert_eq!(words[1], "type", "{line}");
            names.push(words[0].to_string());
        }
    }
    for known in
        ["USI_Hash", "USI_Ponder", "Threads", "MultiPV", "EnteringKingRule", "probcut.margin"]
    {
        assert!(names.iter().any(|name| name == known), "{known}");
    }
    // What is not done is not offered; GUIs that send it all the same get no error.
    assert!(names.iter().all(|name| name != "Stochastic_Ponder"));
    session.say("setoption name Stochastic_Ponder value true");
    session.say("isready");
    let mut answer = session.expect("");
    while answer.is_empty() {
        answer = session.expect("");
    }
    assert_eq!(answer, "readyok");
    session.end();
}

#[test]
fn mates_are_solved_on_demand() {
    let mut session = Session::start();
    session.say("position sfen 8k/9/6+R2/9/9/9/9/9/K8 b S 1");
    session.say("go mate 10000");
    assert_eq!(session.expect("checkmate"), "checkmate S*2b 1a1b 3c1c");
    session.say("position startpos");
    session.say("go mate infinite");
    assert_eq!(session.expect("checkmate"), "checkmate nomate");
    session.end();
}

#[test]
fn a_reader_that_leaves_early_is_no_fault() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_yomikiri"))
        .args(["completions", "bash"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is there");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn several_lines_are_all_told_to_the_last_depth() {
    let mut session = Session::start();
    session.say("setoption name MultiPV value 3");
    session.say("isready");
    session.expect("readyok");
    session.say("position startpos");
    session.say("go nodes 3000");
    let lines = session.answer();
    session.end();
    let depth_of = |line: &str| -> Option<u32> {
        line.split_whitespace().skip_while(|&word| word != "depth").nth(1)?.parse().ok()
    };
    let last = |number: &str| {
        let found = lines.iter().rev().find(|line| line.contains(&format!(" multipv {number} ")));
        found.unwrap_or_else(|| panic!("line {number} is missing: {lines:?}")).clone()
    };
    let depths = ["1", "2", "3"].map(|number| depth_of(&last(number)).unwrap());
    assert!(depths[0] > 1 && depths[0] - depths[2] <= 1, "{depths:?}");
    let best = lines.iter().find_map(|line| line.strip_prefix("bestmove ")).unwrap();
    let best = best.split_whitespace().next().unwrap();
    assert!(last("1").contains(&format!(" pv {best}")), "{lines:?}");
}
