//! Results on disk: what was measured, typed, so that a page can be made of it at any time.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use yomikiri_base::files::write_derived;
use yomikiri_base::packed::{self, UnpackLimits};

use super::claims::Claims;
use super::manifest::Manifest;
use super::run::{Experiment, LabError, fault, file_error};

/// The file of results in the folder of an experiment.
pub const RESULTS_FILE: &str = "results.json.zst";
/// The file that says how they were made.
pub const MANIFEST_FILE: &str = "manifest.json";

/// What an experiment measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results(Value);

impl Results {
    /// Results of any type.
    ///
    /// # Errors
    /// If they cannot be written as JSON.
    pub fn new(results: &impl Serialize) -> Result<Results, LabError> {
        serde_json::to_value(results).map(Results).map_err(|error| fault(RESULTS_FILE, &error))
    }
}

/// Results with their origin: all that a report is made of.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The origin.
    pub manifest: Manifest,
    results: Results,
}

impl Stored {
    pub(super) fn new(manifest: Manifest, results: Results) -> Stored {
        Stored { manifest, results }
    }

    /// The results.
    ///
    /// # Errors
    /// If they are of another form than this build's.
    pub fn results<T: DeserializeOwned>(&self) -> Result<T, LabError> {
        T::deserialize(&self.results.0).map_err(|error| fault(RESULTS_FILE, &error))
    }

    /// The settings of the run.
    ///
    /// # Errors
    /// If they are of another form than this build's.
    pub fn settings<S: DeserializeOwned>(&self) -> Result<S, LabError> {
        S::deserialize(&self.manifest.settings).map_err(|error| fault(MANIFEST_FILE, &error))
    }

    /// The claims of the experiment as this build has them.
    ///
    /// # Errors
    /// If it has none, or they cannot be read.
    pub fn claims(&self, experiment: &dyn Experiment) -> Result<Claims, LabError> {
        Claims::read(experiment.claims().unwrap_or_default())
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.manifest.seed
    }

    /// Whether it was the short form.
    pub fn is_quick(&self) -> bool {
        self.manifest.quick
    }

    /// Reads the results of a folder.
    ///
    /// # Errors
    /// If they are missing or damaged.
    pub fn read(folder: &Path) -> Result<Stored, LabError> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|error| file_error(&path, error))
        };
        let manifest = Manifest::read(&folder.join(MANIFEST_FILE))?;
        let bytes = packed::unpacked(read(RESULTS_FILE)?, UnpackLimits::default())
            .map_err(|error| file_error(&folder.join(RESULTS_FILE), error.into()))?;
        let results =
            serde_json::from_slice(&bytes).map_err(|error| fault(RESULTS_FILE, &error))?;
        Ok(Stored { manifest, results: Results(results) })
    }

    /// Writes the results and their origin into a folder.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&self, folder: &Path) -> Result<(), LabError> {
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            write_derived(&path, bytes).map_err(|error| file_error(&path, error))
        };
        let json = serde_json::to_vec(&self.results.0).map_err(|error| fault("results", &error))?;
        let packed = zstd::encode_all(&json[..], 19).map_err(|error| fault("results", &error))?;
        write(RESULTS_FILE, &packed)?;
        let text = serde_json::to_string_pretty(&self.manifest)
            .map_err(|error| fault(MANIFEST_FILE, &error))?;
        write(MANIFEST_FILE, (text + "\n").as_bytes())
    }
}
