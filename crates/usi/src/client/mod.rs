//! Driving an engine: starting its process, talking to it with a deadline for every answer, and
//! noticing when it dies or falls silent. The process ends with the [`Client`].

mod lines;
mod search;

pub use search::{Analysis, Searched};

use crate::command::Command;
use crate::option::OptionDecl;
use crate::reply::{Id, Reply};
use lines::{LineEnd, Lines};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use yomikiri_base::StopToken;

/// How an engine is started.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Launch {
    /// The program: a path, or a name to look up.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The folder it runs in; ours if none.
    pub dir: Option<PathBuf>,
}

impl Launch {
    /// A program without arguments.
    pub fn program(program: impl Into<PathBuf>) -> Launch {
        Launch { program: program.into(), ..Launch::default() }
    }
}

/// Why an engine did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The process could not be started.
    #[error("cannot start '{program}': {reason}")]
    Spawn {
        /// What was to be started.
        program: String,
        /// What the system says.
        reason: io::Error,
    },
    /// No answer came in time.
    #[error("no {waiting_for} within {} ms", waited.as_millis())]
    Silent {
        /// What was waited for.
        waiting_for: &'static str,
        /// How long.
        waited: Duration,
    },
    /// The process has ended or closed its output.
    #[error("the engine ended ({})", status.map_or("its output closed".to_string(), |s| s.to_string()))]
    Exited {
        /// How it ended, if it did.
        status: Option<ExitStatus>,
    },
    /// Stopped while an answer was waited for; see [`Client::stop_on`].
    #[error("interrupted")]
    Interrupted,
    /// The answer cannot be understood.
    #[error("the engine answered '{line}'")]
    BadAnswer {
        /// The line.
        line: String,
    },
}

/// How soon a wait for an answer notices that it is to stop.
const STOP_NOTICED: Duration = Duration::from_millis(100);

/// What an engine says about itself after `usi`.
#[derive(Clone, Debug, Default)]
pub struct Introduction {
    /// Its name.
    pub name: String,
    /// Who wrote it.
    pub author: String,
    /// What can be set.
    pub options: Vec<OptionDecl>,
}

/// Which way a line went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From us to the engine.
    Sent,
    /// From the engine to us.
    Received,
}

/// Receives every line.
pub type Listener = Box<dyn FnMut(Direction, &str) + Send>;

/// A running engine.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Lines,
    listener: Option<Listener>,
    stop: Option<StopToken>,
    outgoing: String,
}

