//! A run that learns a network: from its plan, with a checkpoint, to the network and its lineage.

use super::lineage::Lineage;
use super::parts::{PartWorker, run_owner};
use super::trainer::{LossMeasurement, NetworkReport};
use super::{NetworkConfig, Trainer, checkpoint};
use crate::learner::{
    LearnError, LearnPlan, Learned, Learner, LearnerHost, LearnerProgress, Saver,
};
use serde::{Deserialize, Serialize};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::packed::UnpackLimits;
use yomikiri_base::{Identity, Stages};

/// A run that learns a network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkPlan {
    /// Every constant, and the files to learn from.
    pub config: NetworkConfig,
}

impl LearnPlan for NetworkPlan {
    fn file(&self) -> &'static str {
        "network.nn"
    }

    fn load(&self, _: UnpackLimits) -> Result<Box<dyn Learner>, LearnError> {
        match self.config.data.files.is_empty() {
            true => Err(LearnError::NoData),
            false => Ok(Box::new(NetworkRun(self.config.clone()))),
        }
    }
}

/// A run whose data is streamed.
struct NetworkRun(NetworkConfig);

impl Learner for NetworkRun {
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// The constants without paths: what files hold is the business of the owner, whose checkpoint
    /// knows their checksums. Workers are given positions and read none.
    fn identity(&self) -> Identity {
        let mut config = self.0.clone();
        config.data.files.clear();
        config.init.from = None;
        Identity::new("learn-network", 1, serde_json::json!({ "config": config }))
    }

    fn serve(&self, stages: &mut dyn Stages) -> Result<(), LearnError> {
        let mut worker = PartWorker::new(self.0.clone());
        Ok(stages.serve(&mut |asked| worker.gradient(asked))?)
    }

    fn run(&self, driver: LearnerHost<'_>) -> Result<Learned, LearnError> {
        let LearnerHost { checkpoint, threads, commit, on_step, elsewhere } = driver;
        let mut trainer = match checkpoint.filter(|path| path.exists()) {
            Some(path) => checkpoint::load(path, self.0.clone())?,
            None => Trainer::new(self.0.clone())?,
        };
        let mut last = trainer.history.last().copied();
        let mut saver = Saver::new(checkpoint);
        let mut after_step = |trainer: &Trainer, report: &NetworkReport| {
            last = report.measurement.or(last);
            let aside = last.map_or(String::new(), |it| format!(" aside {:.5}", it.quantised_loss));
            let step = LearnerProgress {
                done: report.step as usize,
                total: report.steps as usize,
                text: format!("loss {:.5}{aside}", report.loss),
                measured: report.measurement.as_ref().map(report_text),
            };
            saver.after(&step, on_step, |path| checkpoint::save(path, trainer))
        };
        let finished = match elsewhere {
            Some(stages) => run_owner(&mut trainer, stages, threads, &mut after_step)?,
            None => trainer.run(threads, &mut after_step)?,
        };
        saver.finish()?;
        let pack = |error| LearnError::Pack(Box::new(error));
        let bytes = trainer.parameters().to_bytes().map_err(pack)?;
        let lineage = Lineage::new(&trainer, sha256_hex(&bytes), Some(commit.to_string()));
        let lineage =
            lineage.to_json().map_err(|error| LearnError::Pack(Box::new(error)))?.into_bytes();
        let mut text = format!("{} positions", trainer.positions());
        if let Some(measurement) = trainer.history.last() {
            text += &format!("\n{}", report_text(measurement));
        }
        Ok(Learned { bytes, lineage: Some(lineage), finished, text })
    }
}

fn report_text(it: &LossMeasurement) -> String {
    format!(
        "{} positions: loss {:.5}, on what is kept aside {:.5}, as written {:.5}",
        it.positions, it.training_loss, it.validation_loss, it.quantised_loss
    )
}
