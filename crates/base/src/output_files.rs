//! Writing files for people without harm: nothing is overwritten unasked, no folder is made
//! unasked, nothing is left half-written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files;

/// Why a file is not written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// It exists and is not to be replaced.
    #[error("{} exists already", .0.display())]
    Exists(PathBuf),
    /// Its folder does not exist.
    #[error("cannot write {}: there is no folder {}", .0.display(), .1.display())]
    NoFolder(PathBuf, PathBuf),
    /// The folder cannot be made.
    #[error("cannot make the folder {}: {}", .0.display(), .1)]
    MakeFolder(PathBuf, io::Error),
    /// Nothing can be written into the folder.
    #[error("cannot write into the folder {}: {}", .0.display(), .1)]
    IntoFolder(PathBuf, io::Error),
    /// The system refuses.
    #[error("cannot write {}: {}", .0.display(), .1)]
    Write(PathBuf, io::Error),
}

/// Whether something other than a file or a folder has the name.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Whether two paths lead to one file.
#[must_use]
pub fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Refuses a file that exists, unless with `force`. A device or a pipe is not overwritten.
///
/// # Errors
/// If it exists.
pub fn ensure_free(path: &Path, force: bool) -> Result<(), OutputError> {
    match !force && path.exists() && !is_special(path) {
        true => Err(OutputError::Exists(path.to_path_buf())),
        false => Ok(()),
    }
}

/// For long work: refuses before it begins what could not be written at its end.
///
/// # Errors
/// See [`OutputError`].
pub fn ensure_writable(path: &Path, force: bool) -> Result<(), OutputError> {
    ensure_free(path, force)?;
    if is_special(path) {
        // Opening and closing a pipe would be the end of the file to its reader.
        return Ok(());
    }
    ensure_folder_of(path)?;
    files::ensure_writable(path).map_err(|error| OutputError::Write(path.to_path_buf(), error))
}

/// Makes a folder, but not the folders above it, and makes sure that files can
/// be written into it.
///
/// # Errors
/// If it cannot be made or written into.
pub fn make_folder(folder: &Path) -> Result<(), OutputError> {
    let name = || folder.to_path_buf();
    if !folder.is_dir() {
        fs::create_dir(folder).map_err(|error| OutputError::MakeFolder(name(), error))?;
    }
    files::ensure_writable(&folder.join("trial"))
        .map_err(|error| OutputError::IntoFolder(name(), error))
}

/// The folder of a file is not made unasked.
fn ensure_folder_of(path: &Path) -> Result<(), OutputError> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            Err(OutputError::NoFolder(path.to_path_buf(), folder.to_path_buf()))
        }
        _ => Ok(()),
    }
}

/// Writes a file whole or not at all. An existing one is replaced only with `force`.
///
/// # Errors
/// See [`OutputError`].
pub fn write_file(path: &Path, bytes: &[u8], force: bool) -> Result<(), OutputError> {
    ensure_free(path, force)?;
    let written = match is_special(path) {
        // A device must not be replaced by a file.
        true => {
            fs::OpenOptions::new().write(true).open(path).and_then(|mut to| to.write_all(bytes))
        }
        false => {
            ensure_folder_of(path)?;
            files::write_atomic(path, bytes)
        }
    };
    written.map_err(|error| OutputError::Write(path.to_path_buf(), error))
}
