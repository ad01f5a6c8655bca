//! The frame of a run: settings, data, units of work with checkpoints, results.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::prelude::{IntoParallelRefIterator, ParallelIterator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::files::write_derived;
use yomikiri_base::packed::{self, Limits};
use yomikiri_base::unit_log::{ForeignUnits, Stage, Unit};
use yomikiri_base::{Shard, StopToken, UnitLog, UnitLogError};

use crate::manifest::{self, Manifest};
use crate::page::{Page, Summary, write_index};
use crate::plot::Plot;
use crate::table::Table;

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
    /// No such experiment.
    #[error("there is no experiment `{0}`; `yomikiri lab list` names them")]
    Unknown(String),
}

/// A fault of input data.
pub(crate) fn fault(name: &str, error: &dyn std::fmt::Display) -> LabError {
    LabError::Data { name: name.to_string(), fault: error.to_string() }
}

/// An experiment. One file or folder each, under [`crate::experiments`].
pub trait Experiment: Sync {
    /// The name on the command line, and of the folder of results.
    fn name(&self) -> &'static str;
    /// The title of the page.
    fn title(&self) -> &'static str;
    /// What it asks, in a sentence or two.
    fn question(&self) -> &'static str;
    /// Measures and writes the page.
    ///
    /// # Errors
    /// See [`LabError`].
    fn run(&self, run: &mut Run<'_>) -> Result<Page, LabError>;
}

/// Defaults of an experiment's settings; the type must refuse unknown keys
/// (`#[serde(deny_unknown_fields)]`).
pub trait Settings: Serialize + DeserializeOwned {
    /// The full run, or the short one for continuous integration.
    fn standard(quick: bool) -> Self;
}

/// What the user asked for.
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
    /// A file of games to measure beside those that the project carries.
    pub games: Option<PathBuf>,
    /// Bounds of packed input.
    pub input: Limits,
    /// The log of another run whose finished units are taken over.
    pub carry: Option<PathBuf>,
    /// The command line, for the manifest.
    pub command: String,
    /// Raised to stop the run after the units in work.
    pub stop: StopToken,
}

/// Hears how far a run is. Front ends draw it.
pub trait Progress: Sync {
    /// A stage of `total` units begins, `done` of them known from before.
    fn begin(&self, stage: &str, total: usize, done: usize);
    /// One more unit is done.
    fn advance(&self);
    /// The stage is over.
    fn end(&self);
}

/// Hears nothing.
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _stage: &str, _total: usize, _done: usize) {}
    fn advance(&self) {}
    fn end(&self) {}
}

/// A run of one experiment.
pub struct Run<'a> {
    options: &'a RunOptions,
    progress: &'a dyn Progress,
    directory: PathBuf,
    manifest: Manifest,
    log: Option<UnitLog>,
    foreign: Option<ForeignUnits>,
}

impl<'a> Run<'a> {
    fn new(
        name: &str,
        options: &'a RunOptions,
        progress: &'a dyn Progress,
    ) -> Result<Run<'a>, LabError> {
        let directory = options.out.join(name);
        std::fs::create_dir_all(&directory).map_err(|error| file_error(&directory, error))?;
        let manifest = Manifest {
            experiment: name.to_string(),
            command: options.command.clone(),
            version: env!("CARGO_PKG_VERSION").to_string(),
            commit: manifest::commit().to_string(),
            seed: options.seed,
            quick: options.quick,
            settings: serde_json::Value::Null,
            data: BTreeMap::new(),
            cpu: manifest::cpu(),
            threads: options.threads,
            started: manifest::now(),
            work_seconds: 0.0,
            measured_by: BTreeMap::new(),
        };
        Ok(Run { options, progress, directory, manifest, log: None, foreign: None })
    }

    /// The settings: the standard ones, with what the config file changes.
    ///
    /// # Errors
    /// If the config file cannot be read or has a key that the experiment does not know.
    pub fn settings<S: Settings>(&mut self) -> Result<S, LabError> {
        let standard = S::standard(self.options.quick);
        let settings = match &self.options.config {
            None => standard,
            Some(path) => from_config(path, &self.manifest.experiment, &standard)?,
        };
        self.manifest.settings = serde_json::to_value(&settings).unwrap_or_default();
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

    /// The folder of results.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Whether the short form was asked for.
    pub fn is_quick(&self) -> bool {
        self.options.quick
    }

    /// Notes an input in the manifest. Inputs must be noted before the first [`Run::measure`].
    pub fn note_data(&mut self, name: &str, bytes: &[u8]) {
        self.manifest.data.insert(name.to_string(), sha256_hex(bytes));
    }

    /// Reads an input file and notes it.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_data(&mut self, path: &Path) -> Result<Vec<u8>, LabError> {
        let bytes = std::fs::read(path).map_err(|error| file_error(path, error))?;
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
    pub fn input_limits(&self) -> Limits {
        self.options.input
    }

    /// Does `work` for every item, in parallel, each result kept on disk as soon as it is there.
    /// `key` names an item within the stage; no two may have one key. Results come in the order of
    /// the items, whatever the order of work was.
    ///
    /// # Errors
    /// If two items have one key, the log cannot be written, or the user stops the run.
    pub fn measure<T: Sync, V: Serialize + DeserializeOwned + Send>(
        &mut self,
        stage: &str,
        items: &[T],
        key: impl Fn(&T) -> String + Sync,
        work: impl Fn(&T) -> V + Sync,
    ) -> Result<Vec<V>, LabError> {
        self.open_log()?;
        let Some(log) = &self.log else { return Ok(Vec::new()) };
        let stage = log.stage(stage, items.iter().map(&key).collect())?;
        if let Some(foreign) = &self.foreign {
            stage.take_over(foreign)?;
        }
        let missing = stage.missing(Shard::WHOLE);
        self.progress.begin(stage.name(), items.len(), items.len() - missing.len());
        let stop = &self.options.stop;
        let unit = |&at: &usize| -> Result<(), UnitLogError> {
            if !stop.is_stopped() {
                let start = Instant::now();
                let value = work(&items[at]);
                stage.put(at, &value, start.elapsed().as_secs_f64())?;
                self.progress.advance();
            }
            Ok(())
        };
        let measured: Result<(), UnitLogError> =
            pool(self.options.threads)?.install(|| missing.par_iter().try_for_each(unit));
        self.progress.end();
        measured?;
        let units = finished(&stage)?;
        let provenances = log.provenances();
        for unit in &units {
            self.manifest.work_seconds += unit.seconds;
            let by = provenances.get(unit.by).map(|who| who.version.clone()).unwrap_or_default();
            *self.manifest.measured_by.entry(by).or_default() += 1;
        }
        Ok(units.into_iter().map(|unit| unit.value).collect())
    }

    /// Opens the log with the first stage: until then inputs may be noted. Its name holds the
    /// digest of the identity, so that runs with other settings stand beside each other.
    fn open_log(&mut self) -> Result<(), LabError> {
        if self.log.is_none() {
            let identity = self.manifest.identity();
            let path = self.directory.join(format!("work-{}.jsonl", &identity.digest()[..16]));
            self.log = Some(UnitLog::open(&path, &identity, &manifest::provenance())?);
            self.foreign = match &self.options.carry {
                Some(other) => Some(UnitLog::read_foreign(other)?),
                None => None,
            };
        }
        Ok(())
    }

    /// Writes a table as `NAME.csv`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_table(&self, name: &str, table: &Table) -> Result<(), LabError> {
        let path = self.directory.join(format!("{name}.csv"));
        table.write_csv(&path).map_err(|error| file_error(&path, error))
    }

    /// Writes a plot as `NAME.svg` and `NAME.png`.
    ///
    /// # Errors
    /// If it cannot be drawn or written.
    pub fn write_plot(&self, name: &str, plot: &Plot) -> Result<(), LabError> {
        let figure_error = |fault| LabError::Figure { name: name.to_string(), fault };
        let png = plot.to_png().map_err(|error| figure_error(error.to_string()))?;
        self.write(&format!("{name}.svg"), plot.to_svg().as_bytes())?;
        self.write(&format!("{name}.png"), &png)
    }

    /// Writes any other result file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), LabError> {
        let path = self.directory.join(name);
        write_derived(&path, bytes).map_err(|error| file_error(&path, error))
    }
}

