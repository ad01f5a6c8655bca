//! A training run on disk: saved whole or not at all, and taken up again where it stood.

use crate::bonanza::COEFFICIENTS;
use crate::config::Config;
use crate::optimizer::Optimizer;
use crate::trainer::{EvalReport, Trainer};
use std::path::{Path, PathBuf};
use thiserror::Error;
use yomikiri_base::checksum::sha256;
use yomikiri_base::files::write_atomic;
use yomikiri_base::packed::{UnpackLimits, unpack};
use yomikiri_engine::eval::linear::Weights;

/// Upper bound on the unpacked size.
const LARGEST: u64 = 64 << 20;

const MAGIC: &[u8; 16] = b"YomikiriTrain2\r\n";

/// Why a checkpoint cannot be written or read.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is another kind of file, or damaged.
    #[error("{} is no checkpoint of a training run, or it is damaged ({reason})", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
    /// It belongs to another run.
    #[error("the checkpoint was made with other {0}")]
    Other(&'static str),
}

/// Writes a checkpoint; what was there stays until the new one is complete.
///
/// # Errors
/// If it cannot be written.
pub fn save(path: &Path, trainer: &Trainer, data: &str) -> Result<(), CheckpointError> {
    let failed = |error| CheckpointError::File { path: path.to_path_buf(), error };
    let content = content(trainer, data).map_err(failed)?;
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(sha256(&content));
    bytes.extend(zstd::encode_all(&content[..], 3).map_err(failed)?);
    write_atomic(path, &bytes).map_err(failed)
}

fn content(trainer: &Trainer, data: &str) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let start = Weights {
        progress: trainer.progress.clone(),
        patterns: trainer.patterns.clone(),
        ..Weights::default()
    };
    for part in [data.as_bytes(), trainer.config.to_toml().as_bytes(), &start.to_bytes()?] {
        out.extend((part.len() as u64).to_le_bytes());
        out.extend(part);
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
pub fn load(path: &Path, config: &Config, data: &str) -> Result<Trainer, CheckpointError> {
    let bytes = std::fs::read(path)
        .map_err(|error| CheckpointError::File { path: path.to_path_buf(), error })?;
    let damaged = |reason: &str| CheckpointError::Damaged {
        path: path.to_path_buf(),
        reason: reason.to_string(),
    };
    if bytes.len() < 48 || bytes[..16] != MAGIC[..] {
        return Err(damaged("it does not begin like one"));
    }
    let content = unpack(&bytes[48..], UnpackLimits::size(LARGEST))
        .map_err(|error| damaged(&error.to_string()))?;
    if sha256(&content)[..] != bytes[16..48] {
        return Err(damaged("its checksum is wrong"));
    }
    let mut reader = Reader(&content);
    let cut = || damaged("it is cut off");
    if reader.part().ok_or_else(cut)? != data.as_bytes() {
        return Err(CheckpointError::Other("games"));
    }
    let settings = String::from_utf8_lossy(reader.part().ok_or_else(cut)?).into_owned();
    if Config::from_toml(&settings).as_ref() != Ok(config) {
        return Err(CheckpointError::Other("settings"));
    }
    let start = Weights::from_bytes(reader.part().ok_or_else(cut)?)
        .map_err(|error| damaged(&error.to_string()))?;
    let mut number = || reader.number().ok_or_else(cut);
    let (done, positions, steps) = (number()?, number()?, number()?);
    let mut list = || reader.pairs(f32::from_le_bytes).ok_or_else(cut);
    let optimizer = Optimizer { weights: list()?, means: list()?, squares: list()?, steps };
    let samples = reader.pairs(u64::from_le_bytes).ok_or_else(cut)?;
    let last = if reader.0.is_empty() { None } else { Some(reader.report().ok_or_else(cut)?) };
    Ok(Trainer {
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

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        Some(u64::from_le_bytes(self.take(8)?.try_into().ok()?))
    }

    fn report(&mut self) -> Option<EvalReport> {
        Some(EvalReport {
            done: self.number()? as usize,
            total: self.number()? as usize,
            loss: f64::from_bits(self.number()?),
            agreement: f64::from_bits(self.number()?),
            positions: self.number()?,
            siblings: self.number()?,
        })
    }

    fn part(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.take(usize::try_from(length).ok()?)
    }

    fn pairs<T, const N: usize>(&mut self, read: fn([u8; N]) -> T) -> Option<Vec<[T; 2]>> {
        let bytes = self.take(COEFFICIENTS * 2 * N)?;
        let one = |bytes: &[u8]| Some(read(bytes.try_into().ok()?));
        bytes.chunks(2 * N).map(|both| Some([one(&both[..N])?, one(&both[N..])?])).collect()
    }
}
