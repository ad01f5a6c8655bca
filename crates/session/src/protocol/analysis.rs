//! Analysis of positions and games.

use super::board::{MoveView, Place, Side};
use super::record::RecordInput;
use serde::{Deserialize, Serialize};

/// A value, seen by black.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ValueView {
    /// Centipawns for black; ±30000 for a mate.
    pub centipawns: i32,
    /// Plies to mate, if it is one: who mates is in the sign of `centipawns`.
    pub mate: Option<u32>,
    /// Black's chance to win, 0 to 1.
    pub winning_rate: f64,
    /// Whether the value is exact, or at least or at most so much.
    pub bound: BoundView,
}

/// What a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum BoundView {
    /// So much.
    Exact,
    /// At least so much for black.
    AtLeast,
    /// At most so much for black.
    AtMost,
}

/// Limits of a search; without any it runs until it is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct LimitsAsk {
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Milliseconds.
    pub time: Option<u64>,
}

/// Analyses a position.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct AnalyseAsk {
    /// Which.
    pub at: Option<Place>,
    /// Lines to give (MultiPV); 1 if absent.
    pub lines: Option<u32>,
    /// Its limits.
    pub limits: Option<LimitsAsk>,
}

/// The lines as they stand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct AnalysisEvent {
    /// The position in SFEN.
    pub sfen: String,
    /// Plies searched.
    pub depth: u32,
    /// The farthest ply reached.
    pub selective_depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// Milliseconds since the start.
    pub time: u64,
    /// How full the table is, per mille.
    pub fullness: u32,
    /// The lines, best first.
    pub lines: Vec<AnalysisLine>,
    /// Whether this is the last event of the task.
    pub finished: bool,
}

/// A line of the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnalysisLine {
    /// From 1.
    pub number: u32,
    /// Plies searched for this line.
    pub depth: u32,
    /// Its value.
    pub value: ValueView,
    /// Its moves.
    pub moves: Vec<MoveView>,
}

/// A hint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HintEvent {
    /// The position in SFEN.
    pub sfen: String,
    /// The line, its first move being the hint; empty where the engine would resign.
    pub moves: Vec<MoveView>,
    /// Its value.
    pub value: ValueView,
    /// Whether to declare a win instead of moving.
    pub declare: bool,
}

/// Analyses a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct AnalyseGameAsk {
    /// The record, of which the main line is analysed; the session's game if absent.
    #[serde(default)]
    pub record: Option<RecordInput>,
    /// Nodes for each position; 20,000 if absent.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Centipawns that a blunder loses; 300 if absent.
    #[serde(default)]
    pub blunder: Option<i32>,
}

/// How far the analysis of a game is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameAnalysisEvent {
    /// Positions that are done.
    pub done: u32,
    /// Positions in all.
    pub total: u32,
    /// The view of positions: the newest ones, and all of them in the last event.
    pub points: Vec<AnalysedPoint>,
    /// The moves that decided it, by number; in the last event.
    pub moments: Vec<u32>,
    /// Whether this is the last event of the task.
    pub finished: bool,
}

/// The engine's view of a position of a game and of the move that led there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnalysedPoint {
    /// Moves played before the position.
    pub ply: u32,
    /// The move that led here; null at the start.
    #[serde(rename = "move")]
    pub mv: Option<MoveView>,
    /// The value of the position.
    pub value: ValueView,
    /// The best line from here.
    pub line: Vec<MoveView>,
    /// The best move instead of the one that led here.
    pub better: Option<MoveView>,
    /// Centipawns that the move lost for its side, never negative.
    pub lost: i32,
    /// What is to be said of the move.
    pub judgement: Option<JudgementView>,
}

/// What is to be said of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum JudgementView {
    /// It lost much.
    Blunder,
    /// There was a mate, and there is none now.
    MissedMate,
}

/// The linear evaluation taken apart, centipawns for black.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplanationView {
    /// The position in SFEN.
    pub sfen: String,
    /// Who is to move.
    pub side: Side,
    /// Material.
    pub material: f64,
    /// The groups of features.
    pub groups: Vec<FeatureGroup>,
    /// How far the game has come, 0 to 1.
    pub stage: f64,
    /// The whole.
    pub total: f64,
}

/// A group of features.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FeatureGroup {
    /// Its name.
    pub name: String,
    /// Its value at this stage.
    pub value: f64,
    /// Its value at the beginning of a game.
    pub opening: f64,
    /// Its value at the end.
    pub endgame: f64,
}