/// The units in the order of the items.
fn finished<V: DeserializeOwned>(stage: &Stage<'_>) -> Result<Vec<Unit<V>>, LabError> {
    let units: Result<Vec<Option<Unit<V>>>, _> =
        (0..stage.units()).map(|at| stage.get(at)).collect();
    let units: Vec<Unit<V>> = units?.into_iter().flatten().collect();
    if units.len() < stage.units() {
        let (done, total) = (units.len(), stage.units());
        return Err(LabError::Interrupted { stage: stage.name().to_string(), done, total });
    }
    Ok(units)
}

/// Searches go deep, and every ply keeps its moves on the stack.
const STACK: usize = 32 << 20;

fn pool(threads: usize) -> Result<rayon::ThreadPool, LabError> {
    let built =
        rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).stack_size(STACK).build();
    built.map_err(|error| LabError::Config { path: "threads".into(), fault: error.to_string() })
}

fn file_error(path: &Path, error: io::Error) -> LabError {
    LabError::File { path: path.display().to_string(), error }
}

/// Lays the experiment's table of a config file over the standard settings.
fn from_config<S: Settings>(path: &Path, experiment: &str, standard: &S) -> Result<S, LabError> {
    let fault = |fault: String| LabError::Config { path: path.display().to_string(), fault };
    let text = std::fs::read_to_string(path).map_err(|error| file_error(path, error))?;
    let file: BTreeMap<String, toml::Table> =
        toml::from_str(&text).map_err(|error| fault(error.to_string()))?;
    if let Some(name) = file.keys().find(|name| crate::experiments::find(name).is_none()) {
        return Err(fault(format!("unknown table `[{name}]`; tables are named after experiments")));
    }
    let mut table = toml::Table::try_from(standard).map_err(|error| fault(error.to_string()))?;
    for (key, value) in file.get(experiment).into_iter().flatten() {
        table.insert(key.clone(), value.clone());
    }
    table.try_into().map_err(|error: toml::de::Error| {
        fault(format!("[{experiment}] {}", error.to_string().trim()))
    })
}

/// Runs one experiment and writes all its results and the index.
///
/// # Errors
/// See [`LabError`].
pub fn run(
    experiment: &dyn Experiment,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<Summary, LabError> {
    let mut run = Run::new(experiment.name(), options, progress)?;
    let page = experiment.run(&mut run)?;
    let summary = Summary {
        name: experiment.name().to_string(),
        title: experiment.title().to_string(),
        question: experiment.question().to_string(),
        findings: page.findings().to_vec(),
        manifest: run.manifest.clone(),
    };
    let json = |value: serde_json::Result<String>| value.unwrap_or_default() + "\n";
    run.write("manifest.json", json(serde_json::to_string_pretty(&run.manifest)).as_bytes())?;
    run.write("index.html", page.to_html(&summary).as_bytes())?;
    run.write("summary.json", json(serde_json::to_string_pretty(&summary)).as_bytes())?;
    write_index(&options.out).map_err(|error| file_error(&options.out, error))?;
    Ok(summary)
}
