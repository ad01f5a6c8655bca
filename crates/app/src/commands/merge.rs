//! `yomikiri merge`: the parts of a run that were done with `--shard`, joined into one.

use super::long_run::context;
use crate::output::make_folder;
use std::path::PathBuf;
use yomikiri_arena::contest::ContestError;
use yomikiri_arena::store::StoreError;
use yomikiri_base::UnitLogError;
use yomikiri_runs::RunsError;
use yomikiri_tsume::sets;

/// What to join.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --shard 0/2 --out part0\n  \
    yomikiri match -e name=a -e 'name=b option.NullMove=true' --nodes 5000 --shard 1/2 --out part1\n  \
    yomikiri merge --out whole part0 part1\n\nA run of several stages (`lab run`) is shared stage by stage: merge the parts, \
    then run each\nshard again with --from FOLDER, and merge into another folder."
)]
pub struct Args {
    /// The folder for the whole run, which must not hold one yet
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// The folders of its parts
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
}

/// Joins the parts of a run and prints what it has come to.
pub fn run(args: &Args) -> anyhow::Result<()> {
    make_folder(&args.out)?;
    if sets::is_set_run(&args.parts[0]) {
        sets::merge(&args.out, &args.parts)?;
        println!(
            "Joined. The command of the parts with --out {} and without --shard prints the table.",
            args.out.display()
        );
        return Ok(());
    }
    let merged = yomikiri_runs::merge(&args.out, &args.parts, &context(false));
    let report = merged.map_err(|error| match error {
        RunsError::Contest(ContestError::Store(StoreError::OtherMatch { .. }))
        | RunsError::Log(UnitLogError::OtherRun { .. }) => {
            anyhow::anyhow!("{error}: the parts are of different runs")
        }
        error => error.into(),
    })?;
    print!("{}", report.text);
    Ok(())
}
