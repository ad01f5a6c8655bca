//! What the server refuses.

mod common;

use common::{Page, start};
use futures_util::SinkExt;
use serde_json::{Value, json};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;
use yomikiri_web::{Server, ServerError, ServerLimits, ServerOptions};

#[tokio::test(flavor = "multi_thread")]
async fn foreign_hosts_and_origins_are_refused() {
    let server = start(None, None, ServerLimits::default()).await;
    let (status, _) = server.get("/", "Host: example.org\r\n").await;
    assert_eq!(status, 421);
    let port = server.address.port();
    let (status, _) = server.get("/", &format!("Host: rebound.example.org:{port}\r\n")).await;
    assert_eq!(status, 421);
    let (status, _) = server.get("/", &format!("Host: localhost:{port}\r\n")).await;
    assert_eq!(status, 200);
    for origin in ["http://example.org", "null", "http://127.0.0.1:1"] {
        assert!(Page::connect(&server, &[("Origin", origin)]).await.is_err(), "{origin}");
        let (status, _) = server.get("/", &format!("Origin: {origin}\r\n")).await;
        assert_eq!(status, 403, "{origin}");
    }
    let own = format!("http://{}", server.address);
    assert!(Page::connect(&server, &[("Origin", &own)]).await.is_ok());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beyond_loopback_nothing_is_served_without_the_secret() {
    let options = ServerOptions {
        listen: "0.0.0.0:0".parse().unwrap(),
        secret: None,
        data: None,
        limits: ServerLimits::default(),
    };
    assert!(matches!(Server::bind(options).await, Err(ServerError::NeedsSecret(_))));

    let secret = "correct-horse-battery";
    let server = start(None, Some(secret), ServerLimits::default()).await;
    for (path, headers) in [
        ("/", ""),
        ("/?token=wrong-horse-battery1", ""),
        ("/main.js", ""),
        ("/", "Cookie: yomikiri=wrong-horse-battery1\r\n"),
        ("/main.js?token=correct-horse-battery", ""),
    ] {
        assert_eq!(server.get(path, headers).await.0, 401, "{path} {headers}");
    }
    assert!(Page::connect(&server, &[]).await.is_err());
    let (status, text) = server.get(&format!("/?token={secret}"), "").await;
    assert_eq!(status, 303);
    assert!(text.contains("HttpOnly; SameSite=Strict"), "{text}");
    let cookie = format!("yomikiri={secret}");
    assert_eq!(server.get("/", &format!("Cookie: a=b; {cookie}\r\n")).await.0, 200);
    assert!(Page::connect(&server, &[("Cookie", &cookie)]).await.is_ok());
    let bearer = format!("Bearer {secret}");
    assert!(Page::connect(&server, &[("Authorization", &bearer)]).await.is_ok());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_path_leaves_the_page() {
    let server = start(None, None, ServerLimits::default()).await;
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/%2e%2e/Cargo.toml",
        "/style/../../Cargo.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/reports/../../Cargo.toml",
        "/reports/..%2f..%2fCargo.toml",
        "/C:%5cWindows",
        "/%00",
        "/index.html/",
    ] {
        let (status, text) = server.get(path, "").await;
        assert!(status == 404 || status == 400, "{path}: {status}");
        assert!(!text.contains("[package]") && !text.contains("root:"), "{path}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_that_make_no_sense_get_a_fault_and_in_the_end_no_more() {
    let server = start(None, None, ServerLimits::default()).await;
    let mut page = server.page().await;
    let fault = page.ask(json!({"kind": "state"})).await;
    assert_eq!(fault["fault"]["code"], "out-of-order");
    let other = page.ask(json!({"kind": "open", "version": 99})).await;
    assert_eq!(other["fault"]["code"], "other-version");
    page.ask(json!({"kind": "open", "version": 1})).await;
    let again = page.ask(json!({"kind": "open", "version": 1})).await;
    assert_eq!(again["fault"]["code"], "out-of-order");
    page.send("{\"id\": 7, \"kind\": \"nonsense\"}".into()).await;
    let fault = page.receive().await;
    assert_eq!((&fault["id"], &fault["fault"]["code"]), (&json!(7), &json!("bad-request")));
    page.send("not json".into()).await;
    assert_eq!(page.receive().await["id"], Value::Null);
    for _ in 0..30 {
        // The connection may be closed before the last of them is sent.
        let _ = page.socket.send(Message::text("{")).await;
    }
    while !page.receive().await.is_null() {}
    let (mut page, _) = server.opened(None).await;
    let _ = page.socket.send(Message::binary(vec![1, 2, 3])).await;
    assert!(page.receive().await.is_null(), "bytes are no messages");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn oversized_messages_end_the_connection_and_nothing_else() {
    let limits = ServerLimits { message: 10_000, ..ServerLimits::default() };
    let server = start(None, None, limits).await;
    let (mut page, opened) = server.opened(None).await;
    let text = "x".repeat(20_000);
    let _ = page.socket.send(Message::text(text)).await;
    assert!(page.receive().await.is_null());
    let (mut page, again) = server.opened(opened["token"].as_str()).await;
    assert_eq!(again["resumed"], true);
    assert_eq!(page.answer(json!({"kind": "state"})).await["kind"], "state");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_connections_and_sessions_are_refused() {
    let limits = ServerLimits { connections: 3, sessions: 2, ..ServerLimits::default() };
    let server = start(None, None, limits).await;
    let (first, _) = server.opened(None).await;
    let (_second, _) = server.opened(None).await;
    let mut third = server.page().await;
    let busy = third.ask(json!({"kind": "open", "version": 1})).await;
    assert_eq!(busy["fault"]["code"], "busy");
    assert!(Page::connect(&server, &[]).await.is_err());
    drop(first);
    // The session that was left makes room.
    for _ in 0..100 {
        let answer = third.ask(json!({"kind": "open", "version": 1})).await;
        if answer["type"] == "answer" {
            server.stop().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("no room was made");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_does_not_read_holds_nobody_up() {
    let server = start(None, None, ServerLimits::default()).await;
    let (mut slow, _) = server.opened(None).await;
    // Pictures of some 100 KB each, of which none is read.
    for id in 100..400 {
        let ask = json!({"id": id, "kind": "picture"}).to_string();
        let sent =
            tokio::time::timeout(Duration::from_millis(200), slow.socket.feed(Message::text(ask)));
        if sent.await.is_err() {
            break;
        }
        let flush = tokio::time::timeout(Duration::from_millis(200), slow.socket.flush());
        if flush.await.is_err() {
            break;
        }
    }
    let (mut other, _) = server.opened(None).await;
    let before = std::time::Instant::now();
    assert_eq!(other.answer(json!({"kind": "position"})).await["kind"], "position");
    assert!(before.elapsed() < Duration::from_secs(2));
    drop(slow);
    server.stop().await;
}
