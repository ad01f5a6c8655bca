//! The engine's process as a GUI holds it: a pipe on both sides.

// Not every test binary uses all of it.
#![allow(dead_code)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A running `yomikiri usi`.
pub struct Session {
    child: Child,
    /// Until the end of input.
    pub input: Option<ChildStdin>,
    /// What it says.
    pub lines: Receiver<String>,
}

impl Session {
    pub fn start() -> Session {
        Session::of(Command::new(env!("CARGO_BIN_EXE_yomikiri")))
    }

    pub fn of(mut command: Command) -> Session {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut session = Session { input: child.stdin.take(), child, lines };
        session.say("usi");
        session.expect("usiok");
        session.say("setoption name USI_Hash value 1");
        session
    }

    pub fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// Reads up to a line that begins so; generous, since machines can be slow.
    pub fn expect(&self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).expect(start);
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Sets options, and leaves the book aside so that every `go` is searched.
    pub fn set(&mut self, options: &[(&str, &str)]) {
        for (name, value) in [("USI_OwnBook", "false")].iter().chain(options) {
            self.say(&format!("setoption name {name} value {value}"));
        }
    }

    /// Every line up to the next answer, which comes last.
    pub fn answer(&self) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with("bestmove")) {
            lines.push(self.expect(""));
        }
        lines
    }

    /// Ends the input; gives what was said to the end.
    pub fn end(mut self) -> Vec<String> {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
        self.lines.iter().collect()
    }
}
