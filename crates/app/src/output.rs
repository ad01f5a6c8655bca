//! Writing files without harm: nothing is overwritten unasked, and nothing is left half-written.

use anyhow::{Context, bail};
use std::path::Path;
use yomikiri_base::files;

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
    files::ensure_writable(path).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file whole or not at all. An existing one is replaced only with `force`.
pub fn write_file(path: &Path, bytes: &[u8], force: bool) -> anyhow::Result<()> {
    ensure_free(path, force)?;
    files::write_atomic(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
