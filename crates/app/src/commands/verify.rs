//! `yomikiri verify`: checks exported proofs and refutations with the reference move generator, and
//! everything that they state.

use std::path::PathBuf;
use std::time::Duration;

use crate::input::read_bytes;
use anyhow::{Context, bail};
use serde_json::Value;
use yomikiri_proof::limits::Limits;
use yomikiri_tsume::verify::{Proof, Refutation, refutation, verify, verify_refutation};

/// Which certificates
#[derive(clap::Args)]
pub struct Args {
    /// Files written by `yomikiri solve --proof`, or the answers of `yomikiri solve --judge
    /// --json`, of which every fault's proof is checked; `-` for standard input
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
        let bytes = read_bytes(path)?;
        let name = path.display().to_string();
        let mut values =
            serde_json::Deserializer::from_slice(&bytes).into_iter::<Value>().peekable();
        if values.peek().is_none() {
            bail!("{name}: nothing to check");
        }
        for value in values {
            check(value.with_context(|| name.clone())?, &name, &limits)?;
        }
    }
    Ok(())
}

/// Checks one certificate, or those of the faults of a verdict.
fn check(value: Value, name: &str, limits: &Limits) -> anyhow::Result<()> {
    let Some(faults) = value.get("faults").and_then(Value::as_array) else {
        return certificate(value, name, limits);
    };
    let id = value.get("id").and_then(Value::as_str).unwrap_or("?");
    let proofs = faults.iter().filter_map(|fault| fault.get("proof").filter(|it| !it.is_null()));
    let mut checked = 0;
    for (number, proof) in proofs.enumerate() {
        certificate(proof.clone(), &format!("{name}: {id}, proof {}", number + 1), limits)?;
        checked += 1;
    }
    println!("{name}: {id}: {} faults, {checked} with a proof", faults.len());
    Ok(())
}

fn certificate(value: Value, name: &str, limits: &Limits) -> anyhow::Result<()> {
    if value.get("format").and_then(Value::as_str) == Some(refutation::FORMAT) {
        let refutation: Refutation =
            serde_json::from_value(value).with_context(|| name.to_owned())?;
        let positions =
            verify_refutation(&refutation).with_context(|| format!("{name}: not a refutation"))?;
        let within = refutation.within.map(|plies| format!(" within {plies} plies"));
        println!(
            "{name}: no mate{}; {positions} positions of the attacker checked",
            within.unwrap_or_default()
        );
        return Ok(());
    }
    let proof: Proof = serde_json::from_value(value).with_context(|| name.to_owned())?;
    let verified = verify(&proof, limits).with_context(|| format!("{name}: not a proof"))?;
    let length = proof.length.map(|plies| format!(" in {plies} by convention"));
    println!(
        "{name}: mate{}, at most {} plies; {} positions of the attacker checked",
        length.unwrap_or_default(),
        verified.plies,
        verified.positions
    );
    Ok(())
}
