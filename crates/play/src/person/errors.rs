//! What ends a session early, and why a game was not saved.

use crate::file_words::output_error;
use std::io;
use std::path::PathBuf;
use yomikiri_base::output_files::OutputError;
use yomikiri_engine::EngineError;
use yomikiri_shogi::record::RecordError;
use yomikiri_text::{Files, Language, Play};

/// Why a session ended before anybody left.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The screen is gone.
    #[error(transparent)]
    Screen(#[from] io::Error),
    /// The engine cannot go on.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// A game was not saved.
#[derive(Debug)]
pub enum SaveError {
    /// The name has the ending of no format that holds a game.
    Format(PathBuf),
    /// The format cannot hold it.
    Record(RecordError),
    /// The file cannot be written.
    File(OutputError),
}

impl SaveError {
    /// The reason in words.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            SaveError::Format(path) => Play(language).save_formats(path.display()),
            SaveError::Record(error) => error.to_string(),
            SaveError::File(error) => output_error(error, Files(language)),
        }
    }
}
