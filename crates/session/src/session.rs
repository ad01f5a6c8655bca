//! One person's session: what is asked goes in, messages and work come out.

use crate::game::{SavedGame, SessionGame};
use crate::laboratory::Laboratory;
use crate::mate::ProvenMate;
use crate::order::Order;
use crate::protocol::{
    AnalysisEvent, Answer, Ask, Event, Fault, FaultCode, MateEvent, Message, Opened, Request,
    Saved, SessionState, Started, SubjectMoveAsk, SubjectNews, TaskView, VERSION,
};
use crate::task::{Finished, Stopper, Task, TaskKey, TaskOutcome};
use crate::{RestoreError, SessionResources, choices, illegal, mate, place};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;
use yomikiri_base::Clock;

mod quick;
mod work;

use work::Slot;

/// Most bytes of what the page keeps, as JSON.
const MOST_KEPT: usize = 1 << 18;
/// Longest name of something that is kept.
const LONGEST_NAME: usize = 100;

/// What comes out of a session: messages for the page, then work for the host.
#[derive(Default)]
pub struct SessionReply {
    /// For the page, in this order.
    pub messages: Vec<Message>,
    /// To be run; its events come after the messages.
    pub tasks: Vec<Task>,
}

/// What runs in a slot, or ran there last.
struct Entry {
    key: TaskKey,
    kind: &'static str,
    /// What makes it anew after a lost connection; nothing for the engine's move.
    ask: Option<Ask>,
    stop: Stopper,
    running: bool,
    /// Stopped because nobody listens; to be started anew.
    suspended: bool,
    last: Option<Event>,
}

/// A session.
pub struct Session {
    clock: Clock,
    resources: SessionResources,
    game: Option<SessionGame>,
    games_begun: u32,
    mate: Option<MateEvent>,
    proven: Option<Arc<ProvenMate>>,
    slots: BTreeMap<Slot, Entry>,
    laboratory: Option<Arc<dyn Laboratory>>,
    /// Where the moves of the user as a subject go.
    subject: Option<Sender<SubjectMoveAsk>>,
    /// Number of the task and of the run to come.
    next: TaskKey,
    kept: BTreeMap<String, serde_json::Value>,
}

/// A session as it is kept.
#[derive(Serialize, Deserialize)]
struct SavedSession {
    version: u32,
    game: Option<SavedGame>,
    games_begun: u32,
    mate: Option<MateEvent>,
    kept: BTreeMap<String, serde_json::Value>,
}

impl Session {
    /// An empty session. `seed` makes its games differ from those of other sessions.
    #[must_use]
    pub fn new(clock: Clock, resources: SessionResources, seed: u32) -> Session {
        Session {
            clock,
            resources,
            game: None,
            games_begun: seed,
            mate: None,
            proven: None,
            slots: BTreeMap::new(),
            laboratory: None,
            subject: None,
            next: TaskKey { task: 1, run: 1 },
            kept: BTreeMap::new(),
        }
    }

    /// Takes up what [`Session::save`] gave.
    ///
    /// # Errors
    /// Why it cannot be taken up.
    pub fn restore(
        clock: Clock,
        resources: SessionResources,
        saved: &str,
    ) -> Result<Session, RestoreError> {
        let saved: SavedSession = serde_json::from_str(saved)?;
        if saved.version != VERSION {
            return Err(RestoreError::Version(saved.version, VERSION));
        }
        let now = clock.now();
        let mut session = Session::new(clock, resources, saved.games_begun);
        session.game = saved.game.map(|game| SessionGame::restore(game, now)).transpose()?;
        // The proof itself is not kept: it is found again by solving.
        session.mate = saved.mate.map(|mate| MateEvent { proof_nodes: 0, ..mate });
        if size(&saved.kept) > MOST_KEPT {
            return Err(RestoreError::TooMuch);
        }
        session.kept = saved.kept;
        Ok(session)
    }

