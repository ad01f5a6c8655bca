//! A run on disk: saved whole or not at all, and taken up again where it stood.

use super::{PolicyConfig, PolicyTrainer};
use crate::checkpoint_file::{CheckpointError, ContentReader, Magic, push_part, read, write};
use std::path::Path;

const MAGIC: &Magic = b"YomikiriPolRun1\n";
/// Upper bound on the unpacked size.
const LARGEST: u64 = 64 << 20;

/// Saves a run over data (described in words).
///
/// # Errors
/// If the file cannot be written.
pub fn save(path: &Path, trainer: &PolicyTrainer, data: &str) -> Result<(), CheckpointError> {
    let mut content = Vec::new();
    for part in [data, &trainer.config.to_toml()] {
        push_part(&mut content, part.as_bytes());
    }
    let [loss, agreement] = trainer.running.map(f64::to_bits);
    for number in [trainer.done as u64, loss, agreement] {
        content.extend(number.to_le_bytes());
    }
    for list in [&trainer.weights, &trainer.squares] {
        content.extend(list.iter().flat_map(|number| number.to_le_bytes()));
    }
    write(path, MAGIC, &content)
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
    let content = read(path, MAGIC, LARGEST)?;
    let mut reader = ContentReader::new(path, &content);
    if reader.part()? != data.as_bytes() {
        return Err(CheckpointError::Other("games"));
    }
    if reader.part()? != config.to_toml().as_bytes() {
        return Err(CheckpointError::Other("settings"));
    }
    let mut trainer = PolicyTrainer::new(config.clone());
    trainer.done = reader.number()? as usize;
    for slot in &mut trainer.running {
        *slot = reader.float()?;
    }
    for list in [&mut trainer.weights, &mut trainer.squares] {
        *list = reader.values(list.len(), f32::from_le_bytes)?;
    }
    Ok(trainer)
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
