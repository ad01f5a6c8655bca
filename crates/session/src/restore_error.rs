//! What is wrong with text that another instance of the program wrote.

use yomikiri_shogi::notation::ParseError;
use yomikiri_tsume::verify::Flaw;

/// A saved session, game, proof or end of a task that cannot be taken up.
#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    /// It is no JSON of this form.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// It is of another version of the protocol.
    #[error("it is of version {0}, not {1}")]
    Version(u32, u32),
    /// A position cannot be read.
    #[error(transparent)]
    Position(#[from] ParseError),
    /// There is no such level of play.
    #[error("there is no level {0}")]
    Level(u8),
    /// There is no such rule for the entering king.
    #[error("there is no rule '{0}'")]
    Rule(String),
    /// A clock has run over or backwards.
    #[error("the clocks are wrong")]
    Clocks,
    /// A text is no move.
    #[error("'{0}' is no move")]
    Move(String),
    /// A move of the game is illegal.
    #[error("move {0} is illegal")]
    Illegal(usize),
    /// More is kept than a session may keep.
    #[error("too much is kept")]
    TooMuch,
    /// The proof does not stand the check.
    #[error(transparent)]
    Proof(#[from] Flaw),
    /// The tree has no nodes, or they do not come before their parents.
    #[error("the tree of the proof is damaged")]
    Tree,
}
