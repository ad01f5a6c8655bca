//! `learn eval`, `learn progress`, `learn mine`.

use super::{ForceArgs, GamesArgs, data, read_weights};
use crate::commands::{long_run, processors};
use crate::input::limits;
use crate::interrupt::stop_on_interrupt;
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, anyhow, bail};
use core::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use yomikiri_base::Progress;
use yomikiri_engine::eval::linear::Weights;
use yomikiri_engine::eval::stage::ProgressModel;
use yomikiri_lab::manifest::commit;
use yomikiri_learn::eval_run::{EvalPlan, told};
use yomikiri_learn::trainer::Report;
use yomikiri_learn::{Config, mining, progress};
use yomikiri_runs::Plan;

/// Options of `learn eval`.
#[derive(clap::Args)]
pub struct EvalArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Where the weights go
    #[arg(long, value_name = "WEIGHTS")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// A TOML file with the learner's constants; what it does not name keeps its default
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Weights to begin with, whose progress and patterns are kept [default: material alone]
    #[arg(long, value_name = "WEIGHTS")]
    from: Option<PathBuf>,
    /// Three-piece patterns written by `learn mine`
    #[arg(long, value_name = "FILE")]
    patterns: Option<PathBuf>,
    /// A file to save the run in now and then, and to go on from if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Threads; the result is the same for any number [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// End after so many minutes with what has been learned so far
    #[arg(long, value_name = "N")]
    minutes: Option<u64>,
    /// Write the plan of the run to this file and do nothing else; `yomikiri run FILE` does it
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
}

impl EvalArgs {
    fn plan(&self) -> anyhow::Result<EvalPlan> {
        let config = match &self.config {
            None => Config::default(),
            Some(path) => {
                let name = || path.display().to_string();
                let text = std::fs::read_to_string(path).with_context(name)?;
                Config::from_toml(&text).map_err(|error| anyhow!("{}: {error}", name()))?
            }
        };
        Ok(EvalPlan {
            games: self.games.files(),
            limit: self.games.limit,
            config,
            from: self.from.clone(),
            patterns: self.patterns.clone(),
        })
    }
}

/// Learns the evaluation.
pub fn eval(args: &EvalArgs) -> anyhow::Result<()> {
    let plan = args.plan()?;
    if let Some(file) = &args.plan {
        return long_run::write_plan(&Plan::LearnEval(plan), file);
    }
    let goes_on = args.checkpoint.as_ref().is_some_and(|path| path.exists());
    // A run that goes on replaces the weights that it wrote when it was stopped.
    let force = args.force.force || goes_on && read_weights(Some(&args.out)).is_ok();
    ensure_writable(&args.out, force)?;
    let threads = args.threads.unwrap_or_else(processors);
    let run = plan.load(limits())?;
    super::note_skipped(run.dataset());
    let stop = stop_on_interrupt("")?;
    let bar = Progress::new(0, 0);
    let began = Instant::now();
    let limit = args.minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60)));
    let mut before = None;
    let on_step = &mut |report: &Report| {
        let earlier = report.done - 1;
        if before.is_none() && earlier > 0 {
            bar.suspend(|| eprintln!("going on after {earlier} batches"));
        }
        before.get_or_insert(earlier);
        bar.set_total(report.total);
        bar.set(report.done);
        bar.message(told(report));
        let late = limit.is_some_and(|limit| began.elapsed() >= limit);
        if late || stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let learned = run.run(args.checkpoint.as_deref(), threads, commit(), on_step)?;
    bar.finish();
    write_file(&args.out, &learned.bytes, force)?;
    if let Some(report) = &learned.last {
        println!("{} of {} batches; the last: {}", report.done, report.total, told(report));
        let now = report.done - before.unwrap_or(report.done);
        println!("{now} batches in {:.1} s on {threads} threads", began.elapsed().as_secs_f64());
    }
    println!("weights written to {}", args.out.display());
    if !learned.finished && args.minutes.is_none() {
        bail!("interrupted; with --checkpoint the same command goes on from here");
    }
    Ok(())
}

/// Options of `learn progress`.
#[derive(clap::Args)]
pub struct ProgressArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Where the weights go: the learned progress, all coefficients 0; `learn eval --from` goes on
    /// from them
    #[arg(long, value_name = "WEIGHTS")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// How often to go through the games
    #[arg(long, default_value_t = 2)]
    passes: usize,
}

/// Learns progress and says how well it tells the games of the test set.
pub fn progress(args: &ProgressArgs) -> anyhow::Result<()> {
    ensure_writable(&args.out, args.force.force)?;
    let dataset = args.games.read()?;
    let games = args.games.to_learn(&dataset)?;
    let learned = ProgressModel::Learned(Box::new(progress::train(&games, args.passes)));
    let (_, test) = dataset.split();
    let test = if test.is_empty() { games.clone() } else { test };
    for (name, model) in [("hand-made", &ProgressModel::HandMade), ("learned", &learned)] {
        let fit = progress::fit(&test, model);
        println!(
            "{name:<10} mean error {:.4} correlation {:.4} positions {}",
            fit.error, fit.correlation, fit.positions
        );
    }
    let lineage = format!("data: {}\ncommit: {}\n", data(&dataset, &games), commit());
    let weights = Weights { lineage, progress: learned, ..Weights::default() };
    write_file(&args.out, &weights.to_bytes()?, args.force.force)?;
    println!("weights written to {}", args.out.display());
    Ok(())
}

/// Options of `learn mine`.
#[derive(clap::Args)]
pub struct MineArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Where the patterns go, one a line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// How many patterns
    #[arg(long, default_value_t = mining::MiningOptions::default().count)]
    count: usize,
    /// Look at every so many plies
    #[arg(long, default_value_t = mining::MiningOptions::default().stride)]
    stride: usize,
}

/// Mines patterns.
pub fn mine(args: &MineArgs) -> anyhow::Result<()> {
    ensure_writable(&args.out, args.force.force)?;
    let dataset = args.games.read()?;
    let games = args.games.to_learn(&dataset)?;
    let options = mining::MiningOptions {
        count: args.count,
        stride: args.stride,
        ..mining::MiningOptions::default()
    };
    let found = mining::mine(&games, options);
    write_file(&args.out, mining::to_text(&found).as_bytes(), args.force.force)?;
    println!("{} patterns written to {}", found.len(), args.out.display());
    Ok(())
}
