//! Records in files, which may be packed: recognised by their names, or by how they begin where
//! they have none.

use super::{Format, Record, RecordError, read};
use core::fmt;
use std::path::{Path, PathBuf};
use yomikiri_base::packed::{Input, PackedError, is_standard};

/// Why a file gives no records.
#[derive(Debug)]
pub enum RecordFileError {
    /// Neither its ending nor its beginning shows the format.
    UnknownFormat(PathBuf),
    /// It cannot be read.
    Read(PathBuf, PackedError),
    /// It is not what it seems to be.
    Record(PathBuf, Format, RecordError),
}

impl fmt::Display for RecordFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordFileError::UnknownFormat(path) if is_standard(path) => {
                f.write_str("standard input: its beginning shows no format of records")
            }
            RecordFileError::UnknownFormat(path) => {
                write!(f, "{}: the ending names no format of records", path.display())
            }
            RecordFileError::Read(path, error) => {
                write!(f, "cannot read {}: {error}", path.display())
            }
            RecordFileError::Record(path, format, error) => {
                write!(f, "{} (as {format}): {error}", path.display())
            }
        }
    }
}

impl std::error::Error for RecordFileError {}

/// The format of a file by its name; of standard input by how it begins.
#[must_use]
pub fn format_of(path: &Path, bytes: &[u8]) -> Option<Format> {
    match is_standard(path) {
        true => Format::of_content(bytes),
        false => Format::of_file_name(&path.to_string_lossy()),
    }
}

/// The bytes of a file and its format, which may be known already.
///
/// # Errors
/// If it cannot be read, or nothing shows the format.
pub fn open(
    path: &Path,
    from: Option<Format>,
    input: Input<'_>,
) -> Result<(Vec<u8>, Format), RecordFileError> {
    let unknown = || RecordFileError::UnknownFormat(path.to_path_buf());
    if !is_standard(path) {
        // Otherwise it is not worth unpacking.
        from.or_else(|| format_of(path, &[])).ok_or_else(unknown)?;
    }
    let bytes = input.read(path).map_err(|it| RecordFileError::Read(path.to_path_buf(), it))?;
    let format = from.or_else(|| format_of(path, &bytes)).ok_or_else(unknown)?;
    Ok((bytes, format))
}

/// The records of a file.
///
/// # Errors
/// See [`RecordFileError`].
pub fn read_records(path: &Path, input: Input<'_>) -> Result<Vec<Record>, RecordFileError> {
    let (bytes, format) = open(path, None, input)?;
    read(&bytes, format).map_err(|error| RecordFileError::Record(path.to_path_buf(), format, error))
}

/// All files under a folder, in order. Links to folders are not followed: they may lead in circles.
///
/// # Errors
/// If a folder cannot be read.
pub fn files_below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let mut files = Vec::new();
    for entry in entries {
        if entry.file_type()?.is_dir() {
            files.extend(files_below(&entry.path())?);
        } else if entry.path().is_file() {
            files.push(entry.path());
        }
    }
    Ok(files)
}

/// The record files of a folder, by name.
///
/// # Errors
/// If it cannot be read.
pub fn records_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|path| path.is_file() && Format::of_file_name(&path.to_string_lossy()).is_some());
    files.sort();
    Ok(files)
}
