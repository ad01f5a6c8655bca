//! Mate problems.

use super::board::{HeldPiece, MoveView, Place, PositionView, Side};
use serde::{Deserialize, Serialize};

/// Solves a problem.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct SolveMateAsk {
    /// The problem.
    pub at: Option<Place>,
    /// Who mates; the side that lacks a king, else the side to move, if absent.
    pub attacker: Option<Side>,
    /// Milliseconds at most.
    pub time: Option<u64>,
    /// Nodes at most.
    pub nodes: Option<u64>,
    /// Whether any mate will do instead of the shortest.
    pub any: Option<bool>,
}

/// How a proof-number search stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProofProgress {
    /// Nodes visited.
    pub nodes: u64,
    /// Nodes a second.
    pub nps: u64,
    /// Milliseconds since the start.
    pub time: u64,
    /// Depth of the search at this moment.
    pub depth: u32,
    /// Proof number of the root.
    pub pn: u32,
    /// Disproof number of the root.
    pub dn: u32,
}

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum MateVerdict {
    /// Mate, by a verified proof.
    Mate,
    /// No mate.
    NoMate,
    /// Not known; `why` says why.
    Unknown,
}

/// Why it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum UnknownReason {
    /// The nodes were used up.
    Nodes,
    /// The time was over.
    Time,
    /// It was stopped.
    Stopped,
    /// The memory was full.
    Memory,
    /// The numbers grew beyond what can be counted.
    Numbers,
    /// The proof did not stand the check.
    NotVerified,
    /// The proof is too large to be checked.
    TooLarge,
    /// There is no king to mate.
    NoKing,
}

/// The answer to a problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct MateEvent {
    /// The problem in SFEN.
    pub sfen: String,
    /// Who mates.
    pub attacker: Side,
    /// The answer.
    pub verdict: MateVerdict,
    /// Why it is not known.
    pub why: Option<UnknownReason>,
    /// Plies by convention, of a mate.
    pub length: Option<u32>,
    /// Whether this is the shortest.
    pub exact: bool,
    /// Plies at most when everything counts.
    pub raw_length: Option<u32>,
    /// Mate: the proof was checked. No mate: another search says the same.
    pub verified: bool,
    /// The attacker's best and the defender's longest.
    pub line: Vec<MoveView>,
    /// What the attacker has left.
    pub left_in_hand: Vec<HeldPiece>,
    /// Nodes of the proof that can be walked; 0 without.
    pub proof_nodes: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
}

/// A node of the proof, by the moves that lead to it from the problem.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct MateNodeAsk {
    /// In USI.
    pub moves: Vec<String>,
}

/// A node of the proof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MateNodeView {
    /// The moves that lead here.
    pub path: Vec<MoveView>,
    /// The position.
    pub position: PositionView,
    /// Whether the attacker is to move.
    pub attacker: bool,
    /// Plies to mate by convention in this proof; 0 where it is mate.
    pub length: u32,
    /// The attacker's move, or every defence, the longest resistance first.
    pub children: Vec<MateChild>,
}

/// A move of the proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MateChild {
    /// The move.
    #[serde(rename = "move")]
    pub mv: MoveView,
    /// Plies to mate after it.
    pub length: u32,
}

/// The attacker's move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MateHintView {
    /// The move.
    #[serde(rename = "move")]
    pub mv: MoveView,
    /// Plies to mate at most, this move and everything counted.
    pub left: u32,
}

/// The user moves in the problem that was solved.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MatePlayAsk {
    /// The moves so far.
    pub moves: Vec<String>,
    /// The user's move.
    #[serde(rename = "move")]
    pub mv: String,
}

/// How the user's move was answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MateReply {
    /// How the problem stands after the user's move.
    pub verdict: ReplyVerdict,
    /// The answer; null where there is none.
    pub reply: Option<MoveView>,
    /// All moves, the user's and the answer included.
    pub moves: Vec<String>,
    /// The position after them.
    pub position: PositionView,
    /// Plies to mate at most from there; null if not known.
    pub left: Option<u32>,
}

/// How a problem stands after a move of the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ReplyVerdict {
    /// The defender is mated: solved.
    Solved,
    /// The mate goes on.
    MateGoesOn,
    /// The attacker's move does not mate: the answer refutes it.
    Refuted,
    /// The attacker's move gives no check.
    NoCheck,
    /// Not known within the limits.
    Unknown,
}

/// What the check of a proof says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MateVerified {
    /// Whether it stands.
    pub verified: bool,
    /// Positions that were walked through.
    pub positions: u32,
    /// Plies until mate at most.
    pub plies: u32,
    /// What is wrong, in English.
    pub flaw: Option<String>,
}

