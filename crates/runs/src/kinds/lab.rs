//! `lab run`.

use std::path::Path;

use yomikiri_base::Stages;
use yomikiri_lab::LabPlan;

use crate::{Context, RunReport, RunsError};

pub(crate) fn run(
    plan: &LabPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
) -> Result<RunReport, RunsError> {
    let summary = plan.run(stages, out, context.input)?;
    let page = plan.folder(out).join("index.html");
    let text = format!("{}  {}\n", summary.to_text(context.language), page.display());
    Ok(RunReport { text, complete: true })
}
