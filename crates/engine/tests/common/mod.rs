//! What several tests of the engine need.

use yomikiri_engine::{Info, Report};

/// Keeps what the engine says.
#[derive(Default)]
pub struct Listener(pub Vec<String>);

impl Report for Listener {
    fn info(&mut self, _: &Info) {}

    fn say(&mut self, message: &str) {
        self.0.push(message.to_string());
    }
}
