//! A session driven as a host drives it, with tasks run on the test's own threads.

use super::*;
use crate::STACK;
use crate::protocol::*;
use serde_json::{Value, json};
use std::sync::Mutex;
use yomikiri_base::ManualClock;

mod games;
mod laboratory;
mod problems;

/// A host that runs every task to its end before it goes on.
struct Host {
    session: Session,
    clock: ManualClock,
    id: u32,
}

fn small() -> SessionResources {
    SessionResources { hash_megabytes: 4, mate_megabytes: 16, ..SessionResources::default() }
}

impl Host {
    fn new() -> Host {
        let clock = ManualClock::new();
        let session = Session::new(clock.clock(), small(), 1);
        Host { session, clock, id: 0 }
    }

    /// Sends a request as JSON; what came at once, and the tasks to run.
    fn send(&mut self, mut ask: Value) -> SessionReply {
        self.id += 1;
        ask["id"] = json!(self.id);
        let request: Request = serde_json::from_value(ask).unwrap();
        let reply = self.session.handle(request);
        assert_eq!(reply.messages.len(), 1, "every request has exactly one answer");
        reply
    }

    /// The answer as JSON; its tasks are run, and their messages follow.
    fn ask(&mut self, ask: Value) -> (Value, Vec<Value>) {
        let reply = self.send(ask);
        let message = serde_json::to_value(&reply.messages[0]).unwrap();
        assert_eq!(message["id"], json!(self.id));
        let mut events = Vec::new();
        for task in reply.tasks {
            events.extend(self.run(task));
        }
        (message, events)
    }

    fn answer(&mut self, ask: Value) -> Value {
        let (message, _) = self.ask(ask);
        assert_eq!(message["type"], "answer", "{message}");
        message["answer"].clone()
    }

    fn fault(&mut self, ask: Value) -> Value {
        let (message, _) = self.ask(ask);
        assert_eq!(message["type"], "fault", "{message}");
        message["fault"].clone()
    }

    /// The last event of the task that a request starts.
    fn result(&mut self, ask: Value) -> Value {
        let (message, mut events) = self.ask(ask);
        assert_eq!(message["type"], "answer", "{message}");
        events.pop().expect("an event")["event"].clone()
    }

    fn run(&mut self, task: Task) -> Vec<Value> {
        let key = task.key();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let into = Arc::clone(&heard);
        let emit: crate::Emitter = Arc::new(move |event| into.lock().unwrap().push(event));
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(|| task.run(emit));
        let finished = thread.unwrap().join().unwrap();
        let events: Vec<Event> = std::mem::take(&mut heard.lock().unwrap());
        let mut messages: Vec<Message> =
            events.into_iter().filter_map(|event| self.session.observe(key, event)).collect();
        messages.extend(self.session.finish(finished).messages);
        messages.iter().map(|message| serde_json::to_value(message).unwrap()).collect()
    }
}

fn texts(moves: &Value, name: &str) -> Vec<String> {
    moves.as_array().unwrap().iter().map(|mv| mv[name].as_str().unwrap().to_string()).collect()
}

#[test]
fn positions_moves_lines_and_pictures_are_answered_at_once() {
    let mut host = Host::new();
    let position = host.answer(json!({"kind": "position", "at": {"moves": ["7g7f"]}}));
    assert_eq!(position["legal"].as_array().unwrap().len(), 30);
    assert_eq!(position["last"]["japanese"], "▲７六歩");
    assert_eq!(position["board"]["pieces"].as_array().unwrap().len(), 40);
    let tried = host.answer(json!({"kind": "try-move", "move": "2g2f"}));
    assert_eq!(tried["move"]["western"], "P-2f");
    let tried = host.answer(json!({"kind": "try-move", "move": "2g2e"}));
    assert_eq!(tried["illegal"]["reason"], "cannot-reach");
    let line = host.answer(json!({"kind": "line", "moves": ["7g7f", "3c3d", "8h2b+", "9a9z"]}));
    assert_eq!(texts(&line["moves"], "western"), ["P-7f", "P-3d", "Bx2b+"]);
    assert_eq!(line["sfens"].as_array().unwrap().len(), 3);
    let picture = host.answer(json!({"kind": "picture", "flipped": true}));
    assert!(picture["svg"].as_str().unwrap().starts_with("<svg"));
    let explained = host.answer(json!({"kind": "explain", "at": {"moves": ["7g7f"]}}));
    assert_eq!(explained["groups"].as_array().unwrap().len(), 14);
    assert_eq!(
        host.fault(json!({"kind": "position", "at": {"sfen": "x"}}))["code"],
        "bad-position"
    );
}

