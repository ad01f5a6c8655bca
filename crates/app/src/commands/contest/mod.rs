//! What `match` and `rate` share: the options, the live table, and where Ctrl-C leads.

mod args;
mod cpu;
mod live;

pub use args::ContestArgs;

use super::long_run::{Job, execute};
use live::Live;
use yomikiri_arena::contest::ContestError;
use yomikiri_arena::store::StoreError;
use yomikiri_runs::{Front, Plan, RunsError};

/// Plays what is missing in the folder and prints the table.
pub fn play(plan: &Plan, args: &ContestArgs) -> anyhow::Result<()> {
    let mut live = Live::new(args.folder());
    let mut front = Front { contest: Some(&mut live), ..Front::default() };
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
    // Where the system tells.
    if let Some(times) = cpu::times() {
        eprintln!("{times}");
    }
    played.map_err(|error| match error.downcast_ref::<RunsError>() {
        Some(RunsError::Contest(ContestError::Store(StoreError::OtherMatch { .. }))) => {
            anyhow::anyhow!("{error}; --out names another folder")
        }
        _ => error,
    })
}
