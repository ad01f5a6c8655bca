//! Whole runs: what is planted is found, and nothing depends on threads or interruptions.

use super::super::NetworkReport;
use super::super::checkpoint::{self, CheckpointError};
use super::super::config::{Decay, NetworkConfig};
use super::super::lineage::Lineage;
use super::super::model::FloatNetwork;
use super::super::parts::{PartWorker, run_owner};
use super::super::quantise::quantise;
use super::super::trainer::{TrainError, Trainer};
use super::{Folder, positions, psv, sample, samples, small_config};
use core::ops::ControlFlow;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use yomikiri_base::checksum::sha256;
use yomikiri_base::stages::{StageError, StageUnits, Stages, Step, StepUnit};
use yomikiri_base::unit_log::Unit;
use yomikiri_base::{Identity, Provenance, StopToken};
use yomikiri_eval::Evaluation;
use yomikiri_eval::network::{Network, NetworkEvaluation, NetworkParameters};

/// Trains to the end, or for some steps.
fn run(trainer: &mut Trainer, threads: usize, steps: u64) -> bool {
    let end = trainer.adam.steps + steps;
    let mut callback = |_: &Trainer, report: &super::super::NetworkReport| match report.step < end {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    trainer.run(threads, &mut callback).unwrap()
}

/// Blocks, epochs and batches that do not fit into each other.
fn short_run(folder: &Folder) -> NetworkConfig {
    let mut config = small_config(folder.file("a.psv", &psv(&samples(71, 1500))));
    config.data.shuffle = 400;
    config.optimizer.batch = 300;
    config.optimizer.positions = 4_200;
    config.optimizer.weight_decay = 0.01;
    config.validation.every = 700;
    config.loss.lambda_end = Some(0.5);
    config
}

/// A hash of what [`short_run`] learns, whatever the machine and its vector instructions are.
const LEARNED: u64 = 0x1F23_7DBE_2984_2C14;

#[test]
fn one_thread_learns_what_two_and_three_learn() {
    let folder = Folder::new("threads");
    let config = short_run(&folder);
    let [one, two, three] = [1, 2, 3].map(|threads| {
        let mut trainer = Trainer::new(config.clone()).unwrap();
        assert!(run(&mut trainer, threads, u64::MAX / 2));
        trainer
    });
    assert_ne!(one.model.parameters, FloatNetwork::random(&config).parameters);
    let bits = one.model.parameters.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<u8>>();
    let hash = sha256(&bits)[..8].iter().fold(0, |hash, &it| hash << 8 | u64::from(it));
    assert_eq!(hash, LEARNED, "{hash:#018X}");
    for other in [two, three] {
        assert_eq!(one.model.parameters, other.model.parameters);
        assert_eq!((&one.adam, &one.history), (&other.adam, &other.history));
    }
}

/// Workers that take turns, as an owner of a run sees them.
struct Elsewhere(Vec<PartWorker>);

impl Stages for Elsewhere {
    fn begin(&mut self, _: &Path, _: &Identity) -> Result<(), StageError> {
        Ok(())
    }

    fn stage(&mut self, _: &StageUnits<'_>) -> Result<Vec<Option<Unit<Value>>>, StageError> {
        Err(StageError::Ended)
    }

    fn step(&mut self, step: Step) -> Result<Vec<Vec<u8>>, StageError> {
        let Step { number, state, units } = step;
        let workers = self.0.len();
        let mut results = vec![Vec::new(); units.len()];
        // The last part first: the order of work is chance.
        for (at, unit) in units.iter().enumerate().rev() {
            let asked = StepUnit { number, state: &state, unit };
            results[at] = self.0[at % workers].gradient(asked).map_err(StageError::Unit)?;
        }
        Ok(results)
    }

    fn stop(&self) -> StopToken {
        StopToken::new()
    }

    fn writes(&self) -> bool {
        true
    }

    fn provenances(&self) -> Vec<Provenance> {
        Vec::new()
    }
}

#[test]
fn workers_elsewhere_learn_what_one_machine_learns() {
    let folder = Folder::new("parts");
    let mut config = short_run(&folder);
    (config.optimizer.batch, config.optimizer.part) = (700, 256);
    let mut whole = Trainer::new(config.clone()).unwrap();
    assert!(run(&mut whole, 2, u64::MAX / 2));
    for workers in [1, 2, 3] {
        let mut trainer = Trainer::new(config.clone()).unwrap();
        let mut elsewhere =
            Elsewhere((0..workers).map(|_| PartWorker::new(config.clone())).collect());
        let mut go_on = |_: &Trainer, _: &NetworkReport| ControlFlow::Continue(());
        assert!(run_owner(&mut trainer, &mut elsewhere, 1, &mut go_on).unwrap());
        assert_eq!(whole.model.parameters, trainer.model.parameters);
        assert_eq!((&whole.adam, &whole.history), (&trainer.adam, &trainer.history));
    }
    config.optimizer.part = 1 << 20;
    let mut at_once = Trainer::new(config.clone()).unwrap();
    assert!(run(&mut at_once, 2, u64::MAX / 2));
    assert_ne!(whole.model.parameters, at_once.model.parameters, "parts are summed up apart");
    let mut worker = PartWorker::new(config);
    let asked = StepUnit { number: 0, state: &[0; 12], unit: &[] };
    assert!(worker.gradient(asked).unwrap_err().to_string().contains("parameters"));
}

#[test]
fn a_run_that_is_killed_and_resumed_is_the_unbroken_one() {
    let folder = Folder::new("resume");
    let config = short_run(&folder);
    let saved = folder.0.join("run.checkpoint");
    let mut whole = Trainer::new(config.clone()).unwrap();
    assert!(run(&mut whole, 2, u64::MAX / 2));
    let mut broken = Trainer::new(config.clone()).unwrap();
    for steps in [1, 4, 5] {
        assert!(!run(&mut broken, 2, steps));
        checkpoint::save(&saved, &broken).unwrap();
        // What is learned after the checkpoint is lost.
        run(&mut broken, 1, 1);
        broken = checkpoint::load(&saved, config.clone()).unwrap();
    }
    assert!(run(&mut broken, 1, u64::MAX / 2));
    assert_eq!(whole.model.parameters, broken.model.parameters);
    assert_eq!((&whole.adam, &whole.history), (&broken.adam, &broken.history));
    assert_eq!(whole.parameters(), broken.parameters());
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let folder = Folder::new("other");
    let config = short_run(&folder);
    let saved = folder.0.join("run.checkpoint");
    checkpoint::save(&saved, &Trainer::new(config.clone()).unwrap()).unwrap();
    let refused = |config: &NetworkConfig| match checkpoint::load(&saved, config.clone()) {
        Err(TrainError::Checkpoint(error)) => error,
        _ => panic!("it was taken"),
    };
    let mut other = config.clone();
    other.loss.k = 601.0;
    assert!(matches!(refused(&other), CheckpointError::Other("settings")));
    let mut other = config.clone();
    other.data.files = vec![folder.file("b.psv", &psv(&samples(72, 1500)))];
    assert!(matches!(refused(&other), CheckpointError::Other("data")));
    let mut bytes = std::fs::read(&saved).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(&saved, &bytes).unwrap();
    assert!(matches!(refused(&config), CheckpointError::Damaged { .. }));
    std::fs::write(&saved, &bytes[..20]).unwrap();
    assert!(matches!(refused(&config), CheckpointError::Damaged { .. }));
}

#[test]
fn a_run_can_begin_with_a_network() {
    let folder = Folder::new("start");
    let mut config = short_run(&folder);
    let file = quantise(&FloatNetwork::random(&config), "before");
    config.init.from = Some(folder.file("start.nn", &file.to_bytes().unwrap()));
    let trainer = Trainer::new(config.clone()).unwrap();
    let written = trainer.parameters();
    assert_eq!((written.first_weights, written.layers), (file.first_weights, file.layers));
    config.architecture.l2 = 16;
    assert!(matches!(Trainer::new(config), Err(TrainError::OtherForm { .. })));
}

#[test]
fn a_planted_network_is_found_again() {
    let folder = Folder::new("planted");
    // With more positions it is found wherever one looks, and not only where it was trained.
    let count: usize = std::env::var("YOMIKIRI_PLANTED_POSITIONS")
        .map_or(20_000, |text| text.parse().expect("a number of positions"));
    let mut config = small_config(folder.0.join("planted.psv"));
    (config.architecture.l2, config.architecture.l3) = (16, 32);
    config.init.first_deviation = 0.3;
    config.init.layer_deviation = 1.2;
    let planted = Network::new(&quantise(&FloatNetwork::random(&config), "planted")).unwrap();
    let mut evaluation = NetworkEvaluation::new(Arc::new(planted));
    let label = |position| {
        evaluation.reset(position);
        sample(position, (evaluation.raw(position) / config.output.fv_scale) as i16, None)
    };
    folder.file("planted.psv", &psv(&positions(81, count).iter().map(label).collect::<Vec<_>>()));
    config.seed += 1;
    config.init = Default::default();
    config.loss.lambda = 1.0;
    config.data.mirror = false;
    config.optimizer.batch = 256;
    config.optimizer.positions = 12 * count as u64;
    config.optimizer.decay = Decay::Cosine;
    config.optimizer.rate = 5e-4;
    config.optimizer.warm_up = count as u64;
    config.validation.every = count as u64;
    let mut trainer = Trainer::new(config).unwrap();
    assert!(run(&mut trainer, 2, u64::MAX / 2));
    let (first, last) = (trainer.history[0], trainer.history[trainer.history.len() - 1]);
    println!("{first:?}\n{last:?}");
    assert!(last.training_loss < 0.15 * first.training_loss);
    assert!(last.validation_loss < 0.4 * first.training_loss);
    assert!((last.quantised_loss - last.validation_loss).abs() < 1e-3 * last.validation_loss);
}

#[test]
fn lineage_names_data_and_losses_and_no_folder() {
    let folder = Folder::new("lineage");
    let mut trainer = Trainer::new(short_run(&folder)).unwrap();
    run(&mut trainer, 1, 5);
    let lineage = Lineage::new(&trainer, "0123".into(), Some("abc".into()));
    let json: serde_json::Value = serde_json::from_str(&lineage.to_json().unwrap()).unwrap();
    assert_eq!(json["positions"], 1500);
    assert_eq!(json["config"]["data"]["files"][0], "a.psv");
    assert_eq!(json["data"][0]["name"], "a.psv");
    assert_eq!(json["history"].as_array().unwrap().len(), 2);
    let bytes = trainer.parameters().to_bytes().unwrap();
    assert_eq!(NetworkParameters::from_bytes(&bytes).unwrap(), trainer.parameters());
}
