//! `yomikiri rate`: ratings of several engines from games against each other.

use super::contest::{self, ContestArgs};
use yomikiri_arena::schedule::Format;
use yomikiri_runs::Plan;

/// Options of a rating tournament.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  yomikiri rate -e 'name=a nodes=8000' -e 'name=b nodes=4000' -e 'name=c nodes=2000' -p 50\n  \
    yomikiri rate --gauntlet -e name=ours -e 'cmd=/usr/games/fairy-stockfish' -e 'cmd=\"/usr/games/gpsusi\" \
    option.Thread=1' --byoyomi 1000\n\nStop with Ctrl-C; the same command goes on from there."
)]
pub struct Args {
    #[command(flatten)]
    contest: ContestArgs,

    /// The first engine plays each of the others, instead of everybody playing everybody
    #[arg(long)]
    gauntlet: bool,
}

/// Plays the tournament and prints the ratings.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let format = if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin };
    let plan = args.contest.plan(format, None)?;
    contest::play(&Plan::Rate(plan), &args.contest)
}
