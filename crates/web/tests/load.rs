//! Many pages at a time, and bad ones among them. Bounded in count and time; run by
//! `cargo xtask soak load`. `YOMIKIRI_BIN` names a program that is tried instead of the server of
//! this process.

mod common;

use common::{PATIENCE, Page, Running, start, start_program};
use futures_util::SinkExt;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use yomikiri_web::ServerLimits;

const CONNECTIONS: usize = 500;
const MESSAGES: usize = 40;
const MOST_MEMORY: u64 = 1 << 30;

/// What a page does with its messages.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// Asks and listens.
    Polite,
    /// Sends nonsense between its requests.
    Malformed,
    /// Sends a message that is too large.
    Oversized,
    /// Speaks before it opens, and opens twice.
    OutOfOrder,
    /// Sends the same request again and again.
    Replayed,
    /// Asks and does not listen.
    Slow,
    /// Starts a search and is gone.
    Dropped,
}

const MANNERS: [Manner; 7] = [
    Manner::Polite,
    Manner::Malformed,
    Manner::Oversized,
    Manner::OutOfOrder,
    Manner::Replayed,
    Manner::Slow,
    Manner::Dropped,
];

/// The server of this process, or the program that is named.
async fn server() -> Running {
    match std::env::var_os("YOMIKIRI_BIN") {
        Some(binary) => start_program(&binary),
        None => start(None, None, ServerLimits::default()).await,
    }
}

/// Bytes of memory that the server's process took at most.
fn peak_memory(server: &Running) -> u64 {
    let path = format!("/proc/{}/status", server.process());
    let status = std::fs::read_to_string(path).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    line.split_whitespace().next().and_then(|text| text.parse().ok()).unwrap_or(0) * 1024
}

/// How busy the machine was in the last minute: a figure of time says little without it.
fn load_average() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("?").to_string()
}

/// Threads that search, by their names.
fn searches(server: &Running) -> usize {
    let path = format!("/proc/{}/task", server.process());
    let Ok(tasks) = std::fs::read_dir(path) else { return 0 };
    let names =
        tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.starts_with("task-")).count()
}

fn position(number: usize) -> Value {
    let moves = ["7g7f", "3c3d", "2g2f", "8c8d"];
    json!({"kind": "position", "at": {"moves": &moves[..number % 5]}})
}

/// One page from its first message to its last; how many messages it sent.
async fn visit(server: &Running, manner: Manner) -> usize {
    let mut page = match Page::connect(server, &[]).await {
        Ok(page) => page,
        Err(error) => panic!("{manner:?}: {error}"),
    };
    if matches!(manner, Manner::OutOfOrder) {
        let fault = page.ask(json!({"kind": "state"})).await;
        assert_eq!(fault["fault"]["code"], "out-of-order");
    }
    let opened = page.ask(json!({"kind": "open", "version": 1})).await;
    assert_eq!(opened["answer"]["kind"], "opened", "{manner:?}: {opened}");
    let mut sent = 1;
    for number in 0..MESSAGES {
        sent += 1;
        let alive = match manner {
            Manner::Polite => is_answer(&page.ask(position(number)).await),
            Manner::Malformed if number % 2 == 1 => {
                page.send("{\"id\": 1, \"kind\": ".into()).await;
                page.receive().await["fault"]["code"] == "bad-request"
            }
            Manner::Malformed => is_answer(&page.ask(position(number)).await),
            Manner::Oversized if number == MESSAGES / 2 => {
                let text = " ".repeat(5 << 20);
                // The server may end the connection before it has taken everything.
                let _ = page.socket.send(Message::text(text)).await;
                assert!(page.receive().await.is_null(), "an oversized message ends the connection");
                false
            }
            Manner::Oversized => is_answer(&page.ask(position(number)).await),
            Manner::OutOfOrder => {
                page.ask(json!({"kind": "open", "version": 1})).await["fault"]["code"]
                    == "out-of-order"
            }
            Manner::Replayed => {
                page.send(json!({"id": 7, "kind": "try-move", "move": "7g7f"}).to_string()).await;
                is_answer(&page.receive().await)
            }
            Manner::Slow => {
                let text = json!({"id": number, "kind": "picture"}).to_string();
                timeout(PATIENCE, page.socket.send(Message::text(text)))
                    .await
                    .is_ok_and(|sent| sent.is_ok())
            }
            Manner::Dropped if number == 3 => {
                is_answer(&page.ask(json!({"kind": "analyse"})).await)
            }
            Manner::Dropped if number == 10 => false,
            Manner::Dropped => is_answer(&page.ask(position(number)).await),
        };
        if !alive {
            break;
        }
    }
    sent
}

