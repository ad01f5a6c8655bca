//! A stage of an open log.

use std::borrow::Cow;
use std::collections::HashSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::format::{Line, Stored, UnitLine};
use super::{ForeignUnits, Provenance, Shard, Unit, UnitLog, UnitLogError, from_value, kept};

/// A result to be appended.
#[derive(Clone, PartialEq, Debug)]
pub struct UnitPut {
    /// The index of the unit.
    pub at: usize,
    /// Its result.
    pub value: Value,
    /// The seconds that it took.
    pub seconds: f64,
}

/// A stage of an open log.
pub struct Stage<'a> {
    pub(super) log: &'a UnitLog,
    pub(super) name: String,
    pub(super) keys: Keys,
}

/// The names of the units of a stage.
pub(super) enum Keys {
    List(Vec<String>),
    Numbers(usize),
}

impl Keys {
    pub(super) fn len(&self) -> usize {
        match self {
            Keys::List(keys) => keys.len(),
            Keys::Numbers(count) => *count,
        }
    }

    fn get(&self, at: usize) -> Option<String> {
        match self {
            Keys::List(keys) => keys.get(at).cloned(),
            Keys::Numbers(count) => (at < *count).then(|| at.to_string()),
        }
    }
}

impl Stage<'_> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many units it has.
    pub fn units(&self) -> usize {
        self.keys.len()
    }

    /// The result of a unit, if it is finished.
    ///
    /// # Errors
    /// If the log holds something else than such a result.
    pub fn get<V: DeserializeOwned>(&self, at: usize) -> Result<Option<Unit<V>>, UnitLogError> {
        let Some(key) = self.keys.get(at) else { return Ok(None) };
        let inner = self.log.lock();
        let Some(unit) = inner.content.unit(&self.name, &key) else { return Ok(None) };
        let (value, seconds, by) = (unit.value.clone(), unit.seconds, unit.by);
        drop(inner);
        Ok(Some(Unit { value: from_value(value)?, seconds, by }))
    }

    /// Whether a unit is finished.
    pub fn is_finished(&self, at: usize) -> bool {
        let Some(key) = self.keys.get(at) else { return false };
        self.log.lock().content.unit(&self.name, &key).is_some()
    }

    /// The indices of the units of a shard that are not finished.
    pub fn missing(&self, shard: Shard) -> Vec<usize> {
        self.missing_in(shard, 1)
    }

    /// The same where `group` units in a row always belong to one shard.
    pub fn missing_in(&self, shard: Shard, group: usize) -> Vec<usize> {
        let inner = self.log.lock();
        let is_done = |key: String| inner.content.unit(&self.name, &key).is_some();
        let open = |at: &usize| !self.keys.get(*at).is_some_and(is_done);
        let mine = |at: &usize| shard.contains(at / group.max(1));
        (0..self.keys.len()).filter(mine).filter(open).collect()
    }

    /// Appends the results of several units in one write. Units that are finished already are
    /// passed over: the first result counts. Returns the indices that were appended.
    ///
    /// # Errors
    /// If an index is none of the stage, or they cannot be written.
    pub fn put_all(
        &self,
        units: Vec<UnitPut>,
        by: &Provenance,
    ) -> Result<Vec<usize>, UnitLogError> {
        let mut inner = self.log.lock();
        let own = inner.by;
        inner.set_provenance(by)?;
        let by = std::mem::replace(&mut inner.by, own);
        let (mut text, mut fresh, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for UnitPut { at, value, seconds } in units {
            let Some(key) = self.keys.get(at) else { return Err(self.no_unit(at)) };
            if !seen.insert(at) || inner.content.unit(&self.name, &key).is_some() {
                continue;
            }
            // A value is read back as it is: it need not be written and parsed to be kept.
            let line = UnitLine { stage: self.name.clone(), key, at, by, seconds, value };
            text.push(Line::Unit(Cow::Borrowed(&line)).to_text()?);
            fresh.push(line);
        }
        inner.writer.append_units(&text)?;
        let mut appended = Vec::with_capacity(fresh.len());
        for UnitLine { key, at, by, seconds, value, .. } in fresh {
            inner.content.insert(&self.name, key, Stored { at, by, seconds, value });
            appended.push(at);
        }
        Ok(appended)
    }

    fn no_unit(&self, at: usize) -> UnitLogError {
        UnitLogError::Value(format!("stage `{}` has no unit {at}", self.name))
    }

    /// Appends the result of a unit. Returns it as it will be read back, so that a run that is
    /// resumed and one that is not work with the same values.
    ///
    /// # Errors
    /// If it cannot be written, or the unit is finished already.
    pub fn put<V: Serialize + DeserializeOwned>(
        &self,
        at: usize,
        value: &V,
        seconds: f64,
    ) -> Result<Unit<V>, UnitLogError> {
        let by = self.log.lock().by;
        self.append(at, kept(value)?, seconds, by)
    }

    fn append<V: DeserializeOwned>(
        &self,
        at: usize,
        value: Value,
        seconds: f64,
        by: usize,
    ) -> Result<Unit<V>, UnitLogError> {
        let Some(key) = self.keys.get(at) else {
            return Err(self.no_unit(at));
        };
        let read_back = from_value(value.clone())?;
        let line = UnitLine { stage: self.name.clone(), key, at, by, seconds, value };
        let text = Line::Unit(Cow::Borrowed(&line)).to_text()?;
        let UnitLine { stage, key, value, .. } = line;
        let mut inner = self.log.lock();
        if inner.content.unit(&stage, &key).is_some() {
            return Err(UnitLogError::DuplicateKey { stage, key });
        }
        inner.writer.append_unit(&text)?;
        inner.content.insert(&stage, key, Stored { at, by, seconds, value });
        Ok(Unit { value: read_back, seconds, by })
    }

    /// Takes over the units that another log has and this one does not. Returns how many.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn take_over(&self, other: &ForeignUnits) -> Result<usize, UnitLogError> {
        let Some(units) = other.units.get(&self.name) else { return Ok(0) };
        let mut taken = 0;
        for at in self.missing(Shard::WHOLE) {
            let Some(unit) = self.keys.get(at).and_then(|key| units.get(&key)) else { continue };
            let mut inner = self.log.lock();
            let own = inner.by;
            if let Some(provenance) = other.provenances.get(unit.by) {
                inner.set_provenance(provenance)?;
            }
            let by = std::mem::replace(&mut inner.by, own);
            drop(inner);
            self.append::<Value>(at, unit.value.clone(), unit.seconds, by)?;
            taken += 1;
        }
        Ok(taken)
    }
}