    /// The session with the host's experiments.
    #[must_use]
    pub fn with_laboratory(self, laboratory: Arc<dyn Laboratory>) -> Session {
        Session { laboratory: Some(laboratory), ..self }
    }

    /// The session as text.
    #[must_use]
    pub fn save(&self) -> String {
        let saved = SavedSession {
            version: VERSION,
            game: self.game.as_ref().map(|game| game.save(self.clock.now())),
            games_begun: self.games_begun,
            mate: self.mate.clone(),
            kept: self.kept.clone(),
        };
        // Maps have text for keys and nothing here can fail to be written.
        serde_json::to_string(&saved).expect("plain data is JSON")
    }

    /// The order of a task that runs, for a host that carries it to another instance.
    #[must_use]
    pub fn order(&self, key: TaskKey) -> Option<Order> {
        let entry = self.slots.values().find(|entry| entry.key == key)?;
        let asks_for_proof = matches!(entry.ask, Some(Ask::MatePlay(_) | Ask::VerifyMate));
        let proof = self.proven.as_ref().filter(|_| asks_for_proof).map(|proven| proven.keep());
        let saved = SavedSession {
            version: VERSION,
            game: self.game.as_ref().map(|game| game.save(self.clock.now())),
            games_begun: self.games_begun,
            mate: None,
            kept: BTreeMap::new(),
        };
        let saved = serde_json::to_string(&saved).ok()?;
        Some(Order { key, ask: entry.ask.clone(), saved, proof })
    }

    /// The task of an order that another session gave, under its key.
    pub(crate) fn carry_out(&mut self, ask: Option<Ask>, key: TaskKey) -> Result<Task, Fault> {
        let task = match ask {
            Some(ask) => self.start(ask, Some(key.task))?,
            None => {
                let none = || Fault::new(FaultCode::NoGame, "the engine is not to move");
                self.engine_task(Some(key.task)).ok_or_else(none)?
            }
        };
        Ok(task.under(key))
    }

    pub(crate) fn take_proof(&mut self, proven: Arc<ProvenMate>) {
        self.proven = Some(proven);
    }

    /// The answer to `open`, which the host gives.
    #[must_use]
    pub fn opened(&self, token: String, resumed: bool, lost: Option<String>) -> Opened {
        Opened {
            version: VERSION,
            token,
            resumed,
            lost,
            state: self.state(),
            choices: choices::choices(self.resources.server),
        }
    }

    /// Everything that a page needs to show itself again.
    #[must_use]
    pub fn state(&self) -> SessionState {
        let view = |entry: &Entry| TaskView {
            task: entry.key.task,
            kind: entry.kind.to_string(),
            running: entry.running,
            last: entry.last.clone(),
        };
        SessionState {
            game: self.game.as_ref().map(|game| self.game_view(game)),
            mate: self.mate.clone(),
            tasks: self.slots.values().map(view).collect(),
            kept: self.kept.clone(),
        }
    }

    /// Answers a request.
    pub fn handle(&mut self, request: Request) -> SessionReply {
        let id = request.id;
        let mut tasks = Vec::new();
        let message = match self.answer(request.ask, &mut tasks) {
            Ok(answer) => Message::Answer { id, answer: Box::new(answer) },
            Err(fault) => Message::Fault { id: Some(id), fault },
        };
        SessionReply { messages: vec![message], tasks }
    }

