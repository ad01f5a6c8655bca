//! `yomikiri rate`: ratings of several engines from games against each other.

use super::contest::{self, ContestArgs};
use yomikiri_arena::schedule::TournamentFormat;
use yomikiri_runs::Plan;

/// Options of a rating tournament.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    contest: ContestArgs,
    /// The first engine plays each of the others, instead of everybody playing everybody
    #[arg(long)]
    gauntlet: bool,
}

/// Plays the tournament and prints the ratings.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let format =
        if args.gauntlet { TournamentFormat::Gauntlet } else { TournamentFormat::RoundRobin };
    let plan = args.contest.plan(format, None)?;
    contest::play(&Plan::Rate(plan), &mut args.contest.job())
}
