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
    /// The commit whose program measured it.
    #[serde(default)]
    commit: String,
    value: Value,
}

/// A finished unit of work.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit<V> {
    /// What was measured.
    pub value: V,
    /// The seconds that it took.
    pub seconds: f64,
    /// The commit whose program measured it.
    pub commit: String,
}

/// The open file and what it held at the start.
pub struct Checkpoint {
    done: HashMap<(String, String), Unit<Value>>,
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
            let Some(parsed) = parse(line) else { break };
            whole += line.len();
            let Line { stage, key, seconds, commit, value } = parsed;
            done.insert((stage, key), Unit { value, seconds, commit });
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        file.set_len(whole as u64)?;
        Ok(Checkpoint { done, file: Mutex::new(file) })
    }

    /// Takes over the units of another run's file that this one does not have.
    ///
    /// # Errors
    /// If one cannot be read or the other not be written.
    pub fn carry(&mut self, path: &Path) -> io::Result<()> {
        let text = std::fs::read_to_string(path)?;
        for line in text.split_inclusive('\n').map_while(parse) {
            let place = (line.stage.clone(), line.key.clone());
            if !self.done.contains_key(&place) {
                self.append(&line)?;
                let Line { seconds, commit, value, .. } = line;
                self.done.insert(place, Unit { value, seconds, commit });
            }
        }
        Ok(())
    }

    /// A unit that was finished before.
    pub fn get<V: DeserializeOwned>(&self, stage: &str, key: &str) -> Option<Unit<V>> {
        let unit = self.done.get(&(stage.to_string(), key.to_string()))?;
        let value = serde_json::from_value(unit.value.clone()).ok()?;
        Some(Unit { value, seconds: unit.seconds, commit: unit.commit.clone() })
    }

    /// Writes a finished unit.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn put<V: Serialize>(&self, stage: &str, key: &str, unit: &Unit<V>) -> io::Result<()> {
        let value = serde_json::to_value(&unit.value)?;
        let (stage, key, commit) = (stage.into(), key.into(), unit.commit.clone());
        self.append(&Line { stage, key, seconds: unit.seconds, commit, value })
    }

    fn append(&self, line: &Line) -> io::Result<()> {
        let text = serde_json::to_string(line)? + "\n";
        let mut file = self.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        file.write_all(text.as_bytes())?;
        file.flush()
    }
}

/// A whole line; nothing where it was cut short.
fn parse(line: &str) -> Option<Line> {
    serde_json::from_str(line).ok().filter(|_| line.ends_with('\n'))
}

#[cfg(test)]
mod tests {
    use super::{Checkpoint, Unit};

    fn unit(value: u32) -> Unit<u32> {
        Unit { value, seconds: 0.5, commit: "abc".into() }
    }

    fn new_file(name: &str) -> std::path::PathBuf {
        let name = format!("yomikiri-checkpoint-{name}-{}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&path);
        path
    }

    #[test]
    fn units_of_another_run_are_taken_over_where_there_are_none() {
        let (old, new) = (new_file("old"), new_file("new"));
        let other = Checkpoint::open(&old).expect("a new file");
        other.put("a", "1", &unit(7)).expect("written");
        other.put("a", "2", &unit(8)).expect("written");
        let mut own = Checkpoint::open(&new).expect("a new file");
        own.put("a", "1", &unit(1)).expect("written");
        drop(own);
        own = Checkpoint::open(&new).expect("readable");
        own.carry(&old).expect("taken over");
        for checkpoint in [own, Checkpoint::open(&new).expect("readable")] {
            assert_eq!(checkpoint.get("a", "1"), Some(unit(1)));
            assert_eq!(checkpoint.get("a", "2"), Some(unit(8)));
        }
        for path in [old, new] {
            std::fs::remove_file(path).expect("removed");
        }
    }

    #[test]
    fn a_torn_line_is_dropped_and_the_rest_kept() {
        let path = new_file("torn");
        let checkpoint = Checkpoint::open(&path).expect("a new file");
        checkpoint.put("a", "1", &unit(7)).expect("written");
        checkpoint.put("a", "2", &unit(8)).expect("written");
        drop(checkpoint);
        let text = std::fs::read_to_string(&path).expect("readable");
        std::fs::write(&path, &text[..text.len() - 5]).expect("writable");
        let checkpoint = Checkpoint::open(&path).expect("the torn file");
        assert_eq!(checkpoint.get("a", "1"), Some(unit(7)));
        assert_eq!(checkpoint.get::<u32>("a", "2"), None);
        checkpoint.put("a", "2", &unit(8)).expect("written");
        drop(checkpoint);
        assert_eq!(std::fs::read_to_string(&path).expect("readable"), text);
        std::fs::remove_file(&path).expect("removed");
    }
}
