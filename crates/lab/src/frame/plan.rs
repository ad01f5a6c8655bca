//! A run of an experiment as it is written to a file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use yomikiri_base::packed::UnpackLimits;
use yomikiri_base::{Shard, Stages, StopToken};
use yomikiri_text::Language;

use super::manifest::Manifest;
use super::page::{Summary, duration};
use super::run::{LabError, RunOptions, fault, run_in};
use crate::papers::find;

/// Which experiment, and how: all that decides its results but the data.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabPlan {
    /// Its name.
    pub experiment: String,
    /// The short form.
    #[serde(default)]
    pub quick: bool,
    /// Random seed.
    #[serde(default = "one")]
    pub seed: u64,
    /// Settings that differ from the standard ones.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub settings: toml::Table,
    /// A file of games to measure beside those that the program carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<PathBuf>,
    /// A file of problems to ask instead of those that the program carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problems: Option<PathBuf>,
}

/// A table without the keys that have no value, which TOML cannot write.
fn without_nothing(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let there = fields.iter().filter(|(_, value)| !value.is_null());
            Value::Object(there.map(|(key, v)| (key.clone(), without_nothing(v))).collect())
        }
        other => other.clone(),
    }
}

fn one() -> u64 {
    1
}

impl LabPlan {
    /// The folder of its results below that of the run, by today's name of the experiment.
    pub fn folder(&self, out: &Path) -> PathBuf {
        let name = find(&self.experiment).map(|known| known.name());
        out.join(name.unwrap_or(&self.experiment))
    }

    /// The files that it reads beside those that the program carries.
    pub fn files(&self) -> Vec<PathBuf> {
        self.games.iter().chain(&self.problems).cloned().collect()
    }

    /// The run that a manifest describes, with the same settings and the same seed.
    ///
    /// # Errors
    /// If its settings cannot be written as a table.
    pub fn of_manifest(manifest: &Manifest) -> Result<LabPlan, LabError> {
        let settings = without_nothing(&manifest.settings);
        let settings =
            toml::Table::try_from(settings).map_err(|error| fault("settings", &error))?;
        Ok(LabPlan {
            experiment: manifest.experiment.clone(),
            quick: manifest.quick,
            seed: manifest.seed,
            settings,
            games: manifest.games.clone(),
            problems: manifest.problems.clone(),
        })
    }

    /// The options of a run of it in a folder, on one thread.
    pub fn options(&self, out: &Path) -> RunOptions {
        RunOptions {
            quick: self.quick,
            out: out.to_path_buf(),
            seed: self.seed,
            threads: 1,
            config: None,
            settings: Some(self.settings.clone()),
            games: self.games.clone(),
            problems: self.problems.clone(),
            input: UnpackLimits::default(),
            carry: None,
            shard: Shard::WHOLE,
            from: None,
            measures: true,
            command: self.command(),
            stop: StopToken::new(),
        }
    }

    /// The command that makes it again.
    pub fn command(&self) -> String {
        let mut command = format!("yomikiri lab run {}", self.experiment);
        if self.quick {
            command += " --quick";
        }
        if self.seed != 1 {
            command += &format!(" --seed {}", self.seed);
        }
        if let Some(games) = &self.games {
            command += &format!(" --games {}", games.display());
        }
        if let Some(problems) = &self.problems {
            command += &format!(" --problems {}", problems.display());
        }
        if !self.settings.is_empty() {
            command += " --config FILE (the settings are below)";
        }
        command
    }

    /// Runs it; `stages` sees to the units.
    ///
    /// # Errors
    /// See [`LabError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        out: &Path,
        input: UnpackLimits,
    ) -> Result<Summary, LabError> {
        let unknown = || LabError::Unknown(self.experiment.clone());
        let experiment = find(&self.experiment).ok_or_else(unknown)?;
        run_in(experiment, &RunOptions { input, ..self.options(out) }, stages)
    }
}

impl Summary {
    /// The title and the findings, a line each.
    pub fn to_text(&self, language: Language) -> String {
        let mut text = format!("{}\n", self.title_in(language));
        for finding in &self.findings {
            let (claim, words) = (finding.claim_in(language), finding.words_in(language));
            let verdict = finding.verdict.word();
            text += &match language {
                Language::En => format!("  {claim}: {}. {words}\n", verdict.en),
                Language::Ja => format!("  {claim}：{}。{words}\n", verdict.of(language)),
            };
        }
        let work = duration(self.manifest.work_seconds);
        text + &match language {
            Language::En => format!("  {work} of work\n"),
            Language::Ja => format!("  計算時間 {work}\n"),
        }
    }
}
