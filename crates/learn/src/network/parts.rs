//! The parts of a batch as bytes, for gradients that are computed elsewhere.
//!
//! A step hands over the parameters, and for each part of the batch its positions; what comes back
//! is the part's gradient: of the first layer only the rows of inputs that are set in the part. The
//! owner adds the parts in their order, as [`Backpropagation::run`] does, so that the sums are the
//! same to the last bit.

use super::config::NetworkConfig;
use super::data::{Sample, SampleOutcome};
use super::gradient::{Backpropagation, Batch, Gradient, Labels};
use super::kernels::COLUMNS;
use super::model::FloatNetwork;
use super::trainer::{TrainError, Trainer};
use yomikiri_base::stages::{Stages, Step, StepUnit, UnitFailure};
use yomikiri_shogi::notation::packed::POSITION_BYTES;

/// Bytes of a position: packed, score, outcome, whether it is mirrored.
const SAMPLE_BYTES: usize = POSITION_BYTES + 4;

/// A part or a gradient that is not whole.
#[derive(Debug, thiserror::Error)]
#[error("the bytes are no {0} of this network")]
pub struct NotWhole(&'static str);

/// Trains with gradients that workers compute; see [`Trainer::run_with`].
///
/// # Errors
/// See [`TrainError`].
pub fn run_owner(
    trainer: &mut Trainer,
    stages: &mut dyn Stages,
    threads: usize,
    progress: &mut super::trainer::TrainingProgress<'_>,
) -> Result<bool, TrainError> {
    let part = trainer.config.optimizer.part;
    let mut number = trainer.adam.steps;
    trainer.run_with(threads, progress, &mut |work, model, samples, labels| {
        let units = samples.chunks(part).map(|part| part_bytes(part, samples.len(), labels.lambda));
        let (state, units) = (floats(&model.parameters), units.collect());
        let results = stages.step(Step { number, state, units })?;
        number += 1;
        let gradient = work.gradient_mut();
        clear(gradient);
        let mut loss = 0.0;
        for result in &results {
            let wrong = || yomikiri_base::stages::StageError::Unit(NotWhole("gradient").into());
            loss += add_part(gradient, result).ok_or_else(wrong)?;
        }
        Ok(loss)
    })
}

/// Computes gradients of parts for an owner elsewhere.
pub struct PartWorker {
    config: NetworkConfig,
    model: FloatNetwork,
    work: Backpropagation,
    step: Option<u64>,
}

impl PartWorker {
    /// For runs with these constants.
    pub fn new(config: NetworkConfig) -> PartWorker {
        let model = FloatNetwork::zero(config.architecture(), &config.output);
        let work = Backpropagation::new(&model);
        PartWorker { config, model, work, step: None }
    }

    /// The gradient of a part.
    ///
    /// # Errors
    /// If the bytes are no part, or a position is none.
    pub fn gradient(&mut self, asked: StepUnit<'_>) -> Result<Vec<u8>, UnitFailure> {
        if self.step != Some(asked.number) {
            if asked.state.len() != 4 * self.model.parameters.len() {
                return Err(NotWhole("parameters").into());
            }
            for (value, &bytes) in self.model.parameters.iter_mut().zip(asked.state.as_chunks().0) {
                *value = f32::from_le_bytes(bytes);
            }
            self.step = Some(asked.number);
        }
        let (samples, count, lambda) = read_part(asked.unit).ok_or(NotWhole("part"))?;
        let labels = Labels::new(&self.config, lambda);
        let batch = Batch { samples: &samples, count, part: usize::MAX };
        let loss = self.work.run(&self.model, batch, &labels, 1)?;
        Ok(gradient_bytes(&self.work, loss))
    }
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn part_bytes(samples: &[Sample], count: usize, lambda: f64) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 + SAMPLE_BYTES * samples.len());
    out.extend(lambda.to_le_bytes());
    out.extend((count as u64).to_le_bytes());
    for sample in samples {
        out.extend(sample.packed);
        out.extend(sample.score.to_le_bytes());
        out.push(match sample.outcome {
            None => 0,
            Some(SampleOutcome::Loss) => 1,
            Some(SampleOutcome::Draw) => 2,
            Some(SampleOutcome::Win) => 3,
        });
        out.push(u8::from(sample.mirrored));
    }
    out
}

