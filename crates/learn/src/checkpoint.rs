//! A training run on disk: saved whole or not at all, and taken up again where it stood.

use crate::bonanza::COEFFICIENTS;
pub use crate::checkpoint_file::{CheckpointError, CheckpointFault};
use crate::checkpoint_file::{ContentReader, Magic, damaged, push_part, read, write};
use crate::config::Config;
use crate::optimizer::Optimizer;
use crate::trainer::{EvalReport, LinearTrainer};
use std::path::Path;
use yomikiri_engine::eval::linear::LinearWeights;

/// Upper bound on the unpacked size.
const LARGEST: u64 = 64 << 20;

const MAGIC: &Magic = b"YomikiriTrain2\r\n";

/// Writes a checkpoint; what was there stays until the new one is complete.
///
/// # Errors
/// If it cannot be written.
pub fn save(path: &Path, trainer: &LinearTrainer, data: &str) -> Result<(), CheckpointError> {
    let failed = |error| CheckpointError::File { path: path.to_path_buf(), error };
    write(path, MAGIC, &content(trainer, data).map_err(failed)?)
}

fn content(trainer: &LinearTrainer, data: &str) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let start = LinearWeights {
        progress: trainer.progress.clone(),
        patterns: trainer.patterns.clone(),
        ..LinearWeights::default()
    };
    for part in [data.as_bytes(), trainer.config.to_toml().as_bytes(), &start.to_bytes()?] {
        push_part(&mut out, part);
    }
    let optimizer = &trainer.optimizer;
    for number in [trainer.done as u64, trainer.positions, optimizer.steps] {
        out.extend(number.to_le_bytes());
    }
    for list in [&optimizer.weights, &optimizer.means, &optimizer.squares] {
        out.extend(list.iter().flatten().flat_map(|number| number.to_le_bytes()));
    }
    out.extend(trainer.samples.iter().flatten().flat_map(|number| number.to_le_bytes()));
    out.extend(trainer.last.iter().flat_map(report_numbers).flat_map(u64::to_le_bytes));
    Ok(out)
}

/// The numbers of a report, for a file.
fn report_numbers(report: &EvalReport) -> [u64; 6] {
    let EvalReport { done, total, loss, agreement, positions, siblings } = *report;
    [done as u64, total as u64, loss.to_bits(), agreement.to_bits(), positions, siblings]
}

/// Reads the checkpoint of a run with this config over this data (described in words).
///
/// # Errors
/// If the file is not one, is damaged, or belongs to another run.
pub fn load(path: &Path, config: &Config, data: &str) -> Result<LinearTrainer, CheckpointError> {
    let content = read(path, MAGIC, LARGEST)?;
    let mut reader = ContentReader::new(path, &content);
    if reader.part()? != data.as_bytes() {
        return Err(CheckpointError::Other("games"));
    }
    let settings = String::from_utf8_lossy(reader.part()?).into_owned();
    if Config::from_toml(&settings).as_ref() != Ok(config) {
        return Err(CheckpointError::Other("settings"));
    }
    let start = LinearWeights::from_bytes(reader.part()?).map_err(|error| damaged(path, error))?;
    let (done, positions, steps) = (reader.number()?, reader.number()?, reader.number()?);
    let mut list = || reader.pairs(COEFFICIENTS, f32::from_le_bytes);
    let optimizer = Optimizer { weights: list()?, means: list()?, squares: list()?, steps };
    let samples = reader.pairs(COEFFICIENTS, u64::from_le_bytes)?;
    let last = if reader.is_empty() { None } else { Some(report(&mut reader)?) };
    Ok(LinearTrainer {
        config: config.clone(),
        optimizer,
        samples,
        last,
        positions,
        done: done as usize,
        progress: start.progress,
        patterns: start.patterns,
    })
}

fn report(reader: &mut ContentReader<'_>) -> Result<EvalReport, CheckpointError> {
    Ok(EvalReport {
        done: reader.number()? as usize,
        total: reader.number()? as usize,
        loss: reader.float()?,
        agreement: reader.float()?,
        positions: reader.number()?,
        siblings: reader.number()?,
    })
}
