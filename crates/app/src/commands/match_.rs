//! `yomikiri match`: two engines play each other until the question is answered.

use super::contest::{self, ContestArgs};
use yomikiri_arena::schedule::Format;
use yomikiri_arena::sprt::Sprt;
use yomikiri_runs::Plan;

/// Options of a match.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  yomikiri match -e name=new -e 'name=old option.CounterMoves=false' --nodes 10000 --sprt 0,10 -p 5000\n  \
    yomikiri match -e name=ours -e 'cmd=/usr/games/fairy-stockfish option.Threads=1' --byoyomi 1000 -p 20\n  \
    yomikiri match -e 'name=five option.Level=5' -e 'name=six option.Level=6' --nodes 1000000 -j 2\n\n\
    Stop with Ctrl-C; the same command goes on from there."
)]
pub struct Args {
    #[command(flatten)]
    contest: ContestArgs,

    /// Stop as soon as a sequential test decides between two normalized Elo differences, as 0,10;
    /// a third and fourth number are the error rates, 0.05 each if not given
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", value_parser = sprt, allow_hyphen_values = true, conflicts_with = "shard")]
    sprt: Option<Sprt>,
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|word| word.trim().parse().map_err(|_| format!("'{word}' is not a number")))
        .collect::<Result<_, _>>()?;
    let (elo0, elo1, alpha, beta) = match numbers[..] {
        [elo0, elo1] => (elo0, elo1, 0.05, 0.05),
        [elo0, elo1, alpha, beta] => (elo0, elo1, alpha, beta),
        _ => return Err("expected two or four numbers with commas between them".into()),
    };
    let rate = 0.0001..0.5;
    if elo0 >= elo1 || !rate.contains(&alpha) || !rate.contains(&beta) {
        return Err("ELO0 must be less than ELO1, and the error rates between 0 and 0.5".into());
    }
    Ok(Sprt { elo0, elo1, alpha, beta })
}

/// Plays the match and prints its table.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let plan = args.contest.plan(Format::RoundRobin, args.sprt)?;
    contest::play(&Plan::Match(plan), &args.contest)
}
