//! The log of a long run: finished units of work, one JSON line each.
//!
//! A run is a list of stages, a stage a list of units with unique keys. The result of a unit is
//! appended as soon as it is there, in one write, so that a killed run goes on where it was: a line
//! that was cut short is dropped and its unit done again. The first line holds the [`Identity`] of
//! the run; a log of another run is refused with the field that differs. Stages come one after
//! another: one begins only when those before it are complete, and its line holds a digest of their
//! results.
//!
//! Several machines share a run by [`Shard`]s, stage by stage, and [`merge()`] joins their logs.
//!
//! Test hook: with `YOMIKIRI_ABORT_AFTER_APPENDS=N` in the environment the process aborts after the
//! N-th unit is appended (0: when the first stage begins); with `N.5` halfway through the one after
//! it.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;

use crate::abort::AbortAfter;
use crate::append::{AppendError, AppendFile};
use format::{Content, Header, Line, StageLine, Stored};
pub use identity::{Identity, IdentityDifference, Provenance};
pub use merge::merge;
pub use shard::{Shard, ShardError};
use stage::Keys;
pub use stage::{Stage, UnitPut};

mod format;
mod identity;
mod merge;
mod shard;
mod stage;
#[cfg(test)]
mod tests;

/// Why a log cannot be used.
#[derive(Debug, Error)]
pub enum UnitLogError {
    /// Appending failed.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The log.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is something else, or of another version of the format.
    #[error("{} is no log of this version: move it away, or name another place", .0.display())]
    NoLog(PathBuf),
    /// The log of another run.
    #[error(
        "{} holds another run: {} is {} there and {} here",
        path.display(), difference.field, difference.theirs, difference.ours
    )]
    OtherRun {
        /// The log.
        path: PathBuf,
        /// Where they differ.
        difference: IdentityDifference,
    },
    /// A line that is not the last cannot be read.
    #[error("{}, line {line}: {reason}", path.display())]
    Damaged {
        /// The log.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: LogFault,
    },
    /// Two units of a stage have one key.
    #[error("stage `{stage}` has two units with the key `{key}`")]
    DuplicateKey {
        /// The stage.
        stage: String,
        /// The key.
        key: String,
    },
    /// A stage has other units, or follows other results, than in the log.
    #[error("stage `{0}` has other units than in the log, or follows other results")]
    OtherStage(String),
    /// A stage begins before an earlier one is complete.
    #[error("stage `{stage}` is not complete: {done} of {units} units; merge the shards first")]
    Incomplete {
        /// The stage.
        stage: String,
        /// Its finished units.
        done: usize,
        /// All its units.
        units: usize,
    },
    /// A unit is missing in the logs to be merged.
    #[error("unit {at} of stage `{stage}` is in none of the logs")]
    Hole {
        /// The stage.
        stage: String,
        /// The index of the unit.
        at: usize,
    },
    /// Two logs have different results for one unit.
    #[error("unit `{key}` of stage `{stage}` has another result in {}", path.display())]
    Conflict {
        /// The stage.
        stage: String,
        /// The key of the unit.
        key: String,
        /// The second log.
        path: PathBuf,
    },
    /// A result cannot be written as JSON and read back.
    #[error("a result cannot be kept: {0}")]
    Value(String),
}

/// What is wrong with a line of a log.
#[derive(Debug, Error)]
pub enum LogFault {
    /// It is not the JSON of a line.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The log begins a second time.
    #[error("a second header")]
    SecondHeader,
    /// A stage begins a second time.
    #[error("stage `{0}` begins a second time")]
    SecondBeginning(String),
    /// A unit of a stage that has not begun.
    #[error("stage `{0}` has not begun")]
    NoStage(String),
    /// A unit with an index, or a place among those who did it, that is too large.
    #[error("unit `{key}` of stage `{stage}` is numbered wrongly")]
    Number {
        /// Its key.
        key: String,
        /// Its stage.
        stage: String,
    },
    /// A unit is there twice.
    #[error("unit `{key}` of stage `{stage}` is there twice")]
    Twice {
        /// Its key.
        key: String,
        /// Its stage.
        stage: String,
    },
}

/// A finished unit.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit<V> {
    /// Its result.
    pub value: V,
    /// The seconds that it took. They are no part of the result.
    pub seconds: f64,
    /// Who did it: an index into [`UnitLog::provenances`].
    pub by: usize,
}

