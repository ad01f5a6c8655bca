//! `go solve` on a set of capture problems.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::stages::unit_value;
use yomikiri_base::unit_log::Unit;
use yomikiri_base::{Identity, Stages};
use yomikiri_go::problem::{self, CaptureProblem, CaptureResult};
use yomikiri_go::questions::QuestionSettings;
use yomikiri_text::Capture;

use super::answers::{solve_set, write_answers};
use crate::error::other;
use crate::{Context, Front, RunReport, RunsError, go_text};

/// Raised when the same settings would give other answers.
const REVISION: u32 = 2;

/// Capture problems of Go in JSON lines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoSolvePlan {
    /// The set, which may be packed.
    pub set: PathBuf,
    /// How it is solved.
    #[serde(default)]
    pub settings: QuestionSettings,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CaptureRow {
    /// The problem.
    pub id: String,
    /// 0 to 3, or nothing where it is not known.
    pub result: Option<u8>,
    /// The expected sequence.
    pub line: Vec<String>,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Whether it is what the set expects, if it does.
    pub as_expected: Option<bool>,
    /// Whether the check came to an end and agrees.
    pub checked: bool,
}

pub(crate) fn run(
    plan: &GoSolvePlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
    front: &Front<'_>,
) -> Result<RunReport, RunsError> {
    plan.settings.check().map_err(other)?;
    let wrong = |error: &dyn std::fmt::Display| {
        RunsError::Wrong(format!("{}: {error}", plan.set.display()))
    };
    let bytes = context.source().read(&plan.set).map_err(|error| wrong(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| wrong(&error))?;
    let problems = problem::read(&text).map_err(|error| wrong(&error))?;
    let settings = serde_json::to_value(&plan.settings).map_err(RunsError::NoPlan)?;
    let mut identity = Identity::new("go-solve", REVISION, settings);
    identity.data.insert("set".into(), sha256_hex(text.as_bytes()));
    identity.parts.insert("go".into(), yomikiri_arena::signatures::of("go"));
    stages.begin(&out.join("log.jsonl"), &identity)?;
    let stop = stages.stop();
    let work = |at: usize| {
        let problem = &problems[at];
        let solution = plan.settings.answer(problem, stop.flag())?;
        if stop.is_stopped() {
            return Ok(None);
        }
        unit_value(&CaptureRow {
            id: problem.id.clone(),
            result: solution.answer.map(CaptureResult::code),
            line: solution.line.iter().map(ToString::to_string).collect(),
            nodes: solution.nodes(),
            as_expected: solution.answer.and_then(|answer| problem.is_expected(answer)),
            checked: matches!(solution.check(problem.first), Some(Ok(_))),
        })
    };
    let words = Capture(context.language);
    let ids = problems.iter().map(|problem| problem.id.clone());
    let line = |at: usize, answer: &CaptureRow| go_text::row(&problems[at], answer, words);
    let (solved, complete) = solve_set(stages, ids, &work, &line, front.line)?;
    write_answers(stages, out, &solved)?;
    Ok(RunReport { text: summary(&solved, &problems, plan, words), complete })
}

fn summary(
    units: &[Unit<CaptureRow>],
    problems: &[CaptureProblem],
    plan: &GoSolvePlan,
    words: Capture,
) -> String {
    let count =
        |wanted: fn(&CaptureRow) -> bool| units.iter().filter(|unit| wanted(&unit.value)).count();
    let known = |it: &CaptureRow| it.result.is_some();
    let totals = words.totals(
        units.len(),
        problems.len(),
        count(|it| it.as_expected == Some(true)),
        count(|it| it.as_expected == Some(false)),
        count(|it| it.result.is_none()),
        count(|it| it.result.is_some() && it.as_expected.is_none()),
    );
    let nodes: u64 = units.iter().map(|unit| unit.value.nodes).sum();
    let seconds = units.iter().map(|unit| unit.seconds).fold(0.0, |sum, it| sum + it);
    let mut text = format!("{totals}; {}\n", words.effort(nodes, format!("{seconds:.1}")));
    if plan.settings.verify > 0 {
        let checked = count(|it| it.checked);
        let unchecked = count(known) - checked;
        text += &format!("{}\n", words.checks(checked, unchecked, plan.settings.verify));
    }
    text
}
