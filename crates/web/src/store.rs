//! Sessions on disk: a file each, written whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use yomikiri_base::files::write_atomic;

/// Largest file that is read: what a session may keep, many times over.
const LARGEST: u64 = 8 << 20;

/// The folder of the sessions.
pub struct SessionStore {
    folder: PathBuf,
}

/// Whether a text is a token as we make them, and so may be part of a file's name.
pub fn is_token(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl SessionStore {
    /// Opens the folder, and makes it if need be.
    pub fn open(data: &Path) -> io::Result<SessionStore> {
        let folder = data.join("sessions");
        fs::create_dir_all(&folder)?;
        Ok(SessionStore { folder })
    }

    fn path(&self, token: &str) -> Option<PathBuf> {
        is_token(token).then(|| self.folder.join(format!("{token}.json")))
    }

    /// What is kept of a session.
    pub fn read(&self, token: &str) -> Option<String> {
        let path = self.path(token)?;
        let metadata = fs::metadata(&path).ok()?;
        (metadata.len() <= LARGEST).then(|| fs::read_to_string(&path).ok()).flatten()
    }

    /// Keeps a session.
    pub fn write(&self, token: &str, text: &str) -> io::Result<()> {
        match self.path(token) {
            Some(path) => write_atomic(&path, text.as_bytes()),
            None => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a token")),
        }
    }

    /// Forgets a session.
    pub fn remove(&self, token: &str) {
        if let Some(path) = self.path(token) {
            // A session that was never kept has no file.
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tokens_name_files() {
        let folder = tempfile::tempdir().unwrap();
        let store = SessionStore::open(folder.path()).unwrap();
        let token = "0123456789abcdef0123456789abcdef";
        store.write(token, "kept").unwrap();
        assert_eq!(store.read(token).as_deref(), Some("kept"));
        for wrong in ["../../etc/passwd", "", "0123456789ABCDEF0123456789ABCDEF", "..", "a/b"] {
            assert!(store.write(wrong, "x").is_err() && store.read(wrong).is_none(), "{wrong}");
        }
        store.remove(token);
        assert_eq!(store.read(token), None);
    }
}