impl Unit<Value> {
    /// The same unit with its result as a type.
    ///
    /// # Errors
    /// If the result is something else.
    pub fn typed<V: DeserializeOwned>(self) -> Result<Unit<V>, UnitLogError> {
        Ok(Unit { value: from_value(self.value)?, seconds: self.seconds, by: self.by })
    }
}

/// An open log.
pub struct UnitLog {
    path: PathBuf,
    inner: Mutex<Inner>,
}

struct Inner {
    content: Content,
    writer: Writer,
    /// Who does the units of this process.
    by: usize,
}

impl UnitLog {
    /// Opens the log of a run, or begins it; its folder is made.
    ///
    /// # Errors
    /// If the file cannot be read or written, is in use, damaged, or of another run: nothing is
    /// changed then.
    pub fn open(
        path: &Path,
        identity: &Identity,
        provenance: &Provenance,
    ) -> Result<UnitLog, UnitLogError> {
        let (mut file, bytes) = AppendFile::open(path)?;
        let (content, whole) = match format::read(path, &bytes)? {
            Some((content, whole)) => (content, whole),
            None => (Content::new(identity.clone(), provenance.clone()), 0),
        };
        if let Some(difference) = identity.difference(&content.identity) {
            return Err(UnitLogError::OtherRun { path: path.to_path_buf(), difference });
        }
        // A line that was being written when the run was killed is no result: cut it off.
        file.truncate(whole)?;
        let mut writer = Writer::new(file);
        if whole == 0 {
            let (identity, provenance) = (identity.clone(), provenance.clone());
            let header = Header { version: format::VERSION, identity, provenance };
            writer.append(&Line::Header(header).to_text()?)?;
        }
        let mut inner = Inner { content, writer, by: 0 };
        inner.set_provenance(provenance)?;
        Ok(UnitLog { path: path.to_path_buf(), inner: Mutex::new(inner) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Begins a stage, or goes on with it. `keys` name its units, in their order.
    ///
    /// # Errors
    /// If two units have one key, an earlier stage is not complete, or the log has the stage with
    /// other units.
    pub fn stage(&self, name: &str, keys: Vec<String>) -> Result<Stage<'_>, UnitLogError> {
        let mut seen = std::collections::HashSet::with_capacity(keys.len());
        if let Some(key) = keys.iter().find(|key| !seen.insert(key.as_str())) {
            let (stage, key) = (name.to_string(), key.clone());
            return Err(UnitLogError::DuplicateKey { stage, key });
        }
        let digest = format::digest_keys(keys.iter().map(String::as_str));
        self.begin(name, Some(keys.len()), digest)?;
        Ok(Stage { log: self, name: name.to_string(), keys: Keys::List(keys) })
    }

    /// Begins a stage, or goes on with it, whose units are numbered from 0 and may become more with
    /// every run, as the games of a match. No stage can follow it.
    ///
    /// # Errors
    /// As [`UnitLog::stage`].
    pub fn numbered_stage(&self, name: &str, units: usize) -> Result<Stage<'_>, UnitLogError> {
        self.begin(name, None, String::new())?;
        Ok(Stage { log: self, name: name.to_string(), keys: Keys::Numbers(units) })
    }

    /// The results of a stage so far, by index.
    ///
    /// # Errors
    /// If the log holds something else than such results.
    pub fn units_of<V: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<Vec<(usize, V)>, UnitLogError> {
        let inner = self.lock();
        let units = inner.content.in_order(name).into_iter();
        units.map(|(_, unit)| Ok((unit.at, from_value(unit.value.clone())?))).collect()
    }

    fn begin(&self, name: &str, units: Option<usize>, keys: String) -> Result<(), UnitLogError> {
        let mut inner = self.lock();
        let after = inner.after(name)?;
        let stage = StageLine { name: name.to_string(), units, keys, after };
        match inner.content.stage(name) {
            Some(known) if *known == stage => {}
            Some(_) => return Err(UnitLogError::OtherStage(name.to_string())),
            None => {
                inner.writer.append(&Line::Stage(stage.clone()).to_text()?)?;
                inner.writer.abort_at_start();
                inner.content.stages.push(stage);
            }
        }
        Ok(())
    }

    /// Who did the units of this log.
    pub fn provenances(&self) -> Vec<Provenance> {
        self.lock().content.provenances.clone()
    }

    /// Takes from another log the units of all stages and keys, whatever run it is of. Used to go
    /// on after a change that is known not to matter.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_foreign(path: &Path) -> Result<ForeignUnits, UnitLogError> {
        let content = read_content(path)?;
        Ok(ForeignUnits { provenances: content.provenances, units: content.units })
    }