/// Judges a problem as a composition.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct JudgeAsk {
    /// The problem.
    pub at: Option<Place>,
    /// Who mates; as in `solve-mate` if absent.
    pub attacker: Option<Side>,
    /// Milliseconds at most, for the whole verdict.
    pub time: Option<u64>,
    /// Nodes at most.
    pub nodes: Option<u64>,
    /// Whether to look for pieces that are not needed (不要駒).
    pub useless: Option<bool>,
}

/// The verdict in one word: `sound`, `faulty`, `undecided` or `no-mate`; faults by the names that
/// `solve --judge` has for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompositionView {
    /// The problem in SFEN.
    pub sfen: String,
    /// The verdict.
    #[cfg_attr(test, ts(type = "\"sound\" | \"faulty\" | \"undecided\" | \"no-mate\""))]
    pub ruling: String,
    /// The main line.
    pub line: Vec<MoveView>,
    /// Faults and flaws, in the order of the plies.
    pub faults: Vec<FaultView>,
    /// What the limits left open.
    pub open: Vec<OpenView>,
    /// What else there is to say.
    pub facts: FactsView,
    /// Nodes visited.
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
}

/// A fault, or a flaw that leaves the problem sound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FaultView {
    /// Its kind: `early-mate`, `other-mate`, ..
    #[cfg_attr(
        test,
        ts(
            type = "\"no-mate\" | \"early-mate\" | \"other-mate\" | \"transposition\" | \"detour\" | \"last-move\" | \"free-distance\" | \"free-promotion\" | \"long-variation\" | \"equal-variation\" | \"leftover\" | \"useless-piece\""
        )
    )]
    pub kind: String,
    /// Whether it is a flaw only.
    pub minor: bool,
    /// The ply at which it departs from the main line, from 1; 0 where it concerns the problem.
    pub ply: u32,
    /// The position in which it is made in SFEN; the problem without the piece for one too many.
    pub sfen: String,
    /// The move, where there is one.
    #[serde(rename = "move")]
    pub mv: Option<MoveView>,
    /// Plies to mate with it.
    pub length: Option<u32>,
    /// Positions of its proof, which was checked.
    pub proof: Option<u32>,
}

/// Something that the limits left open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OpenView {
    /// What is not known.
    #[cfg_attr(
        test,
        ts(
            type = "\"mate\" | \"length\" | \"other-move\" | \"proof\" | \"kind\" | \"variation\" | \"leftover\" | \"useless-piece\""
        )
    )]
    pub what: String,
    /// As in a fault.
    pub ply: u32,
    /// The position in SFEN.
    pub sfen: String,
    /// The move, where there is one.
    #[serde(rename = "move")]
    pub mv: Option<MoveView>,
}

/// What a record of a problem says beside its solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct FactsView {
    /// Plies of the main line.
    pub plies: u32,
    /// Pieces on the board and in the attacker's hand.
    pub pieces: u32,
    /// Whether both kings stand on the board (双玉).
    pub both_kings: bool,
    /// Plies at which a pawn drop would mate and is illegal (打歩詰).
    pub pawn_drop_mates: Vec<u32>,
    /// Plies at which the attacker declines to promote (不成).
    pub declined_promotions: Vec<u32>,
    /// Named forms: `smoke`, `naked-king`, `no-attackers`, `centre`.
    #[cfg_attr(test, ts(type = "(\"smoke\" | \"naked-king\" | \"no-attackers\" | \"centre\")[]"))]
    pub forms: Vec<String>,
}

/// Writes the solution: `proof` for the proof as JSON, else a format of records.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WriteMateAsk {
    /// `proof`, or as in `write-record`.
    pub format: String,
}

/// The problems that the project carries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Collections {
    /// One entry each.
    pub collections: Vec<CollectionView>,
}

/// A collection of problems.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CollectionView {
    /// Its name in requests.
    pub id: String,
    /// Its name in English.
    pub english: String,
    /// Its name in Japanese.
    pub japanese: String,
    /// The problems' names and lengths.
    pub problems: Vec<ProblemEntry>,
}

/// A line of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemEntry {
    /// Unique in the collection.
    pub id: String,
    /// Plies of the recorded solution, if one is recorded.
    pub length: Option<u32>,
}

/// Asks for a problem.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemAsk {
    /// The collection.
    pub collection: String,
    /// The problem.
    pub problem: String,
}

/// A problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemView {
    /// The collection.
    pub collection: String,
    /// Its name.
    pub id: String,
    /// The position.
    pub position: PositionView,
    /// Who mates.
    pub attacker: Side,
    /// Plies of the recorded solution, if one is recorded.
    pub length: Option<u32>,
}
