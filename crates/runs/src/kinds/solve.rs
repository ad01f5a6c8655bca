//! `solve` on sets of mate problems.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yomikiri_base::Stages;
use yomikiri_base::files::write_derived;
use yomikiri_base::stages::{StageUnits, UnitKeys, Unwatched, unit_value};
use yomikiri_base::unit_log::Unit;
use yomikiri_tsume::problems::{Problem, read_set};
use yomikiri_tsume::sets::{self, Answer, SetSettings};

use crate::error::file_error;
use crate::{Report, RunsError};

/// Mate problems, one SFEN a line.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvePlan {
    /// Files of problems.
    pub sets: Vec<PathBuf>,
    /// How they are solved. With nodes and without seconds the answers are the same everywhere.
    #[serde(default)]
    pub settings: SetSettings,
}

impl SolvePlan {
    /// All problems with their keys.
    fn load(&self) -> Result<(Vec<String>, Vec<Problem>), RunsError> {
        let (mut keys, mut problems) = (Vec::new(), Vec::new());
        for (number, path) in self.sets.iter().enumerate() {
            let text = std::fs::read_to_string(path).map_err(file_error(path))?;
            let set = read_set(&text)
                .map_err(|error| RunsError::Wrong(format!("{}: {error}", path.display())))?;
            keys.extend(set.iter().map(|problem| format!("{number}/{}", problem.id)));
            problems.extend(set);
        }
        Ok((keys, problems))
    }
}

pub(crate) fn run(
    plan: &SolvePlan,
    stages: &mut dyn Stages,
    out: &Path,
) -> Result<Report, RunsError> {
    let (keys, problems) = plan.load()?;
    stages.begin(&out.join("log.jsonl"), &sets::identity(&problems, &plan.settings))?;
    let stop = stages.stop();
    let solve = |at: usize| {
        let mut answer = sets::answer(&problems[at], &plan.settings, stop.flag(), &mut |_| {});
        // What was interrupted is solved again by the run that goes on.
        if stop.is_stopped() {
            return Ok(None);
        }
        // Measured times are kept apart from results.
        (answer.line.seconds, answer.line.peak_mib) = (0.0, 0);
        unit_value(&answer)
    };
    let (keys, watch) = (UnitKeys::List(keys), &Unwatched);
    let units = StageUnits { name: "problems", keys, group: 1, work: &solve, watch };
    let units = stages.stage(&units)?;
    let complete = units.iter().all(Option::is_some);
    let mut solved: Vec<Unit<Answer>> = Vec::with_capacity(units.len());
    for unit in units.into_iter().flatten() {
        solved.push(unit.typed()?);
    }
    write_answers(out, &solved)?;
    Ok(Report { text: summary(&solved), complete })
}

/// The answers, and in a file of their own the times.
fn write_answers(out: &Path, units: &[Unit<Answer>]) -> Result<(), RunsError> {
    let (mut answers, mut times) = (String::new(), String::from("problem\tseconds\n"));
    for unit in units {
        let mut line = serde_json::to_value(&unit.value).unwrap_or_default();
        if let Some(fields) = line.as_object_mut() {
            fields.remove("seconds");
            fields.remove("peak_mib");
        }
        answers += &format!("{line}\n");
        times += &format!("{}\t{:.3}\n", unit.value.line.id, unit.seconds);
    }
    for (name, text) in [("results.jsonl", answers), ("times.tsv", times)] {
        let path = out.join(name);
        write_derived(&path, text.as_bytes()).map_err(file_error(&path))?;
    }
    Ok(())
}

fn summary(units: &[Unit<Answer>]) -> String {
    let count = |result: &str| units.iter().filter(|unit| unit.value.line.result == result).count();
    format!(
        "{} mates, {} without mate, {} unknown\n",
        count("mate"),
        count("nomate"),
        count("unknown")
    )
}