    fn answer(&mut self, ask: Ask, tasks: &mut Vec<Task>) -> Result<Answer, Fault> {
        match ask {
            Ask::Open(_) => Err(Fault::new(FaultCode::OutOfOrder, "the session is open already")),
            Ask::State => Ok(Answer::State(self.state())),
            Ask::Save => Ok(Answer::Saved(Saved { saved: self.save() })),
            Ask::Close => {
                self.stop_all();
                Ok(Answer::Done)
            }
            Ask::Keep(ask) => self.keep(ask.name, ask.value),
            Ask::Stop(ask) => self.stop(ask.task),
            Ask::NewGame(_)
            | Ask::Game
            | Ask::Move(_)
            | Ask::TakeBack
            | Ask::Resign
            | Ask::Declare
            | Ask::Claim
            | Ask::WriteGame(_) => self.in_game(&ask, tasks),
            Ask::Hint
            | Ask::Analyse(_)
            | Ask::AnalyseGame(_)
            | Ask::SolveMate(_)
            | Ask::MatePlay(_)
            | Ask::VerifyMate
            | Ask::Judge(_)
            | Ask::SolveGo(_)
            | Ask::RunExperiment(_)
            | Ask::BeSubject(_) => {
                let task = self.start(ask, None)?;
                let answer = Answer::Started(Started { task: task.key().task });
                tasks.push(task);
                Ok(answer)
            }
            Ask::SubjectMove(ask) => self.subject_moves(ask),
            quick => self.quick(&quick),
        }
    }

    fn keep(&mut self, name: String, value: serde_json::Value) -> Result<Answer, Fault> {
        if name.len() > LONGEST_NAME {
            return Err(Fault::new(FaultCode::TooLarge, "the name is too long"));
        }
        let before = match value.is_null() {
            true => self.kept.remove(&name),
            false => self.kept.insert(name.clone(), value),
        };
        if size(&self.kept) > MOST_KEPT {
            match before {
                Some(before) => self.kept.insert(name, before),
                None => self.kept.remove(&name),
            };
            let message = format!("more than {MOST_KEPT} bytes are kept");
            return Err(Fault::new(FaultCode::TooLarge, message));
        }
        Ok(Answer::Done)
    }

    fn stop(&mut self, task: u32) -> Result<Answer, Fault> {
        let entry = self.slots.values().find(|entry| entry.key.task == task);
        match entry {
            Some(entry) => {
                entry.stop.stop();
                Ok(Answer::Done)
            }
            None => Err(Fault::new(FaultCode::NoTask, format!("there is no task {task}"))),
        }
    }

    /// Passes the subject's move on, if it answers the question that is open.
    fn subject_moves(&mut self, ask: SubjectMoveAsk) -> Result<Answer, Fault> {
        let none = || Fault::new(FaultCode::NotYourTurn, "no question is open");
        let entry = self.slots.get(&Slot::Subject).filter(|entry| entry.running);
        let Some(Event::Subject(asked)) = entry.and_then(|entry| entry.last.as_ref()) else {
            return Err(none());
        };
        if asked.what != SubjectNews::Asked || asked.turn != ask.turn {
            return Err(none());
        }
        if let (Some(mv), Some(view)) = (&ask.mv, &asked.position) {
            let position = place::from_sfen(&view.sfen)?;
            illegal::check(&position, mv).map_err(|illegal| Fault {
                illegal: Some(illegal),
                ..Fault::new(FaultCode::IllegalMove, format!("{mv} is illegal"))
            })?;
        }
        let sent = self.subject.as_ref().and_then(|sender| sender.send(ask).ok());
        sent.map(|()| Answer::Done).ok_or_else(none)
    }

    /// Stops everything, for good.
    pub fn stop_all(&mut self) {
        self.slots.values().for_each(|entry| entry.stop.stop());
    }

