//! `yomikiri merge`: the parts of a run that were done with `--shard`, joined into one.

use super::long_run::context;
use crate::output::make_folder;
use std::path::PathBuf;

/// What to join.
#[derive(clap::Args)]
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
    let merged = yomikiri_runs::merge(&args.out, &args.parts, &context());
    let report = merged.map_err(|error| match error.is_other_run() {
        true => anyhow::anyhow!("{error}: the parts are of different runs"),
        false => error.into(),
    })?;
    print!("{}", report.text);
    Ok(())
}
