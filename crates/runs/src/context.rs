//! Where a run takes place, who watches it, and what it comes to.

use std::path::PathBuf;
use yomikiri_arena::contest::Watch;
use yomikiri_arena::contest::text::Language;
use yomikiri_base::Provenance;
use yomikiri_base::packed::Limits;
use yomikiri_lab::manifest;
use yomikiri_learn::positions::RunState;
use yomikiri_usi::client::Launch;

/// The machine and the program; nothing of it decides a result.
#[derive(Clone, Debug)]
pub struct Context {
    /// The program that plays the games of engines that name no other.
    pub program: Launch,
    /// Who does the units.
    pub provenance: Provenance,
    /// Bounds of packed input.
    pub input: Limits,
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
            input: Limits::default(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            affinity: false,
        }
    }
}

/// Hears of every step of a run: its number from 0, and what it came to in words.
pub type StepHearer<'a> = dyn FnMut(usize, &str) + 'a;

/// Who hears more of some kinds of runs than how many units are done.
#[derive(Default)]
pub struct Front<'a> {
    /// The language of the report, where it has a choice.
    pub language: Language,
    /// Hears of every game of a contest.
    pub contest: Option<&'a mut dyn Watch>,
    /// Hears of every unit of training positions.
    pub positions: Option<&'a (dyn Fn(&RunState) + Sync)>,
    /// Hears of every step of the tuner: its number from 0, and the values after it.
    pub tune: Option<&'a mut StepHearer<'a>>,
}

/// What a run has come to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// What a person wants to read: the table, the findings.
    pub text: String,
    /// Whether no unit is missing.
    pub complete: bool,
}
