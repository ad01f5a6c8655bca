//! `yomikiri verify`: checks an exported proof with the reference move generator alone.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;

use anyhow::Context;
use yomikiri_tsume::verify::{Proof, verify};

/// Which proof
#[derive(clap::Args)]
pub struct Args {
    /// Proofs written by `yomikiri solve --proof`
    #[arg(required = true, value_name = "PROOF.json")]
    proofs: Vec<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> anyhow::Result<()> {
    for path in &args.proofs {
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let proof: Proof = serde_json::from_reader(BufReader::new(file))
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
