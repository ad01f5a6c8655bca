//! The worker that holds the session: requests go in, messages, orders and stops come out.

use serde::{Deserialize, Serialize};
use yomikiri_base::Clock;
use yomikiri_session::protocol::{Answer, Ask, Event, Fault, FaultCode, OpenAsk, VERSION};
use yomikiri_session::{
    Finished, Message, Request, Session, SessionReply, Stopper, Task, TaskClass, TaskKey,
};

/// What comes out, for the host to act on.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Out {
    /// A message for the page, as text.
    Page {
        /// The message.
        text: String,
    },
    /// A task for a searching worker.
    Order {
        /// Its number, unique in the session.
        run: u32,
        /// Whether somebody waits for it and it ends soon.
        short: bool,
        /// The order.
        text: String,
    },
    /// A task is not wanted any more.
    Stop {
        /// Its number.
        run: u32,
    },
}

/// What comes in.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum In {
    /// A request of the page, as text.
    Page {
        /// The request.
        text: String,
    },
    /// News of a searching worker, as it reported them.
    Event {
        /// An [`crate::searcher::EventText`].
        text: String,
    },
    /// A task has ended, as its worker reported it.
    Finished {
        /// See [`Finished::to_text`].
        text: String,
    },
    /// A task was ended from outside together with its worker.
    Ended {
        /// Its number.
        run: u32,
        /// Whether it broke down, or else was stopped.
        failed: bool,
        /// Whether it broke down because its stack was too small.
        #[serde(default)]
        deep: bool,
    },
}

/// Holds one session.
pub struct Holder {
    clock: Clock,
    seed: u32,
    session: Option<Session>,
    running: Vec<(TaskKey, Stopper)>,
}

impl Holder {
    /// Waits for the page to open its session. `seed` makes its games differ from others.
    #[must_use]
    pub fn new(clock: Clock, seed: u32) -> Holder {
        Holder { clock, seed, session: None, running: Vec::new() }
    }

    /// Takes what came in, as JSON.
    pub fn receive(&mut self, text: &str) -> Vec<Out> {
        let reply = match serde_json::from_str(text) {
            Ok(In::Page { text }) => self.page(&text),
            Ok(In::Event { text }) => self.event(&text),
            Ok(In::Finished { text }) => self.finished(&text),
            Ok(In::Ended { run, failed, deep }) => self.ended(run, failed, deep),
            Err(error) => fault(None, FaultCode::Internal, &error.to_string()),
        };
        self.outs(reply)
    }

    fn page(&mut self, text: &str) -> SessionReply {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let id = serde_json::from_str::<serde_json::Value>(text).ok();
                let id = id.and_then(|value| u32::try_from(value.get("id")?.as_u64()?).ok());
                return fault(id, FaultCode::BadRequest, &error.to_string());
            }
        };
        match (&mut self.session, &request.ask) {
            (None, Ask::Open(ask)) => self.open(request.id, ask),
            (None, _) => {
                let why = "the first message must be `open`";
                fault(Some(request.id), FaultCode::OutOfOrder, why)
            }
            (Some(session), _) => session.handle(request),
        }
    }

    fn open(&mut self, id: u32, ask: &OpenAsk) -> SessionReply {
        if ask.version != VERSION {
            let why = format!("the page speaks version {}, not {VERSION}", ask.version);
            return fault(Some(id), FaultCode::OtherVersion, &why);
        }
        let restore = |saved| Session::restore(self.clock.clone(), crate::resources(), saved);
        let kept = ask.saved.as_deref().map(restore).transpose();
        let (kept, lost) = match kept {
            Ok(kept) => (kept, None),
            Err(error) => (None, Some(error.to_string())),
        };
        let resumed = kept.is_some();
        let new = || Session::new(self.clock.clone(), crate::resources(), self.seed);
        let mut session = kept.unwrap_or_else(new);
        let tasks = session.resume();
        let opened = session.opened(String::new(), resumed, lost);
        self.session = Some(session);
        let answer = Box::new(Answer::Opened(opened));
        SessionReply { messages: vec![Message::Answer { id, answer }], tasks }
    }

    fn event(&mut self, text: &str) -> SessionReply {
        let received = serde_json::from_str::<crate::searcher::EventText>(text);
        let (Ok(received), Some(session)) = (received, &mut self.session) else {
            return SessionReply::default();
        };
        let event: Event = received.event;
        SessionReply {
            messages: session.observe(received.key, event).into_iter().collect(),
            tasks: vec![],
        }
    }

    fn finished(&mut self, text: &str) -> SessionReply {
        match Finished::from_text(text) {
            Ok(finished) => self.finish(finished),
            Err(error) => fault(None, FaultCode::Internal, &error.to_string()),
        }
    }

    fn ended(&mut self, run: u32, failed: bool, deep: bool) -> SessionReply {
        let Some(key) = self.running.iter().map(|(key, _)| *key).find(|key| key.run == run) else {
            return SessionReply::default();
        };
        self.finish(match (failed, deep) {
            (true, true) => Finished::too_deep(key),
            (true, false) => Finished::failed(key),
            (false, _) => Finished::stopped(key),
        })
    }

    fn finish(&mut self, finished: Finished) -> SessionReply {
        let key = finished.key();
        self.running.retain(|(running, _)| *running != key);
        self.session.as_mut().map_or_else(SessionReply::default, |session| session.finish(finished))
    }

    /// The reply for the host, and the stops that it brought about.
    fn outs(&mut self, reply: SessionReply) -> Vec<Out> {
        let text = |message: &Message| serde_json::to_string(message).expect("plain data is JSON");
        let mut outs: Vec<Out> =
            reply.messages.iter().map(|message| Out::Page { text: text(message) }).collect();
        // A stop comes before the task that takes the place of the stopped one. The entry stays
        // until the worker has reported its end.
        let stopped = self.running.iter().filter(|(_, stop)| stop.is_stopped());
        outs.extend(stopped.map(|(key, _)| Out::Stop { run: key.run }));
        outs.extend(reply.tasks.into_iter().filter_map(|task| self.order(&task)));
        outs
    }

    fn order(&mut self, task: &Task) -> Option<Out> {
        let order = self.session.as_ref()?.order(task.key())?;
        self.running.push((task.key(), task.stopper()));
        let text = serde_json::to_string(&order).ok()?;
        Some(Out::Order { run: task.key().run, short: task.class() == TaskClass::Short, text })
    }
}

fn fault(id: Option<u32>, code: FaultCode, why: &str) -> SessionReply {
    SessionReply {
        messages: vec![Message::Fault { id, fault: Fault::new(code, why) }],
        tasks: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
