//! The way from one game to the next: connect, log in, play, and come back.

use super::connection::{Connection, ConnectionLoss, Signal};
use super::engine::CsaEngine;
use super::online::{GameReport, OnlineEnd, OnlineFault, OnlineGame};
use super::protocol::ServerLine;
use super::records;
use super::summary::{GameSummary, SummaryError, SummaryReader};
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Duration;
use yomikiri_base::{Clock, StopToken};
use yomikiri_engine::{EngineError, Settings};
use yomikiri_shogi::record::Record;

/// Why the client gives up.
#[derive(Debug, thiserror::Error)]
pub enum CsaError {
    /// The engine cannot be made, or fails.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// There is no such server, or it does not answer.
    #[error("cannot connect to {address}: {source}")]
    Connect {
        /// Where.
        address: String,
        /// What the system says.
        source: io::Error,
    },
    /// The server refuses the name or the password.
    #[error("the server refuses the login of {0}")]
    LoginRefused(String),
    /// The connection ended before the login.
    #[error("the connection ended during the login: {0}")]
    NoLogin(ConnectionLoss),
    /// A name that a line of the protocol cannot hold.
    #[error("'{0}' is no name for a login: letters, digits, _ and - are")]
    BadName(String),
}

/// A password. It is written nowhere but into the login itself.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// A password, if a line of the protocol can hold it.
    pub fn new(text: &str) -> Option<Password> {
        let printable = text.bytes().all(|byte| byte.is_ascii_graphic());
        (printable && !text.is_empty()).then(|| Password(text.to_string()))
    }

    /// The first line of a file, with the kind of game in front if one is named.
    pub fn of_text(text: &str, game: Option<&str>) -> Option<Password> {
        let password = Password::new(text.lines().next()?.trim())?;
        game.map_or(Some(password.clone()), |game| password.for_game(game))
    }

    /// The password by which floodgate knows the kind of game, `floodgate-300-10F,PASSWORD`.
    #[must_use]
    pub fn for_game(&self, game: &str) -> Option<Password> {
        Password::new(&format!("{game},{}", self.0))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// What stands for the password wherever lines are shown.
const HIDDEN: &str = "********";

/// What to do on which server.
#[derive(Clone, Debug)]
pub struct CsaOptions {
    /// `HOST` or `HOST:PORT`.
    pub address: String,
    /// The name to log in with.
    pub user: String,
    /// The password.
    pub password: Password,
    /// How many games to play; without end if not given.
    pub games: Option<u32>,
    /// The folder for records.
    pub records: Option<PathBuf>,
    /// Whether values and lines are sent with the moves, as floodgate takes them.
    pub remarks: bool,
    /// Whether to think in the opponent's time.
    pub ponder: bool,
    /// How often to try in a row where no login succeeds.
    pub attempts: u32,
    /// The date and time for the records.
    pub date: Option<fn() -> String>,
}

/// Why the client connects once more.
#[derive(Debug, thiserror::Error)]
pub enum RetryReason {
    /// The connection was lost.
    #[error(transparent)]
    Lost(ConnectionLoss),
    /// A game could not be played on.
    #[error(transparent)]
    Fault(OnlineFault),
    /// There was no login.
    #[error(transparent)]
    Login(CsaError),
}

/// An event of the client.
#[derive(Debug)]
pub enum CsaEvent<'e> {
    /// A line was sent; the password is hidden.
    Sent(&'e str),
    /// A line came.
    Received(&'e str),
    /// Logged in: a game is awaited.
    LoggedIn,
    /// A game begins.
    Started(&'e GameSummary),
    /// A move was made.
    Moved {
        /// The move.
        text: &'e str,
        /// Its number.
        ply: usize,
        /// What it is charged with.
        spent: Duration,
    },
    /// A game is over.
    Finished(&'e GameReport),
    /// The conditions of a game were refused.
    Refused(&'e SummaryError),
    /// A record could not be written.
    RecordNotWritten(&'e io::Error),
    /// An attempt to log in failed, or the connection ended while no game was played; the next
    /// attempt comes after this time.
    Retry {
        /// What went wrong.
        reason: &'e RetryReason,
        /// How long until then.
        wait: Duration,
    },
}

/// Receives events.
pub type OnCsaEvent<'e> = dyn FnMut(&CsaEvent<'_>) + 'e;

/// How long a wait goes on before it is looked whether to stop.
const TICK: Duration = Duration::from_millis(250);

/// How long the answer to a login may take.
const LOGIN_PATIENCE: Duration = Duration::from_secs(30);

/// Between two visits, and the most after failures in a row. The server needs a moment to notice
/// that a connection has ended.
const SHORTEST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// What is needed during a game: the connection, whoever listens, and where the record goes.
pub(super) struct Link<'l, 'e> {
    connection: &'l mut Connection,
    on_event: &'l mut OnCsaEvent<'e>,
    record: Option<PathBuf>,
}

impl Link<'_, '_> {
    /// Sends a line; that it cannot be sent is the end of a game.
    pub fn send(&mut self, line: &str) -> Result<(), OnlineEnd> {
        self.report(&CsaEvent::Sent(line));
        self.connection.send(line).map_err(|error| OnlineEnd::ConnectionLost(error.into()))
    }

    /// The next signal, if one comes soon.
    pub fn wait(&mut self) -> Option<Signal> {
        let signal = self.connection.next(TICK);
        if let Some(Signal::Line { text, .. }) = &signal {
            self.report(&CsaEvent::Received(text));
        }
        signal
    }

    /// Where the engine's thoughts go.
    pub fn sender(&self) -> Sender<Signal> {
        self.connection.sender()
    }

    /// Reports an event.
    pub fn report(&mut self, event: &CsaEvent<'_>) {
        (self.on_event)(event);
    }

    /// Writes the record of a game that goes on or is over.
    pub fn keep(&mut self, record: &Record, over: bool) {
        let Some(path) = &self.record else { return };
        let write = if over { records::write } else { records::write_so_far };
        if let Err(error) = write(path, record) {
            self.report(&CsaEvent::RecordNotWritten(&error));
        }
    }
}

/// How a visit to the server ended.
enum Visit {
    /// With games, or at our own wish.
    Played,
    /// After the login, before a game.
    Idle(RetryReason),
    /// Without a login.
    Failed(CsaError),
}

/// A client with its engine.
pub struct CsaClient {
    options: CsaOptions,
    engine: CsaEngine,
    clock: Clock,
    played: u32,
}

impl CsaClient {
    /// A client whose engine has these settings.
    ///
    /// # Errors
    /// If the engine cannot be made, or the name cannot be sent.
    pub fn new(
        options: CsaOptions,
        settings: Settings,
        clock: Clock,
    ) -> Result<CsaClient, CsaError> {
        let good = |byte: u8| byte.is_ascii_alphanumeric() || b"_-@.".contains(&byte);
        if options.user.is_empty() || !options.user.bytes().all(good) {
            return Err(CsaError::BadName(options.user));
        }
        let engine = CsaEngine::new(settings, options.ponder, &clock)?;
        Ok(CsaClient { options, engine, clock, played: 0 })
    }

    /// Plays the given number of games, and returns how many were played. Stopped, it plays the
    /// game to its end that is under way.
    ///
    /// # Errors
    /// If the login is refused, or if no login succeeds any more.
    pub fn run(
        &mut self,
        stop: &StopToken,
        on_event: &mut OnCsaEvent<'_>,
    ) -> Result<u32, CsaError> {
        let (mut failures, mut known) = (0, false);
        while !self.is_done(stop) {
            let (reason, wait) = match self.visit(stop, on_event) {
                Visit::Played => {
                    (failures, known) = (0, true);
                    (None, SHORTEST_WAIT)
                }
                Visit::Idle(reason) => {
                    (failures, known) = (0, true);
                    (Some(reason), SHORTEST_WAIT)
                }
                Visit::Failed(error) => {
                    failures += 1;
                    // Once we were let in, a refusal means that our last visit is not forgotten.
                    let hopeless = matches!(error, CsaError::LoginRefused(_)) && !known;
                    if hopeless || failures >= self.options.attempts.max(1) {
                        return Err(error);
                    }
                    let wait = SHORTEST_WAIT.saturating_mul(1 << failures.min(6));
                    (Some(RetryReason::Login(error)), wait.min(LONGEST_WAIT))
                }
            };
            if let Some(reason) = &reason {
                on_event(&CsaEvent::Retry { reason, wait });
            }
            self.pause(wait, stop);
        }
        Ok(self.played)
    }

    fn is_done(&self, stop: &StopToken) -> bool {
        stop.is_stopped() || self.options.games.is_some_and(|games| self.played >= games)
    }

    fn pause(&self, wait: Duration, stop: &StopToken) {
        let watch = self.clock.stopwatch();
        while watch.elapsed() < wait && !self.is_done(stop) {
            std::thread::sleep(TICK.min(wait));
        }
    }

    /// One connection, from the login to its end.
    fn visit(&mut self, stop: &StopToken, on_event: &mut OnCsaEvent<'_>) -> Visit {
        let address = &self.options.address;
        let mut connection = match Connection::open(address, &self.clock) {
            Ok(connection) => connection,
            Err(source) => {
                return Visit::Failed(CsaError::Connect { address: address.clone(), source });
            }
        };
        let mut link = Link { connection: &mut connection, on_event, record: None };
        if let Err(error) = self.log_in(&mut link) {
            return Visit::Failed(error);
        }
        link.report(&CsaEvent::LoggedIn);
        let before = self.played;
        let reason = self.games(&mut link, stop);
        match reason {
            Some(reason) if self.played == before => Visit::Idle(reason),
            _ => Visit::Played,
        }
    }

    fn log_in(&self, link: &mut Link<'_, '_>) -> Result<(), CsaError> {
        let user = &self.options.user;
        link.report(&CsaEvent::Sent(&format!("LOGIN {user} {HIDDEN}")));
        let line = format!("LOGIN {user} {}", self.options.password.0);
        link.connection.send(&line).map_err(|error| CsaError::NoLogin(error.into()))?;
        let watch = self.clock.stopwatch();
        while watch.elapsed() < LOGIN_PATIENCE {
            match link.wait() {
                Some(Signal::Line { text, .. }) => match ServerLine::parse(&text) {
                    ServerLine::LoggedIn(_) => return Ok(()),
                    ServerLine::LoginRefused => return Err(CsaError::LoginRefused(user.clone())),
                    _ => {}
                },
                Some(Signal::Closed(reason)) => return Err(CsaError::NoLogin(reason)),
                Some(Signal::Finished(_)) | None => {}
            }
        }
        Err(CsaError::NoLogin(ConnectionLoss::Unanswered))
    }

    /// Plays the games that the server offers; why the connection ended, unless we left.
    fn games(&mut self, link: &mut Link<'_, '_>, stop: &StopToken) -> Option<RetryReason> {
        let mut reader: Option<SummaryReader> = None;
        loop {
            if self.is_done(stop) {
                // The server may have closed the connection already.
                let _ = link.send("LOGOUT");
                return None;
            }
            let text = match link.wait() {
                Some(Signal::Line { text, .. }) => text,
                Some(Signal::Closed(loss)) => return Some(RetryReason::Lost(loss)),
                Some(Signal::Finished(_)) | None => continue,
            };
            let Some(reading) = &mut reader else {
                if ServerLine::parse(&text) == ServerLine::BeginSummary {
                    reader = Some(SummaryReader::default());
                }
                continue;
            };
            match reading.line(&text) {
                Ok(None) => continue,
                Ok(Some(summary)) => {
                    if let Some(reason) = retry_reason(self.game(&summary, link)) {
                        return Some(reason);
                    }
                }
                Err(error) => {
                    link.report(&CsaEvent::Refused(&error));
                    if let Err(end) = link.send("REJECT") {
                        return retry_reason(end);
                    }
                }
            }
            reader = None;
        }
    }

    /// One game.
    fn game(&mut self, summary: &GameSummary, link: &mut Link<'_, '_>) -> OnlineEnd {
        if let Err(error) = self.engine.prepare(summary) {
            return error.into();
        }
        let folder = self.options.records.as_deref();
        match folder.map(|folder| records::reserve(folder, &summary.id)).transpose() {
            Ok(path) => link.record = path,
            Err(error) => link.report(&CsaEvent::RecordNotWritten(&error)),
        }
        let date = self.options.date.map(|date| date());
        let remarks = self.options.remarks;
        let mut game = OnlineGame::new(summary, remarks, date, self.clock.stopwatch());
        let end = game.play(link, &mut self.engine);
        if !matches!(end, OnlineEnd::Rejected(_)) {
            self.played += 1;
        }
        let record = game.record();
        link.keep(&record, true);
        let path = link.record.take();
        let report = GameReport { summary: summary.clone(), record, end, path };
        link.report(&CsaEvent::Finished(&report));
        report.end
    }
}

/// Why another connection is needed after a game that ended like this, if one is.
fn retry_reason(end: OnlineEnd) -> Option<RetryReason> {
    match end {
        OnlineEnd::Ruled(..) | OnlineEnd::Rejected(_) => None,
        OnlineEnd::ConnectionLost(loss) => Some(RetryReason::Lost(loss)),
        OnlineEnd::Fault(fault) => Some(RetryReason::Fault(fault)),
    }
}
