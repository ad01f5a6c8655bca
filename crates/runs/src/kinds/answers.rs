//! What sets of problems have in common: one unit a problem, answers a line each, and times in a
//! file of their own.

use std::ops::ControlFlow;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use yomikiri_base::Stages;
use yomikiri_base::files::write_derived;
use yomikiri_base::stages::{StageUnits, StageWatch, UnitFailure, UnitKeys, UnitResult};
use yomikiri_base::unit_log::Unit;

use crate::RunsError;
use crate::error::file_error;

/// The one stage of such a run.
const STAGE: &str = "problems";

/// Reports every finished unit.
struct LineWatch<'a> {
    line: &'a (dyn Fn(usize, &Value) -> Option<String> + Sync),
    on_line: Option<&'a (dyn Fn(&str) + Sync)>,
}

impl StageWatch for LineWatch<'_> {
    fn finished(&self, at: usize, value: &Value) -> Result<ControlFlow<()>, UnitFailure> {
        if let Some(on_line) = self.on_line
            && let Some(line) = (self.line)(at, value)
        {
            on_line(&line);
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Does the problems of these ids; `line` says what came of one in a line of text. What was
/// finished, in the order of the problems, and whether that is all.
pub(super) fn solve_set<V: DeserializeOwned>(
    stages: &mut dyn Stages,
    ids: impl Iterator<Item = String>,
    work: &(dyn Fn(usize) -> UnitResult + Sync),
    line: &(dyn Fn(usize, &V) -> String + Sync),
    on_line: Option<&(dyn Fn(&str) + Sync)>,
) -> Result<(Vec<Unit<V>>, bool), RunsError> {
    // Sets may name two problems alike.
    let keys = UnitKeys::List(ids.enumerate().map(|(at, id)| format!("{at}/{id}")).collect());
    let line = |at: usize, value: &Value| {
        let value: V = serde_json::from_value(value.clone()).ok()?;
        Some(line(at, &value))
    };
    let watch = LineWatch { line: &line, on_line };
    let units = StageUnits { name: STAGE, keys, group: 1, work, watch: &watch };
    let units = stages.stage(&units)?;
    let complete = units.iter().all(Option::is_some);
    let mut solved = Vec::with_capacity(units.len());
    for unit in units.into_iter().flatten() {
        solved.push(unit.typed()?);
    }
    Ok((solved, complete))
}

/// Writes `results.jsonl`, in which nothing was measured on a clock, and `times.jsonl`, the same
/// answers with the seconds that each took.
pub(super) fn write_answers<V: Serialize>(
    stages: &dyn Stages,
    out: &Path,
    units: &[Unit<V>],
) -> Result<(), RunsError> {
    if !stages.writes() {
        return Ok(());
    }
    let (mut results, mut times) = (String::new(), String::new());
    for unit in units {
        let mut answer = serde_json::to_value(&unit.value).map_err(RunsError::NoPlan)?;
        if let Some(fields) = answer.as_object_mut() {
            for measured in ["seconds", "peak_mib"] {
                fields.remove(measured);
            }
        }
        let mut timed = answer.as_object().cloned().unwrap_or_default();
        timed.insert("seconds".into(), ((unit.seconds * 1e6).round() / 1e6).into());
        results += &format!("{answer}\n");
        times += &format!("{}\n", Value::from(timed));
    }
    for (name, text) in [(RESULTS_FILE, results), (TIMES_FILE, times)] {
        let path = out.join(name);
        write_derived(&path, text.as_bytes()).map_err(file_error(&path))?;
    }
    Ok(())
}

/// Answers in the folder of a run.
pub(super) const RESULTS_FILE: &str = "results.jsonl";

/// The same with times.
pub const TIMES_FILE: &str = "times.jsonl";
