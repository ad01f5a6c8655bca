//! Games against the engine.

use super::*;

#[test]
fn the_engine_answers_and_a_move_can_be_taken_back() {
    let mut host = Host::new();
    let (message, events) = host.ask(json!({"kind": "new-game", "level": 1, "side": "black"}));
    assert_eq!(message["answer"]["thinking"], Value::Null);
    assert!(events.is_empty());
    let (message, events) = host.ask(json!({"kind": "move", "move": "7g7f", "ply": 0}));
    assert!(message["answer"]["thinking"].is_u64());
    let game = &events.last().unwrap()["event"]["game"];
    assert_eq!(game["moves"].as_array().unwrap().len(), 2);
    assert_eq!(game["position"]["board"]["side"], "black");
    // The same message again, as after a lost connection, neither moves nor thinks again.
    let (message, events) = host.ask(json!({"kind": "move", "move": "7g7f", "ply": 0}));
    assert_eq!(message["answer"]["moves"].as_array().unwrap().len(), 2);
    assert!(events.is_empty());
    let fault = host.fault(json!({"kind": "move", "move": "1a1b", "ply": 2}));
    assert_eq!(fault["illegal"]["reason"], "not-your-piece");
    let hint = host.result(json!({"kind": "hint"}));
    assert_eq!(hint["kind"], "hint");
    assert!(hint["moves"][0]["western"].is_string());
    assert!(host.answer(json!({"kind": "take-back"}))["moves"].as_array().unwrap().is_empty());
    assert_eq!(host.fault(json!({"kind": "take-back"}))["code"], "nothing-to-take-back");
    assert_eq!(host.answer(json!({"kind": "resign"}))["end"]["winner"], "white");
    let file = host.answer(json!({"kind": "write-game", "format": "kifu"}));
    assert!(file["text"].as_str().unwrap().contains("投了"), "{file}");
}

#[test]
fn taking_back_while_the_engine_thinks_silences_it() {
    let mut host = Host::new();
    host.answer(json!({"kind": "new-game", "level": 15, "side": "black", "think": 60_000}));
    let mut reply = host.send(json!({"kind": "move", "move": "7g7f"}));
    let task = reply.tasks.pop().unwrap();
    host.answer(json!({"kind": "take-back"}));
    assert!(task.stopper().is_stopped());
    assert!(host.run(task).is_empty());
}

#[test]
fn the_clock_runs_for_whoever_is_to_move_and_can_be_claimed() {
    let mut host = Host::new();
    let clock = json!({"main": 10_000, "byoyomi": 1_000, "increment": 0});
    host.answer(json!({"kind": "new-game", "level": 1, "side": "black", "clock": clock}));
    host.clock.advance(Duration::from_secs(4));
    host.answer(json!({"kind": "move", "move": "7g7f"}));
    let game = host.answer(json!({"kind": "game"}));
    assert_eq!(game["clock"]["left"]["black"]["main"], 6_000);
    assert_eq!(game["clock"]["running"], "black");
    assert_eq!(host.fault(json!({"kind": "claim"}))["code"], "time-left");
    host.clock.advance(Duration::from_millis(7_001));
    let game = host.answer(json!({"kind": "claim"}));
    assert_eq!((&game["end"]["end"], &game["end"]["winner"]), (&json!("timeout"), &json!("white")));
}

#[test]
fn a_saved_game_goes_on_where_the_engine_was_to_move() {
    let mut host = Host::new();
    host.answer(json!({"kind": "new-game", "level": 1, "side": "black", "seed": 5}));
    let mut reply = host.send(json!({"kind": "move", "move": "7g7f"}));
    let _ = reply.tasks.pop().expect("the engine was to move when the server was killed");
    let saved = host.session.save();
    let session = Session::restore(host.clock.clock(), small(), &saved).unwrap();
    let mut again = Host { session, clock: host.clock.clone(), id: 0 };
    let task = again.session.resume().pop().expect("it thinks again");
    let events = again.run(task);
    assert_eq!(events.last().unwrap()["event"]["game"]["moves"].as_array().unwrap().len(), 2);
}

#[test]
fn the_engine_tells_as_data_why_it_speculates() {
    let mut host = Host::new();
    // The user begins a mate of three plies: every answer of the engine is mated at once.
    let sfen = super::problems::problem(&mut host, 3);
    let solved = host.result(json!({"kind": "solve-mate", "at": {"sfen": sfen}}));
    let side = solved["attacker"].clone();
    let from = json!({"sfen": sfen});
    host.answer(json!({"kind": "new-game", "level": 6, "side": side, "from": from}));
    let event = host.result(json!({"kind": "move", "move": solved["line"][0]["usi"]}));
    let played = event["game"]["moves"].as_array().unwrap().last().unwrap();
    assert_eq!(played["speculative"]["why"], "hardest-mate", "{played}");
    assert!(played["speculative"]["nodes"].as_u64().unwrap() > 0);
}

#[test]
fn a_whole_game_is_analysed_with_its_missed_mate() {
    let mut host = Host::new();
    let start = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
    let nodes = json!([{}, {"parent": 0, "move": "5i5h"}, {"parent": 1, "move": "5a4a"}]);
    let record = json!({"start": start, "nodes": nodes});
    let event = host.result(json!({"kind": "analyse-game", "record": record, "nodes": 2_000}));
    assert_eq!((&event["done"], &event["finished"]), (&json!(3), &json!(true)));
    let points = event["points"].as_array().unwrap();
    assert_eq!(points[0]["value"]["mate"], 1);
    assert_eq!(points[1]["better"]["usi"], "G*5b");
    assert_eq!(points[1]["judgement"], "missed-mate", "{}", points[1]);
    assert_eq!(event["moments"][0], 1);
}
