//! What is wrong with a record file, and where.

use crate::notation::ParseError;
use core::fmt;

/// A record that could not be read or written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordError {
    /// What is wrong.
    pub message: String,
    /// The line of the file, from 1; for packed positions the number of the entry. `None` if the
    /// whole is meant.
    pub line: Option<usize>,
}

impl RecordError {
    /// An error at a line, counted from 1.
    pub fn at(line: usize, message: impl Into<String>) -> RecordError {
        RecordError { message: message.into(), line: Some(line) }
    }

    /// An error of the whole.
    pub fn whole(message: impl Into<String>) -> RecordError {
        RecordError { message: message.into(), line: None }
    }

    /// An error in the text of one line.
    pub(super) fn in_line(line: usize, error: &ParseError) -> RecordError {
        RecordError::at(line, error.to_string())
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for RecordError {}
