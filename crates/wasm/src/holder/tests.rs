//! A holder and a searcher that talk through text alone, as two workers do.

use super::*;
use crate::searcher::{Outside, SearchMessage, carry_out};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use yomikiri_session::SessionResources;

const OUTSIDE: Outside = Outside { now: || Duration::ZERO, stopped: || false };

struct Page {
    holder: Holder,
    id: u32,
}

impl Page {
    fn open(saved: Option<&str>) -> Page {
        let mut page = Page { holder: Holder::new(Clock::from_fn(|| Duration::ZERO), 7), id: 0 };
        let opened = page.ask(json!({"kind": "open", "version": VERSION, "saved": saved})).0;
        assert_eq!(opened["answer"]["kind"], "opened", "{opened}");
        page
    }

    fn send(&mut self, mut ask: Value) -> Vec<Out> {
        self.id += 1;
        ask["id"] = json!(self.id);
        self.holder.receive(&json!({"kind": "page", "text": ask.to_string()}).to_string())
    }

    /// The answer, and the last event of what it started, carried out by another "worker".
    fn ask(&mut self, ask: Value) -> (Value, Option<Value>) {
        let mut outs = self.send(ask).into_iter();
        let answer = message(outs.next().expect("an answer"));
        let mut last = None;
        for out in outs {
            let Out::Order { text, .. } = out else { panic!("{out:?}") };
            for news in search(&text) {
                last = self.holder.receive(&news).into_iter().map(message).next_back().or(last);
            }
        }
        (answer, last)
    }
}

fn message(out: Out) -> Value {
    let Out::Page { text } = out else { panic!("{out:?} instead of a message") };
    serde_json::from_str(&text).unwrap()
}

fn small() -> SessionResources {
    SessionResources { hash_megabytes: 4, mate_megabytes: 16, ..crate::resources() }
}

/// What a searching worker sends back for an order.
fn search(order: &str) -> Vec<String> {
    let messages = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&messages);
    let emit = move |news| {
        into.lock().unwrap().push(match news {
            SearchMessage::Event(text) => json!({"kind": "event", "text": text}).to_string(),
            SearchMessage::Finished(text) => json!({"kind": "finished", "text": text}).to_string(),
        });
    };
    carry_out(order, &OUTSIDE, small(), Arc::new(emit)).unwrap();
    std::mem::take(&mut messages.lock().unwrap())
}

const MATE: &str = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";

#[test]
fn the_engine_answers_a_move_and_the_game_can_be_kept() {
    let mut page = Page::open(None);
    page.ask(json!({"kind": "new-game", "level": 1, "side": "black", "think": 50}));
    let (answer, event) = page.ask(json!({"kind": "move", "move": "7g7f"}));
    assert_eq!(answer["answer"]["moves"].as_array().unwrap().len(), 1);
    let event = event.expect("the engine's move");
    assert_eq!(event["event"]["game"]["moves"].as_array().unwrap().len(), 2, "{event}");
    let saved = page.ask(json!({"kind": "save"})).0;
    let again = Page::open(saved["answer"]["saved"].as_str());
    let mut again = again;
    let game = again.ask(json!({"kind": "game"})).0;
    assert_eq!(game["answer"]["moves"].as_array().unwrap().len(), 2);
}

#[test]
fn a_proof_found_elsewhere_is_walked_played_and_checked() {
    let mut page = Page::open(None);
    let (_, event) = page.ask(json!({"kind": "solve-mate", "at": {"sfen": MATE}}));
    let event = event.unwrap()["event"].clone();
    assert_eq!((&event["verdict"], &event["length"]), (&json!("mate"), &json!(1)), "{event}");
    assert!(event["proofNodes"].as_u64().unwrap() > 0);
    let node = page.ask(json!({"kind": "mate-node", "moves": []})).0;
    assert_eq!(node["answer"]["children"][0]["move"]["usi"], "G*5b");
    let hint = page.ask(json!({"kind": "mate-hint", "moves": []})).0;
    assert_eq!(hint["answer"]["move"]["usi"], "G*5b");
    let (_, reply) = page.ask(json!({"kind": "mate-play", "moves": [], "move": "G*5b"}));
    assert_eq!(reply.unwrap()["event"]["verdict"], "solved");
    let (_, checked) = page.ask(json!({"kind": "verify-mate"}));
    assert_eq!(checked.unwrap()["event"]["verified"], true);
    let file = page.ask(json!({"kind": "write-mate", "format": "kif"})).0;
    assert!(file["answer"]["text"].as_str().unwrap().contains("５二金打"), "{file}");
}

#[test]
fn a_stop_comes_before_what_takes_the_place_and_an_ended_worker_is_told() {
    let mut page = Page::open(None);
    let first = page.send(json!({"kind": "analyse"}));
    let Out::Order { run, short: false, .. } = first[1] else { panic!("{first:?}") };
    let second = page.send(json!({"kind": "analyse", "at": {"moves": ["7g7f"]}}));
    assert_eq!(second[1], Out::Stop { run });
    let Out::Order { run: next, .. } = second[2] else { panic!("{second:?}") };
    // What was replaced reports nothing any more.
    let ended = |run| json!({"kind": "ended", "run": run, "failed": false}).to_string();
    assert_eq!(page.holder.receive(&ended(run)), []);
    let last = page.holder.receive(&ended(next)).into_iter().map(message).next().unwrap();
    assert_eq!(last["event"]["kind"], "ended", "{last}");
}

#[test]
fn nonsense_is_answered_and_nothing_comes_before_open() {
    let mut holder = Holder::new(Clock::from_fn(|| Duration::ZERO), 7);
    let mut fault = |text: &str| {
        let outs = holder.receive(text);
        message(outs.into_iter().next().unwrap())["fault"]["code"].clone()
    };
    assert_eq!(fault("nonsense"), "internal");
    let page = |text: Value| json!({"kind": "page", "text": text.to_string()}).to_string();
    assert_eq!(fault(&page(json!({"id": 3, "kind": "state"}))), "out-of-order");
    assert_eq!(fault(&page(json!({"id": 4, "kind": "sing"}))), "bad-request");
    assert_eq!(fault(&page(json!({"id": 5, "kind": "open", "version": 99}))), "other-version");
    assert!(carry_out("nonsense", &OUTSIDE, small(), Arc::new(|_| {})).is_err());
}

#[test]
fn a_stop_from_outside_ends_a_search() {
    let outside = Outside { stopped: || true, ..OUTSIDE };
    let mut page = Page::open(None);
    let outs = page.send(json!({"kind": "analyse"}));
    let Out::Order { text, .. } = &outs[1] else { panic!("{outs:?}") };
    let ended = Arc::new(Mutex::new(false));
    let seen = Arc::clone(&ended);
    let emit = move |news| *seen.lock().unwrap() |= matches!(news, SearchMessage::Finished(_));
    carry_out(text, &outside, small(), Arc::new(emit)).unwrap();
    assert!(*ended.lock().unwrap());
}

#[test]
fn a_search_that_is_too_deep_for_its_stack_leaves_the_problem_unknown() {
    let mut page = Page::open(None);
    let outs = page.send(json!({"kind": "solve-mate", "at": {"sfen": MATE}}));
    let Out::Order { run, .. } = outs[1] else { panic!("{outs:?}") };
    let ended = json!({"kind": "ended", "run": run, "failed": true, "deep": true}).to_string();
    let last = page.holder.receive(&ended).into_iter().map(message).next().unwrap();
    assert_eq!(
        (&last["event"]["verdict"], &last["event"]["why"]),
        (&json!("unknown"), &json!("memory"))
    );
}
