//! Lines that cannot be understood.

use crate::words::excerpt;

/// Why a line was not understood. Whoever reads it can usually pass over it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UsiError {
    /// Nothing but white space: a keep-alive.
    #[error("an empty line")]
    Empty,
    /// The first word is none that the protocol has; only its beginning if it is long.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// The command is known, what follows it is not as it should be.
    #[error("{command}: {reason}")]
    Malformed {
        /// The first word of the line.
        command: &'static str,
        /// What is wrong.
        reason: String,
    },
}

/// Most characters of an unknown word that an error repeats: a line may have a megabyte.
const MOST_OF_WORD: usize = 40;
/// Most characters of a reason, which may repeat a part of the line.
const MOST_OF_REASON: usize = 200;

impl UsiError {
    pub(crate) fn unknown(word: &str) -> UsiError {
        UsiError::Unknown(excerpt(word, MOST_OF_WORD))
    }

    pub(crate) fn malformed(command: &'static str, reason: impl AsRef<str>) -> UsiError {
        UsiError::Malformed { command, reason: excerpt(reason.as_ref(), MOST_OF_REASON) }
    }
}
