//! Writing files whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, are forced to the disk and then renamed: a
//! full disk, a kill or a power cut leaves what was there before. A temporary file of a killed
//! process is the only thing that can be left over; its name begins with a dot and ends in `.part`.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes a file whole or not at all; the folder is made. An existing file keeps its permissions.
///
/// # Errors
/// If it cannot be written; then nothing has changed.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_atomic_with(path, |file| file.write_all(bytes))
}

/// As [`write_atomic`], with what `write` writes.
///
/// # Errors
/// If `write` fails or the file cannot be written; then nothing has changed.
pub fn write_atomic_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    replace(path, |file| write(file), true)?;
    sync_parent(path);
    Ok(())
}

/// Writes a file that can be made again from a log: whole or not at all through kills and full
/// disks, but not forced to the disk, which takes long for many small files. Only a power cut can
/// harm it, and the next run makes it again.
///
/// # Errors
/// If it cannot be written; then nothing has changed.
pub fn write_derived(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |file| file.write_all(bytes), false)
}

fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    durable: bool,
) -> io::Result<()> {
    make_parent(path)?;
    let part = part_name(path)?;
    let written = write_part(&part, path, write, durable).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // The error of the write is the one to report; the file may not even exist.
        let _ = fs::remove_file(&part);
    }
    written
}

/// For long work: fails before it begins where the file could not be written at its end.
///
/// # Errors
/// If the path is a folder or its folder cannot be written.
pub fn ensure_writable(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    make_parent(path)?;
    let part = part_name(path)?;
    fs::write(&part, [])?;
    fs::remove_file(&part)
}

fn write_part(
    part: &Path,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    durable: bool,
) -> io::Result<()> {
    let file = File::create_new(part)?;
    if let Ok(existing) = fs::metadata(path) {
        file.set_permissions(existing.permissions())?;
    }
    let mut writer = BufWriter::new(file);
    write(&mut writer)?;
    let file = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    if durable { file.sync_all() } else { Ok(()) }
}

fn make_parent(path: &Path) -> io::Result<()> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => fs::create_dir_all(folder),
        None => Ok(()),
    }
}

/// A name in the same folder, so that the last step is a rename within one file system; no two
/// threads or processes use the same.
fn part_name(path: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let name = path
        .file_name()
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it is no file name"))?
        .to_string_lossy()
        .into_owned();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Ok(path.with_file_name(format!(".{name}.{}.{number}.part", process())))
}

#[cfg(not(target_arch = "wasm32"))]
fn process() -> u32 {
    std::process::id()
}

#[cfg(target_arch = "wasm32")]
fn process() -> u32 {
    0
}

/// Forces the new name to the disk. The file itself is there already, and some file systems refuse
/// to sync a folder: a failure is no loss of data.
fn sync_parent(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        let _ = folder.sync_all();
    }
}

/// The folder of this program in the user's folder for data of programs.
#[must_use]
pub fn user_data_folder() -> Option<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        variable("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        variable("XDG_DATA_HOME").or_else(|| Some(variable("HOME")?.join(".local/share")))
    };
    Some(folder?.join("yomikiri"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_what_was_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/er/file.txt");
        write_atomic(&path, b"first").expect("written");
        let failed = write_atomic_with(&path, |file| {
            file.write_all(&[b'x'; 100_000])?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        });
        assert_eq!(failed.expect_err("no space").kind(), io::ErrorKind::StorageFull);
        assert_eq!(fs::read(&path).expect("readable"), b"first");
        assert_eq!(names(path.parent().expect("a folder")), ["file.txt"]);
        write_atomic(&path, b"second").expect("written");
        assert_eq!(fs::read(&path).expect("readable"), b"second");
    }

    #[cfg(unix)]
    #[test]
    fn a_replaced_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        write_atomic(&path, b"1").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("changed");
        write_atomic(&path, b"2").expect("written");
        let mode = fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn what_cannot_be_written_is_refused_before_the_work() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(ensure_writable(folder.path()).is_err());
        assert!(ensure_writable(Path::new("/dev/null/file")).is_err());
        assert!(ensure_writable(Path::new("/")).is_err());
        ensure_writable(&folder.path().join("new/file")).expect("writable");
        assert!(names(&folder.path().join("new")).is_empty());
    }

    #[test]
    fn two_writers_of_one_file_do_not_mix() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for letter in [b'a', b'b', b'c'] {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..20 {
                        write_atomic(path, &[letter; 50_000]).expect("written");
                    }
                });
            }
        });
        let bytes = fs::read(&path).expect("readable");
        assert!(bytes.len() == 50_000 && bytes.iter().all(|&byte| byte == bytes[0]));
        assert_eq!(names(folder.path()), ["file"]);
    }
}
