//! Captures in Go.

use serde::{Deserialize, Serialize};

/// A colour of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum StoneColour {
    Black,
    White,
}

/// A Go position. Points are written as `D4`; the letter I is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GoBoard {
    /// 2 to 19.
    pub size: u8,
    /// Black's stones.
    pub black: Vec<String>,
    /// White's stones.
    pub white: Vec<String>,
    /// The point that ko forbids.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub ko: Option<String>,
}

/// Reads a position from SGF.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReadGoAsk {
    /// The file's text.
    pub sgf: String,
    /// The position after this many moves; the last one if absent.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub moves: Option<u32>,
}

/// A Go position with what the page shows of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GoBoardView {
    /// The position.
    pub board: GoBoard,
    /// Who is to move.
    pub to_move: StoneColour,
    /// The last stone.
    pub last: Option<String>,
    /// Moves played, of a file.
    pub moves: u32,
    /// What had to be bent to read a file, in English.
    pub notes: Vec<String>,
}

/// Plays a stone.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayGoAsk {
    /// Where.
    pub board: GoBoard,
    /// Whose stone.
    pub colour: StoneColour,
    /// The point, or `pass`.
    pub point: String,
}

/// Who moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CaptureRole {
    /// Who wants to take the target.
    Attacker,
    /// Whose target it is.
    Defender,
}

/// Asks for the candidates of a capture.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GoCandidatesAsk {
    /// The position.
    pub board: GoBoard,
    /// A stone of the block.
    pub target: String,
}

/// The block and the points that matter for its capture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GoCandidatesView {
    /// Whose block it is.
    pub colour: StoneColour,
    /// Its stones.
    pub stones: Vec<String>,
    /// Its liberties.
    pub liberties: Vec<String>,
    /// The candidates.
    pub candidates: Vec<GoCandidate>,
}

/// A candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GoCandidate {
    /// The point.
    pub point: String,
    /// Its threat level, 1 the most urgent.
    pub level: u32,
    /// The number with which a search of it begins.
    pub number: u32,
}

/// How many children of a node count (dynamic widening).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum WidthAsk {
    /// All of them.
    All,
    /// The best n moves.
    Top(u32),
    /// One move in n, the best ones.
    Rate(u32),
}

/// Solves a capture.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct SolveGoAsk {
    /// The position.
    pub board: GoBoard,
    /// A stone of the block.
    pub target: String,
    /// Who moves first.
    pub first: CaptureRole,
    /// Nodes of each of the searches; 200,000 if absent.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Liberties at which the attacker gives up; 5 if absent, 0 for never.
    #[serde(default)]
    pub give_up: Option<u32>,
    /// Which moves are tried; all if absent.
    #[serde(default)]
    pub moves: Option<CaptureMoves>,
    /// Which children count; the best five if absent.
    #[serde(default)]
    pub width: Option<WidthAsk>,
}

/// Which moves a search tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CaptureMoves {
    /// All legal ones: a proof.
    All,
    /// Of all legal ones those on which the answer rests: a proof, too.
    Zones,
    /// The heuristic's candidates: fast, but no proof.
    Candidates,
}

/// The answer, seen from the side that moves first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CaptureAnswer {
    /// It succeeds whatever the opponent does.
    Unconditional,
    /// It fails.
    Cannot,
    /// By ko, and the opponent must find the first threat.
    KoOpponentThreatens,
    /// By ko, and the side that moves first must find the first threat.
    KoMustThreaten,
    /// Not known.
    Unknown,
}

/// The answer to a capture problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GoEvent {
    /// The answer.
    pub answer: CaptureAnswer,
    /// Why it is not known.
    pub why: Option<super::mate::UnknownReason>,
    /// Whether heuristic moves alone were tried: no proof.
    pub heuristic: bool,
    /// The expected sequence.
    pub line: Vec<GoStep>,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
    /// Positions that the independent check looked at; null if it did not see the end.
    pub checked: Option<u32>,
}

/// A move of the expected sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GoStep {
    /// Whose move.
    pub colour: StoneColour,
    /// The point, or `pass`.
    pub point: String,
    /// The position after it.
    pub board: GoBoard,
}
