//! The records of games, one file each in a folder.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use yomikiri_base::files;
use yomikiri_shogi::record::{Record, csa};

/// Longer names are cut: file systems take 255 bytes.
const LONGEST_NAME: usize = 200;

/// Takes a name for the record of a game. No two games, also of two programs with one folder, get
/// the same.
pub fn reserve(folder: &Path, id: &str) -> io::Result<PathBuf> {
    let name = file_name(id);
    for number in 1..10_000 {
        let file = match number {
            1 => format!("{name}.csa"),
            _ => format!("{name}-{number}.csa"),
        };
        let path = folder.join(file);
        match File::create_new(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many games of one name"))
}

/// The name of a game as that of a file: a server must not choose the folder.
fn file_name(id: &str) -> String {
    let safe = |symbol: char| symbol.is_ascii_alphanumeric() || "+-_.".contains(symbol);
    let name = id.chars().take(LONGEST_NAME).map(|symbol| if safe(symbol) { symbol } else { '_' });
    let name: String = name.collect();
    match name.strip_prefix('.') {
        Some(rest) => format!("_{rest}"),
        None if name.is_empty() => "game".to_string(),
        None => name,
    }
}

/// Writes a game that goes on, so that a kill does not cost its record. It is not forced to the
/// disk: the clock runs.
pub fn write_so_far(path: &Path, record: &Record) -> io::Result<()> {
    files::write_derived(path, text(record).as_bytes())
}

/// Writes a game that is over.
pub fn write(path: &Path, record: &Record) -> io::Result<()> {
    files::write_atomic(path, text(record).as_bytes())
}

fn text(record: &Record) -> String {
    csa::write(std::slice::from_ref(record), csa::Version::V2)
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn the_server_does_not_choose_the_folder() {
        assert_eq!(file_name("a-5-1F+me+you+2026"), "a-5-1F+me+you+2026");
        assert_eq!(file_name("../../etc/passwd"), "_._.._etc_passwd");
        assert_eq!((file_name(""), file_name("対局")), ("game".into(), "__".into()));
        assert_eq!(file_name(&"x".repeat(999)).len(), super::LONGEST_NAME);
    }
}
