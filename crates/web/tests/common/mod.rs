//! A server on a loopback port, and a page that talks to it.
#![allow(dead_code)]

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use yomikiri_web::{Secret, Server, ServerError, ServerLimits, ServerOptions};

/// The longest that a test waits for anything.
pub const PATIENCE: Duration = Duration::from_secs(30);

pub struct Running {
    pub address: SocketAddr,
    how: How,
}

enum How {
    /// In this process.
    Task { stop: oneshot::Sender<()>, ended: JoinHandle<Result<(), ServerError>> },
    /// A program of its own, and the folder of what it keeps.
    Program(Program, #[allow(unused)] tempfile::TempDir),
}

/// Ends with the test, however that ends.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub async fn start(data: Option<&Path>, secret: Option<&str>, limits: ServerLimits) -> Running {
    let options = ServerOptions {
        listen: "127.0.0.1:0".parse().unwrap(),
        secret: secret.map(|text| Secret::new(text).unwrap()),
        data: data.map(Path::to_path_buf),
        limits,
    };
    let server = Server::bind(options).await.unwrap();
    let address = server.address();
    let (stop, stopped) = oneshot::channel::<()>();
    let until = async move {
        let _ = stopped.await;
    };
    let ended = tokio::spawn(server.run(until));
    Running { address, how: How::Task { stop, ended } }
}

/// `yomikiri serve` as a program of its own, on a port that it chooses.
pub fn start_program(binary: &OsStr) -> Running {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(binary);
    command.args(["serve", "--no-open", "--port", "0", "--data"]).arg(folder.path());
    let mut program = Program(command.stdout(Stdio::piped()).spawn().expect("the program starts"));
    let mut line = String::new();
    BufReader::new(program.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().trim_start_matches("http://").trim_end_matches('/');
    Running { address: address.parse().expect(address), how: How::Program(program, folder) }
}

impl Running {
    /// Asks it to end and waits until it has.
    pub async fn stop(self) {
        if let How::Task { stop, ended } = self.how {
            stop.send(()).unwrap();
            timeout(PATIENCE, ended).await.expect("it ends").unwrap().unwrap();
        }
    }

    /// The process of the server.
    pub fn process(&self) -> u32 {
        match &self.how {
            How::Task { .. } => std::process::id(),
            How::Program(program, _) => program.0.id(),
        }
    }

    /// Ends it without a word, as a kill does.
    pub fn kill(self) {
        if let How::Task { ended, .. } = &self.how {
            ended.abort();
        }
    }

    /// The status and the whole answer to a plain request.
    pub async fn get(&self, path: &str, headers: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let host = match headers.to_ascii_lowercase().contains("host:") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.address),
        };
        let request = format!("GET {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap().unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.split(' ').nth(1).unwrap().parse().unwrap();
        (status, text)
    }

    pub async fn page(&self) -> Page {
        Page::connect(self, &[]).await.unwrap()
    }

    /// A page whose session is open.
    pub async fn opened(&self, token: Option<&str>) -> (Page, Value) {
        let mut page = self.page().await;
        let answer = page.ask(json!({"kind": "open", "version": 1, "token": token})).await;
        assert_eq!(answer["type"], "answer", "{answer}");
        (page, answer["answer"].clone())
    }
}

pub struct Page {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    id: u64,
    /// Events that came between.
    pub events: Vec<Value>,
}

impl Page {
    pub async fn connect(server: &Running, headers: &[(&str, &str)]) -> Result<Page, Error> {
        let mut request = format!("ws://{}/session", server.address).into_client_request()?;
        for (name, value) in headers {
            let name: tokio_tungstenite::tungstenite::http::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, HeaderValue::from_str(value).unwrap());
        }
        let (socket, _) = connect_async(request).await?;
        Ok(Page { socket, id: 0, events: Vec::new() })
    }

    pub async fn send(&mut self, text: String) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// The next message; null when the connection has ended.
    pub async fn receive(&mut self) -> Value {
        loop {
            let frame = timeout(PATIENCE, self.socket.next()).await.expect("a message in time");
            match frame {
                Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).unwrap(),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                _ => return Value::Null,
            }
        }
    }

    pub async fn ask(&mut self, mut ask: Value) -> Value {
        self.id += 1;
        ask["id"] = json!(self.id);
        self.send(ask.to_string()).await;
        loop {
            let message = self.receive().await;
            if message["type"] != "event" {
                assert_eq!(message["id"], self.id, "{message}");
                return message;
            }
            self.events.push(message);
        }
    }

    pub async fn answer(&mut self, ask: Value) -> Value {
        let message = self.ask(ask).await;
        assert_eq!(message["type"], "answer", "{message}");
        message["answer"].clone()
    }

    /// The next event for which something holds.
    pub async fn event(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let early = self.events.iter().position(&wanted);
        if let Some(at) = early {
            return self.events.remove(at);
        }
        loop {
            let message = self.receive().await;
            assert!(!message.is_null(), "the connection has ended");
            if message["type"] == "event" && wanted(&message) {
                return message;
            }
        }
    }
}
