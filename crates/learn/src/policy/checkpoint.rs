//! A run on disk: saved whole or not at all, and taken up again where it stood.

use super::{PolicyConfig, PolicyTrainer};
use crate::checkpoint::CheckpointError;
use std::path::Path;
use yomikiri_base::checksum::sha256;
use yomikiri_base::files::write_atomic;
use yomikiri_base::packed::{UnpackLimits, unpack};

const MAGIC: &[u8; 16] = b"YomikiriPolRun1\n";
/// Bytes before the compressed part: magic and checksum.
const HEADER: usize = 48;
/// Upper bound on the unpacked size.
const LARGEST: u64 = 64 << 20;

/// Saves a run over data (described in words).
///
/// # Errors
/// If the file cannot be written.
pub fn save(path: &Path, trainer: &PolicyTrainer, data: &str) -> Result<(), CheckpointError> {
    let failed = |error| CheckpointError::File { path: path.to_path_buf(), error };
    let mut content = Vec::new();
    for part in [data, &trainer.config.to_toml()] {
        content.extend((part.len() as u64).to_le_bytes());
        content.extend(part.as_bytes());
    }
    let [loss, agreement] = trainer.running.map(f64::to_bits);
    for number in [trainer.done as u64, loss, agreement] {
        content.extend(number.to_le_bytes());
    }
    for list in [&trainer.weights, &trainer.squares] {
        content.extend(list.iter().flat_map(|number| number.to_le_bytes()));
    }
    let mut bytes = Vec::from(MAGIC);
    bytes.extend(sha256(&content));
    bytes.extend(zstd::encode_all(&content[..], 1).map_err(failed)?);
    write_atomic(path, &bytes).map_err(failed)
}

/// Reads the checkpoint of a run with this config over this data.
///
/// # Errors
/// If the file is not one, is damaged, or belongs to another run.
pub fn load(
    path: &Path,
    config: &PolicyConfig,
    data: &str,
) -> Result<PolicyTrainer, CheckpointError> {
    let bytes = std::fs::read(path)
        .map_err(|error| CheckpointError::File { path: path.to_path_buf(), error })?;
    let damaged = |reason: &str| CheckpointError::Damaged {
        path: path.to_path_buf(),
        reason: reason.to_string(),
    };
    if bytes.len() < HEADER || bytes[..16] != MAGIC[..] {
        return Err(damaged("it does not begin like one"));
    }
    let content = unpack(&bytes[HEADER..], UnpackLimits::size(LARGEST))
        .map_err(|error| damaged(&error.to_string()))?;
    if sha256(&content)[..] != bytes[16..HEADER] {
        return Err(damaged("its checksum is wrong"));
    }
    let mut rest = &content[..];
    let cut = || damaged("it is cut off");
    if part(&mut rest).ok_or_else(cut)? != data.as_bytes() {
        return Err(CheckpointError::Other("games"));
    }
    if part(&mut rest).ok_or_else(cut)? != config.to_toml().as_bytes() {
        return Err(CheckpointError::Other("settings"));
    }
    let mut trainer = PolicyTrainer::new(config.clone());
    trainer.done = number(&mut rest).ok_or_else(cut)? as usize;
    for slot in &mut trainer.running {
        *slot = f64::from_bits(number(&mut rest).ok_or_else(cut)?);
    }
    for list in [&mut trainer.weights, &mut trainer.squares] {
        for slot in list.iter_mut() {
            let bytes = rest.split_off(..4).ok_or_else(cut)?;
            *slot = f32::from_le_bytes(bytes.try_into().map_err(|_| cut())?);
        }
    }
    Ok(trainer)
}

fn number(rest: &mut &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(rest.split_off(..8)?.try_into().ok()?))
}

fn part<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(number(rest)?).ok()?;
    rest.split_off(..length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{Dataset, TrainingGame};
    use core::ops::ControlFlow;

    #[test]
    fn a_run_that_was_broken_off_ends_as_one_that_was_not() {
        let mut dataset = Dataset::default();
        dataset.add_text("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e 4a3b\tB\n");
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let config = PolicyConfig { bits: 10, positions: 40, batch: 4, ..PolicyConfig::default() };
        let mut whole = PolicyTrainer::new(config.clone());
        assert!(whole.run(&games, 1, &mut |_, _| ControlFlow::Continue(())));
        let mut broken = PolicyTrainer::new(config.clone());
        let stop = |_: &PolicyTrainer, report: &super::super::PolicyReport| match report.done {
            6 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        assert!(!broken.run(&games, 1, &mut { stop }));
        let folder = std::env::temp_dir().join(format!("yomikiri-policy-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("run");
        save(&file, &broken, "these games").unwrap();
        let other = load(&file, &config, "other games");
        assert!(matches!(other, Err(CheckpointError::Other("games"))));
        let mut again = load(&file, &config, "these games").unwrap();
        assert_eq!(again, broken);
        assert!(again.run(&games, 1, &mut |_, _| ControlFlow::Continue(())));
        assert_eq!(again, whole);
        std::fs::write(&file, b"something else").unwrap();
        assert!(matches!(
            load(&file, &config, "these games"),
            Err(CheckpointError::Damaged { .. })
        ));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
