//! `learn agreement`, `learn book`.

use super::{ForceArgs, GamesArgs, read_weights};
use crate::interrupt::stop_on_interrupt;
use crate::output::{ensure_writable, write_file};
use core::ops::ControlFlow;
use std::path::PathBuf;
use yomikiri_base::Progress;
use yomikiri_learn::agreement::{self, Method, Tally};
use yomikiri_learn::{Game, book};

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
    let weights = read_weights(args.weights.as_deref())?;
    let dataset = args.games.read()?;
    let mut games: Vec<&Game> =
        dataset.games.iter().filter(|game| !args.test_set || game.is_test()).collect();
    games.truncate(args.games.limit.unwrap_or(usize::MAX));
    anyhow::ensure!(!games.is_empty(), "no games to compare with");
    let method = if args.quiescence { Method::Quiescence } else { Method::Exchange };
    let stop = stop_on_interrupt("")?;
    let bar = Progress::new(games.len(), 0);
    let found = agreement::agreement(&games, &weights, method, &mut |done, found| {
        bar.set(done);
        bar.message(format!("top1 {:.2}", found.all.per_cent()[0]));
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish();
    if stop.is_stopped() {
        println!("interrupted: the figures are of a part of the games");
    }
    for (name, tally) in ["opening", "middle game", "endgame"].iter().zip(&found.phases) {
        println!("{name:<12} {}", told(tally));
    }
    println!("{}", told(&found.all));
    Ok(())
}

fn told(tally: &Tally) -> String {
    let [top1, top3, top5] = tally.per_cent();
    format!("top1 {top1:.2} top3 {top3:.2} top5 {top5:.2} positions {}", tally.positions)
}

/// Options of `learn book`.
#[derive(clap::Args)]
pub struct BookArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Where the book goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
    /// How many plies of each game
    #[arg(long, default_value_t = book::BookOptions::default().plies)]
    plies: usize,
    /// How often a move must have been played
    #[arg(long, default_value_t = book::BookOptions::default().least)]
    least: u32,
}

/// Collects a book.
pub fn book(args: &BookArgs) -> anyhow::Result<()> {
    ensure_writable(&args.out, args.force.force)?;
    let dataset = args.games.read()?;
    let games = args.games.to_learn(&dataset)?;
    let options = book::BookOptions { plies: args.plies, least: args.least };
    let found = book::collect(&games, options);
    write_file(&args.out, book::to_text(&found).as_bytes(), args.force.force)?;
    println!("{} positions written to {}", found.len(), args.out.display());
    Ok(())
}
