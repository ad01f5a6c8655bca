//! Experiments by the page: run, read, and be their subject.

mod common;

use common::{Page, start};
use serde_json::{Value, json};
use yomikiri_web::ServerLimits;

fn limits() -> ServerLimits {
    ServerLimits::default()
}

fn of_kind(kind: &'static str) -> impl Fn(&Value) -> bool {
    move |message| message["event"]["kind"] == kind
}

async fn last_of_run(page: &mut Page) -> Value {
    let over = |message: &Value| message["event"]["finished"] == true;
    page.event(over).await["event"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_experiment_is_run_and_its_results_are_read() {
    let data = tempfile::tempdir().unwrap();
    let server = start(Some(data.path()), None, limits()).await;
    let (mut page, _) = server.opened(None).await;
    let before = page.answer(json!({"kind": "laboratory"})).await;
    assert_eq!(before["runs"], true);
    let named = |view: &Value, name: &str| {
        let all = view["experiments"].as_array().unwrap();
        all.iter().find(|one| one["name"] == name).unwrap().clone()
    };
    assert!(named(&before, "widening")["own"].is_null());
    assert!(named(&before, "widening")["whole"].as_f64().unwrap() > 60.0);
    let (status, _) = server.get("/results/widening/index.html", "").await;
    assert_eq!(status, 404);
    let ask = json!({"kind": "run-experiment", "experiment": "widening", "quick": true});
    page.answer(ask.clone()).await;
    let progress =
        |message: &Value| message["event"]["stage"].as_str().is_some_and(|s| !s.is_empty());
    let event = page.event(progress).await;
    assert!(event["event"]["total"].as_u64().unwrap() > 0, "{event}");
    let last = last_of_run(&mut page).await;
    assert!(last["trouble"].is_null(), "{last}");
    assert!(!last["result"]["findings"].as_array().unwrap().is_empty());
    let after = page.answer(json!({"kind": "laboratory"})).await;
    assert_eq!(named(&after, "widening")["own"], last["result"]);
    let (status, html) = server.get("/results/widening/index.html", "").await;
    assert!(status == 200 && html.contains("content-security-policy"), "{status}");
    let (status, _) = server.get("/results/widening/counts.csv", "").await;
    assert_eq!(status, 200);
    for index in ["/results/index.html", "/results/index.ja.html"] {
        let (status, html) = server.get(index, "").await;
        assert!(status == 200 && html.contains("widening/"), "{index}: {status}");
    }
    for path in [
        "/results/widening",
        "/results/..%2Fsessions",
        "/results/widening/..%2Fplan.json",
        "/results/..%2Fsessions/x.json",
        "/results/sessions/x.json",
        "/results/widening/",
        "/results/widening/%2e%2e",
    ] {
        let (status, _) = server.get(path, "").await;
        assert!(matches!(status, 400 | 404), "{path}: {status}");
    }
    let ask = json!({"kind": "run-experiment", "experiment": "../sessions", "quick": true});
    page.answer(ask).await;
    let last = last_of_run(&mut page).await;
    assert!(last["trouble"].is_object(), "{last}");
    let plan = data.path().join("sessions/plan.json");
    assert!(!plan.exists(), "a name from outside is no part of a path");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_stopped_goes_on() {
    let data = tempfile::tempdir().unwrap();
    let server = start(Some(data.path()), None, limits()).await;
    let (mut page, _) = server.opened(None).await;
    let ask = json!({"kind": "run-experiment", "experiment": "tsume-widening", "quick": true});
    let task = page.answer(ask.clone()).await["task"].clone();
    let begun = |message: &Value| message["event"]["done"].as_u64().is_some_and(|done| done > 0);
    let done = page.event(begun).await["event"]["done"].clone();
    page.answer(json!({"kind": "stop", "task": task})).await;
    let last = last_of_run(&mut page).await;
    assert!(last["trouble"].is_null() && last["result"].is_null(), "{last}");
    page.answer(ask).await;
    // What is done is not done again.
    let goes_on = |message: &Value| message["event"]["total"].as_u64().is_some_and(|all| all > 0);
    let first = page.event(goes_on).await["event"].clone();
    assert!(first["done"].as_u64() >= done.as_u64(), "{first}");
    assert!(last_of_run(&mut page).await["result"].is_object());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_folder_nothing_is_run() {
    let server = start(None, None, limits()).await;
    let (mut page, _) = server.opened(None).await;
    let view = page.answer(json!({"kind": "laboratory"})).await;
    assert_eq!(view["runs"], false);
    // The players of the paper: three, against two programs.
    assert_eq!(view["people"].as_array().unwrap().len(), 6);
    let ask = json!({"kind": "run-experiment", "experiment": "widening", "quick": true});
    page.answer(ask).await;
    let trouble = last_of_run(&mut page).await["trouble"].clone();
    assert!(trouble["message"].as_str().unwrap().contains("--data"), "{trouble}");
    assert!(trouble["japanese"].as_str().unwrap().contains("--data DIR で"), "{trouble}");
    server.stop().await;
}

/// Answers every question: with the solver's mate, or the first legal move, or not at all.
async fn play_subject(page: &mut Page, able: bool) -> Value {
    loop {
        let event = page.event(of_kind("subject")).await["event"].clone();
        match event["what"].as_str().unwrap() {
            "finished" => return event,
            "asked" => {
                assert_eq!(event["time"], 30_000);
                let mv = if able { mate(page, &event["position"]).await } else { Value::Null };
                let ask = json!({"kind": "subject-move", "turn": event["turn"], "move": mv});
                page.answer(ask).await;
            }
            _ => {}
        }
    }
}

async fn mate(page: &mut Page, position: &Value) -> Value {
    let ask = json!({"kind": "solve-mate", "at": {"sfen": position["sfen"]}, "any": true,
        "nodes": 200_000, "attacker": position["board"]["side"]});
    page.answer(ask).await;
    let answer = page.event(of_kind("mate")).await["event"].clone();
    match answer["line"][0]["usi"].as_str() {
        Some(usi) => json!(usi),
        None => position["legal"][0]["usi"].clone(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subject_of_both_roles_stands_in_the_file_and_in_the_table() {
    let data = tempfile::tempdir().unwrap();
    let server = start(Some(data.path()), None, limits()).await;
    let (mut page, _) = server.opened(None).await;
    let run = json!({"kind": "run-experiment", "experiment": "speculative", "quick": true});
    page.answer(run).await;
    assert!(last_of_run(&mut page).await["result"].is_object());
    let sit = |role: &str, name: &str| json!({"kind": "be-subject", "name": name, "role": role, "positions": 1, "quick": true});
    page.answer(sit("mate", "Able")).await;
    let last = play_subject(&mut page, true).await;
    let row = |event: &Value, name: &str, role: &str| {
        let people = event["people"].as_array().unwrap().clone();
        let mine = people.into_iter().filter(|row| row["name"] == name && row["role"] == role);
        mine.map(|row| (row["found"].as_u64().unwrap(), row["of"].as_u64().unwrap()))
            .collect::<Vec<_>>()
    };
    assert_eq!(row(&last, "Able", "mate"), [(1, 1), (1, 1)], "{last}");
    page.answer(sit("mate", "Unable")).await;
    let last = play_subject(&mut page, false).await;
    assert_eq!(row(&last, "Unable", "mate"), [(0, 1), (0, 1)], "{last}");
    page.answer(sit("withstand", "Able")).await;
    let last = play_subject(&mut page, true).await;
    assert_eq!(row(&last, "Able", "withstand").len(), 2, "{last}");
    let folder = data.path().join("lab/speculative");
    let lines = std::fs::read_to_string(folder.join("human-quick.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 6);
    let table = std::fs::read_to_string(folder.join("mates-found.csv")).unwrap();
    assert!(table.contains("Able (a person),Non,1,1"), "{table}");
    assert!(table.contains("Unable (a person),Spec,0,1"), "{table}");
    assert!(table.contains("SpecC, attacking"), "{table}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subject_who_leaves_goes_on_later() {
    let data = tempfile::tempdir().unwrap();
    let server = start(Some(data.path()), None, limits()).await;
    let (mut page, _) = server.opened(None).await;
    let sit =
        json!({"kind": "be-subject", "name": "me", "role": "mate", "positions": 1, "quick": true});
    let task = page.answer(sit.clone()).await["task"].clone();
    let asked = |message: &Value| message["event"]["what"] == "asked";
    page.event(asked).await;
    // Only one at a time.
    let (mut other, _) = server.opened(None).await;
    other.answer(sit.clone()).await;
    let refused = other.event(of_kind("subject")).await;
    assert!(refused["event"]["trouble"].is_object(), "{refused}");
    page.answer(json!({"kind": "stop", "task": task})).await;
    let ended = page.event(of_kind("ended")).await;
    assert_eq!(ended["event"]["why"], "stopped");
    page.answer(sit).await;
    let last = play_subject(&mut page, true).await;
    assert!(last["trouble"].is_null(), "{last}");
    server.stop().await;
}
