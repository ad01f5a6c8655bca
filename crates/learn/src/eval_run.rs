//! A run that learns the linear evaluation: from its plan, with a checkpoint, to the weights and
//! their lineage.

use crate::eval_steps::{Elsewhere, GameSource, GameWorker, Here};
use crate::trainer::{Report, Trainer};
use crate::{Config, Dataset, Game, checkpoint, dataset, mining};
use core::ops::ControlFlow;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::packed::Limits;
use yomikiri_base::stages::StageError;
use yomikiri_base::{Identity, Stages};
use yomikiri_engine::eval::linear::{Weights, WeightsError};
use yomikiri_engine::eval::stage::ProgressModel;

/// Between two checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// What to learn from, and how.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvalPlan {
    /// Files of games; without any, those in the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<PathBuf>,
    /// Use at most so many games.
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

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
pub enum EvalRunError {
    /// The games.
    #[error(transparent)]
    Games(#[from] dataset::DatasetError),
    /// No game is left.
    #[error("no games to learn from: all of them belong to the test set")]
    NoGames,
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// Weights to begin with that are none.
    #[error("{}: {error}", path.display())]
    Weights {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        error: WeightsError,
    },
    /// Patterns or constants that make no sense.
    #[error("{what}: {fault}")]
    Wrong {
        /// Where.
        what: String,
        /// What is wrong.
        fault: String,
    },
    /// The checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] checkpoint::CheckpointError),
    /// Results of workers elsewhere do not come.
    #[error(transparent)]
    Elsewhere(#[from] StageError),
    /// The weights cannot be packed.
    #[error("the weights cannot be packed: {0}")]
    Pack(std::io::Error),
}

/// A run whose data is read.
pub struct EvalRun {
    plan: EvalPlan,
    start: Weights,
    dataset: Dataset,
    data: String,
}

/// What a run has come to.
pub struct Learned {
    /// The weights as a file.
    pub bytes: Vec<u8>,
    /// Whether all batches are done.
    pub finished: bool,
    /// The last batch.
    pub last: Option<Report>,
}

impl EvalPlan {
    /// The files that it reads.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        self.games.iter().chain(&self.from).chain(&self.patterns).cloned().collect()
    }

    /// Reads everything.
    ///
    /// # Errors
    /// See [`EvalRunError`].
    pub fn load(&self, input: Limits) -> Result<EvalRun, EvalRunError> {
        let wrong = |what: &str, fault| EvalRunError::Wrong { what: what.to_string(), fault };
        self.config.check().map_err(|fault| wrong("config", fault))?;
        let read = |path: &PathBuf| {
            std::fs::read(path).map_err(|error| EvalRunError::File { path: path.clone(), error })
        };
        let mut start = match &self.from {
            Some(path) => Weights::from_bytes(&read(path)?)
                .map_err(|error| EvalRunError::Weights { path: path.clone(), error })?,
            None => Weights::default(),
        };
        if let Some(path) = &self.patterns {
            let text = String::from_utf8_lossy(&read(path)?).into_owned();
            let patterns = mining::from_text(&text)
                .map_err(|fault| wrong(&path.display().to_string(), fault))?;
            start.patterns = Arc::new(patterns);
        }
        let dataset = match self.games.is_empty() {
            true => Dataset::carried(input)?,
            false => Dataset::read(&self.games, input)?,
        };
        let begun = sha256_hex(&start.to_bytes().map_err(EvalRunError::Pack)?);
        let mut run = EvalRun { plan: self.clone(), start, dataset, data: String::new() };
        let games = describe(&run.dataset, &run.games()?);
        run.data = format!("{games}; begun from weights with sha256 {begun}");
        Ok(run)
    }
}

/// The games in words; a checkpoint goes on only with the same.
#[must_use]
pub fn describe(dataset: &Dataset, games: &[&Game]) -> String {
    let files = dataset.sources.iter().map(|(name, digest)| format!("{name} sha256 {digest}"));
    let files: Vec<String> = files.collect();
    let hash = games.iter().fold(0u64, |sum, game| sum.wrapping_add(game.hash));
    format!("{}; {} games trained on, hash {hash:016x}", files.join(", "), games.len())
}

impl EvalRun {
    /// All that was read.
    #[must_use]
    pub fn dataset(&self) -> &Dataset {
        &self.dataset
    }

