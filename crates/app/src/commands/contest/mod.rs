//! What `match`, `rate`, `measure` and `tune` share: the options, the live table, and where Ctrl-C
//! leads.

mod args;
mod cpu;
mod live;
mod own;

pub use args::ContestArgs;
pub use own::{OwnArgs, OwnContest};

use super::long_run::{Job, execute};
use crate::interrupt::stop_on_interrupt;
use crate::language;
use crate::output::make_folder;
use anyhow::ensure;
use live::Live;
use std::path::Path;
use yomikiri_arena::contest::text::{ratings_table_in, two_player_summary_in};
use yomikiri_arena::contest::{Contest, ContestError, Outcome};
use yomikiri_arena::store::StoreError;
use yomikiri_base::StopToken;
use yomikiri_runs::{Front, Plan, RunsError};

/// Plays the contest of a plan, or what is missing in its folder, and prints the table.
pub fn play(plan: &Plan, args: &ContestArgs) -> anyhow::Result<()> {
    let mut live = Live::new(args.folder());
    let mut front =
        Front { contest: Some(&mut live), language: language::get(), ..Front::default() };
    let job = Job {
        args: &args.run,
        out: args.folder(),
        threads: args.concurrency,
        affinity: args.affinity,
        carry: None,
        bar: false,
    };
    let played = execute(plan, &job, &mut front);
    live.done();
    note_times();
    played.map_err(|error| match error.downcast_ref::<RunsError>() {
        Some(RunsError::Contest(ContestError::Store(StoreError::OtherMatch { .. }))) => {
            anyhow::anyhow!("{error}; --out names another folder")
        }
        _ => error,
    })
}

/// Says what the processors did, where the system tells.
fn note_times() {
    if let Some(times) = cpu::times() {
        eprintln!("{times}");
    }
}

/// A token that Ctrl-C stops.
pub fn stop_token() -> anyhow::Result<StopToken> {
    stop_on_interrupt("stopping; the same command goes on from here")
}

/// Plays what is missing of a contest in a folder and prints the table.
pub fn play_until(contest: &Contest, folder: &Path, stop: &StopToken) -> anyhow::Result<Outcome> {
    make_folder(folder)?;
    let mut live = Live::new(folder);
    let outcome = contest.play(folder, stop, &mut live).map_err(|error| match error {
        ContestError::Store(StoreError::OtherMatch { .. }) => {
            anyhow::anyhow!("{error}; --out names another folder")
        }
        error => error.into(),
    })?;
    live.done();
    print!("{}", ratings_table_in(language::get(), &outcome.standings, true));
    let test = outcome.test.as_ref();
    print!("{}", two_player_summary_in(language::get(), &outcome.standings, test));
    note_times();
    ensure!(!outcome.interrupted, "interrupted; the same command goes on from here");
    Ok(outcome)
}
