//! `yomikiri tune`: the numbers of the search moved by the outcomes of many short games.

use super::contest::{OwnArgs, OwnContest, stop_token};
use crate::output::{make_folder, write_file};
use anyhow::{Context, bail, ensure};
use std::fmt::Write;
use yomikiri_arena::tune::spsa::{Gains, Tunable};
use yomikiri_arena::tune::{Games, LOG, Tuning, TuningPath};
use yomikiri_base::Shard;
use yomikiri_engine::Settings;
use yomikiri_engine::settings::declared::{Declared, Range};
use yomikiri_engine::settings::search::SearchParams;
use yomikiri_lab::manifest::provenance;
use yomikiri_render::plot::{Axis, Mark, Plot};

/// What to tune, and how.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  yomikiri tune --parameter lmr.divisor --parameter lmr.history --nodes 5000 --steps 500 --pairs 8 -j 8 --out tuning\n\n\
    Stop with Ctrl-C; the same command goes on from there. The folder gets log.jsonl, path.tsv (the\n\
    values after each step), values.txt (the last ones as options) and a plot of each parameter's path.\n\
    Shards play their part of one step: `yomikiri merge` joins their folders, and the same command on\n\
    the joined folder goes on. Confirm what comes out by a match from other openings."
)]
pub struct Args {
    /// A parameter of the search with a number, perhaps with a step of its own, as
    /// lmr.divisor or lmr.divisor:20; may be given several times. `all` means all of them
    #[arg(long = "parameter", value_name = "NAME[:STEP]", required = true)]
    parameters: Vec<String>,

    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    nodes: u64,

    /// Steps; every parameter moves once in each
    #[arg(long, value_name = "N", default_value_t = 500)]
    steps: usize,

    /// Pairs of games in a step
    #[arg(long, value_name = "N", default_value_t = 8)]
    pairs: usize,

    /// What a surplus of one game moves at the end, as a share of a parameter's step
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    rate: f64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Play part I of N of a step's pairs, counted from 0, and stop there
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,

    #[command(flatten)]
    own: OwnArgs,
}

/// Tunes, and writes what came of it.
pub fn run(args: &Args) -> anyhow::Result<()> {
    ensure!(args.steps > 0 && args.pairs > 0, "--steps and --pairs must be at least 1");
    ensure!(args.rate > 0.0 && args.rate.is_finite(), "--rate must be positive");
    let tuning = Tuning {
        tunables: tunables(args)?,
        gains: Gains { steps: args.steps, rate: args.rate },
        pairs: args.pairs,
        seed: args.seed,
    };
    let contest = args.own.contest(OwnContest {
        sides: [("plus", &[]), ("minus", &[])],
        nodes: args.nodes,
        openings: args.own.read_openings()?,
        pairs: args.steps * args.pairs,
        seed: args.seed,
    })?;
    let mut games = Games::new(contest, &tuning);
    let identity = games.identity(&tuning)?;
    make_folder(&args.own.out)?;
    let stop = stop_token()?;
    let log = args.own.out.join(LOG);
    let names: Vec<&str> = tuning.tunables.iter().map(|one| one.name.as_str()).collect();
    let every = (args.steps / 50).max(1);
    let mut on_step = |step: usize, values: &[f64]| {
        if (step + 1).is_multiple_of(every) {
            eprintln!("step {} of {}: {}", step + 1, args.steps, shown(&names, values));
        }
    };
    let run = (log.as_path(), &identity, &provenance());
    let path = tuning.run(run, args.shard, &mut games, &stop, &mut on_step)?;
    write_path(args, &tuning, &path)?;
    if let Some(last) = path.values.last() {
        println!("{}", shown(&names, last));
    }
    if path.complete {
        return Ok(());
    }
    let step = path.values.len();
    ensure!(
        !args.shard.is_whole() && !stop.is_stopped(),
        "interrupted in step {step}; the same command goes on from here"
    );
    eprintln!("step {step}: this part is done; `yomikiri merge` joins it with the others");
    Ok(())
}

fn shown(names: &[&str], values: &[f64]) -> String {
    let words = names.iter().zip(values).map(|(name, value)| format!("{name}={value:.1}"));
    words.collect::<Vec<_>>().join(" ")
}

/// The parameters that the options name, from where the settings of both sides put them.
fn tunables(args: &Args) -> anyhow::Result<Vec<Tunable>> {
    let mut settings = Settings::default();
    for pair in &args.own.common {
        let (name, value) = pair.split_once('=').context("--common takes NAME=VALUE")?;
        settings.set(name, value)?;
    }
    let declared = SearchParams::declared();
    let mut tunables: Vec<Tunable> = Vec::new();
    for word in &args.parameters {
        if word == "all" {
            let all = declared.iter().filter_map(|one| tunable(&settings, one, None));
            tunables.extend(all);
            continue;
        }
        let (name, step) = match word.split_once(':') {
            Some((name, step)) => {
                let step: f64 =
                    step.parse().ok().filter(|step| *step > 0.0).with_context(|| {
                        format!("--parameter {word}: the step must be a positive number")
                    })?;
                (name, Some(step))
            }
            None => (word.as_str(), None),
        };
        let found = declared.iter().find(|one| one.name == name);
        let found = found.with_context(|| format!("there is no parameter '{name}'"))?;
        match tunable(&settings, found, step) {
            Some(tunable) => tunables.push(tunable),
            None => bail!("{name} takes {}: only numbers can be tuned", found.range),
        }
    }
    for (at, one) in tunables.iter().enumerate() {
        ensure!(
            tunables[..at].iter().all(|other| other.name != one.name),
            "{} is there twice",
            one.name
        );
    }
    Ok(tunables)
}

fn tunable(settings: &Settings, declared: &Declared, step: Option<f64>) -> Option<Tunable> {
    let Range::Number { min, max, step: own } = declared.range else { return None };
    Some(Tunable {
        name: declared.name.to_string(),
        start: settings.search.get(declared.name)?.parse().ok()?,
        min: f64::from(min),
        max: f64::from(max),
        step: step.unwrap_or(f64::from(own)).max(1.0),
    })
}

/// The values of every step as a table, the last ones as options, and a plot of each path.
fn write_path(args: &Args, tuning: &Tuning, path: &TuningPath) -> anyhow::Result<()> {
    let names: Vec<&str> = tuning.tunables.iter().map(|one| one.name.as_str()).collect();
    let mut table = format!("step\t{}\n", names.join("\t"));
    for (step, values) in path.values.iter().enumerate() {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.3}")).collect();
        let _ = writeln!(table, "{step}\t{}", values.join("\t"));
    }
    let mut options = String::new();
    for (name, value) in names.iter().zip(path.values.last().into_iter().flatten()) {
        let _ = writeln!(options, "{name}={value:.0}");
    }
    let file = |name: &str| args.own.out.join(name);
    write_file(&file("path.tsv"), table.as_bytes(), true)?;
    write_file(&file("values.txt"), options.as_bytes(), true)?;
    for (at, name) in names.iter().enumerate() {
        let points = path.values.iter().enumerate();
        let points = points.map(|(step, values)| (step as f64, values[at])).collect();
        let plot = Plot::new(name, Axis::linear("step"), Axis::linear("value"));
        let svg = plot.series(name, Mark::Line, points).to_svg();
        write_file(&file(&format!("{name}.svg")), svg.as_bytes(), true)?;
    }
    Ok(())
}
