//! A run that learns the move policy: from its plan, with a checkpoint, to the policy and its
//! lineage.

use super::{PolicyConfig, PolicyReport, PolicyTrainer, checkpoint};
use crate::eval_run::describe;
use crate::learner::{
    LearnError, LearnPlan, Learned, Learner, LearnerHost, LearnerProgress, Saver, of_batches,
};
use crate::{Dataset, TrainingGame};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;
use yomikiri_base::Identity;
use yomikiri_base::packed::UnpackLimits;

/// What to learn from, and how.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyPlan {
    /// Files of games; without any, those in the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<PathBuf>,
    /// Use at most this many games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// Learn only from the I-th of N parts of the games, as `1/2`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The learner's constants.
    pub config: PolicyConfig,
}

/// A part of the games, chosen by their hash: two policies of different parts share no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyPart {
    number: u64,
    of: u64,
}

impl FromStr for PolicyPart {
    type Err = LearnError;

    fn from_str(text: &str) -> Result<PolicyPart, LearnError> {
        let numbers = text.split_once('/').map(|(number, of)| (number.parse(), of.parse()));
        match numbers {
            Some((Ok(number), Ok(of))) if 0 < number && number <= of => {
                Ok(PolicyPart { number, of })
            }
            _ => Err(LearnError::Part(text.to_string())),
        }
    }
}

impl PolicyPart {
    /// The last two digits of the hash keep the test set apart, so that these are others.
    fn has(self, game: &TrainingGame) -> bool {
        game.hash / 100 % self.of == self.number - 1
    }
}

/// A run whose data is read.
struct PolicyRun {
    plan: PolicyPlan,
    part: Option<PolicyPart>,
    dataset: Dataset,
    data: String,
}

impl PolicyPlan {
    /// The files that it reads.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.games.clone()
    }
}

impl LearnPlan for PolicyPlan {
    fn file(&self) -> &'static str {
        "policy.bin"
    }

    fn load(&self, input: UnpackLimits) -> Result<Box<dyn Learner>, LearnError> {
        self.config.check()?;
        let part = self.part.as_deref().map(str::parse).transpose()?;
        let dataset = Dataset::read_or_carried(&self.games, input)?;
        let mut run = PolicyRun { plan: self.clone(), part, dataset, data: String::new() };
        run.data = describe(&run.dataset, &run.games()?);
        Ok(Box::new(run))
    }
}

impl PolicyRun {
    fn games(&self) -> Result<Vec<&TrainingGame>, LearnError> {
        let mut games = self.dataset.to_learn(self.plan.limit)?;
        games.retain(|game| self.part.is_none_or(|part| part.has(game)));
        match games.is_empty() {
            true => Err(LearnError::NoGames("none of them belongs to the part")),
            false => Ok(games),
        }
    }
}

impl Learner for PolicyRun {
    fn notes(&self) -> Vec<String> {
        self.dataset.skipped_note().into_iter().collect()
    }

    fn identity(&self) -> Identity {
        let settings = serde_json::json!({"config": self.plan.config.to_toml()});
        let mut identity = Identity::new("learn-policy", 1, settings);
        identity.data.insert("games".into(), self.data.clone());
        identity
    }

    fn run(&self, driver: LearnerHost<'_>) -> Result<Learned, LearnError> {
        let LearnerHost { checkpoint, threads, commit, on_step, elsewhere: _ } = driver;
        let games = self.games()?;
        let config = self.plan.config.clone();
        let mut trainer = match checkpoint.filter(|path| path.exists()) {
            Some(path) => checkpoint::load(path, &config, &self.data)?,
            None => PolicyTrainer::new(config),
        };
        let mut saver = Saver::new(checkpoint);
        let finished = trainer.run(&games, threads, &mut |trainer, report| {
            let (done, total) = (report.done, report.total);
            let step = LearnerProgress { done, total, text: report_text(report), measured: None };
            saver.after(&step, on_step, |path| checkpoint::save(path, trainer, &self.data))
        });
        saver.finish()?;
        let text = result(&trainer.report());
        let lineage = lineage(&trainer, &self.data, commit);
        let size = || LearnError::Pack("the table has a size that cannot be".into());
        let weights = trainer.weights(lineage).ok_or_else(size)?;
        let bytes = weights.to_bytes().map_err(|error| LearnError::Pack(Box::new(error)))?;
        Ok(Learned { bytes, lineage: None, finished, text })
    }
}

fn report_text(report: &PolicyReport) -> String {
    format!("loss {:.4} agreement {:.2} %", report.loss, report.agreement)
}

fn result(report: &PolicyReport) -> String {
    format!("{}; the last: {}", of_batches(report.done, report.total), report_text(report))
}

/// The same for a run that was broken off and taken up again.
fn lineage(trainer: &PolicyTrainer, data: &str, commit: &str) -> String {
    let result = result(&trainer.report());
    format!(
        "data: {data}\ncommit: {commit}\nresult: {result}\nconfig:\n{}",
        trainer.config.to_toml()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_games_are_named_by_two_numbers() {
        assert_eq!("1/2".parse::<PolicyPart>().ok(), Some(PolicyPart { number: 1, of: 2 }));
        for bad in ["0/2", "3/2", "1", "a/b", "1/0"] {
            assert!(bad.parse::<PolicyPart>().is_err(), "{bad}");
        }
    }
}
