//! The frame of a run: settings, data, units of work with checkpoints, results.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::files::write_derived;
use yomikiri_base::packed::{self, UnpackLimits};
use yomikiri_base::stages::{
    StageError, StageProgress, StageUnits, UnitFailure, UnitKeys, Unwatched, all_units, unit_value,
};
use yomikiri_base::unit_log::Unit;
use yomikiri_base::{Identity, LocalStages, Shard, Stages, StopToken, UnitLogError};

pub use super::config::config_table;
use super::config::overlay;
use super::manifest::{self, ClaimsDigest, Manifest};
use super::page::{Page, Summary};
use super::stored::{Results, Stored};
use super::summary::write_index;
use crate::data;

/// Why a run stopped.
#[derive(Debug, Error)]
pub enum LabError {
    /// A file.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: String,
        /// What happened.
        error: io::Error,
    },
    /// A config file.
    #[error("{path}: {fault}")]
    Config {
        /// Which.
        path: String,
        /// What is wrong.
        fault: String,
    },
    /// Input data.
    #[error("data `{name}`: {fault}")]
    Data {
        /// Which.
        name: String,
        /// What is wrong.
        fault: String,
    },
    /// The user stopped it.
    #[error(
        "stopped after {done} of {total} units of `{stage}`; the same command goes on from there"
    )]
    Interrupted {
        /// The stage.
        stage: String,
        /// Units finished.
        done: usize,
        /// Units in all.
        total: usize,
    },
    /// A figure could not be drawn.
    #[error("figure `{name}`: {fault}")]
    Figure {
        /// Which.
        name: String,
        /// What is wrong.
        fault: String,
    },
    /// The log of finished units.
    #[error(transparent)]
    Log(#[from] UnitLogError),
    /// A unit failed.
    #[error(transparent)]
    Unit(UnitFailure),
    /// No more units are requested: the end of a worker.
    #[error("the run was ended from outside")]
    Ended,
    /// No such experiment.
    #[error("there is no experiment `{0}`; `yomikiri lab list` names them")]
    Unknown(String),
}

impl From<StageError> for LabError {
    fn from(error: StageError) -> LabError {
        match error {
            StageError::Log(error) => LabError::Log(error),
            StageError::Unit(failure) => LabError::Unit(failure),
            StageError::Incomplete { stage, done, total } => {
                LabError::Interrupted { stage, done, total }
            }
            StageError::Ended => LabError::Ended,
            StageError::Thread(error) => LabError::File { path: "a thread".into(), error },
        }
    }
}

/// A fault of input data.
pub(crate) fn fault(name: &str, error: &dyn std::fmt::Display) -> LabError {
    LabError::Data { name: name.to_string(), fault: error.to_string() }
}

/// An experiment. One file or folder each, under [`crate::papers`]. It measures, and what it
/// measured goes to disk; the page is made of that and of nothing else.
pub trait Experiment: Sync {
    /// The name on the command line, and of the folder of results.
    fn name(&self) -> &'static str;
    /// Names that it had before.
    fn old_names(&self) -> &'static [&'static str] {
        &[]
    }
    /// The number of the paper, if it is one of the five.
    fn paper(&self) -> Option<u8> {
        None
    }
    /// The title of the page.
    fn title(&self) -> &'static str;
    /// Its question, in a sentence or two.
    fn question(&self) -> &'static str;
    /// The parts of the program whose behaviour decides its results, by the names of
    /// `bench/signature.txt`: a change of another part does not void a run.
    fn parts(&self) -> &'static [&'static str] {
        &["search", "perft", "tsume"]
    }
    /// Title and question in Japanese.
    fn japanese(&self) -> [&'static str; 2] {
        ["", ""]
    }
    /// The file of claims, if there are any.
    fn claims(&self) -> Option<&'static str> {
        None
    }
    /// Measures.
    ///
    /// # Errors
    /// See [`LabError`].
    fn measure(&self, run: &mut Run<'_>) -> Result<Results, LabError>;
    /// The page, from nothing but the results.
    ///
    /// # Errors
    /// If they are of another form.
    fn report(&self, stored: &Stored) -> Result<Page, LabError>;
}

