//! `problems`: trying a set of next-move problems, and making one.

use std::path::Path;

use yomikiri_base::Stages;
use yomikiri_lab::problem_runs::{MakeProblemsPlan, ProblemRunError, ProblemsPlan};

use crate::{Context, RunReport, RunsError};

fn failed(error: ProblemRunError) -> RunsError {
    match error {
        ProblemRunError::Stage(error) => RunsError::Stage(error),
        error => RunsError::Other(Box::new(error)),
    }
}

pub(crate) fn try_set(
    plan: &ProblemsPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
) -> Result<RunReport, RunsError> {
    let tried = plan.run(stages, out, &context.program, context.input).map_err(failed)?;
    Ok(RunReport { text: tried.to_text(), complete: true })
}

pub(crate) fn make_set(
    plan: &MakeProblemsPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
) -> Result<RunReport, RunsError> {
    let made = plan.run(stages, out, &context.program, context.input).map_err(failed)?;
    let (count, tried) = made;
    let text = format!("{count} problems from {tried} positions\n");
    Ok(RunReport { text, complete: true })
}
