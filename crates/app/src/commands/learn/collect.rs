//! `learn book`, `learn move-probability`.

use super::{ForceArgs, GamesArgs};
use crate::output::{ensure_writable, write_file};
use std::path::PathBuf;
use yomikiri_base::Progress;
use yomikiri_learn::{book, move_probability};

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

/// Options of `learn move-probability`.
#[derive(clap::Args)]
pub struct MoveProbabilityArgs {
    #[command(flatten)]
    games: GamesArgs,
    /// Where the table goes
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArgs,
}

/// Counts categories.
pub fn move_probability(args: &MoveProbabilityArgs) -> anyhow::Result<()> {
    ensure_writable(&args.out, args.force.force)?;
    let dataset = args.games.read()?;
    let games = args.games.to_learn(&dataset)?;
    let bar = Progress::new(games.len(), 0);
    let counts = move_probability::count(&games, |done| bar.set(done));
    bar.finish();
    write_file(&args.out, move_probability::to_text(&counts).as_bytes(), args.force.force)?;
    println!("probabilities of {} games written to {}", games.len(), args.out.display());
    Ok(())
}
