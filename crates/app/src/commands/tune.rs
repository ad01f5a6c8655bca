//! `yomikiri tune`: the numbers of the search moved by the outcomes of many short games.

use super::contest::{OwnArgs, other_folder};
use super::long_run::{Job, execute, print_line};
use yomikiri_arena::tune::TunePlan;
use yomikiri_runs::{Front, Plan};

/// What to tune, and how.
#[derive(clap::Args)]
pub struct Args {
    /// A parameter of the search with a number, perhaps with a step of its own, as
    /// lmr.divisor or lmr.divisor:20; may be given several times. `all` means all of them
    #[arg(long = "parameter", value_name = "NAME[:STEP]", required = true)]
    parameters: Vec<String>,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = TunePlan::default().nodes)]
    nodes: u64,
    /// Steps; every parameter moves once in each
    #[arg(long, value_name = "N", default_value_t = TunePlan::default().steps)]
    steps: usize,
    /// Pairs of games in a step
    #[arg(long, value_name = "N", default_value_t = TunePlan::default().pairs)]
    pairs: usize,
    /// What a surplus of one game moves at the end, as a share of a parameter's step
    #[arg(long, value_name = "SHARE", default_value_t = TunePlan::default().rate)]
    rate: f64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = TunePlan::default().seed)]
    seed: u64,
    #[command(flatten)]
    own: OwnArgs,
}

/// Tunes, and writes what came of it.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let own = &args.own;
    let plan = TunePlan {
        parameters: args.parameters.clone(),
        nodes: args.nodes,
        steps: args.steps,
        pairs: args.pairs,
        rate: args.rate,
        seed: args.seed,
        common: own.common.clone(),
        openings: own.openings.clone(),
        resign: own.resign,
    };
    let mut job = Job::new(&own.run, &own.out, own.concurrency);
    let mut front = Front { line: Some(&print_line), ..Front::default() };
    execute(&Plan::Tune(plan), &mut job, &mut front).map_err(other_folder)
}
