//! A set of problems as a run: settings that can be written down, one unit of work for every
//! problem, and a table of the results.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use yomikiri_base::Identity;
use yomikiri_base::append::{AppendError, AppendFile};
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::files::write_atomic;
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::Color;

use crate::bench::SIGNATURE;
use crate::game::node::Tsume;
use crate::judge::{Customs, JudgeSettings, Judged, Judgement, judge};
use crate::problems::{MateProblem, ProblemAnswer};
use crate::solve::{MateSettings, MateSolver, OnMateProgress, Solution};

/// Raised whenever the same settings would give other answers for a reason that the signature of
/// the search does not show.
const REVISION: u32 = 1;

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
    pub fn solver(&self, stop: Arc<AtomicBool>) -> MateSettings {
        let time = self.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let limits = ProofLimits {
            nodes: self.nodes.unwrap_or(u64::MAX),
            time,
            memory: self.memory_mib.max(1) << 20,
            stop,
            ..ProofLimits::default()
        };
        let mut settings = MateSettings {
            limits,
            shortest: !self.any,
            raw: !self.any,
            refute: true,
            ..MateSettings::default()
        };
        settings.options.threads = self.threads.max(1);
        settings
    }

    /// Who mates, where it is said.
    #[must_use]
    pub fn attacker(&self) -> Option<Color> {
        match self.attacker.as_deref() {
            Some("b") => Some(Color::Black),
            Some("w") => Some(Color::White),
            _ => None,
        }
    }
}

/// What is known of a problem after its unit: the answer, and the verdict if one was requested.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SetAnswer {
    /// The answer.
    #[serde(flatten)]
    pub line: ProblemAnswer,
    /// The verdict.
    #[serde(flatten)]
    pub judgement: Option<Judgement>,
}

/// A problem that was solved.
pub struct Solved {
    /// It as a game.
    pub game: Tsume,
    /// The solution, with its proof.
    pub solution: Solution,
    /// The verdict, if one was requested.
    pub judgement: Option<Judgement>,
}

impl Solved {
    /// The answer, with the most memory that was used, or the table's where that is not known.
    #[must_use]
    pub fn answer(&self, problem: &MateProblem, peak_mib: Option<u64>) -> SetAnswer {
        let peak = peak_mib.unwrap_or((self.solution.table_bytes >> 20) as u64);
        let line = ProblemAnswer::new(&problem.id, &problem.sfen, &self.solution, peak);
        SetAnswer { line, judgement: self.judgement.clone() }
    }
}

/// Solves a problem, and judges it on request. `search` is what `solver` was made with.
pub fn solve(
    problem: &MateProblem,
    settings: &SetSettings,
    (solver, search): (&mut MateSolver, &MateSettings),
    report: &mut OnMateProgress<'_>,
) -> Solved {
    let game = problem.game(settings.attacker());
    let Some(plan) = &settings.judge else {
        let solution = solver.solve(&game, report);
        return Solved { game, solution, judgement: None };
    };
    let (solve, customs) = (search.clone(), plan.customs.clone());
    let settings = JudgeSettings { solve, customs, useless: plan.useless };
    let recorded = Some(problem.recorded.as_slice());
    let recorded = recorded.filter(|line| plan.recorded && !line.is_empty());
    let Judged { solution, judgement } = judge(&game, recorded, &settings, report);
    Solved { game, solution, judgement: Some(judgement) }
}

/// The answer to a problem without what was measured on a clock: the result of its unit in a run.
pub fn answer(
    problem: &MateProblem,
    settings: &SetSettings,
    stop: Arc<AtomicBool>,
    report: &mut OnMateProgress<'_>,
) -> SetAnswer {
    let search = settings.solver(stop);
    let mut solver = MateSolver::new(search.clone());
    let solved = solve(problem, settings, (&mut solver, &search), report);
    let line = ProblemAnswer::new(&problem.id, &problem.sfen, &solved.solution, 0);
    SetAnswer { line: ProblemAnswer { seconds: 0.0, ..line }, judgement: solved.judgement }
}

/// A file of answers, one a line, to which more are appended.
pub struct AnswerFile {
    file: AppendFile,
    done: HashSet<(String, String)>,
}

impl AnswerFile {
    /// Opens the answers of an earlier run for more. A line that is no answer, as a full disk
    /// leaves it, is dropped and its problem solved again; returns the numbers of such lines.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn open(path: &Path) -> Result<(AnswerFile, Vec<usize>), AppendError> {
        let (mut file, bytes) = AppendFile::open(path)?;
        let (mut done, mut dropped) = (HashSet::new(), Vec::new());
        let mut kept = Vec::with_capacity(bytes.len());
        for (text, number) in bytes.split_inclusive(|&byte| byte == b'\n').zip(1..) {
            match serde_json::from_slice::<ProblemAnswer>(text) {
                Ok(line) => {
                    // The name alone is not enough: in a file without names it is the number of a
                    // line, and files change.
                    done.insert((line.id, line.sfen));
                    kept.extend_from_slice(text);
                }
                Err(_) => dropped.push(number),
            }
        }
        if kept.len() < bytes.len() {
            // Renaming puts another file in its place: open that one.
            drop(file);
            write_atomic(path, &kept)
                .map_err(|error| AppendError::Io { path: path.to_path_buf(), error })?;
            file = AppendFile::open(path)?.0;
        }
        file.truncate(kept.len() as u64)?;
        Ok((AnswerFile { file, done }, dropped))
    }

    /// Whether the problem has its answer.
    #[must_use]
    pub fn has(&self, problem: &MateProblem) -> bool {
        self.done.contains(&(problem.id.clone(), problem.sfen.clone()))
    }

    /// Appends an answer.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, text: &str) -> Result<(), AppendError> {
        self.file.append(&format!("{text}\n"))
    }
}

/// What makes the run of a set the one it is.
#[must_use]
pub fn identity(problems: &[MateProblem], settings: &SetSettings) -> Identity {
    let value = serde_json::to_value(settings).expect("plain data is JSON");
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
pub fn table(answers: &[SetAnswer]) -> String {
    let mut text = "id\tresult\tlength\texact\tverdict\tfaults\topen\tnodes\n".to_owned();
    for SetAnswer { line, judgement } in answers {
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
            "{}\t{}\t{length}\t{}\t{verdict}\t{faults}\t{open}\t{}\n",
            line.id, line.result, line.exact, line.nodes
        );
    }
    text
}

/// The faults in one cell: kind, ply and move; flaws stand in brackets.
fn faults(judgement: &Judgement) -> String {
    let one = |fault: &crate::judge::JudgedFault| {
        let at = fault.play.as_ref().map_or(String::new(), |mv| format!("@{}:{mv}", fault.ply));
        let text = format!("{}{at}", fault.kind.id());
        if fault.minor { format!("({text})") } else { text }
    };
    let all: Vec<String> = judgement.faults.iter().map(one).collect();
    if all.is_empty() { "-".to_owned() } else { all.join(" ") }
}