fn is_answer(message: &Value) -> bool {
    assert_eq!(message["type"], "answer", "{message}");
    true
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a load test: `cargo xtask soak load`"]
async fn five_hundred_pages_of_every_manner_leave_the_server_answering() {
    let server = std::sync::Arc::new(server().await);
    let began = Instant::now();
    let mut visits = tokio::task::JoinSet::new();
    for number in 0..CONNECTIONS {
        let server = std::sync::Arc::clone(&server);
        visits.spawn(async move { visit(&server, MANNERS[number % MANNERS.len()]).await });
    }
    let sent: usize = visits.join_all().await.into_iter().sum();
    let took = began.elapsed();
    let gone = Instant::now();
    while searches(&server) > 0 {
        assert!(
            gone.elapsed() < Duration::from_secs(2),
            "{} searches outlive their pages",
            searches(&server)
        );
        sleep(Duration::from_millis(50)).await;
    }
    let quiet = gone.elapsed();
    // The rest of twenty thousand messages, by one page that behaves.
    let (mut page, _) = server.opened(None).await;
    for number in sent..CONNECTIONS * MESSAGES {
        page.answer(position(number)).await;
    }
    let memory = peak_memory(&server);
    println!(
        "{sent} messages of {CONNECTIONS} pages in {took:.1?}, {} in all in {:.1?}; searches ended after {quiet:.1?}; \
         {} MiB at most; load average {}",
        CONNECTIONS * MESSAGES,
        began.elapsed(),
        memory >> 20,
        load_average()
    );
    assert!(memory < MOST_MEMORY, "{memory} bytes");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "times answers: `cargo xtask soak load`"]
async fn a_move_is_answered_soon_while_others_search() {
    let server = std::sync::Arc::new(server().await);
    let mut searching = Vec::new();
    for _ in 0..4 {
        let (mut page, _) = server.opened(None).await;
        page.answer(json!({"kind": "analyse"})).await;
        searching.push(page);
    }
    let mut visits = tokio::task::JoinSet::new();
    for _ in 0..46 {
        let server = std::sync::Arc::clone(&server);
        visits.spawn(async move {
            let (mut page, _) = server.opened(None).await;
            let mut times = Vec::new();
            for number in 0..40 {
                sleep(Duration::from_millis(50 + number % 7)).await;
                let began = Instant::now();
                page.answer(json!({"kind": "try-move", "move": "7g7f"})).await;
                times.push(began.elapsed());
            }
            times
        });
    }
    let mut times = visits.join_all().await.concat();
    let searching_threads = searches(&server);
    // The analyses end with the server, not in the middle of the test after this one.
    drop(searching);
    std::sync::Arc::into_inner(server).expect("every visit is over").stop().await;
    times.sort();
    let at = |percent: usize| times[(times.len() * percent / 100).min(times.len() - 1)];
    println!(
        "{} answers beside {} threads that search: median {:.1?}, p99 {:.1?}, longest {:.1?}; load average {}",
        times.len(),
        searching_threads,
        at(50),
        at(99),
        at(100),
        load_average()
    );
    let asked = std::env::var("YOMIKIRI_P99_MS").ok().and_then(|text| text.parse().ok());
    if let Some(most) = asked.map(Duration::from_millis) {
        assert!(at(99) < most, "p99 {:?} is not below {most:?}", at(99));
    }
}
