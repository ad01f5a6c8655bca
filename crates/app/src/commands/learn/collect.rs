//! `learn book`, `learn mine`, `learn move-probability`, `learn stage`: passes over the games.

use super::MakeArgs;
use crate::commands::long_run::Work;
use crate::input::read_bytes;
use crate::output::{ensure_writable, write_file};
use yomikiri_base::Progress;
use yomikiri_base::process::processors;
use yomikiri_lab::manifest::commit;
use yomikiri_learn::book::{BOOK_FILE, BookOptions, BookPlan};
use yomikiri_learn::mining::{self, MiningOptions};
use yomikiri_learn::{move_probability, stage};
use yomikiri_runs::Plan;
use yomikiri_text::counted;

/// Options of `learn book`.
#[derive(clap::Args)]
pub struct BookArgs {
    #[command(flatten)]
    make: MakeArgs,
    /// How many plies of each game
    #[arg(long, default_value_t = BookOptions::default().plies)]
    plies: usize,
    /// How often a move must have been played
    #[arg(long, default_value_t = BookOptions::default().least)]
    least: u64,
    /// Value each move by a search of this many nodes, not by the results of its games
    #[arg(long)]
    nodes: Option<u64>,
    #[command(flatten)]
    work: Work,
}

/// Collects a book.
pub fn book(args: &BookArgs) -> anyhow::Result<()> {
    let MakeArgs { games, out, force } = &args.make;
    ensure_writable(out, *force)?;
    let options = BookOptions { plies: args.plies, least: args.least };
    let plan = BookPlan { games: games.files(), limit: games.limit, options, nodes: args.nodes };
    let plan = Plan::LearnBook(plan);
    let Some(made) = args.work.execute(&plan, processors())? else { return Ok(()) };
    write_file(out, &read_bytes(&made.folder.join(BOOK_FILE))?, *force)?;
    say!("{} written to {}", made.text.trim_end(), out.display());
    Ok(())
}

/// Options of `learn move-probability`.
#[derive(clap::Args)]
pub struct MoveProbabilityArgs {
    #[command(flatten)]
    make: MakeArgs,
}

/// Counts categories.
pub fn move_probability(args: &MoveProbabilityArgs) -> anyhow::Result<()> {
    args.make.make(|_, games| {
        let bar = Progress::new(games.len(), 0);
        let counts = move_probability::count(games, |done| bar.set(done));
        bar.finish();
        let what = format!("probabilities of {}", counted(games.len(), "game"));
        Ok((move_probability::to_text(&counts).into(), what))
    })
}

/// Options of `learn stage`.
#[derive(clap::Args)]
pub struct StageArgs {
    #[command(flatten)]
    make: MakeArgs,
    /// How often to go through the games
    #[arg(long, default_value_t = 2)]
    passes: usize,
}

/// Learns the stage of the game and says how well it fits the games of the test set.
pub fn stage(args: &StageArgs) -> anyhow::Result<()> {
    args.make.make(|dataset, games| {
        let (weights, text) = stage::learn(dataset, games, args.passes, commit());
        print!("{text}");
        Ok((weights.to_bytes()?, "weights".to_string()))
    })
}

/// Options of `learn mine`.
#[derive(clap::Args)]
pub struct MineArgs {
    #[command(flatten)]
    make: MakeArgs,
    /// How many patterns
    #[arg(long, default_value_t = MiningOptions::default().count)]
    count: usize,
    /// Look at every N plies
    #[arg(long, default_value_t = MiningOptions::default().stride)]
    stride: usize,
}

/// Mines patterns.
pub fn mine(args: &MineArgs) -> anyhow::Result<()> {
    args.make.make(|_, games| {
        let (count, stride) = (args.count, args.stride);
        let found = mining::mine(games, MiningOptions { count, stride, ..Default::default() });
        Ok((mining::to_text(&found).into(), format!("{} patterns", found.len())))
    })
}