/// Defaults of an experiment's settings; the type must refuse unknown keys
/// (`#[serde(deny_unknown_fields)]`).
pub trait ExperimentSettings: Serialize + DeserializeOwned {
    /// The full run, or the short one for continuous integration.
    fn standard(quick: bool) -> Self;
}

/// The user's options.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The short form.
    pub quick: bool,
    /// Where results go; each experiment has a folder in it.
    pub out: PathBuf,
    /// Seed of every random choice.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// A TOML file with one table per experiment.
    pub config: Option<PathBuf>,
    /// Settings that differ from the standard ones, instead of a config file.
    pub settings: Option<toml::Table>,
    /// A file of games to measure beside those that the project carries.
    pub games: Option<PathBuf>,
    /// A file of problems to ask instead of those that the project carries.
    pub problems: Option<PathBuf>,
    /// Bounds of packed input.
    pub input: UnpackLimits,
    /// The log of another run whose finished units are taken over.
    pub carry: Option<PathBuf>,
    /// Which part of each stage to do.
    pub shard: Shard,
    /// A folder of results of the same run, such as that of merged shards, whose units are taken
    /// over.
    pub from: Option<PathBuf>,
    /// Whether to measure what is missing; without it pages are made from what is stored.
    pub measures: bool,
    /// The command line, for the manifest.
    pub command: String,
    /// Raised to stop the run after the units in work.
    pub stop: StopToken,
}

/// A run of one experiment.
pub struct Run<'a> {
    options: &'a RunOptions,
    stages: &'a mut dyn Stages,
    begun: bool,
    directory: PathBuf,
    manifest: Manifest,
    claims: Option<&'static str>,
}

impl<'a> Run<'a> {
    fn new(
        experiment: &dyn Experiment,
        options: &'a RunOptions,
        stages: &'a mut dyn Stages,
    ) -> Result<Run<'a>, LabError> {
        let name = experiment.name();
        let directory = options.out.join(name);
        if stages.writes() {
            std::fs::create_dir_all(&directory).map_err(|error| file_error(&directory, error))?;
        }
        let manifest = Manifest {
            experiment: name.to_string(),
            command: options.command.clone(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            commit: manifest::commit().to_string(),
            seed: options.seed,
            quick: options.quick,
            settings: serde_json::Value::Null,
            data: BTreeMap::new(),
            parts: manifest::signatures(experiment.parts()),
            cpu: manifest::cpu(),
            threads: options.threads,
            started: manifest::now(),
            work_seconds: 0.0,
            claims: None,
            games: options.games.clone(),
            problems: options.problems.clone(),
            reported_by: None,
            measured_by: BTreeMap::new(),
        };
        let claims = experiment.claims();
        Ok(Run { options, stages, begun: false, directory, manifest, claims })
    }

    /// The settings: the standard ones, with what the config file changes.
    ///
    /// # Errors
    /// If the config file cannot be read or has a key that the experiment does not know.
    pub fn settings<S: ExperimentSettings>(&mut self) -> Result<S, LabError> {
        let standard = S::standard(self.options.quick);
        let experiment = &self.manifest.experiment;
        let settings = match (&self.options.settings, &self.options.config) {
            (Some(table), _) => overlay("settings", experiment, table, &standard)?,
            (None, Some(path)) => {
                let table = config_table(path, experiment)?;
                overlay(&path.display().to_string(), experiment, &table, &standard)?
            }
            (None, None) => standard,
        };
        self.manifest.settings = serde_json::to_value(&settings).expect("plain data is JSON");
        Ok(settings)
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.options.seed
    }

    /// The file of games to measure beside those that the project carries.
    pub fn games(&self) -> Option<PathBuf> {
        self.options.games.clone()
    }

    /// The file of problems to ask instead of those that the project carries.
    pub fn problems(&self) -> Option<PathBuf> {
        self.options.problems.clone()
    }

