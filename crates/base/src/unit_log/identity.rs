//! What makes a run the one it is, and who did it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checksum::sha256_hex;

/// Everything that decides the results of a run. Two logs with one identity can be resumed from
/// each other and merged, whatever machine and build they come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// What kind of run it is: `match`, `solve`, `lab probcut`.
    pub kind: String,
    /// Raised whenever the kind's units change their meaning.
    pub revision: u32,
    /// All settings that decide the results.
    pub settings: Value,
    /// Checksums of the data and weights that are read, by name.
    #[serde(default)]
    pub data: BTreeMap<String, String>,
    /// Seed of every random choice.
    #[serde(default)]
    pub seed: u64,
    /// Behaviour signatures of the parts that are used, by name. A run with time limits puts the
    /// host here too: its results depend on it.
    #[serde(default)]
    pub parts: BTreeMap<String, String>,
}

impl Identity {
    /// An identity with settings alone.
    #[must_use]
    pub fn new(kind: &str, revision: u32, settings: Value) -> Identity {
        Identity {
            kind: kind.to_string(),
            revision,
            settings,
            data: BTreeMap::new(),
            seed: 0,
            parts: BTreeMap::new(),
        }
    }

    /// A checksum of the whole identity.
    #[must_use]
    pub fn digest(&self) -> String {
        sha256_hex(self.as_value().to_string().as_bytes())
    }

    /// The first field in which another identity differs.
    #[must_use]
    pub fn difference(&self, other: &Identity) -> Option<IdentityDifference> {
        difference("", &self.as_value(), &other.as_value())
    }

    /// Built by hand, since serialising to a value could fail for some type and this cannot.
    fn as_value(&self) -> Value {
        serde_json::json!({
            "kind": self.kind,
            "revision": self.revision,
            "settings": self.settings,
            "data": self.data,
            "seed": self.seed,
            "parts": self.parts,
        })
    }
}

/// A field in which two identities differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IdentityDifference {
    /// The field, as in `settings.lmr.divisor`.
    pub field: String,
    /// Its value in the one, as JSON.
    pub ours: String,
    /// Its value in the other, as JSON.
    pub theirs: String,
}

fn difference(field: &str, ours: &Value, theirs: &Value) -> Option<IdentityDifference> {
    if ours == theirs {
        return None;
    }
    if let (Value::Object(one), Value::Object(other)) = (ours, theirs) {
        let names = one.keys().chain(other.keys().filter(|name| !one.contains_key(*name)));
        return names.into_iter().find_map(|name| {
            let path = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
            let value = |map: &serde_json::Map<String, Value>| map.get(name).cloned();
            match (value(one), value(other)) {
                (Some(ours), Some(theirs)) => difference(&path, &ours, &theirs),
                (ours, theirs) => Some(IdentityDifference {
                    field: path,
                    ours: shown(ours.as_ref()),
                    theirs: shown(theirs.as_ref()),
                }),
            }
        });
    }
    if let (Value::Array(one), Value::Array(other)) = (ours, theirs) {
        let at = (0..).find(|&at| one.get(at) != other.get(at))?;
        let path = format!("{field}[{at}]");
        return match (one.get(at), other.get(at)) {
            (Some(ours), Some(theirs)) => difference(&path, ours, theirs),
            (ours, theirs) => {
                Some(IdentityDifference { field: path, ours: shown(ours), theirs: shown(theirs) })
            }
        };
    }
    let (ours, theirs) = (shown(Some(ours)), shown(Some(theirs)));
    Some(IdentityDifference { field: field.to_string(), ours, theirs })
}

/// A value short enough for a message.
fn shown(value: Option<&Value>) -> String {
    const LONGEST: usize = 80;
    let text = value.map_or_else(|| "nothing".to_string(), Value::to_string);
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Who did a part of the work. Not part of the identity: a result must not depend on it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// Checksum of the program.
    #[serde(default)]
    pub program: String,
    /// The version or commit that it was built from.
    #[serde(default)]
    pub version: String,
    /// The machine.
    #[serde(default)]
    pub host: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_field_that_differs_is_named() {
        let one = Identity::new("match", 1, json!({"nodes": 5, "lmr": {"divisor": 2, "base": 1}}));
        assert_eq!(one.difference(&one.clone()), None);
        let changed = |change: &dyn Fn(&mut Identity)| {
            let mut other = one.clone();
            change(&mut other);
            assert_ne!(one.digest(), other.digest());
            let difference = one.difference(&other).expect("they differ");
            (difference.field, difference.ours, difference.theirs)
        };
        let own = |field: &str, ours: &str, theirs: &str| {
            (field.to_string(), ours.to_string(), theirs.to_string())
        };
        assert_eq!(changed(&|id| id.seed = 3), own("seed", "0", "3"));
        assert_eq!(changed(&|id| id.kind = "rate".into()), own("kind", "\"match\"", "\"rate\""));
        let divisor = changed(&|id| id.settings["lmr"]["divisor"] = json!(3));
        assert_eq!(divisor, own("settings.lmr.divisor", "2", "3"));
        let more = changed(&|id| id.settings["lmr"]["more"] = json!(true));
        assert_eq!(more, own("settings.lmr.more", "nothing", "true"));
        let list = changed(&|id| id.settings["nodes"] = json!([1]));
        assert_eq!(list, own("settings.nodes", "5", "[1]"));
        let data = changed(&|id| drop(id.data.insert("games".into(), "ab".into())));
        assert_eq!(data, own("data.games", "nothing", "\"ab\""));
        let lines = |lines: &[&str]| Identity::new("match", 1, json!(lines));
        let other = lines(&["a", "c", "d"]).difference(&lines(&["a", "b"])).expect("they differ");
        assert_eq!((other.field.as_str(), other.theirs.as_str()), ("settings[1]", "\"b\""));
        let longer = lines(&["a"]).difference(&lines(&["a", "b"])).expect("they differ");
        assert_eq!((longer.field.as_str(), longer.ours.as_str()), ("settings[1]", "nothing"));
        let long = changed(&|id| id.settings["nodes"] = json!("x".repeat(500)));
        assert!(long.2.chars().count() == 81 && long.2.ends_with('…'));
    }
}
