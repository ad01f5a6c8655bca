//! The session itself.

use super::Event;
use super::game::GameView;
use super::mate::MateEvent;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Opens a session, or comes back to one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct OpenAsk {
    /// The version that the page speaks.
    pub version: u32,
    /// The token of the session to come back to.
    pub token: Option<String>,
    /// What `save` gave: where the token is not known any more, the session begins with it.
    pub saved: Option<String>,
}

/// The session is open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Opened {
    /// The version that the session speaks.
    pub version: u32,
    /// What to come back with.
    pub token: String,
    /// Whether this session was there before.
    pub resumed: bool,
    /// Why what was saved could not be taken up, in English.
    pub lost: Option<String>,
    /// The session as it stands.
    pub state: SessionState,
    /// What can be chosen.
    pub choices: Choices,
}

/// What can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Choices {
    /// The engine's levels.
    pub levels: Vec<LevelView>,
    /// The handicaps' Japanese names.
    pub handicaps: Vec<String>,
    /// The entering-king rules.
    pub rules: Vec<String>,
    /// The formats in which records are written.
    pub formats: Vec<String>,
    /// Most lines of an analysis.
    pub most_lines: u32,
    /// Whether long runs and reports are to be had (there is a server).
    pub server: bool,
}

/// A level of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct LevelView {
    /// 1, a beginner, to 15, everything the engine can.
    pub number: u8,
    /// How many moves it thinks about; null for all.
    pub candidates: Option<u32>,
    /// Nodes for a move at most; null for no limit.
    pub nodes: Option<u64>,
    /// Measured Elo above the level below; null where it was not measured.
    pub elo_above: Option<i32>,
}

/// Everything that a page needs to show itself again.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SessionState {
    /// The game.
    pub game: Option<GameView>,
    /// The mate problem that was solved last; its proof can be walked if `proofNodes` is not 0.
    pub mate: Option<MateEvent>,
    /// What runs, and the last event of what ran.
    pub tasks: Vec<TaskView>,
    /// What the page keeps.
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub kept: BTreeMap<String, serde_json::Value>,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TaskView {
    /// Its number.
    pub task: u32,
    /// The `kind` of the request that started it; `engine-move` for the engine's move in the game.
    pub kind: String,
    /// Whether it still runs.
    pub running: bool,
    /// Its last event.
    pub last: Option<Event>,
}

/// The session as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Saved {
    /// For `open`.
    pub saved: String,
}

/// Keeps a value.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KeepAsk {
    /// Its name.
    pub name: String,
    /// The value; null forgets it.
    #[cfg_attr(test, ts(type = "unknown"))]
    pub value: serde_json::Value,
}

/// Stops a task.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StopAsk {
    /// Which.
    pub task: u32,
}

/// A task was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Started {
    /// Its number.
    pub task: u32,
}

/// A task has ended without an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TaskEnded {
    /// Why.
    pub why: EndedReason,
}

/// Why a task has ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum EndedReason {
    /// It was stopped.
    Stopped,
    /// It broke down; please report it.
    Failed,
}
