//! The lines of a log, and reading them back.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Identity, LogFault, Provenance, UnitLogError};
use crate::checksum::Hasher;

/// The version of the format; a log of another is refused.
pub(super) const VERSION: u32 = 1;

/// A line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Line<'a> {
    /// The first line.
    Header(Header),
    /// A stage begins.
    Stage(StageLine),
    /// Who does the units from here on, where it is not who did those before.
    Provenance(Provenance),
    /// A finished unit.
    Unit(Cow<'a, UnitLine>),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub version: u32,
    pub identity: Identity,
    pub provenance: Provenance,
}

/// The units of a stage: how many (where that is settled), a digest of their keys, and one of the
/// results before it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct StageLine {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<usize>,
    pub keys: String,
    pub after: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct UnitLine {
    pub stage: String,
    pub key: String,
    pub at: usize,
    pub by: usize,
    pub seconds: f64,
    pub value: Value,
}

impl Line<'_> {
    /// The line as it stands in the file.
    pub(super) fn to_text(&self) -> Result<String, UnitLogError> {
        let text = serde_json::to_string(self);
        text.map(|text| text + "\n").map_err(|error| UnitLogError::Value(error.to_string()))
    }
}

/// A finished unit as the log holds it.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub at: usize,
    pub by: usize,
    pub seconds: f64,
    pub value: Value,
}

/// All that a log says.
#[derive(Debug)]
pub(super) struct Content {
    pub identity: Identity,
    pub provenances: Vec<Provenance>,
    pub stages: Vec<StageLine>,
    pub units: HashMap<String, BTreeMap<String, Stored>>,
}

impl Content {
    pub(super) fn new(identity: Identity, provenance: Provenance) -> Content {
        let provenances = vec![provenance];
        Content { identity, provenances, stages: Vec::new(), units: HashMap::new() }
    }

    pub(super) fn stage(&self, name: &str) -> Option<&StageLine> {
        self.stages.iter().find(|stage| stage.name == name)
    }

    pub(super) fn unit(&self, stage: &str, key: &str) -> Option<&Stored> {
        self.units.get(stage)?.get(key)
    }

    /// How many units of a stage are finished.
    pub(super) fn done(&self, stage: &str) -> usize {
        self.units.get(stage).map_or(0, BTreeMap::len)
    }

    /// The units of a stage in the order of their index.
    pub(super) fn in_order(&self, stage: &str) -> Vec<(&str, &Stored)> {
        let units = self.units.get(stage).into_iter().flatten();
        let mut units: Vec<_> = units.map(|(key, unit)| (key.as_str(), unit)).collect();
        units.sort_by_key(|(_, unit)| unit.at);
        units
    }

    pub(super) fn insert(&mut self, stage: &str, key: String, unit: Stored) {
        match self.units.get_mut(stage) {
            Some(units) => units.insert(key, unit),
            None => self.units.entry(stage.to_string()).or_default().insert(key, unit),
        };
    }

    /// A digest of the results of a stage; the order of work and its time do not matter.
    pub(super) fn digest(&self, stage: &StageLine) -> String {
        let mut hasher = Hasher::default();
        for field in [&stage.name, &stage.keys, &stage.after] {
            hasher.field(field.as_bytes());
        }
        for (_, unit) in self.in_order(&stage.name) {
            hasher.field(unit.value.to_string().as_bytes());
        }
        hasher.finish()
    }
}

/// A digest of a list of keys.
pub(super) fn digest_keys<'a>(keys: impl Iterator<Item = &'a str>) -> String {
    let mut hasher = Hasher::default();
    keys.for_each(|key| hasher.field(key.as_bytes()));
    hasher.finish()
}

/// What a file holds, and how many of its bytes are whole lines. `None` where not even the first
/// line is whole.
///
/// # Errors
/// If it is no log, or damaged before its last line.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Option<(Content, u64)>, UnitLogError> {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    let mut content: Option<Content> = None;
    let mut whole = 0;
    for (index, &text) in lines.iter().enumerate() {
        let damaged = |reason: LogFault| UnitLogError::Damaged {
            path: path.to_path_buf(),
            line: index + 1,
            reason,
        };
        let parsed = match serde_json::from_slice::<Line<'_>>(text) {
            _ if !text.ends_with(b"\n") => break,
            // Nothing of ours ends a torn line, but a file system may fill it up.
            Err(_) if index + 1 == lines.len() && index > 0 => break,
            Err(_) if index == 0 => return Err(UnitLogError::NoLog(path.to_path_buf())),
            Err(error) => return Err(damaged(error.into())),
            Ok(line) => line,
        };
        match (&mut content, parsed) {
            (None, Line::Header(header)) if header.version == VERSION => {
                content = Some(Content::new(header.identity, header.provenance));
            }
            (None, _) => return Err(UnitLogError::NoLog(path.to_path_buf())),
            (Some(content), line) => take(content, line).map_err(damaged)?,
        }
        whole += text.len() as u64;
    }
    Ok(content.map(|content| (content, whole)))
}

/// Takes in a line after the first.
fn take(content: &mut Content, line: Line<'_>) -> Result<(), LogFault> {
    match line {
        Line::Header(_) => return Err(LogFault::SecondHeader),
        Line::Provenance(provenance) => content.provenances.push(provenance),
        Line::Stage(stage) => match content.stage(&stage.name) {
            Some(_) => return Err(LogFault::SecondBeginning(stage.name)),
            None => content.stages.push(stage),
        },
        Line::Unit(line) => {
            let UnitLine { stage, key, at, by, seconds, value } = line.into_owned();
            let Some(declared) = content.stage(&stage) else {
                return Err(LogFault::NoStage(stage));
            };
            if declared.units.is_some_and(|units| at >= units) || by >= content.provenances.len() {
                return Err(LogFault::Number { key, stage });
            }
            if content.unit(&stage, &key).is_some() {
                return Err(LogFault::Twice { key, stage });
            }
            content.insert(&stage, key, Stored { at, by, seconds, value });
        }
    }
    Ok(())
}
