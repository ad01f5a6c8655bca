//! Where a run takes place, who watches it, and what it comes to.

use std::path::PathBuf;
use std::sync::Arc;
use yomikiri_arena::contest::Watch;
use yomikiri_base::Provenance;
use yomikiri_base::packed::{Input, UnpackLimits};
use yomikiri_lab::manifest;
use yomikiri_learn::positions::RunState;
use yomikiri_play::Notation;
use yomikiri_proof::solver::SolverProgress;
use yomikiri_text::Language;
use yomikiri_usi::client::Launch;

/// The machine and the program; nothing of it decides a result.
#[derive(Clone, Debug)]
pub struct Context {
    /// The program that plays the games of engines that name no other.
    pub program: Launch,
    /// Who does the units.
    pub provenance: Provenance,
    /// Bounds of packed input.
    pub input: UnpackLimits,
    /// What the name `-` stands for in a plan, where standard input was read.
    pub standard: Option<Arc<[u8]>>,
    /// The language of messages. Files that are compared do not depend on it.
    pub language: Language,
    /// How it writes moves for people.
    pub notation: Notation,
    /// Threads of a learner. Units are done by the threads of who sees to them.
    pub threads: usize,
    /// Whether each thread keeps to a core of its own.
    pub affinity: bool,
}

impl Context {
    /// This process: its own program, unless the variable `YOMIKIRI_PROGRAM` names another.
    #[must_use]
    pub fn here() -> Context {
        let named = std::env::var_os("YOMIKIRI_PROGRAM").map(PathBuf::from);
        let program = named.or_else(|| std::env::current_exe().ok());
        Context {
            program: Launch::program(program.unwrap_or_else(|| PathBuf::from("yomikiri"))),
            provenance: manifest::provenance(),
            input: UnpackLimits::default(),
            standard: None,
            language: Language::En,
            notation: Notation::default(),
            threads: yomikiri_base::process::processors(),
            affinity: false,
        }
    }

    /// Where input comes from.
    #[must_use]
    pub fn source(&self) -> Input<'_> {
        Input { limits: self.input, standard: self.standard.as_deref() }
    }
}

/// Receives how the search of a mate problem, named first, stands.
pub type OnProblemProgress = dyn Fn(&str, &SolverProgress) + Sync;

/// Receives how far a learner is: steps done, steps in all, and the rest in words.
pub type OnLearnerStep = dyn Fn(usize, usize, &str) + Sync;

/// Who receives more of some kinds of runs than how many units are done.
#[derive(Default)]
pub struct Front<'a> {
    /// Receives every game of a contest.
    pub contest: Option<&'a mut dyn Watch>,
    /// Receives every unit of training positions.
    pub positions: Option<&'a (dyn Fn(&RunState) + Sync)>,
    /// Receives in words what a unit came to, for the kinds that have more to say than a count.
    pub line: Option<&'a (dyn Fn(&str) + Sync)>,
    /// Receives searches of mate problems.
    pub mate: Option<&'a OnProblemProgress>,
    /// Receives a learner's steps.
    pub learner: Option<&'a OnLearnerStep>,
}

/// What a run has come to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunReport {
    /// What a person wants to read: the table, the findings.
    pub text: String,
    /// Whether no unit is missing.
    pub complete: bool,
}
