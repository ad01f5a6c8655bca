//! What can be wrong.

use serde::{Deserialize, Serialize};
use yomikiri_text::{Language, in_language};

/// What is wrong with a request. The page says it in the reader's language by `code`; the message
/// has the details, such as what is wrong in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fault {
    /// Which fault.
    pub code: FaultCode,
    /// In English, with details.
    pub message: String,
    /// The message in Japanese, where there is one in it.
    pub japanese: String,
    /// The line of the text, from 1, where it has one.
    pub line: Option<u32>,
    /// Why the move is illegal, where it is.
    pub illegal: Option<Illegal>,
}

impl Fault {
    /// A fault without details.
    #[must_use]
    pub fn new(code: FaultCode, message: impl Into<String>) -> Fault {
        let message = message.into();
        let japanese = in_language(&message, Language::Ja);
        Fault { code, message, japanese, line: None, illegal: None }
    }
}

/// The faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum FaultCode {
    /// Not a message of this protocol.
    BadRequest,
    /// The first message has to be `open`, and only the first.
    OutOfOrder,
    /// Another version of the protocol: load the page anew.
    OtherVersion,
    /// A position that cannot be read or cannot stand.
    BadPosition,
    /// A move that the rules forbid; `illegal` says why.
    IllegalMove,
    /// A record that cannot be read or written.
    BadRecord,
    /// Not a value that the request takes.
    BadValue,
    /// There is no game.
    NoGame,
    /// The game is over.
    GameOver,
    /// The engine is to move.
    NotYourTurn,
    /// The declaration does not win; the position's `declaration` says what is missing.
    NotDeclarable,
    /// Nobody's time is over.
    TimeLeft,
    /// There is nothing to take back.
    NothingToTakeBack,
    /// There is no such task.
    NoTask,
    /// No proven mate is at hand.
    NoProof,
    /// The proof has no such node.
    NotInProof,
    /// No such problem or collection.
    NoProblem,
    /// A Go position that cannot be read or cannot stand, or an illegal stone.
    BadGo,
    /// There is no stone on the target.
    NoTarget,
    /// Too large for this session.
    TooLarge,
    /// Too many sessions or searches at a time; try again later.
    Busy,
    /// The session could not be written to disk: it goes on, but would not survive a restart.
    NotKept,
    /// There is no laboratory here: it needs the server, and a folder for its results.
    NoLaboratory,
    /// Something went wrong inside; please report it.
    Internal,
}

/// Why a move is illegal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Illegal {
    /// The rule.
    pub reason: IllegalReason,
    /// The squares that show it: the pawn that is there, the piece that gives check.
    pub squares: Vec<String>,
}

/// The rules that forbid moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum IllegalReason {
    /// Not a move such as 7g7f, 8h2b+ or P*5e.
    NotAMove,
    /// The square is empty.
    NoPiece,
    /// The piece is the opponent's.
    NotYourPiece,
    /// No such piece in hand.
    NotInHand,
    /// An own piece stands there, or a drop on any piece.
    Occupied,
    /// The piece does not move like this.
    CannotReach,
    /// 行き所のない駒: it could never move again from there.
    NoMovesLeft,
    /// It cannot promote, or not there.
    CannotPromote,
    /// 二歩: a second pawn on the file.
    TwoPawns,
    /// 打ち歩詰め: a pawn drop that mates.
    PawnDropMate,
    /// 王手放置: the king is in check and stays there.
    CheckIgnored,
    /// The move uncovers the king, or leads it into check.
    KingExposed,
}
