//! `learn policy`, `learn policy-agreement`.

use super::{ForceArgs, GamesArgs, data};
use crate::commands::processors;
use crate::interrupt::stop_on_interrupt;
use crate::output::{ensure_writable, write_file};
use anyhow::{Context, anyhow, bail};
use core::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use yomikiri_base::Progress;
use yomikiri_engine::category;
use yomikiri_engine::eval::policy::{Policy, PolicyWeights};
use yomikiri_lab::manifest::commit;
use yomikiri_learn::Game;
use yomikiri_learn::policy::measure::{self, Fit, Pair, loss_difference, total};
use yomikiri_learn::policy::{PolicyConfig, PolicyTrainer, Report, checkpoint};

/// Options of `learn policy`.
#[derive(clap::Args)]
pub struct PolicyArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Where the policy goes
    #[arg(long, value_name = "POLICY")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// A TOML file with the learner's constants; what it does not name keeps its default
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Learn only from the I-th of N parts of the games, as 1/2; two policies of different parts
    /// share no game
    #[arg(long, value_name = "I/N", value_parser = Part::parse)]
    part: Option<Part>,
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

/// A part of the games, told by their hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    number: u64,
    of: u64,
}

impl Part {
    fn parse(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').map(|(number, of)| (number.parse(), of.parse()));
        match numbers {
            Some((Ok(number), Ok(of))) if 0 < number && number <= of => Ok(Part { number, of }),
            _ => Err(format!("'{text}' is no part of games, as 1/2 is")),
        }
    }

    /// The last two digits of the hash keep the test set apart, so that these are others.
    fn has(self, game: &Game) -> bool {
        game.hash / 100 % self.of == self.number - 1
    }
}

/// Between two checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(60);

impl PolicyArgs {
    fn config(&self) -> anyhow::Result<PolicyConfig> {
        let Some(path) = &self.config else { return Ok(PolicyConfig::default()) };
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        PolicyConfig::from_toml(&text).map_err(|error| anyhow!("{}: {error}", path.display()))
    }

    fn trainer(&self, config: PolicyConfig, data: &str) -> anyhow::Result<PolicyTrainer> {
        match self.checkpoint.as_ref().filter(|path| path.exists()) {
            Some(path) => {
                let trainer = checkpoint::load(path, &config, data)?;
                eprintln!("going on after {} batches", trainer.done);
                Ok(trainer)
            }
            None => Ok(PolicyTrainer::new(config)),
        }
    }
}

