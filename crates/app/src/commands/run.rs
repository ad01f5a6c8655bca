//! `yomikiri run FILE`: a plan that `--plan` has written.

use super::long_run::{Job, LongRunArgs, execute, print_line};
use std::path::PathBuf;
use yomikiri_base::process::processors;
use yomikiri_runs::{Front, Plan};

/// Which plan, and where.
#[derive(clap::Args)]
pub struct Args {
    /// The plan
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where results go; the same run goes on from what is there
    #[arg(long, value_name = "DIR", default_value = "yomikiri-run")]
    out: PathBuf,
    /// Threads at work [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    #[command(flatten)]
    run: LongRunArgs,
}

/// Does the plan and prints what it comes to.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let plan = Plan::read(&args.file)?;
    let threads = args.threads.unwrap_or_else(processors);
    let mut job = Job::new(&args.run, &args.out, threads);
    let mut front = Front { line: Some(&print_line), ..Front::default() };
    execute(&plan, &mut job, &mut front)
}
