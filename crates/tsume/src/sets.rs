//! A set of problems as a run: settings that can be written down, one unit of work for every
//! problem, and a table of the results.
//!
//! A folder holds a run: its log of finished units, from which a run that was ended goes on.
//! Several machines share one by shards, whose folders [`merge`] joins.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::unit_log::{self, Identity, Provenance, Shard, Stage, UnitLog, UnitLogError};
use yomikiri_proof::limits::Limits;
use yomikiri_shogi::Color;

use crate::bench::SIGNATURE;
use crate::judge::{Customs, JudgeSettings, Judgement, judge};
use crate::problems::{Line, Problem};
use crate::solve::{MateSolver, Report, Settings};

/// Raised whenever the same settings would give other answers for a reason that the signature of
/// the search does not show.
const REVISION: u32 = 1;
const LOG: &str = "answers.jsonl";
const STAGE: &str = "problems";

/// How the problems of a set are solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SetSettings {
    /// Seconds for each problem.
    pub seconds: Option<f64>,
    /// Nodes for each problem.
    pub nodes: Option<u64>,
    /// Memory in MiB.
    pub memory_mib: usize,
    /// Threads for each problem.
    pub threads: usize,
    /// Whether any mate will do.
    pub any: bool,
    /// `b` or `w`: who mates, if it is not as each problem says.
    pub attacker: Option<String>,
    /// Whether and how to judge the problems.
    pub judge: Option<JudgePlan>,
}

impl Default for SetSettings {
    fn default() -> Self {
        Self {
            seconds: Some(60.0),
            nodes: None,
            memory_mib: 1024,
            threads: 1,
            any: false,
            attacker: None,
            judge: None,
        }
    }
}

/// How the problems of a set are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JudgePlan {
    /// The customs.
    pub customs: Customs,
    /// Whether to look for pieces that are not needed.
    pub useless: bool,
    /// Whether to judge against the recorded lines, where there are some.
    pub recorded: bool,
}

impl SetSettings {
    /// The settings of the solver. `stop` ends it.
    #[must_use]
    pub fn solver(&self, stop: Arc<AtomicBool>) -> Settings {
        let time = self.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let limits = Limits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            time,
            memory: self.memory_mib.max(1) << 20,
            stop,
            ..Limits::default()
        };
        let mut settings = Settings {
            limits,
            shortest: !self.any,
            raw: !self.any,
            refute: true,
            ..Settings::default()
        };
        settings.options.threads = self.threads.max(1);
        settings
    }

    fn attacker(&self) -> Option<Color> {
        match self.attacker.as_deref() {
            Some("b") => Some(Color::Black),
            Some("w") => Some(Color::White),
            _ => None,
        }
    }
}

/// What is known of a problem after its unit: the answer, and the verdict if one was asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    /// The answer.
    #[serde(flatten)]
    pub line: Line,
    /// The verdict.
    #[serde(flatten)]
    pub judgement: Option<Judgement>,
}

/// Does the unit of one problem.
pub fn answer(
    problem: &Problem,
    settings: &SetSettings,
    stop: Arc<AtomicBool>,
    report: &mut Report<'_>,
) -> Answer {
    let game = problem.game(settings.attacker());
    let solve = settings.solver(stop);
    let Some(plan) = &settings.judge else {
        let solution = MateSolver::new(solve).solve(&game, report);
        let mib = (solution.table_bytes >> 20) as u64;
        let line = Line::new(&problem.id, &problem.sfen, &solution, mib);
        return Answer { line, judgement: None };
    };
    let settings = JudgeSettings { solve, customs: plan.customs.clone(), useless: plan.useless };
    let recorded =
        Some(problem.recorded.as_slice()).filter(|line| plan.recorded && !line.is_empty());
    let judged = judge(&game, recorded, &settings, report);
    let mib = (judged.solution.table_bytes >> 20) as u64;
    let line = Line::new(&problem.id, &problem.sfen, &judged.solution, mib);
    Answer { line, judgement: Some(judged.judgement) }
}

/// A set that is being solved in a folder.
pub struct SetRun {
    log: UnitLog,
    keys: Vec<String>,
}

