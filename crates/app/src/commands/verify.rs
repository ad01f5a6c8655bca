//! `yomikiri verify`: checks an exported proof with the reference move generator alone.

use std::path::PathBuf;

use crate::input::read_bytes;
use anyhow::Context;
use yomikiri_tsume::verify::{Proof, verify};

/// Which proof
#[derive(clap::Args)]
pub struct Args {
    /// Proofs written by `yomikiri solve --proof`; `-` for standard input
    #[arg(required = true, value_name = "PROOF.json")]
    proofs: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    for path in &args.proofs {
        let proof: Proof = serde_json::from_slice(&read_bytes(path)?)
            .with_context(|| format!("{}", path.display()))?;
        let verified =
            verify(&proof).with_context(|| format!("{}: not a proof", path.display()))?;
        println!(
            "{}: mate, at most {} plies; {} positions of the attacker checked",
            path.display(),
            verified.plies,
            verified.positions
        );
    }
    Ok(())
}
