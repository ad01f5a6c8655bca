//! `yomikiri cluster COMMAND ..`: a long run on a Ray cluster, by the Python package.

use anyhow::Context;
use std::path::PathBuf;
use yomikiri_runs::ClusterRun;

/// Where, and what.
#[derive(clap::Args)]
pub struct Args {
    /// Where results go; the same command goes on from what is there [default: --out of the
    /// command, or yomikiri-run]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The cluster [default: one of this machine alone]
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,
    /// Workers [default: one for each processor of the cluster]
    #[arg(long, value_name = "N")]
    workers: Option<usize>,
    /// The Python package, for machines that do not have it
    #[arg(long, value_name = "FILE")]
    wheel: Option<PathBuf>,
    /// The Python that has the package `yomikiri`
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: PathBuf,
    /// The command with its options, as it would be without `cluster`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
}

/// Writes the plan of the command and has it done.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let run = ClusterRun {
        command: args.command.clone(),
        out: args.out.clone(),
        address: args.address.clone(),
        workers: args.workers,
        wheel: args.wheel.clone(),
        python: args.python.clone(),
    };
    let program = std::env::current_exe().context("where is this program?")?;
    say!("results in {}", run.run(&program)?.display());
    Ok(())
}
