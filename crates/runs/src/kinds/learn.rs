//! `learn eval` and `learn network`: runs whose steps depend on each other and follow too fast to
//! be logged. They keep a checkpoint in the folder; workers elsewhere do parts of each step.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::files::write_atomic;
use yomikiri_base::stages::StepRole;
use yomikiri_base::{Identity, Stages};
use yomikiri_lab::manifest::commit;
use yomikiri_learn::eval_run::{EvalPlan, told};
use yomikiri_learn::network::lineage::Lineage;
use yomikiri_learn::network::parts::{PartWorker, run_owner};
use yomikiri_learn::network::{Config, Trainer, checkpoint};

use crate::error::file_error;
use crate::{Context, Report, RunsError};

/// The weights in the folder of a run.
const WEIGHTS: &str = "weights.bin";

/// The network in the folder of a run; its lineage is beside it.
const NETWORK: &str = "network.nn";

/// Where a run goes on.
const CHECKPOINT: &str = "checkpoint.bin";

/// Says which run the folder holds; learners log no units.
const LOG: &str = "log.jsonl";

/// A run that learns a network.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkPlan {
    /// Every constant, and the files to learn from.
    pub config: Config,
}

impl NetworkPlan {
    /// The constants without paths: what files hold is the business of the owner, whose checkpoint
    /// knows their checksums. Workers are given positions and read none.
    fn identity(&self) -> Identity {
        let mut config = self.config.clone();
        config.data.files.clear();
        config.init.from = None;
        Identity::new("learn-network", 1, serde_json::json!({ "config": config }))
    }
}

fn other(error: impl std::error::Error + Send + Sync + 'static) -> RunsError {
    RunsError::Other(Box::new(error))
}

/// Between two checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(60);

pub(crate) fn eval(
    plan: &EvalPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
) -> Result<Report, RunsError> {
    let run = plan.load(context.input).map_err(other)?;
    stages.begin(&out.join(LOG), &run.identity())?;
    let stop = stages.stop();
    let mut on_step = |_: &_| match stop.is_stopped() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let saved = out.join(CHECKPOINT);
    let learned = match stages.step_role() {
        StepRole::Here => run.run(Some(&saved), context.threads, commit(), &mut on_step),
        StepRole::Owner => run.run_owner(&saved, stages, commit(), &mut on_step),
        StepRole::Worker => return served(run.serve(stages).map_err(other)),
    };
    let learned = learned.map_err(other)?;
    let path = out.join(WEIGHTS);
    write_atomic(&path, &learned.bytes).map_err(file_error(&path))?;
    let text = learned.last.as_ref().map_or_else(String::new, |last| {
        format!("{} of {} batches; the last: {}\n", last.done, last.total, told(last))
    });
    Ok(Report { text, complete: learned.finished })
}

/// A worker comes to nothing of its own.
fn served(end: Result<(), RunsError>) -> Result<Report, RunsError> {
    end.map(|()| Report::default())
}

pub(crate) fn network(
    plan: &NetworkPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
) -> Result<Report, RunsError> {
    stages.begin(&out.join(LOG), &plan.identity())?;
    if stages.step_role() == StepRole::Worker {
        let mut worker = PartWorker::new(plan.config.clone());
        return served(stages.serve(&mut |asked| worker.gradient(asked)).map_err(RunsError::Stage));
    }
    let saved = out.join(CHECKPOINT);
    let mut trainer = match saved.exists() {
        true => checkpoint::load(&saved, plan.config.clone()).map_err(other)?,
        false => Trainer::new(plan.config.clone()).map_err(other)?,
    };
    let finished = train(&mut trainer, stages, &saved, context.threads)?;
    let bytes = trainer.parameters().to_bytes().map_err(other)?;
    let lineage = Lineage::new(&trainer, sha256_hex(&bytes), Some(commit().to_string()));
    let lineage = lineage.to_json().map_err(other)?;
    for (name, bytes) in [(NETWORK, bytes.as_slice()), ("network.json", lineage.as_bytes())] {
        let path = out.join(name);
        write_atomic(&path, bytes).map_err(file_error(&path))?;
    }
    let text = format!("{} positions\n", trainer.positions());
    Ok(Report { text, complete: finished })
}

/// Trains to the end or until it is stopped, and saves itself now and then.
fn train(
    trainer: &mut Trainer,
    stages: &mut dyn Stages,
    saved: &Path,
    threads: usize,
) -> Result<bool, RunsError> {
    let stop = stages.stop();
    let (mut failure, mut last) = (None, Instant::now());
    let mut on_step = |trainer: &Trainer, report: &yomikiri_learn::network::Report| {
        let ends = stop.is_stopped() || report.step == report.steps;
        if ends || report.measurement.is_some() || last.elapsed() >= SAVE_EVERY {
            last = Instant::now();
            failure = checkpoint::save(saved, trainer).err();
        }
        match ends || failure.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let finished = match stages.step_role() {
        StepRole::Here => trainer.run(threads, &mut on_step),
        StepRole::Owner | StepRole::Worker => run_owner(trainer, stages, threads, &mut on_step),
    };
    match failure {
        Some(error) => Err(other(error)),
        None => finished.map_err(other),
    }
}
