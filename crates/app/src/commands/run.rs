//! `yomikiri run FILE`: a plan that `--plan` has written.

use super::long_run::{Job, LongRunArgs, execute};
use super::processors;
use std::path::PathBuf;
use yomikiri_runs::{Front, Plan};

/// Which plan, and where.
#[derive(clap::Args)]
#[command(
    after_help = "Example, shared by two machines:\n  yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --plan plan.json\n  \
    yomikiri run plan.json --out part0 --shard 0/2\n  yomikiri run plan.json --out part1 --shard 1/2\n  \
    yomikiri merge --out whole part0 part1"
)]
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
    let job = Job {
        args: &args.run,
        out: &args.out,
        threads: args.threads.unwrap_or_else(processors),
        affinity: false,
        carry: None,
        bar: true,
    };
    execute(&plan, &job, &mut Front::default())
}
