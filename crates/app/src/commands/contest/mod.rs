//! What `match`, `rate`, `measure` and `tune` share: the options, the live table, and where Ctrl-C
//! leads.

mod args;
mod cpu;
mod live;
mod own;

pub use args::{ContestArgs, openings_from};
pub use own::{OwnArgs, OwnContest};

use crate::interrupt::stop_on_interrupt;
use crate::output::make_folder;
use anyhow::ensure;
use live::Live;
use std::path::Path;
use yomikiri_arena::contest::text::{ratings_table, two_player_summary};
use yomikiri_arena::contest::{Contest, ContestError, Outcome};
use yomikiri_arena::store::StoreError;
use yomikiri_base::StopToken;

/// A token that Ctrl-C stops.
pub fn stop_token() -> anyhow::Result<StopToken> {
    stop_on_interrupt("stopping; the same command goes on from here")
}

/// Plays what is missing in the folder and prints the table.
pub fn play(contest: &Contest, folder: &Path) -> anyhow::Result<()> {
    play_until(contest, folder, &stop_token()?).map(drop)
}

/// The same, with a token to stop it.
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
    print!("{}", ratings_table(&outcome.standings, true));
    print!("{}", two_player_summary(&outcome.standings, outcome.test.as_ref()));
    // Where the system tells.
    if let Some(times) = cpu::times() {
        eprintln!("{times}");
    }
    ensure!(!outcome.interrupted, "interrupted; the same command goes on from here");
    Ok(outcome)
}
