//! A training run on disk: saved whole or not at all, and taken up again where it stood.

use super::adam::Adam;
use super::config::NetworkConfig;
use super::model::{Layout, Model};
use super::stream::Cursor;
use super::trainer::{Measurement, TrainError, Trainer, sources};
pub use crate::checkpoint::CheckpointError;
use std::path::Path;
use yomikiri_base::checksum::sha256;
use yomikiri_base::files::write_atomic;
use yomikiri_base::packed::{UnpackLimits, unpack};

const MAGIC: &[u8; 16] = b"YomikiriNetwork1";

/// Bytes before the compressed part: magic and checksum.
const HEADER: usize = 48;

/// Saves a run.
///
/// # Errors
/// If the file cannot be written.
pub fn save(path: &Path, trainer: &Trainer) -> Result<(), CheckpointError> {
    let failed = |error| CheckpointError::File { path: path.to_path_buf(), error };
    let content = content(trainer);
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(sha256(&content));
    bytes.extend(zstd::encode_all(&content[..], 1).map_err(failed)?);
    write_atomic(path, &bytes).map_err(failed)
}

fn content(trainer: &Trainer) -> Vec<u8> {
    let mut out = Vec::new();
    for text in [settings(&trainer.config), data(&trainer.sources)] {
        out.extend((text.len() as u64).to_le_bytes());
        out.extend(text.as_bytes());
    }
    let Cursor { epoch, block, offset } = trainer.cursor();
    let (recent, count) = trainer.recent;
    let history = trainer.history.len() as u64;
    let numbers = [trainer.adam.steps, epoch, block, offset, recent.to_bits(), count, history];
    out.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
    for it in &trainer.history {
        let losses = [it.training_loss, it.validation_loss, it.quantised_loss].map(f64::to_bits);
        out.extend(it.positions.to_le_bytes());
        out.extend(losses.into_iter().flat_map(u64::to_le_bytes));
    }
    for list in [&trainer.model.parameters, &trainer.adam.means, &trainer.adam.squares] {
        out.extend(list.iter().flat_map(|number| number.to_le_bytes()));
    }
    out
}

/// The constants without the paths of the data, whose content counts. Where a part is a whole
/// batch, sums are those of runs from before there were parts, whose checkpoints go on.
fn settings(config: &NetworkConfig) -> String {
    let mut config = config.clone();
    config.data.files.clear();
    // The type has another name in checkpoints of earlier versions.
    let text = format!("{config:?}").replacen("NetworkConfig {", "Config {", 1);
    let part = config.optimizer.part;
    match part >= config.optimizer.batch {
        true => text.replace(&format!(", part: {part}"), ""),
        false => text,
    }
}

fn data(sources: &[(String, String)]) -> String {
    sources.iter().map(|(_, digest)| digest.as_str()).collect::<Vec<_>>().join(" ")
}

/// Takes up a run with these constants.
///
/// # Errors
/// If the file is no checkpoint, is damaged or belongs to another run, or the data cannot be read.
pub fn load(path: &Path, config: NetworkConfig) -> Result<Trainer, TrainError> {
    let content = read(path, 3 * 4 * Layout::new(config.architecture()).total())?;
    let reason = || "it is cut off".to_string();
    let cut = || CheckpointError::Damaged { path: path.to_path_buf(), reason: reason() };
    let mut reader = Reader(&content);
    if reader.part().ok_or_else(cut)? != settings(&config).as_bytes() {
        return Err(CheckpointError::Other("settings").into());
    }
    let sources = sources(&config)?;
    if reader.part().ok_or_else(cut)? != data(&sources).as_bytes() {
        return Err(CheckpointError::Other("data").into());
    }
    let mut number = || reader.number().ok_or_else(cut);
    let steps = number()?;
    let cursor = Cursor { epoch: number()?, block: number()?, offset: number()? };
    let recent = (f64::from_bits(number()?), number()?);
    let mut history = Vec::new();
    for _ in 0..number()? {
        history.push(Measurement {
            positions: number()?,
            training_loss: f64::from_bits(number()?),
            validation_loss: f64::from_bits(number()?),
            quantised_loss: f64::from_bits(number()?),
        });
    }
    let mut model = Model::zero(config.architecture(), &config.output);
    let count = model.parameters.len();
    model.parameters = reader.list(count).ok_or_else(cut)?;
    let means = reader.list(count).ok_or_else(cut)?;
    let squares = reader.list(count).ok_or_else(cut)?;
    let adam = Adam { means, squares, steps };
    let mut trainer = Trainer::assemble(config, model, adam, sources, cursor)?;
    trainer.history = history;
    trainer.recent = recent;
    Ok(trainer)
}

/// The unpacked content, whose lists have this many bytes.
fn read(path: &Path, lists: usize) -> Result<Vec<u8>, CheckpointError> {
    let damaged = |reason: &str| CheckpointError::Damaged {
        path: path.to_path_buf(),
        reason: reason.to_string(),
    };
    let bytes = std::fs::read(path)
        .map_err(|error| CheckpointError::File { path: path.to_path_buf(), error })?;
    if bytes.len() < HEADER || bytes[..MAGIC.len()] != MAGIC[..] {
        return Err(damaged("it does not begin like one"));
    }
    let content = unpack(&bytes[HEADER..], UnpackLimits::size(lists as u64 + (16 << 20)))
        .map_err(|_| damaged("it cannot be unpacked"))?;
    if sha256(&content)[..] != bytes[MAGIC.len()..HEADER] {
        return Err(damaged("its checksum is wrong"));
    }
    Ok(content)
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

    fn part(&mut self) -> Option<&'a [u8]> {
        let length = self.number()?;
        self.take(usize::try_from(length).ok()?)
    }

    fn list(&mut self, count: usize) -> Option<Vec<f32>> {
        let bytes = self.take(4 * count)?;
        Some(bytes.as_chunks::<4>().0.iter().map(|&it| f32::from_le_bytes(it)).collect())
    }
}