#[test]
fn an_analysis_gives_its_lines_in_all_notations() {
    let mut host = Host::new();
    let at = json!({"moves": ["7g7f"]});
    let ask = json!({"kind": "analyse", "at": at, "lines": 3, "limits": {"nodes": 20_000}});
    let event = host.result(ask);
    assert_eq!((&event["kind"], &event["finished"]), (&json!("analysis"), &json!(true)));
    let lines = event["lines"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    let values: Vec<i64> =
        lines.iter().map(|line| line["value"]["centipawns"].as_i64().unwrap()).collect();
    assert!(values.is_sorted(), "white is to move, and values are black's: {values:?}");
    for line in lines {
        assert!(line["moves"][0]["japanese"].as_str().unwrap().starts_with('△'));
        let rate = line["value"]["winningRate"].as_f64().unwrap();
        assert!((0.0..=1.0).contains(&rate));
    }
    assert!(event["nodes"].as_u64().unwrap() >= 20_000 && event["depth"].as_u64().unwrap() > 1);
}

#[test]
fn an_endless_analysis_ends_when_it_is_stopped() {
    let mut host = Host::new();
    let reply = host.send(json!({"kind": "analyse"}));
    let task = reply.tasks.into_iter().next().unwrap();
    let stop = task.stopper();
    let number = task.key().task;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            stop.stop();
        });
        let before = std::time::Instant::now();
        let events = host.run(task);
        assert!(before.elapsed() < Duration::from_secs(2));
        assert_eq!(events.last().unwrap()["event"]["finished"], true);
        assert_eq!(events.last().unwrap()["task"], number);
    });
    // A task that is stopped before it begins does nothing.
    let mut reply = host.send(json!({"kind": "analyse"}));
    let task = reply.tasks.pop().unwrap();
    assert_eq!(host.answer(json!({"kind": "stop", "task": task.key().task}))["kind"], "done");
    let events = host.run(task);
    assert_eq!(events[0]["event"]["why"], "stopped");
    assert_eq!(host.fault(json!({"kind": "stop", "task": 999}))["code"], "no-task");
}

#[test]
fn a_new_analysis_silences_the_one_before() {
    let mut host = Host::new();
    let first = host.send(json!({"kind": "analyse"})).tasks.pop().unwrap();
    let second =
        host.send(json!({"kind": "analyse", "limits": {"nodes": 500}})).tasks.pop().unwrap();
    assert!(first.stopper().is_stopped());
    assert!(host.run(first).is_empty());
    assert_eq!(host.run(second).last().unwrap()["event"]["finished"], true);
}

#[test]
fn a_lost_connection_suspends_and_the_same_task_goes_on() {
    let mut host = Host::new();
    let ask = json!({"kind": "analyse", "limits": {"nodes": 2_000}});
    let task = host.send(ask).tasks.pop().unwrap();
    let number = task.key().task;
    host.session.suspend();
    assert!(host.run(task).is_empty(), "nobody receives what was suspended");
    assert!(host.session.state().tasks[0].running);
    let again = host.session.resume().pop().unwrap();
    assert_eq!(again.key().task, number);
    let events = host.run(again);
    assert_eq!(events.last().unwrap()["task"], number);
    assert!(!host.session.is_busy());
    assert!(host.session.resume().is_empty());
}

