//! `learn agreement`, `learn policy-agreement`, `learn level-agreement`.

use super::GamesArgs;
use crate::commands::long_run::Work;
use crate::input::{name, read_bytes as read};
use crate::interrupt::stop_on_interrupt;
use anyhow::Context;
use core::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use yomikiri_base::Progress;
use yomikiri_base::process::processors;
use yomikiri_engine::category;
use yomikiri_engine::eval::linear::LinearWeights;
use yomikiri_engine::eval::policy::{Policy, PolicyWeights};
use yomikiri_learn::TrainingGame;
use yomikiri_learn::agreement::{self, Method};
use yomikiri_learn::policy::levels::{LevelOptions, LevelsPlan};
use yomikiri_learn::policy::measure;
use yomikiri_runs::Plan;

/// Options of `learn agreement`.
#[derive(clap::Args)]
pub struct AgreementArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// A weights file [default: the weights in this program]
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Value positions by quiescence search instead of statically with the exchange value
    #[arg(long)]
    quiescence: bool,
    /// Only the games of the test set, which learning leaves out (5 % by hash)
    #[arg(long)]
    test_set: bool,
}

/// Measures agreement; the last line is for programs.
pub fn agreement(args: &AgreementArgs) -> anyhow::Result<()> {
    let weights = match &args.weights {
        None => LinearWeights::embedded(),
        Some(path) => LinearWeights::from_bytes(&read(path)?).with_context(|| name(path))?,
    };
    let method = if args.quiescence { Method::Quiescence } else { Method::Exchange };
    compare(&args.games, args.test_set, |games, on_progress| {
        let mut on_game = |done: usize, found: &agreement::Agreement| {
            on_progress(done, &format!("top1 {:.2}", found.all.per_cent()[0]))
        };
        Ok(agreement::agreement(games, &weights, method, &mut on_game).to_text())
    })
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

/// Measures the policy beside the categories.
pub fn policy_agreement(args: &PolicyAgreementArgs) -> anyhow::Result<()> {
    let mut policy = match &args.policy {
        None => Policy::embedded(),
        Some(path) => {
            let weights = PolicyWeights::from_bytes(&read(path)?).with_context(|| name(path))?;
            Policy::new(Arc::new(weights))
        }
    };
    let table = match &args.move_probabilities {
        None => category::DEFAULT,
        Some(path) => category::from_text(&String::from_utf8_lossy(&read(path)?))
            .with_context(|| name(path))?,
    };
    compare(&args.games, args.test_set, |games, on_progress| {
        let mut on_game = |done: usize| on_progress(done, "");
        Ok(measure::to_text(&measure::measure(games, &mut policy, &table, &mut on_game)))
    })
}

/// Options of `learn level-agreement`.
#[derive(clap::Args)]
pub struct LevelAgreementArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// The levels to measure [default: 1 to 14]
    #[arg(long, num_args = 1.., value_name = "N", value_parser = clap::value_parser!(u8).range(1..=15))]
    levels: Vec<u8>,
    /// Nodes of the judge for each position and each move
    #[arg(long, value_name = "N", default_value_t = LevelOptions::default().judge_nodes)]
    judge_nodes: u64,
    /// Look at every N plies of a game
    #[arg(long, value_name = "N", default_value_t = LevelOptions::default().every,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    every: usize,
    #[command(flatten)]
    work: Work,
}

/// Measures the levels beside people.
pub fn level_agreement(args: &LevelAgreementArgs) -> anyhow::Result<()> {
    let (judge_nodes, every) = (args.judge_nodes, args.every);
    let mut options = LevelOptions { judge_nodes, every, ..LevelOptions::default() };
    if !args.levels.is_empty() {
        options.levels.clone_from(&args.levels);
    }
    let plan = LevelsPlan { games: args.games.files(), limit: args.games.limit, options };
    if let Some(made) = args.work.execute(&Plan::LearnLevels(plan), processors())? {
        print!("{}", made.text);
    }
    Ok(())
}

/// Called with the number of games done and more in words; the answer says whether to go on.
type OnProgress<'a> = dyn Fn(usize, &str) -> ControlFlow<()> + 'a;

/// Goes through games with a bar until Ctrl-C, and prints what came of it.
fn compare(
    args: &GamesArgs,
    test_set: bool,
    measure: impl FnOnce(&[&TrainingGame], &OnProgress<'_>) -> anyhow::Result<String>,
) -> anyhow::Result<()> {
    let dataset = args.read()?;
    let games = dataset.to_compare(args.limit, test_set)?;
    let stop = stop_on_interrupt("")?;
    let bar = Progress::new(games.len(), 0);
    let text = measure(&games, &|done, text| {
        bar.set(done);
        bar.message(text);
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    bar.finish();
    if stop.is_stopped() {
        say!("interrupted: the figures are of a part of the games");
    }
    print!("{text}");
    Ok(())
}
