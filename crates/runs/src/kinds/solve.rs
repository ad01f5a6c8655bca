//! `solve` on sets of mate problems.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::files::write_derived;
use yomikiri_base::stages::{StageUnits, UnitKeys, Unwatched, unit_value};
use yomikiri_base::unit_log::Unit;
use yomikiri_base::{Identity, Stages};
use yomikiri_proof::limits::Limits;
use yomikiri_tsume::problems::{Line, Problem, read_set};
use yomikiri_tsume::{MateSolver, Settings};

use crate::error::file_error;
use crate::{Report, RunsError};

/// Raised when the same settings would give other answers.
const REVISION: u32 = 1;

/// Mate problems, one SFEN a line, each on one thread.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvePlan {
    /// Files of problems.
    pub sets: Vec<PathBuf>,
    /// Most nodes for a problem. Only then the answers are the same on every machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Most seconds for a problem.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Memory for the table in MiB.
    #[serde(default = "hash")]
    pub hash: usize,
    /// Be content with any mate instead of the shortest.
    #[serde(default)]
    pub any: bool,
}

fn hash() -> usize {
    1024
}

impl SolvePlan {
    fn settings(&self, stop: std::sync::Arc<std::sync::atomic::AtomicBool>) -> Settings {
        let limits = Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            time: self.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()),
            memory: self.hash.max(1) << 20,
            stop,
            ..Limits::default()
        };
        let exact = !self.any;
        Settings {
            limits,
            shortest: exact,
            raw: exact,
            second_opinion: true,
            ..Settings::default()
        }
    }

    /// All problems with their keys, and what makes the run the one it is.
    fn load(&self) -> Result<(Vec<(String, Problem)>, Identity), RunsError> {
        let limits = serde_json::json!({
            "nodes": self.nodes, "seconds": self.seconds, "hash": self.hash, "any": self.any,
        });
        let mut identity = Identity::new("solve", REVISION, limits);
        let mut problems = Vec::new();
        for (number, path) in self.sets.iter().enumerate() {
            let text = std::fs::read_to_string(path).map_err(file_error(path))?;
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            let wrong = |error: String| RunsError::Wrong(format!("{}: {error}", path.display()));
            let set = read_set(&text).map_err(wrong)?;
            problems.extend(set.into_iter().map(|it| (format!("{number}/{}", it.id), it)));
            identity.data.insert(format!("{number}/{name}"), sha256_hex(text.as_bytes()));
        }
        for part in ["perft", "tsume"] {
            identity.parts.insert(part.into(), yomikiri_arena::signatures::of(part));
        }
        if self.seconds.is_some() {
            identity.parts.insert("host".into(), yomikiri_lab::manifest::cpu());
        }
        Ok((problems, identity))
    }
}

pub(crate) fn run(
    plan: &SolvePlan,
    stages: &mut dyn Stages,
    out: &Path,
) -> Result<Report, RunsError> {
    let (problems, identity) = plan.load()?;
    stages.begin(&out.join("log.jsonl"), &identity)?;
    let stop = stages.stop();
    let solve = |at: usize| {
        let problem = &problems[at].1;
        let mut solver = MateSolver::new(plan.settings(stop.flag()));
        let solution = solver.solve(&problem.game(None), &mut |_| {});
        // What was interrupted is solved again by the run that goes on.
        if stop.is_stopped() {
            return Ok(None);
        }
        let line = Line::new(&problem.id, &problem.sfen, &solution, 0);
        // Measured times are kept apart from results.
        unit_value(&Line { seconds: 0.0, ..line })
    };
    let keys = UnitKeys::List(problems.iter().map(|(key, _)| key.clone()).collect());
    let watch = &Unwatched;
    let units = StageUnits { name: "problems", keys, group: 1, work: &solve, watch };
    let units = stages.stage(&units)?;
    let complete = units.iter().all(Option::is_some);
    let mut solved: Vec<Unit<Line>> = Vec::with_capacity(units.len());
    for unit in units.into_iter().flatten() {
        solved.push(unit.typed()?);
    }
    write_answers(out, &solved)?;
    Ok(Report { text: summary(&solved), complete })
}

/// The answers, and in a file of their own the times.
fn write_answers(out: &Path, units: &[Unit<Line>]) -> Result<(), RunsError> {
    let (mut answers, mut times) = (String::new(), String::from("problem\tseconds\n"));
    for unit in units {
        let mut line = serde_json::to_value(&unit.value).unwrap_or_default();
        if let Some(fields) = line.as_object_mut() {
            fields.remove("seconds");
            fields.remove("peak_mib");
        }
        answers += &format!("{line}\n");
        times += &format!("{}\t{:.3}\n", unit.value.id, unit.seconds);
    }
    for (name, text) in [("results.jsonl", answers), ("times.tsv", times)] {
        let path = out.join(name);
        write_derived(&path, text.as_bytes()).map_err(file_error(&path))?;
    }
    Ok(())
}

fn summary(units: &[Unit<Line>]) -> String {
    let count = |result: &str| units.iter().filter(|unit| unit.value.result == result).count();
    format!(
        "{} mates, {} without mate, {} unknown\n",
        count("mate"),
        count("nomate"),
        count("unknown")
    )
}
