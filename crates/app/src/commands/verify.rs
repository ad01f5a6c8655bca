//! `yomikiri verify`: checks exported proofs with the reference move generator, and everything that
//! they state.

use std::path::PathBuf;
use std::time::Duration;

use crate::input::read_bytes;
use anyhow::Context;
use yomikiri_proof::limits::Limits;
use yomikiri_tsume::verify::{Proof, verify};

/// Which proof
#[derive(clap::Args)]
pub struct Args {
    /// Proofs written by `yomikiri solve --proof`; `-` for standard input
    #[arg(required = true, value_name = "PROOF.json")]
    proofs: Vec<PathBuf>,
    /// Seconds to find the length by convention anew, for each proof that states one
    #[arg(long, value_name = "S", default_value = "60", value_parser = super::solve::seconds)]
    time: Duration,
    /// Memory for that in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024)]
    hash: usize,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let memory = args.hash.max(1).saturating_mul(1 << 20);
    let limits = Limits { memory, ..Limits::time(args.time) };
    for path in &args.proofs {
        let proof: Proof = serde_json::from_slice(&read_bytes(path)?)
            .with_context(|| format!("{}", path.display()))?;
        let verified =
            verify(&proof, &limits).with_context(|| format!("{}: not a proof", path.display()))?;
        let length = proof.length.map(|plies| format!(" in {plies} by convention"));
        println!(
            "{}: mate{}, at most {} plies; {} positions of the attacker checked",
            path.display(),
            length.unwrap_or_default(),
            verified.plies,
            verified.positions
        );
    }
    Ok(())
}
