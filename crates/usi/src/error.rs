//! Lines that cannot be understood.

/// Why a line was not understood. Whoever reads it can usually pass over it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UsiError {
    /// Nothing but white space: a keep-alive.
    #[error("an empty line")]
    Empty,
    /// The first word is none that the protocol has.
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

impl UsiError {
    pub(crate) fn malformed(command: &'static str, reason: impl Into<String>) -> UsiError {
        UsiError::Malformed { command, reason: reason.into() }
    }
}
