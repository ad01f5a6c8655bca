//! `learn eval`, `learn progress`, `learn mine`.

use super::{ForceArgs, GamesArgs, data, read_weights};
use crate::commands::processors;
use crate::interrupt::stop_on_interrupt;
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, anyhow, bail};
use core::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use yomikiri_base::Progress;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_engine::eval::linear::Weights;
use yomikiri_engine::eval::stage::ProgressModel;
use yomikiri_lab::manifest::commit;
use yomikiri_learn::trainer::{Report, Trainer};
use yomikiri_learn::{Config, checkpoint, mining, progress};

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
}

/// Between two checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// Learns the evaluation.
pub fn eval(args: &EvalArgs) -> anyhow::Result<()> {
    let saved = args.checkpoint.as_ref().filter(|path| path.exists());
    // A run that goes on replaces the weights that it wrote when it was stopped.
    let goes_on = saved.is_some() && read_weights(Some(&args.out)).is_ok();
    let force = args.force.force || goes_on;
    ensure_writable(&args.out, force)?;
    let config = match &args.config {
        None => Config::default(),
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            Config::from_toml(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?
        }
    };
    let threads = args.threads.unwrap_or_else(processors);
    let start = start(args)?;
    let dataset = args.games.read()?;
    let games = args.games.to_learn(&dataset)?;
    let begun = sha256_hex(&start.to_bytes()?);
    let data = format!("{}; begun from weights with sha256 {begun}", data(&dataset, &games));
    let mut trainer = match saved {
        Some(path) => {
            let trainer = checkpoint::load(path, &config, &data)?;
            eprintln!("going on after {} batches", trainer.done);
            trainer
        }
        None => Trainer::new(config, &start, &games, threads),
    };
    let stop = stop_on_interrupt("")?;
    let bar = Progress::new(0, trainer.done);
    let (began, mut saved) = (Instant::now(), Instant::now());
    let before = trainer.done;
    let limit = args.minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60)));
    let mut failure = None;
    let finished = trainer.run(&games, threads, &mut |trainer, report| {
        bar.set_total(report.total);
        bar.set(report.done);
        bar.message(told(report));
        let late = limit.is_some_and(|limit| began.elapsed() >= limit);
        let ends = late || stop.is_stopped();
        if let Some(path) = &args.checkpoint
            && (ends || saved.elapsed() >= SAVE_EVERY || report.done == report.total)
        {
            saved = Instant::now();
            if let Err(error) = checkpoint::save(path, trainer, &data) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
        }
        if ends { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish();
    if let Some(error) = failure {
        return Err(error.into());
    }
    let lineage = lineage(&trainer, &data) + &ancestry(&start.lineage);
    write_file(&args.out, &trainer.weights(lineage).to_bytes()?, force)?;
    if let Some(report) = &trainer.last {
        println!("{} of {} batches; the last: {}", report.done, report.total, told(report));
        let (now, seconds) = (report.done - before, began.elapsed().as_secs_f64());
        println!("{now} batches in {seconds:.1} s on {threads} threads");
    }
    println!("weights written to {}", args.out.display());
    if !finished && args.minutes.is_none() {
        bail!("interrupted; with --checkpoint the same command goes on from here");
    }
    Ok(())
}

fn start(args: &EvalArgs) -> anyhow::Result<Weights> {
    let mut start = match &args.from {
        Some(path) => read_weights(Some(path))?,
        None => Weights::default(),
    };
    if let Some(path) = &args.patterns {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let patterns =
            mining::from_text(&text).map_err(|error| anyhow!("{}: {error}", path.display()))?;
        start.patterns = Arc::new(patterns);
    }
    Ok(start)
}

fn told(report: &Report) -> String {
    format!("loss {:.4} agreement {:.1} %", report.loss, report.agreement)
}

fn lineage(trainer: &Trainer, data: &str) -> String {
    let result = trainer.last.as_ref().map_or("no batch".to_string(), |report| {
        format!("{} of {} batches; the last: {}", report.done, report.total, told(report))
    });
    let patterns = trainer.patterns.len();
    let progress = match trainer.progress {
        ProgressModel::HandMade => "hand-made",
        ProgressModel::Learned(_) => "learned",
    };
    format!(
        "data: {data}\ncommit: {}\nprogress: {progress}\npatterns: {patterns}\nresult: {result}\n\
         config:\n{}",
        commit(),
        trainer.config.to_toml()
    )
}

/// The lineage of the weights that a run began with, set in under that of the run.
fn ancestry(before: &str) -> String {
    if before.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = before.lines().map(|line| format!("  {line}")).collect();
    format!("\nbegun from weights of this lineage:\n{}\n", lines.join("\n"))
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

#[cfg(test)]
mod tests {
    use super::ancestry;

    #[test]
    fn weights_tell_of_those_before_them() {
        assert_eq!(ancestry(""), "");
        let second = format!("data: b\n{}", ancestry("data: a\n"));
        let third = format!("data: c\n{}", ancestry(&second));
        assert!(third.contains("\n  data: b\n"), "{third}");
        assert!(third.contains("\n    data: a\n"), "{third}");
    }
}
