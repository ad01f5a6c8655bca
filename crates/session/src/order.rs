//! Tasks and their ends as text, for a host whose searches run elsewhere: a browser's worker shares
//! no memory with the one that holds the session.
//!
//! The host asks the session for the [`Order`] of a task, has it carried out by another instance of
//! the same program ([`Order::task`]), and hands the end back ([`Finished::from_text`]).

use crate::game::EngineDecision;
use crate::mate::{KeptProof, ProvenMate};
use crate::protocol::{Ask, Event, Fault, FaultCode, MateEvent, SpeculativeView};
use crate::session::Session;
use crate::task::{Finished, Task, TaskKey, TaskOutcome};
use crate::{RestoreError, SessionResources};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use yomikiri_base::Clock;

/// A task with everything that it needs.
#[derive(Serialize, Deserialize)]
pub struct Order {
    /// Which task it is.
    pub(crate) key: TaskKey,
    /// What was asked; nothing for the engine's move.
    pub(crate) ask: Option<Ask>,
    /// The session with its game, as it is kept.
    pub(crate) saved: String,
    /// The mate that was proven, where the task is about it.
    pub(crate) proof: Option<KeptProof>,
}

impl Order {
    /// Which task it is.
    #[must_use]
    pub fn key(&self) -> TaskKey {
        self.key
    }

    /// The task, to be run here.
    ///
    /// # Errors
    /// What is missing or wrong in the order.
    pub fn task(self, clock: Clock, resources: SessionResources) -> Result<Task, Fault> {
        let internal = |error: RestoreError| Fault::new(FaultCode::Internal, error.to_string());
        let mut session = Session::restore(clock, resources, &self.saved).map_err(internal)?;
        if let Some(proof) = self.proof {
            let proven = ProvenMate::restore(proof).map_err(internal)?;
            session.take_proof(Arc::new(proven));
        }
        session.carry_out(self.ask, self.key)
    }
}

/// How a task has ended, as text.
#[derive(Serialize, Deserialize)]
struct FinishedText {
    key: TaskKey,
    end: End,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum End {
    Move { usi: String, speculative: Option<SpeculativeView> },
    Resign,
    Declare,
    Mate { event: Box<MateEvent>, proof: Option<KeptProof> },
    Event(Box<Event>),
    Stopped,
    TooDeep,
    Failed,
}

impl Finished {
    /// The end as text.
    #[must_use]
    pub fn to_text(&self) -> String {
        let end = match &self.outcome {
            TaskOutcome::Engine(EngineDecision::Move(mv, speculative)) => {
                End::Move { usi: mv.to_string(), speculative: speculative.clone() }
            }
            TaskOutcome::Engine(EngineDecision::Resign) => End::Resign,
            TaskOutcome::Engine(EngineDecision::Declare) => End::Declare,
            TaskOutcome::Mate(event, proven) => End::Mate {
                event: event.clone(),
                proof: proven.as_ref().map(|proven| proven.keep()),
            },
            TaskOutcome::Event(event) => End::Event(event.clone()),
            TaskOutcome::Stopped => End::Stopped,
            TaskOutcome::TooDeep => End::TooDeep,
            TaskOutcome::Failed => End::Failed,
        };
        // Nothing here can fail to be written: every map has text for keys.
        serde_json::to_string(&FinishedText { key: self.key, end }).expect("plain data is JSON")
    }

    /// What [`Finished::to_text`] wrote. A proof is checked again, since the moves of the attacker
    /// in play come from the check; without room for that it cannot be walked.
    ///
    /// # Errors
    /// Why the text is no end of a task.
    pub fn from_text(text: &str) -> Result<Finished, RestoreError> {
        let FinishedText { key, end } = serde_json::from_str(text)?;
        let outcome = match end {
            End::Move { usi, speculative } => {
                let mv = usi.parse().map_err(|_| RestoreError::Move(usi))?;
                TaskOutcome::Engine(EngineDecision::Move(mv, speculative))
            }
            End::Resign => TaskOutcome::Engine(EngineDecision::Resign),
            End::Declare => TaskOutcome::Engine(EngineDecision::Declare),
            End::Mate { mut event, proof } => {
                let proven = proof.and_then(|proof| ProvenMate::restore(proof).ok());
                if proven.is_none() {
                    event.proof_nodes = 0;
                }
                TaskOutcome::Mate(event, proven.map(Arc::new))
            }
            End::Event(event) => TaskOutcome::Event(event),
            End::Stopped => TaskOutcome::Stopped,
            End::TooDeep => TaskOutcome::TooDeep,
            End::Failed => TaskOutcome::Failed,
        };
        Ok(Finished { key, outcome })
    }

    /// The task was stopped from outside, before it had an answer.
    #[must_use]
    pub fn stopped(key: TaskKey) -> Finished {
        Finished { key, outcome: TaskOutcome::Stopped }
    }
}
