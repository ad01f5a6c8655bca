//! What several tests of the engine need.

use yomikiri_engine::speculative::Choice;
use yomikiri_engine::{Event, Report};

/// Keeps the speculative choices.
#[derive(Default)]
pub struct Listener(pub Vec<Choice>);

impl Report for Listener {
    fn event(&mut self, event: &Event) {
        if let Event::Speculation(choice) = event {
            self.0.push(choice.clone());
        }
    }
}
