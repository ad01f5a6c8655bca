//! `match` and `rate`.

use std::path::Path;

use yomikiri_arena::contest::plan::Conditions;
use yomikiri_arena::contest::text::{ratings_table_in, two_player_summary_in};
use yomikiri_arena::contest::{ContestPlan, Watch};
use yomikiri_arena::standings::{OrderedTest, Standings};
use yomikiri_base::{Shard, Stages};

use crate::{Context, Front, Report, RunsError};

/// Hears nothing.
struct Unwatched;

impl Watch for Unwatched {
    fn begins(&mut self, _finished: usize, _missing: usize) {}
    fn game(&mut self, _standings: &Standings, _test: Option<&OrderedTest>) {}
}

pub(crate) fn run(
    plan: &ContestPlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &mut Front<'_>,
) -> Result<Report, RunsError> {
    let contest = plan.contest(&Conditions {
        program: context.program.clone(),
        concurrency: 1,
        affinity: context.affinity,
        shard: Shard::WHOLE,
        provenance: context.provenance.clone(),
        input: context.input,
    })?;
    let mut nobody = Unwatched;
    let watch: &mut dyn Watch = match &mut front.contest {
        Some(watch) => *watch,
        None => &mut nobody,
    };
    let outcome = contest.run(stages, out, watch)?;
    let (standings, test) = (&outcome.standings, outcome.test.as_ref());
    let text = ratings_table_in(front.language, standings, true)
        + &two_player_summary_in(front.language, standings, test);
    Ok(Report { text, complete: outcome.complete })
}