    /// The folder of results.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Whether it is the short form.
    pub fn is_quick(&self) -> bool {
        self.options.quick
    }

    /// Notes an input in the manifest. Inputs must be noted before the first [`Run::measure`].
    pub fn note_data(&mut self, name: &str, bytes: &[u8]) {
        self.manifest.data.insert(name.to_string(), sha256_hex(bytes));
    }

    /// Notes that results depend on the machine, because time limits a search.
    pub fn note_timed(&mut self) {
        self.manifest.parts.insert("host".to_string(), manifest::cpu());
    }

    /// Reads an input file, or what the program carries under its name, and notes it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_data(&mut self, path: &Path) -> Result<Vec<u8>, LabError> {
        let bytes = data::read(path).map_err(|error| file_error(path, error))?.into_owned();
        let name = path.file_name().unwrap_or(path.as_os_str());
        self.note_data(&name.to_string_lossy(), &bytes);
        Ok(bytes)
    }

    /// Reads an input file that may be packed, notes it as it is on the disk and unpacks it.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged or too large.
    pub fn read_packed(&mut self, path: &Path) -> Result<Vec<u8>, LabError> {
        let bytes = self.read_data(path)?;
        packed::unpacked(bytes, self.options.input).map_err(|error| file_error(path, error.into()))
    }

    /// Bounds of packed input.
    pub fn input_limits(&self) -> UnpackLimits {
        self.options.input
    }

    /// Does `work` for every item, in parallel, each result kept on disk as soon as it is there.
    /// `key` names an item within the stage; no two may have one key. Results come in the order of
    /// the items, whatever the order of work was.
    ///
    /// # Errors
    /// If two items have one key, the log cannot be written, or units are missing because the user
    /// stopped the run or does a shard.
    pub fn measure<T: Sync, V: Serialize + DeserializeOwned + Send>(
        &mut self,
        stage: &str,
        items: &[T],
        key: impl Fn(&T) -> String + Sync,
        work: impl Fn(&T) -> V + Sync,
    ) -> Result<Vec<V>, LabError> {
        let units = self.measure_units(stage, items, key, work)?;
        Ok(units.into_iter().map(|unit| unit.value).collect())
    }

    /// The same, each result with the seconds that it took.
    ///
    /// # Errors
    /// As [`Run::measure`].
    pub fn measure_units<T: Sync, V: Serialize + DeserializeOwned + Send>(
        &mut self,
        stage: &str,
        items: &[T],
        key: impl Fn(&T) -> String + Sync,
        work: impl Fn(&T) -> V + Sync,
    ) -> Result<Vec<Unit<V>>, LabError> {
        self.begin()?;
        let units = StageUnits {
            name: stage,
            keys: UnitKeys::List(items.iter().map(&key).collect()),
            group: 1,
            work: &|at| unit_value(&work(&items[at])),
            watch: &Unwatched,
        };
        let units: Vec<Unit<V>> = all_units(stage, self.stages.stage(&units)?)?;
        let provenances = self.stages.provenances();
        for unit in &units {
            self.manifest.work_seconds += unit.seconds;
            let by = provenances.get(unit.by).map(|who| who.version.clone()).unwrap_or_default();
            *self.manifest.measured_by.entry(by).or_default() += 1;
        }
        Ok(units)
    }

    /// Opens the log with the first stage: until then inputs may be noted. Its name holds the
    /// digest of the identity, so that runs with other settings stand beside each other.
    fn begin(&mut self) -> Result<(), LabError> {
        if !self.begun {
            let identity = self.manifest.identity();
            self.stages.begin(&self.directory.join(log_name(&identity)), &identity)?;
            self.note_claims(&identity)?;
            self.begun = true;
        }
        Ok(())
    }

    /// Keeps the claims beside the log from the first unit on: what they were then is what counts,
    /// whatever becomes of them.
    fn note_claims(&mut self, identity: &Identity) -> Result<(), LabError> {
        let Some(claims) = self.claims else { return Ok(()) };
        let judged = sha256_hex(claims.as_bytes());
        let file = format!("claims-{}.toml", &identity.digest()[..16]);
        let measured = match std::fs::read(self.directory.join(&file)) {
            Ok(bytes) => sha256_hex(&bytes),
            Err(_) => {
                self.write(&file, claims.as_bytes())?;
                judged.clone()
            }
        };
        self.manifest.claims = Some(ClaimsDigest { file, measured, judged });
        Ok(())
    }

    /// Writes any other result file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), LabError> {
        if !self.stages.writes() {
            return Ok(());
        }
        let path = self.directory.join(name);
        write_derived(&path, bytes).map_err(|error| file_error(&path, error))
    }
}

