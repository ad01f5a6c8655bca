//! `yomikiri verify`: checks exported proofs and refutations with the reference move generator, and
//! everything that they state.

use std::path::PathBuf;
use std::time::Duration;

use crate::input::read_bytes;
use anyhow::{Context, bail};
use serde_json::Value;
use yomikiri_base::clock::parse_seconds;
use yomikiri_proof::limits::ProofLimits;
use yomikiri_tsume::verify::check_document;

/// Which certificates
#[derive(clap::Args)]
pub struct Args {
    /// Files written by `yomikiri solve --proof`, or the answers of `yomikiri solve --judge
    /// --json`, of which every fault's proof is checked; `-` for standard input
    #[arg(required = true, value_name = "PROOF.json")]
    proofs: Vec<PathBuf>,
    /// Seconds to find the length by convention anew, for each proof that states one
    #[arg(long, value_name = "S", default_value = "60", value_parser = parse_seconds)]
    time: Duration,
    /// Memory for that in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    hash: usize,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let memory = args.hash.max(1).saturating_mul(1 << 20);
    let limits = ProofLimits { memory, ..ProofLimits::time(args.time) };
    for path in &args.proofs {
        let bytes = read_bytes(path)?;
        let name = path.display().to_string();
        let mut values =
            serde_json::Deserializer::from_slice(&bytes).into_iter::<Value>().peekable();
        if values.peek().is_none() {
            bail!("{name}: nothing to check");
        }
        for value in values {
            let value = value.with_context(|| name.clone())?;
            for line in check_document(&value, &limits).with_context(|| name.clone())? {
                println!("{name}: {line}");
            }
        }
    }
    Ok(())
}