/// Learns the policy.
pub fn policy(args: &PolicyArgs) -> anyhow::Result<()> {
    let goes_on = args.checkpoint.as_ref().is_some_and(|path| path.exists());
    // A run that goes on replaces what it wrote when it was stopped.
    let force = args.force.force || goes_on && read_policy(Some(&args.out)).is_ok();
    ensure_writable(&args.out, force)?;
    let config = args.config()?;
    let threads = args.threads.unwrap_or_else(processors);
    let dataset = args.games.read()?;
    let mut games = args.games.to_learn(&dataset)?;
    games.retain(|game| args.part.is_none_or(|part| part.has(game)));
    if games.is_empty() {
        bail!("no games to learn from: none of them belongs to the part");
    }
    let data = data(&dataset, &games);
    let mut trainer = args.trainer(config, &data)?;
    let stop = stop_on_interrupt("")?;
    let (bar, before) = (Progress::new(trainer.config.batches(), trainer.done), trainer.done);
    let (began, mut saved) = (Instant::now(), Instant::now());
    let limit = args.minutes.map(|minutes| Duration::from_secs(minutes.saturating_mul(60)));
    let mut failure = None;
    let finished = trainer.run(&games, threads, &mut |trainer, report| {
        bar.set(report.done);
        bar.message(told(report));
        let late = limit.is_some_and(|limit| began.elapsed() >= limit);
        let ends = late || stop.is_stopped() || report.done == report.total;
        if let Some(path) = &args.checkpoint
            && (ends || saved.elapsed() >= SAVE_EVERY)
        {
            saved = Instant::now();
            failure = checkpoint::save(path, trainer, &data).err();
        }
        let goes_on = failure.is_none() && !(late || stop.is_stopped());
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    bar.finish();
    if let Some(error) = failure {
        return Err(error.into());
    }
    let lineage = lineage(&trainer, &data);
    let weights = trainer.weights(lineage).context("the table has a size that cannot be")?;
    write_file(&args.out, &weights.to_bytes()?, force)?;
    let (now, seconds) = (trainer.done - before, began.elapsed().as_secs_f64());
    println!("{now} batches in {seconds:.1} s on {threads} threads");
    println!("policy written to {}", args.out.display());
    if !finished && args.minutes.is_none() {
        bail!("interrupted; with --checkpoint the same command goes on from here");
    }
    Ok(())
}

fn told(report: &Report) -> String {
    format!("loss {:.4} agreement {:.2} %", report.loss, report.agreement)
}

/// The same for a run that was broken off and taken up again.
fn lineage(trainer: &PolicyTrainer, data: &str) -> String {
    let report = trainer.report();
    let result =
        format!("{} of {} batches; the last: {}", report.done, report.total, told(&report));
    format!(
        "data: {data}\ncommit: {}\nresult: {result}\nconfig:\n{}",
        commit(),
        trainer.config.to_toml()
    )
}

/// The policy of a file, or the one in the program.
pub fn read_policy(path: Option<&Path>) -> anyhow::Result<Policy> {
    let Some(path) = path else { return Ok(Policy::embedded()) };
    let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
    let weights = PolicyWeights::from_bytes(&bytes).with_context(|| path.display().to_string())?;
    Ok(Policy::new(Arc::new(weights)))
}

/// Options of `learn policy-agreement`.
#[derive(clap::Args)]
pub struct PolicyAgreementArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// A policy file [default: the policy in this program]
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// A table of `learn move-probability` to compare with [default: the one in this program]
    #[arg(long, value_name = "FILE")]
    move_probabilities: Option<PathBuf>,
    /// Only the games of the test set, which learning leaves out (5 % by hash)
    #[arg(long)]
    test_set: bool,
}

/// Resamples of the bootstrap.
const RESAMPLES: usize = 2_000;

/// Measures the policy beside the categories.
pub fn policy_agreement(args: &PolicyAgreementArgs) -> anyhow::Result<()> {
    let mut policy = read_policy(args.policy.as_deref())?;
    let table = match &args.move_probabilities {
        None => category::DEFAULT,
        Some(path) => {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            category::from_text(&text).with_context(|| path.display().to_string())?
        }
    };
    let dataset = args.games.read()?;
    let mut games: Vec<&Game> =
        dataset.games.iter().filter(|game| !args.test_set || game.is_test()).collect();
    games.truncate(args.games.limit.unwrap_or(usize::MAX));
    anyhow::ensure!(!games.is_empty(), "no games to compare with");
    let stop = stop_on_interrupt("")?;
    let bar = Progress::new(games.len(), 0);
    let pairs = measure::measure(&games, &mut policy, &table, &mut |done| {
        bar.set(done);
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish();
    if stop.is_stopped() {
        println!("interrupted: the figures are of a part of the games");
    }
    show(&pairs);
    Ok(())
}

fn show(pairs: &[Pair]) {
    let all = total(pairs);
    let line = |name: &str, fit: &Fit| {
        let [first, five] = fit.per_cent();
        println!(
            "{name:<12} loss {:.4} top1 {first:.2} top5 {five:.2} positions {}",
            fit.mean_loss(),
            fit.positions
        );
    };
    for (name, fit) in ["opening", "middle game", "endgame"].iter().zip(&all.phases) {
        line(name, fit);
    }
    line("policy", &all.policy);
    line("categories", &all.categories);
    let found = loss_difference(pairs, RESAMPLES, 1);
    println!(
        "loss of the categories less that of the policy: {:.4} [{:.4}, {:.4}] over {} games",
        found.mean,
        found.low,
        found.high,
        pairs.len()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_games_are_named_by_two_numbers() {
        assert_eq!(Part::parse("1/2"), Ok(Part { number: 1, of: 2 }));
        for bad in ["0/2", "3/2", "1", "a/b", "1/0"] {
            assert!(Part::parse(bad).is_err(), "{bad}");
        }
    }
}
