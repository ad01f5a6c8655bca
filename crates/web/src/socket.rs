//! One WebSocket of one page.

use crate::hub::{Hub, OpenSession};
use crate::outbox::Outbox;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout};
use yomikiri_session::protocol::{Ask, Fault, FaultCode};
use yomikiri_session::{Message, Request};

/// How long a page may take to accept a message.
const SLOWEST: Duration = Duration::from_secs(20);
/// How often a silent page is asked whether it is there, and how long it may be silent.
const PING: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(60);
/// How long a connection may take to open its session.
const OPENING: Duration = Duration::from_secs(10);
/// Messages in a row that make no sense before the connection is given up.
const MOST_NONSENSE: u32 = 20;

/// Turns a request into a WebSocket.
pub async fn upgrade(State(hub): State<Arc<Hub>>, socket: WebSocketUpgrade) -> Response {
    if !hub.enter() {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many connections\n").into_response();
    }
    let most = hub.limits().message;
    let counted = Counted(Arc::clone(&hub));
    socket
        .max_message_size(most)
        .max_frame_size(most)
        .on_upgrade(move |socket| async move {
            let _counted = counted;
            Connection { hub, socket, outbox: Arc::default(), place: None, nonsense: 0 }
                .serve()
                .await;
        })
        .into_response()
}

/// Counts the connection as long as it lives.
struct Counted(Arc<Hub>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.leave();
    }
}

struct Connection {
    hub: Arc<Hub>,
    socket: WebSocket,
    outbox: Arc<Outbox>,
    place: Option<Arc<OpenSession>>,
    nonsense: u32,
}

impl Connection {
    async fn serve(mut self) {
        self.talk().await;
        if let Some(place) = self.place.take() {
            tokio::spawn(self.hub.detach(place, self.outbox));
        }
        let bye = CloseFrame { code: 1001, reason: Utf8Bytes::from_static("") };
        // The other side may be gone already.
        let _ = timeout(Duration::from_secs(1), self.socket.send(Frame::Close(Some(bye)))).await;
    }

    /// Sends what waits and reads what comes, one at a time: a page that does not read is not
    /// read from either.
    async fn talk(&mut self) {
        let opened = Instant::now();
        let mut last_received = Instant::now();
        let mut ping = tokio::time::interval(PING);
        loop {
            let outbox = Arc::clone(&self.outbox);
            tokio::select! {
                biased;
                message = outbox.next() => {
                    let Some(message) = message else { return };
                    if !self.send(&message).await {
                        return;
                    }
                }
                frame = self.socket.recv() => {
                    let Some(Ok(frame)) = frame else { return };
                    last_received = Instant::now();
                    if !self.handle_frame(frame).await {
                        return;
                    }
                }
                _ = ping.tick() => {
                    if last_received.elapsed() > SILENCE || !self.ping().await {
                        return;
                    }
                }
            }
            if self.place.is_none() && opened.elapsed() > OPENING {
                return;
            }
        }
    }

    async fn send(&mut self, message: &Message) -> bool {
        let Ok(text) = serde_json::to_string(message) else { return false };
        let sent = timeout(SLOWEST, self.socket.send(Frame::Text(text.into()))).await;
        matches!(sent, Ok(Ok(())))
    }

    async fn ping(&mut self) -> bool {
        let sent = timeout(SLOWEST, self.socket.send(Frame::Ping(Vec::new().into()))).await;
        matches!(sent, Ok(Ok(())))
    }

    /// Whether the connection goes on.
    async fn handle_frame(&mut self, frame: Frame) -> bool {
        match frame {
            Frame::Text(text) => self.request(text.as_str()).await,
            Frame::Ping(_) | Frame::Pong(_) => true,
            Frame::Binary(_) | Frame::Close(_) => false,
        }
    }

    fn fault(&self, id: Option<u32>, fault: Fault) {
        self.outbox.push(Message::Fault { id, fault });
    }

    async fn request(&mut self, text: &str) -> bool {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let id = serde_json::from_str::<serde_json::Value>(text)
                    .ok()
                    .and_then(|value| u32::try_from(value.get("id")?.as_u64()?).ok());
                self.fault(id, Fault::new(FaultCode::BadRequest, error.to_string()));
                self.nonsense += 1;
                return self.nonsense <= MOST_NONSENSE;
            }
        };
        self.nonsense = 0;
        let closes = matches!(request.ask, Ask::Close);
        match (&self.place, &request.ask) {
            (None, Ask::Open(_)) => self.open(request).await,
            (None, _) => {
                let fault = Fault::new(FaultCode::OutOfOrder, "the first message must be `open`");
                self.fault(Some(request.id), fault);
                true
            }
            (Some(place), _) => {
                let place = Arc::clone(place);
                let (hub, outbox) = (Arc::clone(&self.hub), Arc::clone(&self.outbox));
                let work = move || hub.handle(&place, request, &outbox);
                let done = tokio::task::spawn_blocking(work).await;
                if closes {
                    self.place = None;
                }
                done.is_ok()
            }
        }
    }

    async fn open(&mut self, request: Request) -> bool {
        let (hub, outbox) = (Arc::clone(&self.hub), Arc::clone(&self.outbox));
        let id = request.id;
        let work = move || match &request.ask {
            Ask::Open(ask) => hub.open(id, ask, &outbox),
            _ => Err(Fault::new(FaultCode::OutOfOrder, "the first message must be `open`")),
        };
        match tokio::task::spawn_blocking(work).await {
            Ok(Ok(place)) => self.place = Some(place),
            Ok(Err(fault)) => self.fault(Some(id), fault),
            Err(_) => return false,
        }
        true
    }
}
