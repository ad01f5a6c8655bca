//! `openings`.

use std::path::Path;

use yomikiri_arena::opening_maker::{OpeningsPlan, OpeningsRunError};
use yomikiri_base::Stages;

use crate::{Context, RunReport, RunsError};

pub(crate) fn run(
    plan: &OpeningsPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
) -> Result<RunReport, RunsError> {
    let made = plan.run(stages, out, &context.program).map_err(|error| match error {
        OpeningsRunError::Stage(error) => RunsError::Stage(error),
        error => RunsError::Other(Box::new(error)),
    })?;
    let (count, tried) = (made.openings.len(), made.tried);
    let text = format!("{count} openings from {tried} tries\n");
    Ok(RunReport { text, complete: true })
}
