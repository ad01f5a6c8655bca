//! One file per command; each has its `Args` and a `run`.

pub mod bench;
pub mod completions;
pub mod usi;

use crate::options::{Cli, Command};

/// Runs the command that was asked for.
pub fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Command::Usi(args) => usi::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => completions::run(&args),
    }
}
