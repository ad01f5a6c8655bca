//! What `match`, `rate`, `measure` and `tune` share: the options, the live table, and where Ctrl-C
//! leads.

mod args;

pub use args::{ContestArgs, OwnArgs};

use super::long_run::{Job, execute};
use crate::language;
use std::io::IsTerminal;
use yomikiri_arena::contest::live::Live;
use yomikiri_runs::{Front, Plan, RunsError};

/// Plays the contest of a plan, or what is missing in its folder, and prints the table.
pub fn play(plan: &Plan, job: &mut Job<'_>) -> anyhow::Result<()> {
    let terminal = std::io::stderr().is_terminal();
    let mut live = Live::new(job.out, std::io::stderr(), terminal, language::get());
    let mut front = Front { contest: Some(&mut live), ..Front::default() };
    job.bar = false;
    let played = execute(plan, job, &mut front);
    live.done();
    played.map_err(other_folder)
}

/// Says what to do about a folder of another run.
pub fn other_folder(error: anyhow::Error) -> anyhow::Error {
    match error.downcast_ref::<RunsError>().is_some_and(RunsError::is_other_run) {
        true => anyhow::anyhow!("{error}; --out names another folder"),
        false => error,
    }
}