impl Client {
    /// Starts the process. What it writes to its standard error is dropped.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(launch: &Launch) -> Result<Client, ClientError> {
        let failed =
            |reason| ClientError::Spawn { program: launch.program.display().to_string(), reason };
        let mut command = std::process::Command::new(&launch.program);
        command.args(&launch.args);
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        // An interruption typed at the terminal is for the one who plays, who then ends the engines
        // in good order. If they got it too, the games under way would end as crashes.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or_else(|| failed(io::Error::other("no output")))?;
        let lines = Lines::new(stdout);
        Ok(Client { child, stdin, lines, listener: None, stop: None, outgoing: String::new() })
    }

    /// Sets the receiver of every line from now on.
    pub fn listen(&mut self, listener: Listener) {
        self.listener = Some(listener);
    }

    /// From now on every wait for a line ends with [`ClientError::Interrupted`] soon after the
    /// token is stopped. The engine may then still be searching.
    pub fn stop_on(&mut self, stop: &StopToken) {
        self.stop = Some(stop.clone());
    }

    /// The process's number.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a command.
    ///
    /// # Errors
    /// If the engine no longer listens.
    pub fn send(&mut self, command: &Command) -> Result<(), ClientError> {
        self.send_text(&command.to_string())
    }

    /// Sends any text as it is, one line or several.
    ///
    /// # Errors
    /// If the engine no longer listens.
    pub fn send_text(&mut self, text: &str) -> Result<(), ClientError> {
        self.send_bytes_of(text.as_bytes(), text)
    }

    /// Sends bytes that need not be text, for engines that are being tested, and a line break.
    ///
    /// # Errors
    /// If the engine no longer listens.
    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), ClientError> {
        self.send_bytes_of(bytes, &String::from_utf8_lossy(bytes))
    }

    fn send_bytes_of(&mut self, bytes: &[u8], shown: &str) -> Result<(), ClientError> {
        if let Some(listener) = &mut self.listener {
            shown.lines().for_each(|line| listener(Direction::Sent, line));
        }
        let mut whole = Vec::with_capacity(bytes.len() + 1);
        whole.extend_from_slice(bytes);
        whole.push(b'\n');
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write_all(&whole).and_then(|()| stdin.flush()),
            None => return Err(ClientError::Exited { status: self.exit_status() }),
        };
        written.map_err(|_| ClientError::Exited { status: self.exit_status() })
    }

    /// The next line, or an error if none comes before the deadline.
    ///
    /// # Errors
    /// If the engine is silent or gone.
    pub fn receive(
        &mut self,
        waiting_for: &'static str,
        timeout: Duration,
    ) -> Result<String, ClientError> {
        self.receive_until(waiting_for, Instant::now(), timeout)
    }

    fn receive_until(
        &mut self,
        waiting_for: &'static str,
        since: Instant,
        timeout: Duration,
    ) -> Result<String, ClientError> {
        match self.next_line(since.checked_add(timeout)) {
            Ok(line) => {
                if let Some(listener) = &mut self.listener {
                    listener(Direction::Received, &line);
                }
                Ok(line)
            }
            Err(LineEnd::Timeout) if self.is_stopped() => Err(ClientError::Interrupted),
            Err(LineEnd::Timeout) => Err(ClientError::Silent { waiting_for, waited: timeout }),
            Err(LineEnd::Closed) => Err(ClientError::Exited { status: self.exit_status() }),
        }
    }

    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(StopToken::is_stopped)
    }

    /// The next line before the deadline and before a stop.
    fn next_line(&mut self, deadline: Option<Instant>) -> Result<String, LineEnd> {
        if self.stop.is_none() {
            return self.lines.next(deadline);
        }
        loop {
            let look = Instant::now() + STOP_NOTICED;
            let last = deadline.is_some_and(|deadline| deadline <= look);
            match self.lines.next(if last { deadline } else { Some(look) }) {
                Err(LineEnd::Timeout) if !last && !self.is_stopped() => {}
                line => return line,
            }
        }
    }

    /// `usi` up to `usiok`.
    ///
    /// # Errors
    /// If the engine is silent or gone.
    pub fn introduce(&mut self, timeout: Duration) -> Result<Introduction, ClientError> {
        let since = Instant::now();
        self.send(&Command::Usi)?;
        let mut introduction = Introduction::default();
        loop {
            match self.receive_until("usiok", since, timeout)?.parse() {
                Ok(Reply::Id(Id::Name(name))) => introduction.name = name,
                Ok(Reply::Id(Id::Author(author))) => introduction.author = author,
                Ok(Reply::Option(option)) => introduction.options.push(option),
                Ok(Reply::UsiOk) => return Ok(introduction),
                _ => {}
            }
        }
    }

    /// `isready` up to `readyok`. Every line that comes meanwhile, even an empty one, shows that
    /// the engine is alive and starts the waiting anew.
    ///
    /// # Errors
    /// If the engine is silent or gone.
    pub fn ready(&mut self, timeout: Duration) -> Result<(), ClientError> {
        self.send(&Command::IsReady)?;
        while self.receive("readyok", timeout)?.trim() != "readyok" {}
        Ok(())
    }

    /// How the process ended, if it has; a process that just closed its output gets a moment.
    fn exit_status(&mut self) -> Option<ExitStatus> {
        self.wait(Duration::from_millis(500))
    }

    /// Waits for the process to end.
    fn wait(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now().checked_add(timeout);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Closes the engine's input without a word.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the process to end by itself; `None` if it does not.
    pub fn wait_for_end(&mut self, timeout: Duration) -> Option<ExitStatus> {
        self.wait(timeout)
    }

    /// Says `quit`, waits, and ends the process if it does not go. Returns how it ended by
    /// itself, if it did.
    pub fn quit(mut self, patience: Duration) -> Option<ExitStatus> {
        // An engine that is gone already cannot receive it, and need not.
        let _ = self.send(&Command::Quit);
        self.stdin = None;
        self.wait(patience)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.stdin = None;
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            // Nothing can be done about a process that will not die.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn an_engine_does_not_get_the_terminal_s_interruptions() {
        let launch = Launch { program: "cat".into(), ..Launch::default() };
        let client = Client::start(&launch).unwrap();
        let id = client.process_id();
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        // After the name in brackets: state, parent, process group.
        let after = stat.rsplit(')').next().unwrap_or_default();
        let group = after.split_whitespace().nth(2);
        assert_eq!(group, Some(id.to_string().as_str()));
    }

    #[test]
    fn a_wait_ends_when_somebody_asks_to_stop() {
        // It repeats its input, and so never gives the answer that is waited for.
        let mut client = Client::start(&Launch::program("cat")).unwrap();
        let stop = StopToken::new();
        client.stop_on(&stop);
        let short = client.solve("startpos", &crate::Go::default(), Duration::from_millis(250));
        assert!(matches!(short, Err(ClientError::Silent { .. })), "{short:?}");
        let (asked, stopper) = (Instant::now(), stop.clone());
        let later = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            stopper.stop();
        });
        let answer = client.search("startpos", &crate::Go::default(), Duration::from_secs(600));
        assert!(matches!(answer, Err(ClientError::Interrupted)), "{answer:?}");
        assert!(asked.elapsed() < Duration::from_secs(300));
        later.join().unwrap();
    }
}