impl SetRun {
    /// Opens the run of a folder, or begins it.
    ///
    /// # Errors
    /// If the folder holds another run or cannot be used.
    pub fn open(
        folder: &Path,
        problems: &[Problem],
        settings: &SetSettings,
        provenance: &Provenance,
    ) -> Result<Self, UnitLogError> {
        let mut identity = identity(problems, settings);
        if settings.seconds.is_some() {
            // What a time limit leaves undecided depends on the machine.
            identity.parts.insert("host".to_owned(), provenance.host.clone());
        }
        let log = UnitLog::open(&log_of(folder), &identity, provenance)?;
        let keys = problems.iter().map(|problem| problem.id.clone()).collect();
        Ok(Self { log, keys })
    }

    fn stage(&self) -> Result<Stage<'_>, UnitLogError> {
        self.log.stage(STAGE, self.keys.clone())
    }

    /// The problems of a shard that have no answer yet, by number.
    ///
    /// # Errors
    /// If the log has another stage.
    pub fn missing(&self, shard: Shard) -> Result<Vec<usize>, UnitLogError> {
        Ok(self.stage()?.missing(shard))
    }

    /// Keeps the answer of a problem.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn put(&self, at: usize, answer: &Answer) -> Result<(), UnitLogError> {
        self.stage()?.put(at, answer, answer.line.seconds).map(|_| ())
    }

    /// The answers so far, in the order of the problems.
    ///
    /// # Errors
    /// If the log holds something else.
    pub fn answers(&self) -> Result<Vec<Answer>, UnitLogError> {
        let stage = self.stage()?;
        let mut answers = Vec::new();
        for at in 0..self.keys.len() {
            answers.extend(stage.get::<Answer>(at)?.map(|unit| unit.value));
        }
        Ok(answers)
    }
}

fn log_of(folder: &Path) -> PathBuf {
    folder.join(LOG)
}

/// Whether a folder holds the run of a set.
#[must_use]
pub fn is_set_run(folder: &Path) -> bool {
    log_of(folder).is_file()
}

/// Joins the folders of shards into one.
///
/// # Errors
/// If they are of different runs, or a problem has no answer in any of them.
pub fn merge(out: &Path, parts: &[PathBuf]) -> Result<(), UnitLogError> {
    let logs: Vec<PathBuf> = parts.iter().map(|part| log_of(part)).collect();
    unit_log::merge(&log_of(out), &logs)
}

/// What makes the run of a set the one it is.
#[must_use]
pub fn identity(problems: &[Problem], settings: &SetSettings) -> Identity {
    let value = serde_json::to_value(settings).unwrap_or_default();
    let mut identity = Identity::new("solve", REVISION, value);
    let text: String = problems
        .iter()
        .map(|problem| {
            let line: Vec<String> = problem.recorded.iter().map(ToString::to_string).collect();
            format!("{}\t{}\t{}\n", problem.id, problem.sfen, line.join(" "))
        })
        .collect();
    identity.data.insert("problems".to_owned(), sha256_hex(text.as_bytes()));
    identity.parts.insert("tsume".to_owned(), SIGNATURE.to_string());
    identity
}

/// The answers as a table with tabs between the columns.
#[must_use]
pub fn table(answers: &[Answer]) -> String {
    let mut text = "id\tresult\tlength\texact\tverdict\tfaults\topen\tnodes\tseconds\n".to_owned();
    for Answer { line, judgement } in answers {
        let length = line.length.map_or_else(|| "-".to_owned(), |length| length.to_string());
        let (verdict, faults, open) = judgement.as_ref().map_or_else(
            || ("-".to_owned(), "-".to_owned(), "-".to_owned()),
            |judgement| {
                (
                    judgement.verdict.id().to_owned(),
                    faults(judgement),
                    judgement.open.len().to_string(),
                )
            },
        );
        text += &format!(
            "{}\t{}\t{length}\t{}\t{verdict}\t{faults}\t{open}\t{}\t{:.2}\n",
            line.id, line.result, line.exact, line.nodes, line.seconds
        );
    }
    text
}

/// The faults in one cell: kind, ply and move; flaws stand in brackets.
fn faults(judgement: &Judgement) -> String {
    let one = |fault: &crate::judge::Fault| {
        let at = fault.play.as_ref().map_or(String::new(), |mv| format!("@{}:{mv}", fault.ply));
        let text = format!("{}{at}", fault.kind.id());
        if fault.minor { format!("({text})") } else { text }
    };
    let all: Vec<String> = judgement.faults.iter().map(one).collect();
    if all.is_empty() { "-".to_owned() } else { all.join(" ") }
}
