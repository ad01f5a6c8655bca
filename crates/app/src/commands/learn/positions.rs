//! `yomikiri learn positions`: training positions by self-play.

use crate::commands::long_run::{Job, LongRunArgs, context, execute, note};
use std::path::PathBuf;
use yomikiri_base::process::processors;
use yomikiri_learn::positions::{PositionSettings, RunState};
use yomikiri_runs::{Front, Plan, PositionsPlan};

/// What to make, and from what.
#[derive(clap::Args)]
pub struct PositionsArgs {
    /// The folder of the run; the same command goes on where it stopped
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How many units of games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    units: usize,
    /// Games of a unit
    #[arg(long, value_name = "N", default_value_t = PositionSettings::default().games_per_unit)]
    games_per_unit: usize,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = PositionSettings::default().nodes)]
    nodes: u64,
    /// Side positions of each quiet position: some random moves away, with the static value of
    /// the teacher and no result (learn from them with `loss.lambda = 1`)
    #[arg(long, value_name = "N", default_value_t = 0)]
    sides: usize,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Openings, one a line; cut at a random ply [default: those in this program]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Set an option of the engine that plays, as NAME=VALUE; may be given several times. Its
    /// evaluation is the teacher: `--set EvalFile=nn.bin --set FV_SCALE=24`
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    run: LongRunArgs,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Play nothing: write the positions of all finished units, each once, into this file
    #[arg(long, value_name = "FILE")]
    collect: Option<PathBuf>,
}

/// Plays, or collects.
pub fn run(args: &PositionsArgs) -> anyhow::Result<()> {
    let plan = PositionsPlan {
        units: args.units,
        settings: PositionSettings {
            seed: args.seed,
            nodes: args.nodes,
            games_per_unit: args.games_per_unit.max(1),
            sides: args.sides,
            ..PositionSettings::default()
        },
        set: args.set.clone(),
        openings: args.openings.clone(),
    };
    if let Some(out) = &args.collect {
        let context = context();
        let run = plan.in_folder(&args.out, &context)?;
        let kept = run.collect(out, &context.provenance)?;
        say!("{kept} positions in {}", out.display());
        return Ok(());
    }
    let report = |state: &RunState| note(format!("{} positions", state.tally.kept));
    let mut front = Front { positions: Some(&report), ..Front::default() };
    let mut job = Job::new(&args.run, &args.out, args.threads.unwrap_or_else(processors));
    execute(&Plan::LearnPositions(plan), &mut job, &mut front)
}
