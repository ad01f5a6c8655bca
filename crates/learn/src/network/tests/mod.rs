//! Tests of the trainer.

mod data;
mod gradients;
mod reference;
mod runs;

use super::config::NetworkConfig;
use super::data::{Sample, SampleOutcome};
use std::path::PathBuf;
use yomikiri_shogi::Position;
use yomikiri_shogi::notation::packed::{Code, encode};

/// Positions along random games.
fn positions(seed: u64, count: usize) -> Vec<Position> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut position = Position::start();
    let mut positions = Vec::with_capacity(count);
    while positions.len() < count {
        match random.choice(position.legal_moves()) {
            Some(mv) if position.plies_played() < 160 => _ = position.play(mv),
            _ => position = Position::start(),
        }
        positions.push(position.clone());
    }
    positions
}

fn sample(position: &Position, score: i16, outcome: Option<SampleOutcome>) -> Sample {
    let packed = encode(position, Code::PackedSfen).unwrap();
    Sample { packed, score, outcome, mirrored: false }
}

/// Positions along random games with random labels.
fn samples(seed: u64, count: usize) -> Vec<Sample> {
    let mut random = fastrand::Rng::with_seed(seed);
    let outcomes =
        [None, Some(SampleOutcome::Loss), Some(SampleOutcome::Draw), Some(SampleOutcome::Win)];
    let label = |position| {
        let outcome = outcomes[random.usize(..4)];
        Sample { mirrored: random.bool(), ..sample(position, random.i16(-900..900), outcome) }
    };
    positions(seed, count).iter().map(label).collect()
}

/// A PSV file of samples.
fn psv(samples: &[Sample]) -> Vec<u8> {
    let entry = |sample: &Sample| {
        let mut bytes = sample.packed.to_vec();
        bytes.extend(sample.score.to_le_bytes());
        let result: i8 = match sample.outcome {
            Some(SampleOutcome::Win) => 1,
            Some(SampleOutcome::Loss) => -1,
            _ => 0,
        };
        bytes.extend([0, 0, 1, 0, result as u8, 0]);
        bytes
    };
    samples.iter().flat_map(entry).collect()
}

/// A folder that is gone with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("yomikiri-network-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A small run over one file.
fn small_config(file: PathBuf) -> NetworkConfig {
    let mut config = NetworkConfig { seed: 5, ..NetworkConfig::default() };
    (config.architecture.l2, config.architecture.l3) = (8, 8);
    config.data.files = vec![file];
    config.validation.share = 10;
    config.validation.block = 50;
    config.optimizer.warm_up = 0;
    config
}
