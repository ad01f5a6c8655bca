//! A training run.

use super::adam::Adam;
use super::checkpoint::CheckpointError;
use super::config::NetworkConfig;
use super::data::{DataError, Sample, checksum};
use super::gradient::{Backpropagation, Batch, Labels};
use super::model::FloatNetwork;
use super::quantise::{quantise, restore};
use super::stream::{Stream, StreamPosition};
use super::validation;
use core::ops::ControlFlow;
use std::path::PathBuf;
use thiserror::Error;
use yomikiri_base::stages::StageError;
use yomikiri_eval::network::{Architecture, NetworkError, NetworkParameters};

/// Why a run ends early.
#[derive(Debug, Error)]
pub enum TrainError {
    /// Positions cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The checkpoint is of no use.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The network to begin with is none.
    #[error("{}: {error}", path.display())]
    Start {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        error: NetworkError,
    },
    /// The gradient, which is computed elsewhere, does not come.
    #[error(transparent)]
    Elsewhere(#[from] StageError),
    /// The network to begin with has another form.
    #[error("{} is a network {found}, not {wanted}", path.display())]
    OtherForm {
        /// Which file.
        path: PathBuf,
        /// Its form.
        found: Architecture,
        /// The form of the run.
        wanted: Architecture,
    },
}

/// Losses at one moment of a run.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct LossMeasurement {
    /// Positions trained on.
    pub positions: u64,
    /// Mean loss of the batches since the measurement before.
    pub training_loss: f64,
    /// Mean loss on what is kept aside.
    pub validation_loss: f64,
    /// The same with the integers of the file.
    pub quantised_loss: f64,
}

/// What a step has done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkReport {
    /// Steps done.
    pub step: u64,
    /// Steps of the whole run.
    pub steps: u64,
    /// Positions trained on.
    pub positions: u64,
    /// Mean loss of the batch.
    pub loss: f64,
    /// The learning rate.
    pub rate: f64,
    /// Taken after this step, if it was time for one.
    pub measurement: Option<LossMeasurement>,
}

/// Receives every step and says whether to go on.
pub type TrainingProgress<'a> = dyn FnMut(&Trainer, &NetworkReport) -> ControlFlow<()> + 'a;

/// Leaves the gradient of a batch in the memory that is given, and returns the mean loss.
pub type GradientSource<'a> = dyn FnMut(&mut Backpropagation, &FloatNetwork, &[Sample], &Labels) -> Result<f64, TrainError>
    + 'a;

/// A training run: everything that a checkpoint holds, and the data.
pub struct Trainer {
    /// The constants.
    pub config: NetworkConfig,
    /// What is learned.
    pub model: FloatNetwork,
    /// The optimizer.
    pub adam: Adam,
    /// All measurements so far.
    pub history: Vec<LossMeasurement>,
    /// Each file and the SHA-256 of its bytes.
    pub sources: Vec<(String, String)>,
    /// Sum of the batches' losses since the last measurement, and their number.
    pub(super) recent: (f64, u64),
    stream: Stream,
    validation: Vec<Sample>,
}

impl Trainer {
    /// Begins a run.
    ///
    /// # Errors
    /// If the data or the network to begin with cannot be read.
    pub fn new(config: NetworkConfig) -> Result<Trainer, TrainError> {
        let model = match &config.init.from {
            Some(path) => read_start(&config, path)?,
            None => FloatNetwork::random(&config),
        };
        let adam = Adam::new(model.parameters.len());
        let sources = sources(&config)?;
        Trainer::assemble(config, model, adam, sources, StreamPosition::default())
    }

    pub(super) fn assemble(
        config: NetworkConfig,
        model: FloatNetwork,
        adam: Adam,
        sources: Vec<(String, String)>,
        cursor: StreamPosition,
    ) -> Result<Trainer, TrainError> {
        let stream = Stream::at(&config, cursor)?;
        let validation = validation::read(&config)?;
        let (history, recent) = (Vec::new(), (0.0, 0));
        Ok(Trainer { config, model, adam, history, sources, recent, stream, validation })
    }

    /// Where the stream of positions stands.
    pub fn cursor(&self) -> StreamPosition {
        self.stream.cursor()
    }

    /// Positions trained on.
    pub fn positions(&self) -> u64 {
        self.adam.steps * self.config.optimizer.batch as u64
    }

    /// Positions that are kept aside.
    pub fn validation(&self) -> &[Sample] {
        &self.validation
    }

