//! `learn eval`, `learn network`, `learn policy`: runs whose steps depend on each other and follow
//! too fast to be logged. They keep a checkpoint in the folder; workers elsewhere do parts of each
//! step. `learn book` and `learn level-agreement` have units like other runs.

use std::ops::ControlFlow;
use std::path::Path;

use yomikiri_base::Stages;
use yomikiri_base::files::write_atomic;
use yomikiri_base::stages::StepRole;
use yomikiri_lab::manifest::commit;
use yomikiri_learn::book::BookPlan;
use yomikiri_learn::learner::{LearnError, LearnPlan, LearnerHost, LearnerProgress};
use yomikiri_learn::policy::levels::LevelsPlan;
use yomikiri_text::counted;

use crate::error::{file_error, other};
use crate::{Context, Front, RunReport, RunsError};

/// Where a run goes on.
const CHECKPOINT: &str = "checkpoint.bin";

/// Says which run the folder holds; learners log no units.
const LOG: &str = "log.jsonl";

fn failure(error: LearnError) -> RunsError {
    match error {
        LearnError::Elsewhere(error) => RunsError::Stage(error),
        error => other(error),
    }
}

pub(crate) fn run(
    plan: &dyn LearnPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &Front<'_>,
) -> Result<RunReport, RunsError> {
    let learner = plan.load(context.input).map_err(other)?;
    stages.begin(&out.join(LOG), &learner.identity())?;
    let role = stages.step_role();
    if role == StepRole::Worker {
        return learner.serve(stages).map(|()| RunReport::default()).map_err(failure);
    }
    let stop = stages.stop();
    let mut on_step = |step: &LearnerProgress| {
        if let Some(on_step) = front.learner {
            on_step(step.done, step.total, &step.text);
        }
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let saved = out.join(CHECKPOINT);
    let driver = LearnerHost {
        checkpoint: Some(&saved),
        threads: context.threads,
        commit: commit(),
        on_step: &mut on_step,
        elsewhere: (role == StepRole::Owner).then_some(stages),
    };
    let learned = learner.run(driver).map_err(failure)?;
    let path = out.join(plan.file());
    write_atomic(&path, &learned.bytes).map_err(file_error(&path))?;
    if let Some(lineage) = &learned.lineage {
        let path = path.with_extension("json");
        write_atomic(&path, lineage).map_err(file_error(&path))?;
    }
    Ok(RunReport { text: format!("{}\n", learned.text), complete: learned.finished })
}

/// Shows a remark about the games.
fn remark(front: &Front<'_>, remark: Option<String>) {
    if let (Some(line), Some(remark)) = (front.line, remark) {
        line(&remark);
    }
}

/// `learn book`.
pub(crate) fn book(
    plan: &BookPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &Front<'_>,
) -> Result<RunReport, RunsError> {
    let (book, note) = plan.run(stages, out, context.input).map_err(failure)?;
    remark(front, note);
    let text = format!("{}\n", counted(book.len(), "position"));
    Ok(RunReport { text, complete: true })
}

/// `learn level-agreement`.
pub(crate) fn levels(
    plan: &LevelsPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &Front<'_>,
) -> Result<RunReport, RunsError> {
    let (report, note) = plan.run(stages, out, context.input).map_err(failure)?;
    remark(front, note);
    Ok(RunReport { text: report.to_text(), complete: true })
}
