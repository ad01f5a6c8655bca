//! What is typed.

use std::io::BufRead;
use std::sync::mpsc::{Receiver, channel};

/// Lines of an input, read by a thread of its own so that a clock can run out meanwhile.
pub fn typed_lines(mut input: impl BufRead + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
            if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                break;
            }
        }
    });
    lines
}
