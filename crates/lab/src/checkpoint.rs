//! Finished units of work, one JSON line each, so that a killed run goes on where it was.
//!
//! The file is named by a fingerprint of everything that decides the results (settings, data, seed, commit): a run with
//! other settings never sees these lines. A line that was cut short by the kill is dropped and its unit done again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Serialize, Deserialize)]
struct Line {
    stage: String,
    key: String,
    seconds: f64,
    value: Value,
}

/// The open file and what it held at the start.
pub struct Checkpoint {
    done: HashMap<(String, String), (Value, f64)>,
    file: Mutex<File>,
}

impl Checkpoint {
    /// Opens a file, or makes it.
    ///
    /// # Errors
    /// If it can be neither read nor written.
    pub fn open(path: &Path) -> io::Result<Checkpoint> {
        let text = match std::fs::read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let mut done = HashMap::new();
        let mut whole = 0;
        for line in text.split_inclusive('\n') {
            let Ok(parsed) = serde_json::from_str::<Line>(line) else { break };
            if !line.ends_with('\n') {
                break;
            }
            whole += line.len();
            done.insert((parsed.stage, parsed.key), (parsed.value, parsed.seconds));
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(whole as u64)?;
        Ok(Checkpoint { done, file: Mutex::new(file) })
    }

    /// A unit that was finished before, with the seconds that it took.
    pub fn get<V: DeserializeOwned>(&self, stage: &str, key: &str) -> Option<(V, f64)> {
        let (value, seconds) = self.done.get(&(stage.to_string(), key.to_string()))?;
        Some((serde_json::from_value(value.clone()).ok()?, *seconds))
    }

    /// Writes a finished unit.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put<V: Serialize>(
        &self,
        stage: &str,
        key: &str,
        seconds: f64,
        value: &V,
    ) -> io::Result<()> {
        let value = serde_json::to_value(value)?;
        let line = Line { stage: stage.into(), key: key.into(), seconds, value };
        let text = serde_json::to_string(&line)? + "\n";
        let mut file = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        file.write_all(text.as_bytes())?;
        file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::Checkpoint;

    #[test]
    fn a_torn_line_is_dropped_and_the_rest_kept() {
        let path =
            std::env::temp_dir().join(format!("yomikiri-checkpoint-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let checkpoint = Checkpoint::open(&path).expect("a new file");
        checkpoint.put("a", "1", 0.5, &7u32).expect("written");
        checkpoint.put("a", "2", 0.5, &8u32).expect("written");
        drop(checkpoint);
        let text = std::fs::read_to_string(&path).expect("readable");
        std::fs::write(&path, &text[..text.len() - 5]).expect("writable");
        let checkpoint = Checkpoint::open(&path).expect("the torn file");
        assert_eq!(checkpoint.get::<u32>("a", "1"), Some((7, 0.5)));
        assert_eq!(checkpoint.get::<u32>("a", "2"), None);
        checkpoint.put("a", "2", 0.5, &8u32).expect("written");
        drop(checkpoint);
        assert_eq!(std::fs::read_to_string(&path).expect("readable"), text);
        std::fs::remove_file(&path).expect("removed");
    }
}
