//! A run as it is written to a file.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use yomikiri_arena::contest::ContestPlan;
use yomikiri_arena::opening_maker::OpeningsPlan;
use yomikiri_arena::tune::TunePlan;
use yomikiri_base::Stages;
use yomikiri_lab::LabPlan;
use yomikiri_lab::problem_runs::{MakeProblemsPlan, ProblemsPlan};
use yomikiri_learn::book::BookPlan;
use yomikiri_learn::eval_run::EvalPlan;
use yomikiri_learn::network::NetworkPlan;
use yomikiri_learn::policy::PolicyPlan;
use yomikiri_learn::policy::levels::LevelsPlan;

use crate::error::file_error;
use crate::kinds::{
    analyse, contest, go_solve, lab, learn, openings, positions, problems, solve, tune,
};
use crate::{Context, Front, RunReport, RunsError};

/// The name of the plan in the folder of a run.
pub const PLAN_FILE: &str = "plan.json";

/// The version of the format.
const VERSION: u64 = 1;

/// A long run: its kind and all that decides its results but the data that it reads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Plan {
    /// Two engines play each other.
    Match(ContestPlan),
    /// Several engines are rated.
    Rate(ContestPlan),
    /// An experiment.
    Lab(LabPlan),
    /// Training positions by self-play.
    LearnPositions(positions::PositionsPlan),
    /// Mate problems.
    Solve(solve::SolvePlan),
    /// Capture problems of Go.
    GoSolve(go_solve::GoSolvePlan),
    /// Next-move problems, tried by an engine.
    Problems(ProblemsPlan),
    /// Next-move problems, made from games.
    MakeProblems(MakeProblemsPlan),
    /// Balanced openings.
    Openings(OpeningsPlan),
    /// Games, annotated by an engine move by move.
    Analyse(analyse::AnalysePlan),
    /// Parameters of the search, tuned by games.
    Tune(TunePlan),
    /// The linear evaluation, learned from games.
    LearnEval(EvalPlan),
    /// A network, learned from positions.
    LearnNetwork(NetworkPlan),
    /// A move policy, learned from games.
    LearnPolicy(PolicyPlan),
    /// An opening book, collected from games.
    LearnBook(BookPlan),
    /// The levels of play beside people.
    LearnLevels(LevelsPlan),
}

impl Plan {
    /// Reads the text of a plan.
    ///
    /// # Errors
    /// If it is none, or of another version.
    pub fn parse(text: &str) -> Result<Plan, RunsError> {
        let mut value: Value = serde_json::from_str(text).map_err(RunsError::NoPlan)?;
        let version = value.as_object_mut().and_then(|object| object.remove("version"));
        match version.as_ref().and_then(Value::as_u64) {
            Some(VERSION) | None => {}
            Some(other) => return Err(RunsError::Version(other)),
        }
        serde_json::from_value(value).map_err(RunsError::NoPlan)
    }

    /// The plan as text, which [`Plan::parse`] reads.
    #[must_use]
    pub fn to_text(&self) -> String {
        // A plan is made of numbers, texts and lists: it is always JSON.
        let mut value = serde_json::to_value(self).expect("plain data is JSON");
        if let Some(object) = value.as_object_mut() {
            object.insert("version".into(), VERSION.into());
        }
        format!("{value:#}\n")
    }

    /// Reads a plan file.
    ///
    /// # Errors
    /// If there is none.
    pub fn read(path: &Path) -> Result<Plan, RunsError> {
        Plan::parse(&std::fs::read_to_string(path).map_err(file_error(path))?)
    }

    /// The name of its kind.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Plan::Match(_) => "match",
            Plan::Rate(_) => "rate",
            Plan::Lab(_) => "lab",
            Plan::LearnPositions(_) => "learn-positions",
            Plan::Solve(_) => "solve",
            Plan::GoSolve(_) => "go-solve",
            Plan::Problems(_) => "problems",
            Plan::MakeProblems(_) => "make-problems",
            Plan::Openings(_) => "openings",
            Plan::LearnEval(_) => "learn-eval",
            Plan::Analyse(_) => "analyse",
            Plan::Tune(_) => "tune",
            Plan::LearnNetwork(_) => "learn-network",
            Plan::LearnPolicy(_) => "learn-policy",
            Plan::LearnBook(_) => "learn-book",
            Plan::LearnLevels(_) => "learn-levels",
        }
    }

    /// The files that a worker needs, beside what the program carries. Their checksums are in the
    /// identity of the run.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Plan::Match(plan) | Plan::Rate(plan) => plan.files(),
            Plan::Lab(plan) => plan.files(),
            Plan::LearnPositions(plan) => plan.files(),
            Plan::Solve(plan) => plan.sets.clone(),
            Plan::GoSolve(plan) => vec![plan.set.clone()],
            Plan::Problems(plan) => vec![plan.set.clone()],
            Plan::MakeProblems(plan) => vec![plan.games.clone()],
            Plan::LearnEval(plan) => plan.files(),
            // Its owner reads the positions and hands them out.
            Plan::Openings(_) | Plan::LearnNetwork(_) => Vec::new(),
            Plan::Analyse(plan) => vec![plan.games.clone()],
            Plan::Tune(plan) => plan.files(),
            Plan::LearnPolicy(plan) => plan.files(),
            Plan::LearnBook(plan) => plan.games.clone(),
            Plan::LearnLevels(plan) => plan.games.clone(),
        }
    }

    /// Brings the files of units together that are too large for a log, when shards are merged.
    pub(crate) fn bring_files(&self, out: &Path, parts: &[PathBuf]) -> Result<(), RunsError> {
        match self {
            Plan::LearnPositions(_) => positions::bring_files(out, parts),
            _ => Ok(()),
        }
    }

    /// Runs it in a folder; `stages` sees to the units. With a [`LocalStages`] it does them,
    /// otherwise see [`crate::owner`] and [`crate::worker`].
    ///
    /// [`LocalStages`]: yomikiri_base::LocalStages
    ///
    /// # Errors
    /// See [`RunsError`]; `Stage(Incomplete)` where units are missing and nothing could be made of
    /// the others.
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        out: &Path,
        context: &Context,
        front: &mut Front<'_>,
    ) -> Result<RunReport, RunsError> {
        match self {
            Plan::Match(plan) | Plan::Rate(plan) => contest::run(plan, stages, out, context, front),
            Plan::Lab(plan) => lab::run(plan, stages, out, context),
            Plan::LearnPositions(plan) => positions::run(plan, stages, out, context, front),
            Plan::Solve(plan) => solve::run(plan, stages, out, context, front),
            Plan::GoSolve(plan) => go_solve::run(plan, stages, out, context, front),
            Plan::Analyse(plan) => analyse::run(plan, stages, out, context, front),
            Plan::Tune(plan) => tune::run(plan, stages, out, context, front),
            Plan::Problems(plan) => problems::try_set(plan, stages, out, context),
            Plan::MakeProblems(plan) => problems::make_set(plan, stages, out, context),
            Plan::Openings(plan) => openings::run(plan, stages, out, context),
            Plan::LearnEval(plan) => learn::run(plan, stages, out, context, front),
            Plan::LearnNetwork(plan) => learn::run(plan, stages, out, context, front),
            Plan::LearnPolicy(plan) => learn::run(plan, stages, out, context, front),
            Plan::LearnBook(plan) => learn::book(plan, stages, out, context, front),
            Plan::LearnLevels(plan) => learn::levels(plan, stages, out, context, front),
        }
    }
}
