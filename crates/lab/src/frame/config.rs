//! Settings from config files: an unknown key is an error.

use std::collections::BTreeMap;
use std::path::Path;

use super::run::{ExperimentSettings, LabError, file_error};

/// The table of an experiment in a config file.
///
/// # Errors
/// If the file cannot be read, or has a table that is named after no experiment.
pub fn config_table(path: &Path, experiment: &str) -> Result<toml::Table, LabError> {
    let fault = |fault: String| LabError::Config { path: path.display().to_string(), fault };
    let text = std::fs::read_to_string(path).map_err(|error| file_error(path, error))?;
    let mut file: BTreeMap<String, toml::Table> =
        toml::from_str(&text).map_err(|error| fault(error.to_string()))?;
    if let Some(name) = file.keys().find(|name| crate::papers::find(name).is_none()) {
        return Err(fault(format!("unknown table `[{name}]`; tables are named after experiments")));
    }
    let known = |name: &str| crate::papers::find(name).map(|known| known.name());
    let key = file.keys().find(|name| known(name) == Some(experiment)).cloned();
    Ok(key.and_then(|key| file.remove(&key)).unwrap_or_default())
}

/// Lays a table over the standard settings.
pub(super) fn overlay<S: ExperimentSettings>(
    source: &str,
    experiment: &str,
    changes: &toml::Table,
    standard: &S,
) -> Result<S, LabError> {
    let fault = |fault: String| LabError::Config { path: source.to_string(), fault };
    let mut table = toml::Table::try_from(standard).map_err(|error| fault(error.to_string()))?;
    for (key, value) in changes {
        if !table.contains_key(key) {
            let known: Vec<&str> = table.keys().map(String::as_str).collect();
            let known = known.join(", ");
            return Err(fault(format!("[{experiment}] unknown field `{key}`; there are {known}")));
        }
        table.insert(key.clone(), value.clone());
    }
    table.try_into().map_err(|error: toml::de::Error| {
        fault(format!("[{experiment}] {}", error.to_string().trim()))
    })
}
