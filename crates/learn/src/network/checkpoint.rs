//! A training run on disk: saved whole or not at all, and taken up again where it stood.

use super::adam::Adam;
use super::config::NetworkConfig;
use super::model::{FloatNetwork, ParameterLayout};
use super::stream::StreamPosition;
use super::trainer::{LossMeasurement, TrainError, Trainer, sources};
pub use crate::checkpoint_file::CheckpointError;
use crate::checkpoint_file::{ContentReader, Magic, push_part, read, write};
use std::path::Path;

const MAGIC: &Magic = b"YomikiriNetwork1";

/// Saves a run.
///
/// # Errors
/// If the file cannot be written.
pub fn save(path: &Path, trainer: &Trainer) -> Result<(), CheckpointError> {
    write(path, MAGIC, &content(trainer))
}

fn content(trainer: &Trainer) -> Vec<u8> {
    let mut out = Vec::new();
    for text in [settings(&trainer.config), data(&trainer.sources)] {
        push_part(&mut out, text.as_bytes());
    }
    let StreamPosition { epoch, block, offset } = trainer.cursor();
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
    let lists = 3 * 4 * ParameterLayout::new(config.architecture()).total();
    let content = read(path, MAGIC, lists as u64 + (16 << 20))?;
    let mut reader = ContentReader::new(path, &content);
    if reader.part()? != settings(&config).as_bytes() {
        return Err(CheckpointError::Other("settings").into());
    }
    let sources = sources(&config)?;
    if reader.part()? != data(&sources).as_bytes() {
        return Err(CheckpointError::Other("data").into());
    }
    let steps = reader.number()?;
    let (epoch, block, offset) = (reader.number()?, reader.number()?, reader.number()?);
    let cursor = StreamPosition { epoch, block, offset };
    let recent = (reader.float()?, reader.number()?);
    let mut history = Vec::new();
    for _ in 0..reader.number()? {
        history.push(LossMeasurement {
            positions: reader.number()?,
            training_loss: reader.float()?,
            validation_loss: reader.float()?,
            quantised_loss: reader.float()?,
        });
    }
    let mut model = FloatNetwork::zero(config.architecture(), &config.output);
    let count = model.parameters.len();
    let mut list = || reader.values(count, f32::from_le_bytes);
    model.parameters = list()?;
    let (means, squares) = (list()?, list()?);
    let adam = Adam { means, squares, steps };
    let mut trainer = Trainer::assemble(config, model, adam, sources, cursor)?;
    trainer.history = history;
    trainer.recent = recent;
    Ok(trainer)
}