pub(crate) fn file_error(path: &Path, error: io::Error) -> LabError {
    LabError::File { path: path.display().to_string(), error }
}

/// The file of finished units of a run.
pub fn log_name(identity: &Identity) -> String {
    format!("work-{}.jsonl", &identity.digest()[..16])
}

/// Runs one experiment on threads of this process and writes all its results and the index.
///
/// # Errors
/// See [`LabError`].
pub fn run(
    experiment: &dyn Experiment,
    options: &RunOptions,
    progress: &dyn StageProgress,
) -> Result<Summary, LabError> {
    let mut stages = LocalStages::new(options.threads, manifest::provenance());
    stages.shard = options.shard;
    stages.stop = options.stop.clone();
    stages.progress = progress;
    stages.carry.clone_from(&options.carry);
    stages.works = options.measures;
    stages.from = options.from.as_ref().map(|folder| folder.join(experiment.name()));
    run_in(experiment, options, &mut stages)
}

/// Runs one experiment and writes all its results and the index; `stages` sees to the units.
///
/// # Errors
/// See [`LabError`].
pub fn run_in(
    experiment: &dyn Experiment,
    options: &RunOptions,
    stages: &mut dyn Stages,
) -> Result<Summary, LabError> {
    let mut run = Run::new(experiment, options, stages)?;
    let results = experiment.measure(&mut run)?;
    let stored = Stored::new(run.manifest.clone(), results);
    if !run.stages.writes() {
        return Ok(summary_of(experiment, &Page::new(), stored.manifest));
    }
    stored.write(&run.directory)?;
    let summary = report(experiment, &run.directory)?;
    write_index(&options.out).map_err(|error| file_error(&options.out, error))?;
    Ok(summary)
}

/// Makes the page of an experiment from the results in its folder.
///
/// # Errors
/// If they are missing, or of another form, or the page cannot be written.
pub fn report(experiment: &dyn Experiment, folder: &Path) -> Result<Summary, LabError> {
    let mut stored = Stored::read(folder)?;
    if stored.manifest.commit != manifest::commit() {
        stored.manifest.reported_by = Some(manifest::commit().to_string());
    }
    if let (Some(digest), Some(claims)) = (&mut stored.manifest.claims, experiment.claims()) {
        digest.judged = sha256_hex(claims.as_bytes());
    }
    let page = experiment.report(&stored)?;
    let summary = summary_of(experiment, &page, stored.manifest);
    page.write(folder, &summary)?;
    let text = serde_json::to_string_pretty(&summary).map_err(|error| fault("summary", &error))?;
    let path = folder.join("summary.json");
    write_derived(&path, (text + "\n").as_bytes()).map_err(|error| file_error(&path, error))?;
    Ok(summary)
}

fn summary_of(experiment: &dyn Experiment, page: &Page, manifest: Manifest) -> Summary {
    let [title_ja, question_ja] = experiment.japanese().map(str::to_string);
    Summary {
        name: experiment.name().to_string(),
        paper: experiment.paper(),
        title: experiment.title().to_string(),
        title_ja,
        question: experiment.question().to_string(),
        question_ja,
        findings: page.findings().to_vec(),
        headline: page.headline_part().cloned(),
        manifest,
    }
}
