//! `tune`.

use std::path::Path;

use yomikiri_arena::tune::{TuneError, TunePlan};
use yomikiri_base::Stages;
use yomikiri_base::stages::StageError;

use super::contest::conditions;
use crate::error::other;
use crate::{Context, Front, RunReport, RunsError};

pub(crate) fn run(
    plan: &TunePlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &Front<'_>,
) -> Result<RunReport, RunsError> {
    // Some fifty lines in all, however many steps there are.
    let every = (plan.steps / 50).max(1);
    let mut on_step = |step: usize, values: &str| {
        if let Some(on_line) = front.line
            && (step + 1).is_multiple_of(every)
        {
            on_line(&format!("step {} of {}: {values}", step + 1, plan.steps));
        }
    };
    let path = plan.run(stages, out, &conditions(context), &mut on_step);
    let path = path.map_err(|error| match error {
        TuneError::Stage(error) => RunsError::Stage(error),
        error => other(error),
    })?;
    if let Some((stage, done, total)) = path.open {
        return Err(StageError::Incomplete { stage, done, total }.into());
    }
    Ok(RunReport { text: format!("{}\n", plan.last_values(&path)), complete: true })
}
