//! A run that learns the linear evaluation: from its plan, with a checkpoint, to the weights and
//! their lineage.

use crate::eval_steps::{Elsewhere, GameSource, GameWorker, Here};
use crate::learner::{
    LearnError, LearnPlan, Learned, Learner, LearnerHost, LearnerProgress, Saver, of_batches,
    read_file,
};
use crate::trainer::{EvalReport, LinearTrainer};
use crate::{Config, Dataset, TrainingGame, checkpoint, mining};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::packed::UnpackLimits;
use yomikiri_base::{Identity, Stages};
use yomikiri_engine::eval::linear::LinearWeights;
use yomikiri_engine::eval::stage::ProgressModel;

/// What to learn from, and how.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvalPlan {
    /// Files of games; without any, those in the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<PathBuf>,
    /// Use at most this many games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// The learner's constants.
    pub config: Config,
    /// Weights to begin with; without them, material alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<PathBuf>,
    /// Three-piece patterns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patterns: Option<PathBuf>,
}

/// A run whose data is read.
struct EvalRun {
    plan: EvalPlan,
    start: LinearWeights,
    dataset: Dataset,
    data: String,
}

impl EvalPlan {
    /// The files that it reads.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.games.iter().chain(&self.from).chain(&self.patterns).cloned().collect()
    }
}

impl LearnPlan for EvalPlan {
    fn file(&self) -> &'static str {
        "weights.bin"
    }

    fn load(&self, input: UnpackLimits) -> Result<Box<dyn Learner>, LearnError> {
        self.config.check()?;
        let mut start = match &self.from {
            Some(path) => LinearWeights::from_bytes(&read_file(path)?)
                .map_err(|error| LearnError::Weights { path: path.clone(), error })?,
            None => LinearWeights::default(),
        };
        if let Some(path) = &self.patterns {
            let text = String::from_utf8_lossy(&read_file(path)?).into_owned();
            let patterns = mining::from_text(&text)
                .map_err(|error| LearnError::Patterns { path: path.clone(), error })?;
            start.patterns = Arc::new(patterns);
        }
        let dataset = Dataset::read_or_carried(&self.games, input)?;
        let begun = sha256_hex(&start.to_bytes().map_err(packing)?);
        let games = describe(&dataset, &dataset.to_learn(self.limit)?);
        let data = format!("{games}; begun from weights with sha256 {begun}");
        Ok(Box::new(EvalRun { plan: self.clone(), start, dataset, data }))
    }
}

fn packing(error: std::io::Error) -> LearnError {
    LearnError::Pack(Box::new(error))
}

/// The games in words; a checkpoint goes on only with the same.
#[must_use]
pub fn describe(dataset: &Dataset, games: &[&TrainingGame]) -> String {
    let files = dataset.sources.iter().map(|(name, digest)| format!("{name} sha256 {digest}"));
    let files: Vec<String> = files.collect();
    let hash = games.iter().fold(0u64, |sum, game| sum.wrapping_add(game.hash));
    format!("{}; {} games trained on, hash {hash:016x}", files.join(", "), games.len())
}

impl Learner for EvalRun {
    fn notes(&self) -> Vec<String> {
        self.dataset.skipped_note().into_iter().collect()
    }

    fn identity(&self) -> Identity {
        let settings = serde_json::json!({"config": self.plan.config.to_toml()});
        let mut identity = Identity::new("learn-eval", 1, settings);
        identity.data.insert("games".into(), self.data.clone());
        identity
    }

    fn run(&self, driver: LearnerHost<'_>) -> Result<Learned, LearnError> {
        let LearnerHost { checkpoint, threads, commit, on_step, elsewhere } = driver;
        let games = self.dataset.to_learn(self.plan.limit)?;
        let number_of_games = games.len();
        let mut source: Box<dyn GameSource> = match elsewhere {
            Some(stages) => Box::new(Elsewhere { stages, games: number_of_games, number: 0 }),
            None => Box::new(Here { games, threads }),
        };
        let config = self.plan.config.clone();
        let mut trainer = match checkpoint.filter(|path| path.exists()) {
            Some(path) => checkpoint::load(path, &config, &self.data)?,
            None => {
                let mut trainer = LinearTrainer::uncounted(config, &self.start);
                let count = source.count(&trainer)?;
                trainer.set_count(count);
                trainer
            }
        };
        let mut saver = Saver::new(checkpoint);
        let mut after_step = |trainer: &LinearTrainer, report: &EvalReport| {
            let (done, total) = (report.done, report.total);
            let step = LearnerProgress { done, total, text: report_text(report), measured: None };
            saver.after(&step, on_step, |path| checkpoint::save(path, trainer, &self.data))
        };
        let mut gradient =
            |trainer: &LinearTrainer, batch: &[usize]| source.gradient(trainer, batch);
        let finished = trainer.run_with(number_of_games, &mut gradient, &mut after_step)?;
        saver.finish()?;
        let lineage = lineage(&trainer, &self.data, commit) + &ancestry(&self.start.lineage);
        let bytes = trainer.weights(lineage).to_bytes().map_err(packing)?;
        let text = trainer.last.as_ref().map_or_else(String::new, result);
        Ok(Learned { bytes, lineage: None, finished, text })
    }

    fn serve(&self, stages: &mut dyn Stages) -> Result<(), LearnError> {
        let games = self.dataset.to_learn(self.plan.limit)?;
        let mut worker = GameWorker::new(self.plan.config.clone(), &self.start, &games);
        Ok(stages.serve(&mut |asked| worker.unit(asked))?)
    }
}

/// How far a run came, in words.
fn result(report: &EvalReport) -> String {
    format!("{}; the last: {}", of_batches(report.done, report.total), report_text(report))
}

/// Loss and agreement in words.
fn report_text(report: &EvalReport) -> String {
    format!("loss {:.4} agreement {:.1} %", report.loss, report.agreement)
}

fn lineage(trainer: &LinearTrainer, data: &str, commit: &str) -> String {
    let result = trainer.last.as_ref().map_or("no batch".to_string(), result);
    let patterns = trainer.patterns.len();
    let progress = match trainer.progress {
        ProgressModel::HandMade => "hand-made",
        ProgressModel::Learned(_) => "learned",
    };
    format!(
        "data: {data}\ncommit: {commit}\nprogress: {progress}\npatterns: {patterns}\n\
         result: {result}\nconfig:\n{}",
        trainer.config.to_toml()
    )
}

/// The lineage of the weights that a run began with, set in under that of the run.
fn ancestry(before: &str) -> String {
    if before.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = before.lines().map(|line| format!("  {line}")).collect();
    format!("\nbegun from weights of this lineage:\n{}\n", lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::ancestry;

    #[test]
    fn weights_tell_of_those_before_them() {
        assert_eq!(ancestry(""), "");
        let second = format!("data: b\n{}", ancestry("data: a\n"));
        let third = format!("data: c\n{}", ancestry(&second));
        assert!(third.contains("\n  data: b\n"), "{third}");
        assert!(third.contains("\n    data: a\n"), "{third}");
    }
}
