//! What a network is worth on positions that it has not learned from.

use super::config::NetworkConfig;
use super::data::{DataError, DataPart, Sample, open};
use super::gradient::{CHUNK, Labels};
use super::parallel;
use std::sync::{Arc, Mutex, PoisonError};
use yomikiri_eval::Evaluation;
use yomikiri_eval::network::{Network, NetworkEvaluation, NetworkParameters};
use yomikiri_shogi::Position;
use yomikiri_shogi::notation::packed::{Code, decode};

/// The positions that are kept aside: the same number from each file, if it has as many.
///
/// # Errors
/// If a file cannot be read.
pub fn read(config: &NetworkConfig) -> Result<Vec<Sample>, DataError> {
    let files = &config.data.files;
    let each = config.validation.positions.div_ceil(files.len().max(1));
    let mut samples = Vec::new();
    for path in files {
        let part = open(path, &config.data, &config.validation, DataPart::Validation)?;
        for sample in part.take(each) {
            samples.push(sample?);
        }
    }
    Ok(samples)
}

/// The mean loss of a file's integers, computed as in play.
///
/// # Errors
/// If a position is none.
///
/// # Panics
/// If the parameters do not have the lengths of their architecture.
pub fn quantised_loss(
    file: &NetworkParameters,
    fv_scale: i32,
    samples: &[Sample],
    labels: &Labels,
    threads: usize,
) -> Result<f64, DataError> {
    let network = Network::new(file).expect("parameters of a model have its architecture");
    let evaluation = NetworkEvaluation::new(Arc::new(network));
    let losses = Mutex::new(vec![Ok(0.0); samples.len().div_ceil(CHUNK)]);
    parallel::for_each(threads, samples.chunks(CHUNK).enumerate(), |(chunk, samples)| {
        let mut evaluation = evaluation.clone();
        let loss = samples.iter().try_fold(0.0, |sum, sample| {
            let position: Position = decode(&sample.packed, Code::PackedSfen)?;
            evaluation.reset(&position);
            let value = f64::from(evaluation.raw(&position)) / f64::from(fv_scale);
            Ok(sum + labels.loss(value, sample).0)
        });
        losses.lock().unwrap_or_else(PoisonError::into_inner)[chunk] = loss;
    });
    let mut sum = 0.0;
    for loss in losses.into_inner().unwrap_or_else(PoisonError::into_inner) {
        sum += loss.map_err(DataError::Packed)?;
    }
    Ok(sum / samples.len().max(1) as f64)
}