    /// What makes the run of a log the one it is.
    ///
    /// # Errors
    /// If it cannot be read or is no log.
    pub fn identity_of(path: &Path) -> Result<Identity, UnitLogError> {
        Ok(read_content(path)?.identity)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a log holds, without opening it for more.
fn read_content(path: &Path) -> Result<Content, UnitLogError> {
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(|error| UnitLogError::Io { path: path.to_path_buf(), error })?;
    match format::read(path, &bytes)? {
        Some((content, _)) => Ok(content),
        None => Err(UnitLogError::NoLog(path.to_path_buf())),
    }
}

/// The units of a log of another run.
pub struct ForeignUnits {
    provenances: Vec<Provenance>,
    units: HashMap<String, std::collections::BTreeMap<String, Stored>>,
}

impl ForeignUnits {
    /// The result of a unit, if the log has it.
    #[must_use]
    pub fn get(&self, stage: &str, key: &str) -> Option<&serde_json::Value> {
        Some(&self.units.get(stage)?.get(key)?.value)
    }
}

impl Inner {
    fn set_provenance(&mut self, provenance: &Provenance) -> Result<(), UnitLogError> {
        let known = self.content.provenances.iter().position(|known| known == provenance);
        self.by = match known {
            Some(at) => at,
            None => {
                self.writer.append(&Line::Provenance(provenance.clone()).to_text()?)?;
                self.content.provenances.push(provenance.clone());
                self.content.provenances.len() - 1
            }
        };
        Ok(())
    }

    /// The digest of the results before a stage: each stage's digest covers those before it.
    fn after(&self, name: &str) -> Result<String, UnitLogError> {
        let stages = &self.content.stages;
        let count = stages.iter().position(|stage| stage.name == name).unwrap_or(stages.len());
        let before = &stages[..count];
        for stage in before {
            let done = self.content.done(&stage.name);
            if stage.units != Some(done) {
                let (stage, units) = (stage.name.clone(), stage.units.unwrap_or(usize::MAX));
                return Err(UnitLogError::Incomplete { stage, done, units });
            }
        }
        Ok(before.last().map_or_else(String::new, |last| self.content.digest(last)))
    }
}

/// A result as the log will hold it after it is read back.
pub(crate) fn kept<V: Serialize>(value: &V) -> Result<Value, UnitLogError> {
    let wrong = |error: serde_json::Error| UnitLogError::Value(error.to_string());
    let text = serde_json::to_string(value).map_err(wrong)?;
    serde_json::from_str(&text).map_err(wrong)
}

fn from_value<V: DeserializeOwned>(value: Value) -> Result<V, UnitLogError> {
    serde_json::from_value(value).map_err(|error| UnitLogError::Value(error.to_string()))
}

/// The file, with the test hook.
struct Writer {
    file: AppendFile,
    abort: Option<AbortAfter>,
    units: u32,
}

impl Writer {
    fn new(file: AppendFile) -> Writer {
        Writer { file, abort: AbortAfter::from_environment(), units: 0 }
    }

    fn append(&mut self, text: &str) -> Result<(), UnitLogError> {
        Ok(self.file.append(text)?)
    }

    /// The test hook before any unit.
    fn abort_at_start(&self) {
        if self.abort.is_some_and(|abort| !abort.torn && abort.units == 0) {
            std::process::abort();
        }
    }

    /// Several units in one write; one by one where the test hook counts them.
    fn append_units(&mut self, lines: &[String]) -> Result<(), UnitLogError> {
        match self.abort {
            Some(_) => lines.iter().try_for_each(|line| self.append_unit(line)),
            None if lines.is_empty() => Ok(()),
            None => self.append(&lines.concat()),
        }
    }

    fn append_unit(&mut self, text: &str) -> Result<(), UnitLogError> {
        if self.abort.is_some_and(|abort| abort.torn && abort.units == self.units) {
            self.append(&text[..text.floor_char_boundary(text.len() / 2)])?;
            std::process::abort();
        }
        self.append(text)?;
        self.units += 1;
        if self.abort.is_some_and(|abort| !abort.torn && abort.units == self.units) {
            std::process::abort();
        }
        Ok(())
    }
}