/// The positions of a part, those of its batch, and the share of the score in the target.
fn read_part(bytes: &[u8]) -> Option<(Vec<Sample>, usize, f64)> {
    let (lambda, rest) = bytes.split_first_chunk()?;
    let (count, rest) = rest.split_first_chunk()?;
    let (samples, []) = rest.as_chunks::<SAMPLE_BYTES>() else { return None };
    let sample = |bytes: &[u8; SAMPLE_BYTES]| {
        let (packed, rest) = bytes.split_first_chunk::<POSITION_BYTES>()?;
        let &[low, high, outcome, mirrored] = rest else { return None };
        let outcome = match outcome {
            0 => None,
            1 => Some(SampleOutcome::Loss),
            2 => Some(SampleOutcome::Draw),
            3 => Some(SampleOutcome::Win),
            _ => return None,
        };
        let score = i16::from_le_bytes([low, high]);
        Some(Sample { packed: *packed, score, outcome, mirrored: mirrored != 0 })
    };
    let samples = samples.iter().map(sample).collect::<Option<Vec<_>>>()?;
    let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
    Some((samples, count, f64::from_le_bytes(*lambda)))
}

/// Loss, later layers, bias, and the rows of the first layer that are set, block after block.
fn gradient_bytes(work: &Backpropagation, loss: f64) -> Vec<u8> {
    let Gradient { first_weights, first_bias, rest } = work.gradient();
    let rows: &[u32] = work.rows().first().map_or(&[], Vec::as_slice);
    let mut out = Vec::from(loss.to_le_bytes());
    out.extend(floats(rest));
    out.extend(floats(first_bias.as_flattened()));
    out.extend((rows.len() as u64).to_le_bytes());
    out.extend(rows.iter().flat_map(|row| row.to_le_bytes()));
    out.reserve(4 * COLUMNS * rows.len() * first_weights.len());
    for block in first_weights {
        for &row in rows {
            out.extend(block[row as usize].iter().flat_map(|slope| slope.to_le_bytes()));
        }
    }
    out
}

fn clear(gradient: &mut Gradient) {
    gradient.rest.fill(0.0);
    gradient.first_bias.fill([0.0; COLUMNS]);
    gradient.first_weights.iter_mut().for_each(|block| block.fill([0.0; COLUMNS]));
}

/// Adds the gradient of a part; returns its share of the loss.
fn add_part(gradient: &mut Gradient, bytes: &[u8]) -> Option<f64> {
    let Gradient { first_weights, first_bias, rest } = gradient;
    let (loss, bytes) = bytes.split_first_chunk()?;
    let bytes = add_floats(rest, bytes)?;
    let bytes = add_floats(first_bias.as_flattened_mut(), bytes)?;
    let (count, bytes) = bytes.split_first_chunk()?;
    let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
    let (rows, mut bytes) = bytes.split_at_checked(count.checked_mul(4)?)?;
    for block in first_weights {
        for &row in rows.as_chunks().0 {
            bytes = add_floats(block.get_mut(u32::from_le_bytes(row) as usize)?, bytes)?;
        }
    }
    bytes.is_empty().then_some(f64::from_le_bytes(*loss))
}

/// Adds numbers from the front of the bytes; returns what is left.
fn add_floats<'b>(sums: &mut [f32], bytes: &'b [u8]) -> Option<&'b [u8]> {
    let (numbers, left) = bytes.split_at_checked(4 * sums.len())?;
    for (sum, &number) in sums.iter_mut().zip(numbers.as_chunks().0) {
        *sum += f32::from_le_bytes(number);
    }
    Some(left)
}
