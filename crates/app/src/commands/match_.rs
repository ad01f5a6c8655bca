//! `yomikiri match`: two engines play each other until the question is answered.

use super::contest::{self, ContestArgs};
use yomikiri_arena::schedule::TournamentFormat;
use yomikiri_arena::sprt::Sprt;
use yomikiri_runs::Plan;

/// Options of a match.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    contest: ContestArgs,
    /// Stop as soon as a sequential test decides between two normalized Elo differences, as 0,10;
    /// a third and fourth number are the error rates, 0.05 each if not given
    #[arg(
        long,
        value_name = "ELO0,ELO1[,ALPHA,BETA]",
        allow_hyphen_values = true,
        conflicts_with = "shard"
    )]
    sprt: Option<Sprt>,
}

/// Plays the match and prints its table.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let plan = args.contest.plan(TournamentFormat::RoundRobin, args.sprt)?;
    contest::play(&Plan::Match(plan), &mut args.contest.job())
}
