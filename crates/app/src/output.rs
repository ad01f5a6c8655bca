//! Writing files without harm: nothing is overwritten unasked, and nothing is left half-written.

use anyhow::{Context, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Refuses a file that exists, unless with `force`. For long work, which should hear of it before
/// it begins.
pub fn ensure_free(path: &Path, force: bool) -> anyhow::Result<()> {
    if !force && path.exists() {
        bail!("{} exists already (--force replaces it)", path.display());
    }
    Ok(())
}

/// Whether two paths lead to one file.
pub fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// For long work: refuses before it begins what could not be written at its end.
pub fn ensure_writable(path: &Path, force: bool) -> anyhow::Result<()> {
    ensure_free(path, force)?;
    if path.is_dir() {
        bail!("{} is a folder", path.display());
    }
    let half = neighbour(path)?;
    fs::write(&half, [])
        .and_then(|()| fs::remove_file(&half))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// A name beside the file for what is not complete, so that the last step is a rename within one
/// file system. The folder is made.
fn neighbour(path: &Path) -> anyhow::Result<PathBuf> {
    let name = path.file_name().with_context(|| format!("{} is no file name", path.display()))?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    }
    Ok(path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id())))
}

/// Writes a file whole or not at all. An existing one is replaced only with `force`.
pub fn write_file(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    ensure_free(path, force)?;
    let half = neighbour(path)?;
    let written = fs::write(&half, bytes).and_then(|()| fs::rename(&half, path));
    if written.is_err() {
        let _ = fs::remove_file(&half);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}
