//! `tune`.

use std::path::Path;

use yomikiri_arena::tune::plan::Machine;
use yomikiri_arena::tune::{TuneError, TunePlan};
use yomikiri_base::Stages;

use crate::{Context, Front, Report, RunsError};

pub(crate) fn run(
    plan: &TunePlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &mut Front<'_>,
) -> Result<Report, RunsError> {
    let Context { program, provenance, input, .. } = context;
    let machine = Machine { program, provenance, input: *input };
    let mut silent = |_: usize, _: &str| {};
    let on_step: &mut dyn FnMut(usize, &str) = match &mut front.tune {
        Some(hear) => *hear,
        None => &mut silent,
    };
    let tuned = plan.run(stages, out, &machine, on_step);
    let (_, values) = tuned.map_err(|error| match error {
        TuneError::Stage(error) => RunsError::Stage(error),
        error => RunsError::Other(Box::new(error)),
    })?;
    Ok(Report { text: format!("{values}\n"), complete: true })
}
