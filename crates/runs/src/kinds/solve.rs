//! `solve` on sets of mate problems.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yomikiri_base::Stages;
use yomikiri_base::files::write_derived;
use yomikiri_base::stages::unit_value;
use yomikiri_base::unit_log::Unit;
use yomikiri_lab::manifest::cpu;
use yomikiri_tsume::problem_files::read_files;
use yomikiri_tsume::sets::{self, SetAnswer, SetSettings};

use super::answers::{solve_set, write_answers};
use crate::error::{file_error, other};
use crate::{Context, Front, RunReport, RunsError};

/// The answers as a table, in the folder of a run.
const TABLE_FILE: &str = "table.tsv";

/// Mate problems: sets of one SFEN a line, records, folders of both.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvePlan {
    /// Files and folders of problems.
    pub sets: Vec<PathBuf>,
    /// The move of a game after which to solve.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// How they are solved. With nodes and without seconds the answers are the same everywhere.
    #[serde(default)]
    pub settings: SetSettings,
}

pub(crate) fn run(
    plan: &SolvePlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &Front<'_>,
) -> Result<RunReport, RunsError> {
    let problems = read_files(&plan.sets, plan.ply, context.source()).map_err(other)?;
    let mut identity = sets::identity(&problems, &plan.settings);
    if plan.settings.seconds.is_some() {
        // What a time limit leaves undecided depends on the machine.
        identity.parts.insert("host".into(), cpu());
    }
    stages.begin(&out.join("log.jsonl"), &identity)?;
    let stop = stages.stop();
    let on_progress = front.mate;
    let solve = |at: usize| {
        let mut report = |progress: &_| {
            if let Some(note) = on_progress {
                note(&problems[at].id, progress);
            }
        };
        let answer = sets::answer(&problems[at], &plan.settings, stop.flag(), &mut report);
        // What was interrupted is solved again by the run that goes on.
        if stop.is_stopped() { Ok(None) } else { unit_value(&answer) }
    };
    let ids = problems.iter().map(|problem| problem.id.clone());
    let line = |_: usize, answer: &SetAnswer| answer.line.id.clone();
    let (solved, complete) = solve_set::<SetAnswer>(stages, ids, &solve, &line, None)?;
    write_answers(stages, out, &solved)?;
    let answers: Vec<SetAnswer> = solved.iter().map(|unit| unit.value.clone()).collect();
    let table = sets::table(&answers);
    if stages.writes() {
        let path = out.join(TABLE_FILE);
        write_derived(&path, table.as_bytes()).map_err(file_error(&path))?;
    }
    Ok(RunReport { text: table + &summary(&solved), complete })
}

fn summary(units: &[Unit<SetAnswer>]) -> String {
    let count = |result: &str| units.iter().filter(|unit| unit.value.line.result == result).count();
    let seconds = units.iter().map(|unit| unit.seconds).fold(0.0, |sum, it| sum + it);
    format!(
        "{} mates, {} without mate, {} unknown; {seconds:.1} s\n",
        count("mate"),
        count("nomate"),
        count("unknown")
    )
}
