//! One file per command; each has its `Args` and a `run`.

pub mod completions;

use crate::options::{Cli, Command};

/// Runs the command that was asked for.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Completions(args) => completions::run(&args),
    }
}
