//! `learn eval` and `learn network`: runs with one owner, which does them whole and keeps a
//! checkpoint in the folder.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yomikiri_base::Stages;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::files::write_atomic;
use yomikiri_lab::manifest::commit;
use yomikiri_learn::eval_run::{EvalPlan, told};
use yomikiri_learn::network::lineage::Lineage;
use yomikiri_learn::network::{Config, Trainer, checkpoint};

use crate::error::file_error;
use crate::{Context, Report, RunsError};

/// The weights in the folder of a run.
const WEIGHTS: &str = "weights.bin";

/// The network in the folder of a run; its lineage is beside it.
const NETWORK: &str = "network.nn";

/// Where a run goes on.
const CHECKPOINT: &str = "checkpoint.bin";

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

fn other(error: impl std::error::Error + Send + Sync + 'static) -> RunsError {
    RunsError::Other(Box::new(error))
}

/// A worker has nothing to do here.
fn owns(stages: &dyn Stages, out: &Path) -> Result<(), RunsError> {
    if !stages.writes() {
        return Err(RunsError::Wrong("a learner has no units for workers".into()));
    }
    std::fs::create_dir_all(out).map_err(file_error(out))
}

pub(crate) fn eval(
    plan: &EvalPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
) -> Result<Report, RunsError> {
    owns(stages, out)?;
    let run = plan.load(context.input).map_err(other)?;
    let stop = stages.stop();
    let mut on_step = |_: &_| match stop.is_stopped() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let saved = out.join(CHECKPOINT);
    let learned = run.run(Some(&saved), context.threads, commit(), &mut on_step).map_err(other)?;
    let path = out.join(WEIGHTS);
    write_atomic(&path, &learned.bytes).map_err(file_error(&path))?;
    let text = learned.last.as_ref().map_or_else(String::new, |last| {
        format!("{} of {} batches; the last: {}\n", last.done, last.total, told(last))
    });
    Ok(Report { text, complete: learned.finished })
}

pub(crate) fn network(
    plan: &NetworkPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
) -> Result<Report, RunsError> {
    owns(stages, out)?;
    let saved = out.join(CHECKPOINT);
    let mut trainer = match saved.exists() {
        true => checkpoint::load(&saved, plan.config.clone()).map_err(other)?,
        false => Trainer::new(plan.config.clone()).map_err(other)?,
    };
    let stop = stages.stop();
    let mut failure = None;
    let mut on_step = |trainer: &Trainer, report: &yomikiri_learn::network::Report| {
        let ends = stop.is_stopped() || report.step == report.steps;
        if ends || report.measurement.is_some() {
            failure = checkpoint::save(&saved, trainer).err();
        }
        match ends || failure.is_some() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let finished = trainer.run(context.threads, &mut on_step).map_err(other)?;
    if let Some(error) = failure {
        return Err(other(error));
    }
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
