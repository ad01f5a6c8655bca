//! A run that learns a network: from its plan, with a checkpoint, to the network and its lineage.

use super::lineage::Lineage;
use super::trainer::Measurement;
use super::{Config, Trainer, checkpoint};
use crate::learner::{Driver, LearnError, LearnPlan, Learned, Learner, Saver, Step};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::packed::Limits;

/// A run that learns a network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkPlan {
    /// Every constant, and the files to learn from.
    pub config: Config,
}

impl NetworkPlan {
    /// The files that it reads.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.config.data.files.clone()
    }
}

impl LearnPlan for NetworkPlan {
    fn file(&self) -> &'static str {
        "network.nn"
    }

    fn load(&self, _: Limits) -> Result<Box<dyn Learner>, LearnError> {
        match self.config.data.files.is_empty() {
            true => Err(LearnError::NoData),
            false => Ok(Box::new(NetworkRun(self.config.clone()))),
        }
    }
}

/// A run whose data is streamed.
struct NetworkRun(Config);

impl Learner for NetworkRun {
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    fn run(&self, driver: Driver<'_>) -> Result<Learned, LearnError> {
        let Driver { checkpoint, threads, commit, on_step } = driver;
        let mut trainer = match checkpoint.filter(|path| path.exists()) {
            Some(path) => checkpoint::load(path, self.0.clone())?,
            None => Trainer::new(self.0.clone())?,
        };
        let mut last = trainer.history.last().copied();
        let mut saver = Saver::new(checkpoint);
        let finished = trainer.run(threads, &mut |trainer, report| {
            last = report.measurement.or(last);
            let aside = last.map_or(String::new(), |it| format!(" aside {:.5}", it.quantised_loss));
            let step = Step {
                done: report.step as usize,
                total: report.steps as usize,
                text: format!("loss {:.5}{aside}", report.loss),
                measured: report.measurement.as_ref().map(told),
            };
            saver.after(&step, on_step, |path| checkpoint::save(path, trainer))
        })?;
        saver.finish()?;
        let pack = |error| LearnError::Pack(Box::new(error));
        let bytes = trainer.parameters().to_bytes().map_err(pack)?;
        let lineage = Lineage::new(&trainer, sha256_hex(&bytes), Some(commit.to_string()));
        let lineage =
            lineage.to_json().map_err(|error| LearnError::Pack(Box::new(error)))?.into_bytes();
        let mut text = format!("{} positions", trainer.positions());
        if let Some(measurement) = trainer.history.last() {
            text += &format!("\n{}", told(measurement));
        }
        Ok(Learned { bytes, lineage: Some(lineage), finished, text })
    }
}

fn told(it: &Measurement) -> String {
    format!(
        "{} positions: loss {:.5}, on what is kept aside {:.5}, as written {:.5}",
        it.positions, it.training_loss, it.validation_loss, it.quantised_loss
    )
}
