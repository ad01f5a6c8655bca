//! `go solve` on a set of capture problems.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::files::write_derived;
use yomikiri_base::packed;
use yomikiri_base::stages::{StageUnits, UnitKeys, Unwatched, unit_value};
use yomikiri_base::unit_log::Unit;
use yomikiri_base::{Identity, Stages};
use yomikiri_go::capture::{GIVE_UP, NODE_LIMIT, Settings, solve};
use yomikiri_go::problem::{self, Answer, Problem};

use crate::error::file_error;
use crate::{Context, Report, RunsError};

/// Raised when the same settings would give other answers.
const REVISION: u32 = 1;

/// Capture problems of Go in JSON lines, with all legal moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoSolvePlan {
    /// The set, which may be packed.
    pub set: PathBuf,
    /// Most nodes of one search; a question can take three.
    #[serde(default = "nodes")]
    pub nodes: u64,
    /// The attacker gives up when the block has this many liberties; 0 = never.
    #[serde(default = "give_up")]
    pub give_up: u32,
    /// Check every answer on a slow board of so many positions at most; 0 = do not.
    #[serde(default)]
    pub verify: usize,
}

fn nodes() -> u64 {
    NODE_LIMIT
}

fn give_up() -> u32 {
    GIVE_UP
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Answered {
    id: String,
    /// 0 to 3, or nothing where it is not known.
    result: Option<u8>,
    line: Vec<String>,
    nodes: u64,
    /// Whether it is what the set expects, if it does.
    as_expected: Option<bool>,
    /// Whether the check came to an end and agrees.
    checked: bool,
}

fn answered(problem: &Problem, plan: &GoSolvePlan) -> Option<Answered> {
    let settings = Settings {
        nodes: plan.nodes,
        give_up: (plan.give_up > 0).then_some(plan.give_up),
        verify: plan.verify,
        ..Settings::default()
    };
    let solution = solve(problem, &settings)?;
    let expected = problem.expected.as_ref().or(problem.gnugo.as_ref());
    let agrees = |answer: Answer| expected.map(|expected| expected.answers.contains(&answer));
    Some(Answered {
        id: problem.id.clone(),
        result: solution.answer.map(Answer::code),
        line: solution.line.iter().map(ToString::to_string).collect(),
        nodes: solution.nodes(),
        as_expected: solution.answer.and_then(agrees),
        checked: matches!(solution.check(problem.first), Some(Ok(_))),
    })
}

pub(crate) fn run(
    plan: &GoSolvePlan,
    stages: &mut dyn Stages,
    out: &Path,
    context: &Context,
) -> Result<Report, RunsError> {
    let wrong = |error: &dyn std::fmt::Display| {
        RunsError::Wrong(format!("{}: {error}", plan.set.display()))
    };
    let bytes = packed::read_file(&plan.set, context.input).map_err(|error| wrong(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| wrong(&error))?;
    let problems = problem::read(&text).map_err(|error| wrong(&error))?;
    let settings = serde_json::json!({
        "nodes": plan.nodes, "give_up": plan.give_up, "verify": plan.verify,
    });
    let mut identity = Identity::new("go-solve", REVISION, settings);
    identity.data.insert("set".into(), sha256_hex(text.as_bytes()));
    identity.parts.insert("go".into(), yomikiri_arena::signatures::of("go"));
    stages.begin(&out.join("log.jsonl"), &identity)?;
    let work = |at: usize| {
        let missing = || format!("{}: there is no stone on the target", problems[at].id);
        unit_value(&answered(&problems[at], plan).ok_or_else(missing)?)
    };
    // A set may ask both sides about one position under one name.
    let key = |(at, problem): (usize, &Problem)| format!("{at}/{}", problem.id);
    let keys = UnitKeys::List(problems.iter().enumerate().map(key).collect());
    let watch = &Unwatched;
    let units = StageUnits { name: "problems", keys, group: 1, work: &work, watch };
    let units = stages.stage(&units)?;
    let complete = units.iter().all(Option::is_some);
    let mut solved: Vec<Unit<Answered>> = Vec::with_capacity(units.len());
    for unit in units.into_iter().flatten() {
        solved.push(unit.typed()?);
    }
    write_answers(out, &solved)?;
    Ok(Report { text: summary(&solved), complete })
}

/// The answers, and in a file of their own the times.
fn write_answers(out: &Path, units: &[Unit<Answered>]) -> Result<(), RunsError> {
    let (mut answers, mut times) = (String::new(), String::from("problem\tseconds\n"));
    for unit in units {
        let line = serde_json::to_string(&unit.value).unwrap_or_default();
        answers += &format!("{line}\n");
        times += &format!("{}\t{:.3}\n", unit.value.id, unit.seconds);
    }
    for (name, text) in [("results.jsonl", answers), ("times.tsv", times)] {
        let path = out.join(name);
        write_derived(&path, text.as_bytes()).map_err(file_error(&path))?;
    }
    Ok(())
}

fn summary(units: &[Unit<Answered>]) -> String {
    let count = |wanted: fn(&Answered) -> bool| units.iter().filter(|it| wanted(&it.value)).count();
    format!(
        "{} problems: {} as expected, {} otherwise, {} unknown, {} without expectation\n",
        units.len(),
        count(|it| it.as_expected == Some(true)),
        count(|it| it.as_expected == Some(false)),
        count(|it| it.result.is_none()),
        count(|it| it.result.is_some() && it.as_expected.is_none()),
    )
}