#[test]
fn what_the_page_keeps_comes_back_and_has_a_limit() {
    let mut host = Host::new();
    host.answer(json!({"kind": "keep", "name": "theme", "value": {"dark": true}}));
    let large = "x".repeat(MOST_KEPT);
    let fault = host.fault(json!({"kind": "keep", "name": "theme", "value": large}));
    assert_eq!(fault["code"], "too-large");
    let saved = host.answer(json!({"kind": "save"}))["saved"].as_str().unwrap().to_string();
    let again = Session::restore(ManualClock::new().clock(), small(), &saved).unwrap();
    assert_eq!(again.state(), host.session.state());
    assert_eq!(again.state().kept["theme"], json!({"dark": true}));
    host.answer(json!({"kind": "keep", "name": "theme", "value": null}));
    assert!(host.session.state().kept.is_empty());
    for wrong in ["", "{}", "[1]", "{\"version\":99,\"game\":null,\"mate\":null,\"kept\":{}}"] {
        assert!(Session::restore(ManualClock::new().clock(), small(), wrong).is_err());
    }
}

#[test]
fn requests_that_are_none_are_refused_without_harm() {
    for text in [
        "",
        "null",
        "[]",
        "{}",
        "{\"id\":1}",
        "{\"id\":1,\"kind\":\"nothing\"}",
        "{\"kind\":\"state\"}",
        "{\"id\":-1,\"kind\":\"state\"}",
        "{\"id\":1,\"kind\":\"move\"}",
        "{\"id\":1,\"kind\":\"move\",\"move\":7}",
    ] {
        assert!(serde_json::from_str::<Request>(text).is_err(), "{text}");
    }
    let mut host = Host::new();
    for kind in ["take-back", "hint", "resign", "declare", "claim", "game"] {
        assert_eq!(host.fault(json!({"kind": kind}))["code"], "no-game", "{kind}");
    }
    assert_eq!(host.fault(json!({"kind": "open"}))["code"], "out-of-order");
    assert_eq!(host.fault(json!({"kind": "mate-node"}))["code"], "no-proof");
    assert_eq!(host.fault(json!({"kind": "verify-mate"}))["code"], "no-proof");
}

#[test]
fn what_is_wrong_is_said_in_japanese_too() {
    let mut host = Host::new();
    let sfens = [
        "x",
        "9/9/9/9/9/9/9/9/9 b - 1",
        "k7k/9/9/9/9/9/9/9/K8 b - 1",
        "k8/9/9/9/9/9/9/9/K8 b 19P 1",
        "k7P/9/9/9/9/9/9/9/K8 b - 1",
        "k8/9/9/9/9/9/9/9/R7K b - 1",
    ];
    let kif = "手合割：平手\n手数----指手--\n   1 ７四歩(77)\n";
    let records = ["this is no record", "position startpos moves 7g7d", "", kif];
    let games = ["(;GM[1]SZ[9]AB[zz])", "(;GM[1]SZ[99])", "x"];
    let go = json!({"size": 9, "black": ["D4"], "white": [], "ko": null});
    let mut asks: Vec<Value> = Vec::new();
    asks.extend(sfens.map(|sfen| json!({"kind": "position", "at": {"sfen": sfen}})));
    asks.extend(records.map(|text| json!({"kind": "read-record", "text": text})));
    asks.extend(games.map(|sgf| json!({"kind": "read-go", "sgf": sgf})));
    asks.push(json!({"kind": "play-go", "board": go, "colour": "white", "point": "D4"}));
    for ask in asks {
        let fault = host.fault(ask.clone());
        let japanese = fault["japanese"].as_str().unwrap();
        let is_japanese = japanese.chars().any(|letter| ('ぁ'..='ヿ').contains(&letter));
        assert!(is_japanese, "{ask}: {fault}");
    }
}
