//! Where a network comes from, written beside it.

use super::config::NetworkConfig;
use super::trainer::{LossMeasurement, Trainer};
use serde::Serialize;

/// One file that was learned from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// The SHA-256 of its bytes.
    pub sha256: String,
}

/// Where a network comes from.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Lineage {
    /// The form.
    pub architecture: String,
    /// The SHA-256 of the network's file.
    pub sha256: String,
    /// FV_SCALE to use it with.
    pub fv_scale: i32,
    /// Commit of the program.
    pub commit: Option<String>,
    /// Positions trained on.
    pub positions: u64,
    /// Positions that the losses are measured on.
    pub validation_positions: usize,
    /// What was learned from.
    pub data: Vec<Source>,
    /// Losses along the way.
    pub history: Vec<LossMeasurement>,
    /// The constants.
    pub config: NetworkConfig,
}

impl Lineage {
    /// Of a run whose network was written with this checksum.
    pub fn new(trainer: &Trainer, sha256: String, commit: Option<String>) -> Lineage {
        let mut config = trainer.config.clone();
        // Where the files lay says nothing to others.
        for path in config.data.files.iter_mut().chain(&mut config.init.from) {
            *path = path.file_name().unwrap_or_default().into();
        }
        let sources = trainer.sources.iter().cloned();
        Lineage {
            architecture: trainer.model.architecture.to_string(),
            sha256,
            fv_scale: trainer.model.fv_scale,
            commit,
            positions: trainer.positions(),
            validation_positions: trainer.validation().len(),
            data: sources.map(|(name, sha256)| Source { name, sha256 }).collect(),
            history: trainer.history.clone(),
            config,
        }
    }

    /// As JSON.
    ///
    /// # Errors
    /// If a loss is not a number.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}
