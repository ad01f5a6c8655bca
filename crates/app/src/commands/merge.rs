//! `yomikiri merge`: the parts of a run that were done with `--shard`, joined into one.

use crate::output::make_folder;
use std::path::PathBuf;
use yomikiri_arena::contest::text::{ratings_table, two_player_summary};
use yomikiri_arena::contest::{self, ContestError};
use yomikiri_arena::store::StoreError;
use yomikiri_arena::tune;
use yomikiri_tsume::sets;

/// What to join.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --shard 0/2 --out part0\n  \
    yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --shard 1/2 --out part1\n  \
    yomikiri merge --out whole part0 part1"
)]
pub struct Args {
    /// The folder for the whole run, which must not hold one yet
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// The folders of its parts
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
}

/// Joins the parts of a match or a rating tournament and prints its table, or those of a tuning or
/// of a set of problems.
pub fn run(args: &Args) -> anyhow::Result<()> {
    make_folder(&args.out)?;
    if args.parts.iter().any(|part| tune::is_tuning(part)) {
        tune::merge(&args.out, &args.parts)?;
        println!(
            "joined; the command that made the parts goes on with --out {}",
            args.out.display()
        );
        return Ok(());
    }
    if sets::is_set_run(&args.parts[0]) {
        sets::merge(&args.out, &args.parts)?;
        println!(
            "Joined. The command of the parts with --out {} and without --shard prints the table.",
            args.out.display()
        );
        return Ok(());
    }
    let standings = contest::merge(&args.out, &args.parts).map_err(|error| match error {
        ContestError::Store(StoreError::OtherMatch { .. }) => {
            anyhow::anyhow!("{error}: the parts are of different runs")
        }
        error => error.into(),
    })?;
    print!("{}", ratings_table(&standings, true));
    print!("{}", two_player_summary(&standings, None));
    Ok(())
}