    /// The games to learn from: those of the test set are left out.
    fn games(&self) -> Result<Vec<&Game>, EvalRunError> {
        let (mut games, _) = self.dataset.split();
        games.truncate(self.plan.limit.unwrap_or(usize::MAX));
        match games.is_empty() {
            true => Err(EvalRunError::NoGames),
            false => Ok(games),
        }
    }

    /// What makes the run the one it is: constants and data.
    #[must_use]
    pub fn identity(&self) -> Identity {
        let settings = serde_json::json!({"config": self.plan.config.to_toml()});
        let mut identity = Identity::new("learn-eval", 1, settings);
        identity.data.insert("games".into(), self.data.clone());
        identity
    }

    /// Learns until all batches are done or `on_step` breaks off. With a checkpoint it goes on from
    /// there, and saves itself now and then. `commit` is what the program was built from, for the
    /// lineage.
    ///
    /// # Errors
    /// If the checkpoint is of another run or cannot be written.
    pub fn run(
        &self,
        checkpoint: Option<&Path>,
        threads: usize,
        commit: &str,
        on_step: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Result<Learned, EvalRunError> {
        let games = self.games()?;
        self.learn(checkpoint, commit, on_step, &mut Here { games, threads })
    }

    /// The same; workers elsewhere go through the games.
    ///
    /// # Errors
    /// See [`EvalRun::run`], and where no results come.
    pub fn run_owner(
        &self,
        checkpoint: &Path,
        stages: &mut dyn Stages,
        commit: &str,
        on_step: &mut dyn FnMut(&Report) -> ControlFlow<()>,
    ) -> Result<Learned, EvalRunError> {
        let games = self.games()?.len();
        let mut elsewhere = Elsewhere { stages, games, number: 0 };
        self.learn(Some(checkpoint), commit, on_step, &mut elsewhere)
    }

    /// Goes through games for an owner elsewhere until no more are wanted.
    ///
    /// # Errors
    /// At its end, which is the error that it returns, and before if there are no games.
    pub fn serve(&self, stages: &mut dyn Stages) -> Result<(), EvalRunError> {
        let games = self.games()?;
        let mut worker = GameWorker::new(self.plan.config.clone(), &self.start, &games);
        Ok(stages.serve(&mut |asked| worker.unit(asked))?)
    }

    fn learn(
        &self,
        checkpoint: Option<&Path>,
        commit: &str,
        on_step: &mut dyn FnMut(&Report) -> ControlFlow<()>,
        source: &mut dyn GameSource,
    ) -> Result<Learned, EvalRunError> {
        let config = self.plan.config.clone();
        let mut trainer = match checkpoint.filter(|path| path.exists()) {
            Some(path) => checkpoint::load(path, &config, &self.data)?,
            None => {
                let mut trainer = Trainer::uncounted(config, &self.start);
                let count = source.count(&trainer)?;
                trainer.set_count(count);
                trainer
            }
        };
        let (mut saved, mut failure) = (Instant::now(), None);
        let mut after_step = |trainer: &Trainer, report: &Report| {
            let heard = on_step(report);
            let ends = heard.is_break() || report.done == report.total;
            if let Some(path) = checkpoint
                && (ends || saved.elapsed() >= SAVE_EVERY)
            {
                saved = Instant::now();
                if let Err(error) = checkpoint::save(path, trainer, &self.data) {
                    failure = Some(error);
                    return ControlFlow::Break(());
                }
            }
            heard
        };
        let mut gradient = |trainer: &Trainer, batch: &[usize]| source.gradient(trainer, batch);
        let finished = trainer.run_with(self.games()?.len(), &mut gradient, &mut after_step)?;
        if let Some(error) = failure {
            return Err(error.into());
        }
        let lineage = lineage(&trainer, &self.data, commit) + &ancestry(&self.start.lineage);
        let bytes = trainer.weights(lineage).to_bytes().map_err(EvalRunError::Pack)?;
        Ok(Learned { bytes, finished, last: trainer.last.clone() })
    }
}

/// Loss and agreement in words.
#[must_use]
pub fn told(report: &Report) -> String {
    format!("loss {:.4} agreement {:.1} %", report.loss, report.agreement)
}

fn lineage(trainer: &Trainer, data: &str, commit: &str) -> String {
    let result = trainer.last.as_ref().map_or("no batch".to_string(), |report| {
        format!("{} of {} batches; the last: {}", report.done, report.total, told(report))
    });
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
