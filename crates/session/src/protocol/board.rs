//! Positions and moves.

use super::fault::Illegal;
use serde::{Deserialize, Serialize};

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// 先手: moves first in an even game.
    Black,
    /// 後手, or 上手 in a handicap game.
    White,
}

/// A kind of piece, as SFEN writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[allow(missing_docs)]
pub enum PieceKind {
    #[serde(rename = "P")]
    Pawn,
    #[serde(rename = "L")]
    Lance,
    #[serde(rename = "N")]
    Knight,
    #[serde(rename = "S")]
    Silver,
    #[serde(rename = "G")]
    Gold,
    #[serde(rename = "B")]
    Bishop,
    #[serde(rename = "R")]
    Rook,
    #[serde(rename = "K")]
    King,
    #[serde(rename = "+P")]
    ProPawn,
    #[serde(rename = "+L")]
    ProLance,
    #[serde(rename = "+N")]
    ProKnight,
    #[serde(rename = "+S")]
    ProSilver,
    #[serde(rename = "+B")]
    Horse,
    #[serde(rename = "+R")]
    Dragon,
}

/// A position: a start and moves from there.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct Place {
    /// SFEN; the start of an even game if absent. A mate problem may lack a king.
    pub sfen: Option<String>,
    /// Moves in USI, played from there.
    pub moves: Option<Vec<String>>,
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PieceOn {
    /// Such as `7g`.
    pub square: String,
    /// What it is.
    pub piece: PieceKind,
    /// Whose it is.
    pub side: Side,
}

/// Pieces of a kind in hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeldPiece {
    /// What it is.
    pub piece: PieceKind,
    /// How many.
    pub count: u8,
}

/// Something for each side.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BySide<T> {
    /// Black's.
    pub black: T,
    /// White's.
    pub white: T,
}

/// A board with what stands beside it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Board {
    /// The pieces, rank by rank from 9a.
    pub pieces: Vec<PieceOn>,
    /// The hands, rooks first.
    pub hands: BySide<Vec<HeldPiece>>,
    /// Who is to move.
    pub side: Side,
    /// Number of the move to come.
    pub move_number: u32,
}

/// A move under all its names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MoveView {
    /// `7g7f`, `8h2b+`, `P*5e`.
    pub usi: String,
    /// `▲７六歩`.
    pub japanese: String,
    /// `P-7f`.
    pub western: String,
    /// Who moves.
    pub side: Side,
    /// The piece before the move.
    pub piece: PieceKind,
    /// Where it comes from; null for a drop.
    pub from: Option<String>,
    /// Where it goes.
    pub to: String,
    /// Whether it promotes.
    pub promotes: bool,
    /// What it takes, as it stood on the board.
    pub takes: Option<PieceKind>,
    /// Whether it gives check.
    pub check: bool,
}

/// A position with everything that the page shows of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PositionView {
    /// The position itself.
    pub sfen: String,
    /// The board as data.
    pub board: Board,
    /// Every legal move.
    pub legal: Vec<MoveView>,
    /// The move that led here.
    pub last: Option<MoveView>,
    /// The pieces that give check to the side to move.
    pub checkers: Vec<String>,
    /// The king in check.
    pub checked_king: Option<String>,
    /// How the game has ended with this position, if it has.
    pub end: Option<EndView>,
    /// What the entering-king rule says for the side to move.
    pub declaration: DeclarationView,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EndView {
    /// Which end.
    pub end: EndKind,
    /// In Japanese, as records write it.
    pub japanese: String,
    /// Who has won; null for a draw or no result.
    pub winner: Option<Side>,
}

/// The ends of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum EndKind {
    Mate,
    NoMoves,
    Resign,
    Timeout,
    Repetition,
    PerpetualCheck,
    Declaration,
    Try,
    Impasse,
    MaximumMoves,
    IllegalMove,
    Interrupted,
    NoMate,
    Draw,
    Default,
    Other,
}

/// The points of a declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct DeclarationView {
    /// The rule, such as `CSARule27`.
    pub rule: String,
    /// Whether the side to move wins by declaring now.
    pub wins: bool,
    /// Whether a declaration gives no contest (24-point rules).
    pub no_contest: bool,
    /// The king's move that wins by the try rule.
    pub try_move: Option<String>,
    /// Points of the side to move.
    pub points: u32,
    /// Points that a win takes; null where points do not count.
    pub needed: Option<u32>,
    /// Whether the king stands in the far three ranks.
    pub king_entered: bool,
    /// Own pieces there beside the king; ten are needed.
    pub pieces_entered: u32,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// Where the points come from.
    pub parts: Vec<PointsPart>,
}

/// Pieces that count for a declaration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct PointsPart {
    /// On the board in the far ranks, or in hand.
    pub in_hand: bool,
    /// The kind, unpromoted.
    pub piece: PieceKind,
    /// How many.
    pub count: u32,
    /// Points of all of them.
    pub points: u32,
}

/// Looks at a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[derive(Default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct PositionAsk {
    /// Which.
    pub at: Option<Place>,
    /// The entering-king rule; `CSARule27` if absent.
    pub rule: Option<String>,
}

/// Tries a move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct TryMoveAsk {
    /// Where.
    #[serde(default)]
    pub at: Option<Place>,
    /// The move in USI.
    #[serde(rename = "move")]
    pub mv: String,
}

/// What a try gives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Tried {
    /// The move, if it is legal.
    #[serde(rename = "move")]
    pub mv: Option<MoveView>,
    /// The position after it, if it is legal.
    pub after: Option<PositionView>,
    /// Why not, if it is not.
    pub illegal: Option<Illegal>,
}

/// Sets up a position.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EditAsk {
    /// The board.
    pub board: Board,
    /// For a mate problem: whatever is not on the board or in the attacker's hand goes to the
    /// defender's.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub fill: bool,
}

/// A line of moves.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct LineAsk {
    /// Where it begins.
    #[serde(default)]
    pub at: Option<Place>,
    /// The moves in USI; the line ends before the first that is illegal.
    pub moves: Vec<String>,
}

/// A line of moves with their positions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LineView {
    /// The moves.
    pub moves: Vec<MoveView>,
    /// The position after each.
    pub sfens: Vec<String>,
}

/// Asks for a picture.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct PictureAsk {
    /// Of which position; its last move is marked.
    pub at: Option<Place>,
    /// Whether white sits at the bottom.
    pub flipped: Option<bool>,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PictureView {
    /// As SVG.
    pub svg: String,
}