    /// Whether something runs.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.slots.values().any(|entry| entry.running)
    }

    /// Nobody listens any more: what runs is stopped until [`Session::resume`], and so is the
    /// clock of the game.
    pub fn suspend(&mut self) {
        let now = self.clock.now();
        if let Some(game) = &mut self.game {
            game.pause(now);
        }
        for entry in self.slots.values_mut().filter(|entry| entry.running) {
            entry.suspended = true;
            entry.stop.stop();
        }
    }

    /// Somebody listens again: what was suspended is started anew under its old number.
    pub fn resume(&mut self) -> Vec<Task> {
        let now = self.clock.now();
        if let Some(game) = &mut self.game {
            game.go_on(now);
        }
        let suspended: Vec<(TaskKey, Option<Ask>)> = self
            .slots
            .values()
            .filter(|entry| entry.suspended)
            .map(|entry| (entry.key, entry.ask.clone()))
            .collect();
        let mut tasks = Vec::new();
        for (key, ask) in suspended {
            // What cannot be started anew (a proof is gone) has ended.
            let started = match ask {
                Some(ask) => self.start(ask, Some(key.task)).ok(),
                None => self.engine_task(Some(key.task)),
            };
            match started {
                Some(task) => tasks.push(task),
                None => self.slots.retain(|_, entry| entry.key.task != key.task),
            }
        }
        // A game that was restored while the engine was to move.
        let thinks = self.slots.get(&Slot::Engine).is_some_and(|entry| entry.running);
        if !thinks && let Some(task) = self.engine_task(None) {
            tasks.push(task);
        }
        tasks
    }

    /// An event of a running task: the message for the page, if the task is still wanted.
    pub fn observe(&mut self, key: TaskKey, event: Event) -> Option<Message> {
        let entry = self.slots.values_mut().find(|entry| entry.key == key && !entry.suspended)?;
        entry.last = Some(event.clone());
        Some(Message::Event { task: key.task, event: Box::new(event) })
    }

    /// A task has ended.
    pub fn finish(&mut self, finished: Finished) -> SessionReply {
        let key = finished.key;
        let wanted = |entry: &&mut Entry| entry.key == key && !entry.suspended;
        let Some(entry) = self.slots.values_mut().find(wanted) else {
            return SessionReply::default();
        };
        entry.running = false;
        // An analysis that was ended together with its worker has reported all it knows.
        let event = match (&finished.outcome, &entry.last, &entry.ask) {
            (TaskOutcome::Stopped, Some(Event::Analysis(last)), _) => {
                Event::Analysis(AnalysisEvent { finished: true, ..last.clone() })
            }
            (TaskOutcome::TooDeep, _, Some(Ask::SolveMate(ask))) => mate::too_deep(ask),
            _ => self.conclude(finished.outcome),
        };
        let message = self.observe(key, event);
        SessionReply { messages: message.into_iter().collect(), tasks: Vec::new() }
    }

    /// What the end of a task means for the session, and its event.
    fn conclude(&mut self, outcome: TaskOutcome) -> Event {
        use crate::protocol::{EndedReason, GameEvent, TaskEnded};
        match (outcome, &mut self.game) {
            (TaskOutcome::Engine(decision), Some(game)) => {
                game.engine_decides(decision, self.clock.now());
                let game = self.game.as_ref().map(|game| self.game_view(game));
                match game {
                    Some(game) => Event::Game(GameEvent { game }),
                    None => Event::Ended(TaskEnded { why: EndedReason::Stopped }),
                }
            }
            (TaskOutcome::Mate(event, proven), _) => {
                self.mate = Some((*event).clone());
                self.proven = proven;
                Event::Mate(*event)
            }
            (TaskOutcome::Event(event), _) => *event,
            (TaskOutcome::Failed | TaskOutcome::TooDeep, _) => {
                Event::Ended(TaskEnded { why: EndedReason::Failed })
            }
            (TaskOutcome::Stopped | TaskOutcome::Engine(_), _) => {
                Event::Ended(TaskEnded { why: EndedReason::Stopped })
            }
        }
    }

    fn now(&self) -> Duration {
        self.clock.now()
    }
}

/// Bytes of what is kept, as JSON.
fn size(kept: &BTreeMap<String, serde_json::Value>) -> usize {
    serde_json::to_vec(kept).map_or(usize::MAX, |bytes| bytes.len())
}

#[cfg(test)]
mod tests;
