//! What went wrong in a text, and where.

use core::fmt;

/// A text that could not be read: what is wrong, and the byte at which it shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// What is wrong.
    pub message: String,
    /// The byte offset in the text that was given.
    pub offset: usize,
}

impl ParseError {
    /// An error at a byte offset.
    pub fn new(message: impl Into<String>, offset: usize) -> ParseError {
        ParseError { message: message.into(), offset }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.message, self.offset + 1)
    }
}

impl std::error::Error for ParseError {}
