//! Records of one format as files of another: what is lost, and how many files they make.

use super::files::{RecordFileError, files_below, open};
use super::{Format, Loss, Record, RecordError, games, losses, read};
use core::fmt;
use std::path::{Path, PathBuf};
use yomikiri_base::packed::{Input, stem};

/// The records of a file, and the games of it that could not be read.
struct Loaded {
    records: Vec<Record>,
    /// What is wrong with the others, where each game stands in a line of its own.
    bad: Vec<RecordError>,
}

/// Why a file cannot be converted.
#[derive(Debug)]
pub enum ConvertError {
    /// It cannot be read.
    File(RecordFileError),
    /// No game in it, or none that can be read.
    Empty(PathBuf, Vec<RecordError>),
    /// The format cannot hold it.
    Write(PathBuf, Format, RecordError),
    /// A single file cannot hold it, and whether that is for its many games.
    OneFile(PathBuf, RecordError, bool),
    /// The format would lose something that it must not.
    Loses(String),
    /// The file cannot be written.
    Sink(SinkFailure),
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertError::File(error @ RecordFileError::UnknownFormat(_)) => {
                write!(f, "{error}; say it with --from")
            }
            ConvertError::File(error) => write!(f, "{error}"),
            ConvertError::Empty(path, bad) => {
                for error in bad {
                    writeln!(f, "{}: {error}", path.display())?;
                }
                let what = if bad.is_empty() { "no game in it" } else { "none can be read" };
                write!(f, "{}: {what}", path.display())
            }
            ConvertError::OneFile(path, error, several) => {
                let hint =
                    if *several { "; give a folder to get a file for each game" } else { "" };
                write!(f, "{}: {error}{hint}", path.display())
            }
            ConvertError::Loses(loss) => f.write_str(loss),
            ConvertError::Sink(failure) => write!(f, "{failure}"),
            ConvertError::Write(path, to, error) => {
                write!(f, "{} as {to}: {error}", path.display())
            }
        }
    }
}

impl std::error::Error for ConvertError {}

/// Reads a file. Of games one a line those that cannot be read are left out and named.
fn load(path: &Path, from: Option<Format>, input: Input<'_>) -> Result<Loaded, ConvertError> {
    let (bytes, format) = open(path, from, input).map_err(ConvertError::File)?;
    if format != Format::Tsv {
        let wrong = |error| RecordFileError::Record(path.to_path_buf(), format, error);
        let records = read(&bytes, format).map_err(|error| ConvertError::File(wrong(error)))?;
        return Ok(Loaded { records, bad: Vec::new() });
    }
    let (mut records, mut bad) = (Vec::new(), Vec::new());
    for game in games::Games::new(bytes.as_slice()) {
        match game {
            Ok(game) => records.push(game.to_record()),
            Err(error) => bad.push(error),
        }
    }
    match records.is_empty() {
        true => Err(ConvertError::Empty(path.to_path_buf(), bad)),
        false => Ok(Loaded { records, bad }),
    }
}

/// What of the records of a file a format cannot hold, in words; nothing if it holds all.
fn loss_note(path: &Path, records: &[Record], to: Format) -> Option<String> {
    let lost: Vec<String> = losses(records, to).iter().map(Loss::to_string).collect();
    let note = || format!("{}: {to} cannot hold {}", path.display(), lost.join(", "));
    (!lost.is_empty()).then(note)
}

/// What a conversion reports and writes.
pub trait RecordSink {
    /// Something that a person should know.
    fn note(&mut self, text: &str);

    /// Writes a file.
    ///
    /// # Errors
    /// If it cannot be written.
    fn write(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), SinkFailure>;
}

/// Why a sink did not take a file.
pub type SinkFailure = Box<dyn std::error::Error + Send + Sync>;

/// Turns files of records into files of another format.
pub struct Converter<'a> {
    /// The format of the input, where names do not show it.
    pub from: Option<Format>,
    /// The format to write.
    pub to: Format,
    /// Whether what the format cannot hold is an error.
    pub strict: bool,
    /// Where input comes from.
    pub input: Input<'a>,
    /// Games that were read.
    pub games: usize,
    /// Games that could not be.
    pub bad: usize,
}

/// What became of a folder.
pub struct Folder {
    /// Files that hold records.
    pub files: usize,
    /// Those that could not be converted.
    pub failed: usize,
    /// Files of no known format.
    pub skipped: usize,
}

impl Converter<'_> {
    /// The records of a file. Games that cannot be read, and what the format cannot hold, are
    /// named.
    fn read(
        &mut self,
        path: &Path,
        sink: &mut dyn RecordSink,
    ) -> Result<Vec<Record>, ConvertError> {
        let Loaded { records, bad } = load(path, self.from, self.input)?;
        self.bad += bad.len();
        for error in &bad {
            sink.note(&format!("{}: {error}", path.display()));
        }
        match loss_note(path, &records, self.to) {
            Some(loss) if self.strict => return Err(ConvertError::Loses(loss)),
            Some(loss) => sink.note(&loss),
            None => {}
        }
        Ok(records)
    }

    /// The bytes of a file in the other format, all games in one.
    ///
    /// # Errors
    /// See [`ConvertError`].
    pub fn bytes(
        &mut self,
        path: &Path,
        sink: &mut dyn RecordSink,
    ) -> Result<Vec<u8>, ConvertError> {
        let records = self.read(path, sink)?;
        let several = records.len() > 1 && !self.to.holds_many();
        let wrong = |error| ConvertError::OneFile(path.to_path_buf(), error, several);
        let bytes = self.to.write(&records).map_err(wrong)?;
        self.games += records.len();
        Ok(bytes)
    }

    /// Converts one file into a file beside `target` with the ending of the format, or into one
    /// file for each game where the format holds one.
    ///
    /// # Errors
    /// See [`ConvertError`].
    pub fn file(
        &mut self,
        path: &Path,
        target: &Path,
        sink: &mut dyn RecordSink,
    ) -> Result<(), ConvertError> {
        let records = self.read(path, sink)?;
        let stem = stem(target);
        let one = self.to.holds_many() || records.len() == 1;
        let size = if one { records.len().max(1) } else { 1 };
        for (part, number) in records.chunks(size).zip(1..) {
            let number = if one { String::new() } else { format!("-{number:04}") };
            let file = target.with_file_name(format!("{stem}{number}.{}", self.to.extension()));
            let wrong = |error| ConvertError::Write(path.to_path_buf(), self.to, error);
            let bytes = self.to.write(part).map_err(wrong)?;
            sink.write(&file, bytes).map_err(ConvertError::Sink)?;
            self.games += part.len();
        }
        Ok(())
    }

    /// Converts what can be converted in a folder and names what cannot. `advance` receives each
    /// file, with how many there are.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn folder(
        &mut self,
        folder: &Path,
        target: &Path,
        sink: &mut dyn RecordSink,
        advance: &mut dyn FnMut(usize),
    ) -> std::io::Result<Folder> {
        let known = |path: &PathBuf| {
            self.from.is_some() || Format::of_file_name(&path.to_string_lossy()).is_some()
        };
        let (files, skipped): (Vec<PathBuf>, Vec<PathBuf>) =
            files_below(folder)?.into_iter().partition(known);
        let mut failed = 0;
        for path in &files {
            let inside = path.strip_prefix(folder).unwrap_or(path);
            if let Err(error) = self.file(path, &target.join(inside), sink) {
                failed += 1;
                sink.note(&error.to_string());
            }
            advance(files.len());
        }
        Ok(Folder { files: files.len(), failed, skipped: skipped.len() })
    }
}
