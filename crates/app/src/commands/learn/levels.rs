//! `learn level-agreement`.

use super::GamesArgs;
use crate::interrupt::stop_on_interrupt;
use core::ops::ControlFlow;
use yomikiri_base::Progress;
use yomikiri_learn::Game;
use yomikiri_learn::policy::levels::{LevelOptions, Tally, measure};

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
    /// Look at every so many plies of a game
    #[arg(long, value_name = "N", default_value_t = LevelOptions::default().every,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    every: usize,
}

/// Measures the levels beside people.
pub fn level_agreement(args: &LevelAgreementArgs) -> anyhow::Result<()> {
    let mut options = LevelOptions { judge_nodes: args.judge_nodes, ..LevelOptions::default() };
    options.every = args.every;
    if !args.levels.is_empty() {
        options.levels.clone_from(&args.levels);
    }
    let dataset = args.games.read()?;
    let mut games: Vec<&Game> = dataset.games.iter().collect();
    games.truncate(args.games.limit.unwrap_or(usize::MAX));
    let stop = stop_on_interrupt("")?;
    let bar = Progress::new(games.len(), 0);
    let found = measure(&games, &options, &mut |done| {
        bar.set(done);
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    bar.finish();
    if stop.is_stopped() {
        println!("interrupted: the figures are of a part of the games");
    }
    println!(
        "{:<8} {:>6} {:>7} {:>6} {:>6} {:>8} {:>8} {:>6}",
        "", "agrees", "lost cp", "errors", "mates", "exchange", "captures", "others"
    );
    show("people", &found.people);
    for (number, tally) in &found.levels {
        show(&format!("level {number}"), tally);
    }
    println!("{} positions; errors lose 300 or more, in per cent", found.people.positions);
    Ok(())
}

fn show(name: &str, tally: &Tally) {
    let [mates, exchanges, captures, others] = tally.errors.map(|count| tally.per_cent(count));
    println!(
        "{name:<8} {:>6.1} {:>7.0} {:>6.1} {mates:>6.1} {exchanges:>8.1} {captures:>8.1} {others:>6.1}",
        tally.per_cent(tally.agreed),
        tally.mean_loss(),
        tally.per_cent(tally.errors.iter().sum())
    );
}
