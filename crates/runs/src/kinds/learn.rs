//! `learn eval`, `learn network`, `learn policy`: runs with one owner, which does them whole and
//! keeps a checkpoint in the folder.

use std::ops::ControlFlow;
use std::path::Path;

use yomikiri_base::Stages;
use yomikiri_base::files::write_atomic;
use yomikiri_lab::manifest::commit;
use yomikiri_learn::learner::{Driver, LearnPlan, Step};

use crate::error::{file_error, other};
use crate::{Context, Front, Report, RunsError};

/// Where a run goes on.
const CHECKPOINT: &str = "checkpoint.bin";

pub(crate) fn run(
    plan: &dyn LearnPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &Front<'_>,
) -> Result<Report, RunsError> {
    if !stages.writes() {
        return Err(RunsError::Wrong("a learner has no units for workers".into()));
    }
    std::fs::create_dir_all(out).map_err(file_error(out))?;
    let learner = plan.load(context.input).map_err(other)?;
    let stop = stages.stop();
    let mut on_step = |step: &Step| {
        if let Some(tell) = front.learner {
            tell(step.done, step.total, &step.text);
        }
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let saved = out.join(CHECKPOINT);
    let driver = Driver {
        checkpoint: Some(&saved),
        threads: context.threads,
        commit: commit(),
        on_step: &mut on_step,
    };
    let learned = learner.run(driver).map_err(other)?;
    let path = out.join(plan.file());
    write_atomic(&path, &learned.bytes).map_err(file_error(&path))?;
    if let Some(lineage) = &learned.lineage {
        let path = path.with_extension("json");
        write_atomic(&path, lineage).map_err(file_error(&path))?;
    }
    Ok(Report { text: format!("{}\n", learned.text), complete: learned.finished })
}
