//! A worker that searches: one order at a time, carried out to its end.

use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use yomikiri_base::Clock;
use yomikiri_session::protocol::Event;
use yomikiri_session::{Emitter, Finished, Order, SessionResources, Stopper, TaskKey};

/// What a search reports.
pub enum SearchMessage {
    /// News, as an [`EventText`].
    Event(String),
    /// The end, as [`Finished::to_text`] writes it.
    Finished(String),
}

/// News of a task.
#[derive(Serialize, Deserialize)]
pub struct EventText {
    /// Which task.
    pub key: TaskKey,
    /// The news.
    pub event: Event,
}

/// What the host of a search gives it: the time, and whether it was stopped. Both are asked
/// whenever the search looks at its clock.
#[derive(Clone)]
pub struct Outside {
    /// The time since any fixed moment.
    pub now: fn() -> Duration,
    /// Whether to stop.
    pub stopped: fn() -> bool,
}

impl Outside {
    /// A clock that passes a stop on to whatever `stop` holds by then.
    fn clock(&self, stop: Arc<OnceLock<Stopper>>) -> Clock {
        let Outside { now, stopped } = self.clone();
        Clock::from_fn(move || {
            if let Some(stop) = stop.get().filter(|_| stopped()) {
                stop.stop();
            }
            now()
        })
    }
}

/// Carries out an order. What it comes to is emitted; the end comes last.
///
/// # Errors
/// Why the text is no order.
pub fn carry_out(
    text: &str,
    outside: &Outside,
    resources: SessionResources,
    emit: Arc<dyn Fn(SearchMessage) + Send + Sync>,
) -> Result<(), serde_json::Error> {
    let order: Order = serde_json::from_str(text)?;
    let key = order.key();
    let stop = Arc::new(OnceLock::new());
    let clock = outside.clock(Arc::clone(&stop));
    let finished = match order.task(clock, resources) {
        Ok(task) => {
            // Set once: nobody else has this cell.
            let _ = stop.set(task.stopper());
            let emit = Arc::clone(&emit);
            let emit: Emitter = Arc::new(move |event| {
                // Nothing here can fail to be written: every map has text for keys.
                let text =
                    serde_json::to_string(&EventText { key, event }).expect("plain data is JSON");
                emit(SearchMessage::Event(text));
            });
            task.run(emit)
        }
        Err(_) => Finished::failed(key),
    };
    emit(SearchMessage::Finished(finished.to_text()));
    Ok(())
}
