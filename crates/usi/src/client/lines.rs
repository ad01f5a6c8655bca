//! Lines from a process, with a deadline.
//!
//! On Unix the reader polls the pipe itself: a thread between pipe and reader would cost two more
//! context switches a line, which in games of a millisecond a move is most of a match runner's
//! work. Elsewhere a thread reads.

use std::io::Read;
use std::process::ChildStdout;
use std::time::Instant;

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// None came in time.
    Timeout,
    /// None will come any more.
    Closed,
}

/// An engine that writes more than this without a line break is cut off there.
const LONGEST_LINE: usize = 1 << 20;

/// Bytes read and not yet handed out.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    /// Up to here no line break was found.
    searched: usize,
}

impl Buffer {
    fn line(&mut self) -> Option<String> {
        let found = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n');
        let end = match found {
            Some(at) => self.searched + at,
            None if self.bytes.len() - self.start > LONGEST_LINE => self.bytes.len(),
            None => {
                self.searched = self.bytes.len();
                return None;
            }
        };
        let line = self.text(end);
        self.start = (end + 1).min(self.bytes.len());
        self.searched = self.start;
        Some(line)
    }

    /// What is left when no more will come.
    fn rest(&mut self) -> Option<String> {
        if self.start == self.bytes.len() {
            return None;
        }
        let line = self.text(self.bytes.len());
        self.start = self.bytes.len();
        self.searched = self.start;
        Some(line)
    }

    fn text(&self, end: usize) -> String {
        let line = &self.bytes[self.start..end];
        String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()
    }

    /// Reads once; the number of bytes, 0 at the end.
    fn fill(&mut self, source: &mut impl Read) -> usize {
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        let mut chunk = [0; 4096];
        let read = loop {
            match source.read(&mut chunk) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                other => break other.unwrap_or(0),
            }
        };
        self.bytes.extend_from_slice(&chunk[..read]);
        read
    }
}

#[cfg(unix)]
pub use polled::Lines;
#[cfg(not(unix))]
pub use threaded::Lines;

#[cfg(unix)]
mod polled {
    use super::{Buffer, ChildStdout, Instant, LineEnd};
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::Errno;

    /// Lines of a process's output.
    pub struct Lines {
        stdout: ChildStdout,
        buffer: Buffer,
    }

    impl Lines {
        /// Reads from a process.
        pub fn new(stdout: ChildStdout) -> Lines {
            Lines { stdout, buffer: Buffer::default() }
        }

        /// The next line; waits for ever without a deadline.
        pub fn next(&mut self, deadline: Option<Instant>) -> Result<String, LineEnd> {
            loop {
                if let Some(line) = self.buffer.line() {
                    return Ok(line);
                }
                self.wait(deadline)?;
                if self.buffer.fill(&mut self.stdout) == 0 {
                    return self.buffer.rest().ok_or(LineEnd::Closed);
                }
            }
        }

        fn wait(&self, deadline: Option<Instant>) -> Result<(), LineEnd> {
            loop {
                let left = deadline.map(|deadline| {
                    let left = deadline.saturating_duration_since(Instant::now());
                    Timespec::try_from(left).unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 })
                });
                match poll(&mut [PollFd::new(&self.stdout, PollFlags::IN)], left.as_ref()) {
                    Ok(0) => return Err(LineEnd::Timeout),
                    Ok(_) => return Ok(()),
                    Err(Errno::INTR) => {}
                    Err(_) => return Err(LineEnd::Closed),
                }
            }
        }
    }
}

// Compiled in tests everywhere, so that it does not rot where it is not used.
#[cfg(any(not(unix), test))]
mod threaded {
    use super::{Buffer, ChildStdout, Instant, LineEnd};
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};

    /// Lines of a process's output.
    pub struct Lines {
        lines: Receiver<String>,
    }

    impl Lines {
        /// Reads from a process.
        pub fn new(mut stdout: ChildStdout) -> Lines {
            let (sender, lines) = channel();
            std::thread::spawn(move || {
                let mut buffer = Buffer::default();
                while buffer.fill(&mut stdout) > 0 {
                    while let Some(line) = buffer.line() {
                        if sender.send(line).is_err() {
                            return;
                        }
                    }
                }
                if let Some(line) = buffer.rest() {
                    // Nobody listens any more: nothing is lost.
                    let _ = sender.send(line);
                }
            });
            Lines { lines }
        }

        /// The next line; waits for ever without a deadline.
        pub fn next(&mut self, deadline: Option<Instant>) -> Result<String, LineEnd> {
            match deadline {
                None => self.lines.recv().map_err(|_| LineEnd::Closed),
                Some(deadline) => self
                    .lines
                    .recv_timeout(deadline.saturating_duration_since(Instant::now()))
                    .map_err(|error| match error {
                        RecvTimeoutError::Timeout => LineEnd::Timeout,
                        RecvTimeoutError::Disconnected => LineEnd::Closed,
                    }),
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::{Instant, LineEnd, polled, threaded};
    use std::process::{Child, ChildStdout, Command, Stdio};
    use std::time::Duration;

    fn shell(script: &str) -> (Child, ChildStdout) {
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell is there");
        let stdout = child.stdout.take().expect("piped");
        (child, stdout)
    }

    /// Both readers must hand out the same lines.
    fn all_lines(script: &str) -> Vec<String> {
        let (mut child, stdout) = shell(script);
        let mut lines = polled::Lines::new(stdout);
        let polled: Vec<String> = std::iter::from_fn(|| lines.next(None).ok()).collect();
        child.wait().expect("it ends");
        let (mut child, stdout) = shell(script);
        let mut lines = threaded::Lines::new(stdout);
        let threaded: Vec<String> = std::iter::from_fn(|| lines.next(None).ok()).collect();
        child.wait().expect("it ends");
        assert_eq!(polled, threaded);
        polled
    }

    #[test]
    fn lines_are_split_and_trimmed() {
        assert_eq!(all_lines(r"printf 'a\r\n\nb c\n\377d'"), ["a", "", "b c", "\u{fffd}d"]);
        assert_eq!(all_lines("for i in 1 2 3; do echo $i; done"), ["1", "2", "3"]);
        assert!(all_lines("true").is_empty());
    }

    #[test]
    fn long_output_arrives_whole() {
        let lines = all_lines("seq 1 20000");
        assert_eq!(lines.len(), 20000);
        assert!(lines.iter().zip(1..).all(|(line, number)| *line == number.to_string()));
    }

    #[test]
    fn silence_is_a_timeout_and_the_end_is_closed() {
        let (mut child, stdout) = shell("read x; echo $x");
        let mut lines = polled::Lines::new(stdout);
        let soon = || Some(Instant::now() + Duration::from_millis(20));
        // The shell inherits our standard input, which may or may not be closed.
        match lines.next(soon()) {
            Err(LineEnd::Timeout) | Ok(_) => {}
            Err(LineEnd::Closed) => panic!("closed too early"),
        }
        let _ = child.kill();
        child.wait().expect("it ends");
        while lines.next(None).is_ok() {}
        assert_eq!(lines.next(None), Err(LineEnd::Closed));
    }
}
