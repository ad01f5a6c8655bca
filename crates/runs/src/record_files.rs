//! Files of converted records: packed as the ending of their name says, no two into one file.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use yomikiri_base::output_files::{OutputError, write_file};
use yomikiri_play::file_words::output_error;
use yomikiri_shogi::record::convert::{RecordSink, SinkFailure};
use yomikiri_text::{Files, Language};

use crate::RunsError;

/// Where converted records go.
pub struct RecordFiles<'a> {
    force: bool,
    note: &'a dyn Fn(&str),
    words: Files,
    /// Two inputs must not end in one file.
    written: BTreeSet<PathBuf>,
}

impl<'a> RecordFiles<'a> {
    /// Files that replace others only with `force`; `note` receives what a person should know.
    pub fn new(force: bool, note: &'a dyn Fn(&str), language: Language) -> RecordFiles<'a> {
        RecordFiles { force, note, words: Files(language), written: BTreeSet::new() }
    }

    /// Writes a file.
    ///
    /// # Errors
    /// If it was just written, or cannot be.
    pub fn save(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), SinkFailure> {
        if self.written.contains(path) {
            return Err(RunsError::Wrong(self.words.written_twice(path.display())).into());
        }
        write_file(path, &packed(path, bytes)?, self.force)
            .map_err(|error| RunsError::Wrong(output_error(&error, self.words)))?;
        self.written.insert(path.to_owned());
        Ok(())
    }
}

impl RecordSink for RecordFiles<'_> {
    fn note(&mut self, text: &str) {
        (self.note)(text);
    }

    fn write(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), SinkFailure> {
        if let Some(folder) = path.parent() {
            // A folder of the input has its like in the output.
            std::fs::create_dir_all(folder).map_err(|error| {
                let error = OutputError::MakeFolder(folder.to_owned(), error);
                RunsError::Wrong(output_error(&error, self.words))
            })?;
        }
        self.save(path, bytes)
    }
}

fn packed(path: &Path, bytes: Vec<u8>) -> std::io::Result<Vec<u8>> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("zst") => zstd::encode_all(bytes.as_slice(), 0),
        Some("gz") => {
            let level = flate2::Compression::default();
            let mut packer = flate2::write::GzEncoder::new(Vec::new(), level);
            packer.write_all(&bytes)?;
            packer.finish()
        }
        _ => Ok(bytes),
    }
}