    /// The parameters as a file has them.
    pub fn parameters(&self) -> NetworkParameters {
        let text = format!("{}, {} positions", self.model.architecture, self.positions());
        quantise(&self.model, &text)
    }

    /// Trains until the end of the run, or until the callback breaks it off. Returns whether the
    /// run is finished.
    ///
    /// # Errors
    /// If the data cannot be read.
    pub fn run(
        &mut self,
        threads: usize,
        progress: &mut TrainingProgress<'_>,
    ) -> Result<bool, TrainError> {
        let part = self.config.optimizer.part;
        self.run_with(threads, progress, &mut |work, model, samples, labels| {
            let batch = Batch { part, ..Batch::whole(samples) };
            Ok(work.run(model, batch, labels, threads)?)
        })
    }

    /// The same with gradients that may be computed elsewhere; the threads do the rest.
    ///
    /// # Errors
    /// If the data cannot be read, or a gradient does not come.
    pub fn run_with(
        &mut self,
        threads: usize,
        progress: &mut TrainingProgress<'_>,
        gradient: &mut GradientSource<'_>,
    ) -> Result<bool, TrainError> {
        let mut work = Backpropagation::new(&self.model);
        let mut batch = Vec::new();
        while self.adam.steps < self.config.steps() {
            let report = self.step(&mut work, &mut batch, threads, gradient)?;
            if progress(self, &report).is_break() {
                break;
            }
        }
        Ok(self.adam.steps >= self.config.steps())
    }

    fn step(
        &mut self,
        work: &mut Backpropagation,
        batch: &mut Vec<Sample>,
        threads: usize,
        gradient: &mut GradientSource<'_>,
    ) -> Result<NetworkReport, TrainError> {
        let before = self.positions();
        let rate = self.config.rate(before);
        let labels = self.labels(self.config.lambda(before));
        self.stream.take(self.config.optimizer.batch, batch)?;
        let loss = gradient(work, &self.model, batch, &labels)?;
        let optimizer = &self.config.optimizer;
        self.adam.step(&mut self.model, work.gradient(), optimizer, rate, threads);
        self.recent = (self.recent.0 + loss, self.recent.1 + 1);
        let (step, steps, positions) = (self.adam.steps, self.config.steps(), self.positions());
        let every = self.config.validation.every;
        let measurement = match before / every < positions / every || step == steps {
            true => Some(self.measure(work, threads)?),
            false => None,
        };
        Ok(NetworkReport { step, steps, positions, loss, rate, measurement })
    }

    fn labels(&self, lambda: f64) -> Labels {
        Labels::new(&self.config, lambda)
    }

    fn measure(
        &mut self,
        work: &mut Backpropagation,
        threads: usize,
    ) -> Result<LossMeasurement, TrainError> {
        // The same measure all along, whatever the schedule does.
        let labels = self.labels(self.config.loss.lambda_end.unwrap_or(self.config.loss.lambda));
        let validation_loss = work.loss(&self.model, &self.validation, &labels, threads)?;
        let file = self.parameters();
        let fv_scale = self.model.fv_scale;
        let quantised_loss =
            validation::quantised_loss(&file, fv_scale, &self.validation, &labels, threads)?;
        let (sum, count) = core::mem::take(&mut self.recent);
        let measurement = LossMeasurement {
            positions: self.positions(),
            training_loss: sum / count.max(1) as f64,
            validation_loss,
            quantised_loss,
        };
        self.history.push(measurement);
        Ok(measurement)
    }
}

/// Each file of a run and the SHA-256 of its bytes.
pub(super) fn sources(config: &NetworkConfig) -> Result<Vec<(String, String)>, DataError> {
    let describe = |path: &PathBuf| {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok((name, checksum(path)?))
    };
    config.data.files.iter().map(describe).collect()
}

fn read_start(config: &NetworkConfig, path: &PathBuf) -> Result<FloatNetwork, TrainError> {
    let bytes =
        std::fs::read(path).map_err(|error| DataError::Read { path: path.clone(), error })?;
    let file = NetworkParameters::from_bytes(&bytes)
        .map_err(|error| TrainError::Start { path: path.clone(), error })?;
    let (found, wanted) = (file.architecture, config.architecture());
    if found != wanted {
        return Err(TrainError::OtherForm { path: path.clone(), found, wanted });
    }
    Ok(restore(&file, &config.output))
}
