//! `yomikiri learn positions`: training positions by self-play.

use crate::commands::contest::openings_from;
use crate::interrupt::stop_on_interrupt;
use anyhow::Context;
use std::path::PathBuf;
use yomikiri_base::{Progress, Provenance, Shard, checksum};
use yomikiri_engine::Settings;
use yomikiri_learn::positions::{PositionRun, PositionSettings, RunState};
use yomikiri_shogi::Position;

/// What to make, and from what.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  yomikiri learn positions --units 200 --nodes 1000 --out \
    positions\n  yomikiri learn positions --units 200 --nodes 1000 --out positions --collect \
    positions.psv")]
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
    /// Do part I of N of the units, counted from 0
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Play nothing: write the positions of all finished units, each once, into this file
    #[arg(long, value_name = "FILE")]
    collect: Option<PathBuf>,
}

/// Plays, or collects.
pub fn run(args: &PositionsArgs) -> anyhow::Result<()> {
    let run = plan(args)?;
    if let Some(out) = &args.collect {
        let kept = run.collect(out)?;
        println!("{kept} positions in {}", out.display());
        return Ok(());
    }
    let stop = stop_on_interrupt("stopping after the units in hand; the same command goes on")?;
    let bar = Progress::new(run.units, 0);
    let state = run.run(&stop, &|state| {
        bar.set_total(state.units);
        bar.set(state.finished);
        bar.message(format!("{} positions", state.tally.kept));
    })?;
    bar.finish();
    print_state(&state);
    Ok(())
}

fn plan(args: &PositionsArgs) -> anyhow::Result<PositionRun> {
    let mut engine = Settings::default();
    for pair in &args.set {
        let (name, value) = pair
            .split_once('=')
            .with_context(|| format!("--set takes NAME=VALUE, not '{pair}'"))?;
        engine.set(name, value)?;
    }
    let weights = match engine.resources.evaluation.path() {
        Some(path) => {
            checksum::sha256_hex(&std::fs::read(&path).with_context(|| path.display().to_string())?)
        }
        None => String::new(),
    };
    // A bad file is an error here, not a reason to play with something else.
    engine.resources.evaluation.load()?;
    let openings = openings_from(args.openings.as_deref())?;
    let openings: Result<Vec<Position>, _> =
        openings.iter().map(yomikiri_usi::Setup::position).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(PositionRun {
        folder: args.out.clone(),
        settings: PositionSettings {
            seed: args.seed,
            nodes: args.nodes,
            games_per_unit: args.games_per_unit.max(1),
            ..PositionSettings::default()
        },
        units: args.units,
        engine,
        teacher: format!("{} {weights}", args.set.join(" ")),
        openings: openings?,
        shard: args.shard,
        threads: args.threads.unwrap_or(cores),
        provenance: Provenance {
            version: env!("CARGO_PKG_VERSION").into(),
            ..Provenance::default()
        },
    })
}

fn print_state(state: &RunState) {
    let tally = &state.tally;
    println!("{} of {} units finished", state.finished, state.units);
    println!(
        "{} games ({} drawn, {} starts unbalanced), {} positions searched",
        tally.games, tally.draws, tally.unbalanced, tally.searched
    );
    println!(
        "{} kept; left out: {} noisy, {} decided, {} repeated",
        tally.kept, tally.noisy, tally.decided, tally.repeated
    );
}
