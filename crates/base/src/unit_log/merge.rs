//! Joining the logs of shards.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::format::{self, Content, Header, Line, Stored, UnitLine};
use super::{UnitLog, UnitLogError, read_content};
use crate::files::write_atomic;

/// Joins the logs of the shards of a run into one, which is as if one process had done it all: the
/// stages one after another, the units of each in their order. The logs themselves stay as they
/// are.
///
/// # Errors
/// If one cannot be read, they are of different runs, a unit is missing or has two results, or the
/// new log exists or cannot be written.
pub fn merge(out: &Path, parts: &[PathBuf]) -> Result<(), UnitLogError> {
    let exists = std::io::Error::from(std::io::ErrorKind::AlreadyExists);
    if out.exists() {
        return Err(UnitLogError::Io { path: out.to_path_buf(), error: exists });
    }
    let mut whole: Option<Content> = None;
    for path in parts {
        let part = read_content(path)?;
        match &mut whole {
            None => whole = Some(part),
            Some(whole) => join(whole, part, path)?,
        }
    }
    let Some(whole) = whole else {
        let error =
            std::io::Error::new(std::io::ErrorKind::InvalidInput, "there is no log to merge");
        return Err(UnitLogError::Io { path: out.to_path_buf(), error });
    };
    ensure_complete(&whole)?;
    let text = to_text(&whole)?;
    write_atomic(out, text.as_bytes())
        .map_err(|error| UnitLogError::Io { path: out.to_path_buf(), error })
}

impl UnitLog {
    /// Takes over the stages and units that another log of the same run has and this one does not,
    /// as that of merged shards: the stages after them can begin then.
    ///
    /// # Errors
    /// If the other is of another run, has another result for a unit, or something cannot be read
    /// or written.
    pub fn adopt(&self, path: &Path) -> Result<(), UnitLogError> {
        let theirs = read_content(path)?;
        let mut inner = self.lock();
        if let Some(difference) = inner.content.identity.difference(&theirs.identity) {
            return Err(UnitLogError::OtherRun { path: path.to_path_buf(), difference });
        }
        let own = inner.by;
        let mut by = Vec::with_capacity(theirs.provenances.len());
        for provenance in &theirs.provenances {
            inner.set_provenance(provenance)?;
            by.push(std::mem::replace(&mut inner.by, own));
        }
        for stage in &theirs.stages {
            match inner.content.stage(&stage.name) {
                Some(known) if known == stage => {}
                Some(_) => return Err(UnitLogError::OtherStage(stage.name.clone())),
                None => {
                    inner.writer.append(&Line::Stage(stage.clone()).to_text()?)?;
                    inner.content.stages.push(stage.clone());
                }
            }
            for (key, unit) in theirs.in_order(&stage.name) {
                let known = inner.content.unit(&stage.name, key);
                if let Some(known) = known {
                    if known.at != unit.at || known.value != unit.value {
                        let (stage, key) = (stage.name.clone(), key.to_string());
                        let path = path.to_path_buf();
                        return Err(UnitLogError::Conflict { stage, key, path });
                    }
                    continue;
                }
                let Stored { at, by, seconds, value } = Stored { by: by[unit.by], ..unit.clone() };
                let (name, key) = (stage.name.clone(), key.to_string());
                let line = UnitLine { stage: name, key, at, by, seconds, value };
                inner.writer.append(&Line::Unit(Cow::Borrowed(&line)).to_text()?)?;
                let UnitLine { key, value, .. } = line;
                inner.content.insert(&stage.name, key, Stored { at, by, seconds, value });
            }
        }
        Ok(())
    }
}

/// Takes one part into the whole.
fn join(whole: &mut Content, part: Content, path: &Path) -> Result<(), UnitLogError> {
    if let Some(difference) = whole.identity.difference(&part.identity) {
        return Err(UnitLogError::OtherRun { path: path.to_path_buf(), difference });
    }
    for stage in &part.stages {
        match whole.stage(&stage.name) {
            Some(known) if known == stage => {}
            Some(_) => return Err(UnitLogError::OtherStage(stage.name.clone())),
            None => whole.stages.push(stage.clone()),
        }
    }
    let mut by = Vec::new();
    for provenance in part.provenances {
        let known = whole.provenances.iter().position(|known| *known == provenance);
        by.push(known.unwrap_or(whole.provenances.len()));
        if known.is_none() {
            whole.provenances.push(provenance);
        }
    }
    for (stage, units) in part.units {
        for (key, unit) in units {
            match whole.unit(&stage, &key) {
                Some(known) if known.at == unit.at && known.value == unit.value => {}
                Some(_) => {
                    return Err(UnitLogError::Conflict { stage, key, path: path.to_path_buf() });
                }
                None => whole.insert(&stage, key, Stored { by: by[unit.by], ..unit }),
            }
        }
    }
    Ok(())
}

/// Refuses a stage with a hole, or whose units are not those that it declared.
fn ensure_complete(whole: &Content) -> Result<(), UnitLogError> {
    for stage in &whole.stages {
        let units = whole.in_order(&stage.name);
        let last = units.last().map_or(0, |(_, unit)| unit.at + 1);
        let count = stage.units.unwrap_or(last);
        let hole = (0..count).find(|&at| units.get(at).is_none_or(|(_, unit)| unit.at != at));
        if let Some(at) = hole {
            return Err(UnitLogError::Hole { stage: stage.name.clone(), at });
        }
        let keys = || format::digest_keys(units.iter().map(|(key, _)| *key));
        if stage.units.is_some() && keys() != stage.keys {
            return Err(UnitLogError::OtherStage(stage.name.clone()));
        }
    }
    Ok(())
}

fn to_text(whole: &Content) -> Result<String, UnitLogError> {
    let header = Header {
        version: format::VERSION,
        identity: whole.identity.clone(),
        provenance: whole.provenances[0].clone(),
    };
    let mut text = Line::Header(header).to_text()?;
    for provenance in &whole.provenances[1..] {
        text += &Line::Provenance(provenance.clone()).to_text()?;
    }
    for stage in &whole.stages {
        text += &Line::Stage(stage.clone()).to_text()?;
        for (key, unit) in whole.in_order(&stage.name) {
            let Stored { at, by, seconds, value } = unit.clone();
            let (stage, key) = (stage.name.clone(), key.to_string());
            let line = UnitLine { stage, key, at, by, seconds, value };
            text += &Line::Unit(Cow::Owned(line)).to_text()?;
        }
    }
    Ok(text)
}
