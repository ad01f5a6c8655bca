//! Records of games.

use super::board::{EndView, MoveView, Side};
use serde::{Deserialize, Serialize};

/// Reads a record: give `text` or `base64`.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct ReadRecordAsk {
    /// As text.
    pub text: Option<String>,
    /// As the bytes of a file, which may be Shift-JIS.
    pub base64: Option<String>,
    /// The file's name, whose ending says the format; else the contents do.
    pub name: Option<String>,
}

/// The games of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Records {
    /// The format that was found.
    pub format: String,
    /// The games, the first at most [`MOST_GAMES`](crate::records::MOST_GAMES).
    pub games: Vec<RecordView>,
    /// How many games the file holds.
    pub count: u32,
}

/// A header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct HeaderView {
    /// As KIF names it: `先手`, `棋戦`.
    pub key: String,
    /// Its value.
    pub value: String,
}

/// A record as a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RecordView {
    /// What stands above the moves.
    pub headers: Vec<HeaderView>,
    /// The starting position in SFEN.
    pub start: String,
    /// The handicap's Japanese name, if the start is one.
    pub handicap: Option<String>,
    /// The nodes; number 0 is the start, a parent comes before its children.
    pub nodes: Vec<NodeView>,
    /// Who won by the main line.
    pub winner: Option<Side>,
}

/// A node of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NodeView {
    /// The node before it.
    pub parent: Option<u32>,
    /// The nodes after it, the main line first.
    pub children: Vec<u32>,
    /// Steps from the start.
    pub ply: u32,
    /// The move that was played.
    #[serde(rename = "move")]
    pub mv: Option<MoveView>,
    /// The end of the game, if this node is one.
    pub end: Option<EndView>,
    /// The position after it; that before an ending.
    pub sfen: String,
    /// Comments, one line each.
    pub comments: Vec<String>,
    /// Milliseconds that the player spent.
    pub spent: Option<u64>,
    /// The value that a comment holds, centipawns for black.
    pub score: Option<i32>,
}

/// A record as the page sends it.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct RecordInput {
    /// What stands above the moves.
    pub headers: Option<Vec<HeaderView>>,
    /// The starting position in SFEN; that of an even game if absent.
    pub start: Option<String>,
    /// The nodes; number 0 is the start, a parent comes before its children, of which the first is
    /// the main line.
    pub nodes: Vec<NodeInput>,
}

/// A node as the page sends it. A [`NodeView`] is one, too.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct NodeInput {
    /// The node before it; none for number 0.
    pub parent: Option<u32>,
    /// The move in USI, alone or as a `MoveView`.
    #[serde(rename = "move")]
    pub mv: Option<MoveInput>,
    /// The end as records name it in Japanese, or an `EndView`.
    pub end: Option<EndInput>,
    /// Comments, one line each.
    pub comments: Option<Vec<String>>,
    /// Milliseconds that the player spent.
    pub spent: Option<u64>,
}

/// A move, as text or as it was sent to the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum MoveInput {
    /// In USI.
    Usi(String),
    /// As it was sent.
    View {
        /// In USI.
        usi: String,
    },
}

/// An ending, as text or as it was sent to the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum EndInput {
    /// In Japanese, as records write it.
    Name(String),
    /// As it was sent.
    View {
        /// In Japanese.
        japanese: String,
    },
}

/// Writes a record.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WriteRecordAsk {
    /// The record.
    pub record: RecordInput,
    /// `kif`, `kifu`, `ki2`, `ki2u`, `csa`, `csa3`, `jkf`, `usi` or `sfen`.
    pub format: String,
}

/// A file to save.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileView {
    /// A name for it.
    pub name: String,
    /// Its MIME type.
    pub mime: String,
    /// Its bytes.
    pub base64: String,
    /// Its text, decoded.
    pub text: String,
}
