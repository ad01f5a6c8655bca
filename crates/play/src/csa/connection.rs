//! Lines over TCP. A thread reads them, so that a search can be stopped while it runs.

use super::engine::SearchNumber;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use yomikiri_base::{Clock, Stopwatch};

/// Where servers listen.
pub const PORT: u16 = 4081;

/// A blank line is sent after this time without another line from us. Servers demand at least 30
/// seconds between two.
pub const KEEP_ALIVE: Duration = Duration::from_secs(40);

/// A server that answers keep-alives is gone once this many are unanswered.
const MOST_UNANSWERED: u32 = 3;

/// For the connection itself, and for one line that is sent.
const PATIENCE: Duration = Duration::from_secs(10);

/// A longer line is cut: nothing that a server has to say is so long.
const LONGEST_LINE: u64 = 4_096;

/// Why a connection ended.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ConnectionLoss {
    /// The server closed it.
    #[error("the server closed the connection")]
    Closed,
    /// Signs of life stay without an answer, or the login does.
    #[error("the server does not answer")]
    Unanswered,
    /// Sending or receiving failed.
    #[error(transparent)]
    Io(Arc<io::Error>),
}

impl From<io::Error> for ConnectionLoss {
    fn from(error: io::Error) -> ConnectionLoss {
        ConnectionLoss::Io(Arc::new(error))
    }
}

/// Something to react to.
#[derive(Debug)]
pub(super) enum Signal {
    /// The server says something.
    Line {
        text: String,
        /// Since it came.
        since: Stopwatch,
    },
    /// The connection has ended, and why.
    Closed(ConnectionLoss),
    /// A search of our engine is over.
    Finished(SearchNumber),
}

/// A connection to a server.
pub(super) struct Connection {
    stream: TcpStream,
    signals: Receiver<Signal>,
    sender: Sender<Signal>,
    reader: Option<JoinHandle<()>>,
    clock: Clock,
    /// When something was sent last.
    sent: Duration,
    /// Whether a sign of life waits for its answer.
    asked: bool,
    /// Whether the server has ever answered one.
    answers: bool,
    unanswered: u32,
}

impl Connection {
    /// Connects to `HOST` or `HOST:PORT`.
    pub fn open(address: &str, clock: &Clock) -> io::Result<Connection> {
        let stream = connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let (sender, signals) = channel();
        let (incoming, to, time) = (stream.try_clone()?, sender.clone(), clock.clone());
        let reader = std::thread::Builder::new().spawn(move || read(incoming, &to, &time))?;
        Ok(Connection {
            stream,
            signals,
            sender,
            reader: Some(reader),
            clock: clock.clone(),
            sent: clock.now(),
            asked: false,
            answers: false,
            unanswered: 0,
        })
    }

    /// Where the engine's thoughts go.
    pub fn sender(&self) -> Sender<Signal> {
        self.sender.clone()
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> io::Result<()> {
        self.stream.write_all(format!("{line}\n").as_bytes())?;
        self.sent = self.clock.now();
        Ok(())
    }

    /// The next signal; `None` if nothing happens for so long. Sends signs of life meanwhile.
    pub fn next(&mut self, longest: Duration) -> Option<Signal> {
        let due = (self.sent + KEEP_ALIVE).saturating_sub(self.clock.now());
        if due.is_zero()
            && let Err(reason) = self.keep_alive()
        {
            return Some(Signal::Closed(reason));
        }
        let wait = if due.is_zero() { longest } else { longest.min(due) };
        match self.signals.recv_timeout(wait) {
            Ok(signal) => {
                if let Signal::Line { text, .. } = &signal {
                    self.received(text);
                }
                Some(signal)
            }
            Err(RecvTimeoutError::Timeout) => None,
            // A sender is kept here: it cannot be gone.
            Err(RecvTimeoutError::Disconnected) => Some(Signal::Closed(ConnectionLoss::Closed)),
        }
    }

    fn received(&mut self, line: &str) {
        self.answers |= self.asked && line.is_empty();
        self.asked = false;
        self.unanswered = 0;
    }

    fn keep_alive(&mut self) -> Result<(), ConnectionLoss> {
        if self.asked && self.answers {
            self.unanswered += 1;
            if self.unanswered >= MOST_UNANSWERED {
                return Err(ConnectionLoss::Unanswered);
            }
        }
        self.asked = true;
        Ok(self.send("")?)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // It may be closed already. The reader ends with it.
        let _ = self.stream.shutdown(Shutdown::Both);
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

fn connect(address: &str) -> io::Result<TcpStream> {
    // `HOST:PORT`, `[::1]:PORT`; an address of IPv6 alone has colons of its own.
    let has_port = match address.rsplit_once(':') {
        Some((host, _)) => host.starts_with('[') || !host.contains(':'),
        None => false,
    };
    let addresses: Vec<_> = match has_port {
        true => address.to_socket_addrs()?.collect(),
        false => (address, PORT).to_socket_addrs()?.collect(),
    };
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, PATIENCE) {
            Ok(stream) => return Ok(stream),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// Reads lines until the connection ends or nobody listens.
fn read(stream: TcpStream, to: &Sender<Signal>, clock: &Clock) {
    let mut input = BufReader::new(stream);
    let mut line = Vec::new();
    let reason = loop {
        line.clear();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => break ConnectionLoss::Closed,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => break error.into(),
        }
        let text = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_string();
        if to.send(Signal::Line { text, since: clock.stopwatch() }).is_err() {
            return;
        }
    };
    let _ = to.send(Signal::Closed(reason));
}
