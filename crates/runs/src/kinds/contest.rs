//! `match` and `rate`.

use std::path::Path;

use yomikiri_arena::contest::plan::Conditions;
use yomikiri_arena::contest::text::{ratings_table_in, two_player_summary_in};
use yomikiri_arena::contest::{ContestPlan, Watch};
use yomikiri_arena::standings::{OrderedTest, Standings};
use yomikiri_base::{Shard, Stages};

use crate::{Context, Front, RunReport, RunsError};

/// Receives nothing.
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
) -> Result<RunReport, RunsError> {
    let contest = plan.contest(&conditions(context))?;
    let mut nobody = Unwatched;
    let watch: &mut dyn Watch = match &mut front.contest {
        Some(watch) => *watch,
        None => &mut nobody,
    };
    let outcome = contest.run(stages, out, watch)?;
    let (standings, test) = (&outcome.standings, outcome.test.as_ref());
    let text = ratings_table_in(context.language, standings, true)
        + &two_player_summary_in(context.language, standings, test);
    Ok(RunReport { text, complete: outcome.complete })
}

/// Who plays. The stages see to shards and to how many games run at once.
pub(super) fn conditions(context: &Context) -> Conditions {
    Conditions {
        program: context.program.clone(),
        concurrency: 1,
        affinity: context.affinity,
        shard: Shard::WHOLE,
        provenance: context.provenance.clone(),
        input: context.input,
    }
}
