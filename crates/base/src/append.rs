//! Files that only grow, a whole line at a time.
//!
//! A line is appended in one write. What a kill or a full disk leaves of a line is dropped: at once
//! where the write fails, else when the file is opened again.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file cannot be appended to. The file is always named.
#[derive(Debug, Error)]
pub enum AppendError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Another process has it open.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
    /// A folder or a device.
    #[error("{} is no ordinary file", .0.display())]
    NoFile(PathBuf),
    /// An earlier append failed and could not be undone.
    #[error("{}: an earlier write failed", .0.display())]
    Broken(PathBuf),
}

/// A file that is open for more lines. No other process can open it so at the same time.
pub struct AppendFile(Appender<File>);

impl AppendFile {
    /// Opens a file, or makes it and its folder. Returns the whole lines that it holds. A last line
    /// that was cut short is dropped with the first append, or by [`AppendFile::truncate`].
    ///
    /// # Errors
    /// See [`AppendError`].
    pub fn open(path: &Path) -> Result<(AppendFile, Vec<u8>), AppendError> {
        let failed = |error| AppendError::Io { path: path.to_path_buf(), error };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(failed)?;
        // Some devices can be read without end.
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(AppendError::NoFile(path.to_path_buf()));
        }
        lock(&file, path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        bytes.truncate(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1));
        Ok((AppendFile(Appender::new(path, file, bytes.len() as u64)), bytes))
    }

    /// Appends a line, given with its end.
    ///
    /// # Errors
    /// If it cannot be written; then the file ends where it did, or the next open sees to it.
    pub fn append(&mut self, line: &str) -> Result<(), AppendError> {
        self.0.append(line)
    }

    /// Cuts the file to a length; appends go on from there.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn truncate(&mut self, length: u64) -> Result<(), AppendError> {
        self.0.truncate(length)
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Drop for AppendFile {
    /// Closing the file would not do: a child process that another thread has just forked holds a
    /// copy of it, and the lock with it, until it runs its program.
    fn drop(&mut self) {
        let _ = self.0.sink.unlock();
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn lock(file: &File, path: &Path) -> Result<(), AppendError> {
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => Err(AppendError::InUse(path.to_path_buf())),
        // Some file systems know no locks: there the user sees to it.
        Ok(()) | Err(std::fs::TryLockError::Error(_)) => Ok(()),
    }
}

#[cfg(target_arch = "wasm32")]
fn lock(_: &File, _: &Path) -> Result<(), AppendError> {
    Ok(())
}

/// What lines are written to.
trait Sink: Write + Seek {
    /// Cuts it to a length.
    fn set_len(&mut self, length: u64) -> io::Result<()>;
}

impl Sink for File {
    fn set_len(&mut self, length: u64) -> io::Result<()> {
        File::set_len(self, length)
    }
}

struct Appender<S> {
    path: PathBuf,
    sink: S,
    /// Where the whole lines end.
    length: u64,
    /// Whether nothing stands behind them and the next write goes there: true from the first
    /// append to a failure, as nobody else writes.
    at_end: bool,
    /// Whether there is something behind them that could not be cut off.
    broken: bool,
}

impl<S: Sink> Appender<S> {
    fn new(path: &Path, sink: S, length: u64) -> Appender<S> {
        Appender { path: path.to_path_buf(), sink, length, at_end: false, broken: false }
    }

    fn failed(&self, error: io::Error) -> AppendError {
        AppendError::Io { path: self.path.clone(), error }
    }

    fn truncate(&mut self, length: u64) -> Result<(), AppendError> {
        self.at_end = false;
        self.sink.set_len(length).map_err(|error| self.failed(error))?;
        self.length = length;
        Ok(())
    }

    fn append(&mut self, line: &str) -> Result<(), AppendError> {
        if self.broken {
            return Err(AppendError::Broken(self.path.clone()));
        }
        if let Err(error) = self.write(line) {
            self.broken = self.sink.set_len(self.length).is_err();
            return Err(self.failed(error));
        }
        self.length += line.len() as u64;
        Ok(())
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        // What stands behind the last whole line is no line.
        if !std::mem::take(&mut self.at_end) {
            self.sink.set_len(self.length)?;
            self.sink.seek(SeekFrom::Start(self.length))?;
        }
        self.sink.write_all(line.as_bytes())?;
        self.sink.flush()?;
        self.at_end = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_cut_short_is_dropped_by_the_next_append() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("deep/file");
        let (mut file, bytes) = AppendFile::open(&path).expect("a new file");
        assert!(bytes.is_empty());
        file.append("first\n").expect("written");
        assert!(matches!(AppendFile::open(&path), Err(AppendError::InUse(_))));
        drop(file);
        std::fs::write(&path, "first\nsecond, but much longer than what comes").expect("written");
        let (mut file, bytes) = AppendFile::open(&path).expect("readable");
        assert_eq!(bytes, b"first\n");
        file.append("third\n").expect("written");
        assert_eq!(std::fs::read(&path).expect("readable"), b"first\nthird\n");
        file.truncate(6).expect("cut");
        file.append("last\n").expect("written");
        assert_eq!(std::fs::read(&path).expect("readable"), b"first\nlast\n");
    }

    /// A disk with little room.
    struct SmallDisk {
        bytes: io::Cursor<Vec<u8>>,
        room: usize,
        stuck: bool,
    }

    impl Write for SmallDisk {
        fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
            let free = self.room.saturating_sub(self.bytes.position() as usize);
            match free.min(buffer.len()) {
                0 => Err(io::Error::from(io::ErrorKind::StorageFull)),
                count => self.bytes.write(&buffer[..count]),
            }
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for SmallDisk {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.bytes.seek(to)
        }
    }

    impl Sink for SmallDisk {
        fn set_len(&mut self, length: u64) -> io::Result<()> {
            if self.stuck && (length as usize) < self.bytes.get_ref().len() {
                return Err(io::Error::other("stuck"));
            }
            self.bytes.get_mut().truncate(length as usize);
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_an_error_and_leaves_whole_lines() {
        for stuck in [false, true] {
            let disk = SmallDisk { bytes: io::Cursor::new(Vec::new()), room: 25, stuck };
            let mut file = Appender::new(Path::new("log"), disk, 0);
            file.append("ten bytes\n").expect("there is room");
            file.append("ten bytes\n").expect("there is room");
            let error = file.append("ten bytes\n").expect_err("no room").to_string();
            assert!(error.starts_with("log: "), "{error}");
            let left = if stuck { "ten bytes\nten bytes\nten b" } else { "ten bytes\nten bytes\n" };
            assert_eq!(file.sink.bytes.get_ref(), left.as_bytes());
            file.sink.room = 100;
            // What could not be undone must not be written behind.
            assert_eq!(file.append("end\n").is_err(), stuck);
            if !stuck {
                assert_eq!(file.sink.bytes.get_ref(), b"ten bytes\nten bytes\nend\n");
            }
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_refused() {
        for device in ["/dev/zero", "/dev/full", "/dev/null"] {
            let opened = AppendFile::open(Path::new(device));
            assert!(matches!(opened, Err(AppendError::NoFile(_))), "{device}");
        }
    }
}
