//! What several tests of the engine need.

use yomikiri_engine::speculative::Choice;
use yomikiri_engine::{Report, SearchEvent};

/// Keeps the speculative choices.
#[derive(Default)]
pub struct Listener(pub Vec<Choice>);

impl Report for Listener {
    fn event(&mut self, event: &SearchEvent) {
        if let SearchEvent::Speculation(choice) = event {
            self.0.push(choice.clone());
        }
    }
}
