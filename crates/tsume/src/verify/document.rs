//! Certificates as they are written: a proof, a refutation, or the answer of a verdict with the
//! proofs of its faults.

use serde_json::Value;
use thiserror::Error;
use yomikiri_proof::limits::ProofLimits;

use super::{Flaw, Proof, Refutation, RefutationFlaw, refutation, verify, verify_refutation};

/// Why a certificate is none.
#[derive(Debug, Error)]
pub enum DocumentError {
    /// Not of the form.
    #[error("{0}")]
    Form(#[from] serde_json::Error),
    /// A proof that proves nothing.
    #[error("not a proof: {0}")]
    Proof(Flaw),
    /// A refutation that refutes nothing.
    #[error("not a refutation: {0}")]
    Refutation(RefutationFlaw),
    /// One of the proofs of a verdict.
    #[error("{id}, proof {number}: {error}")]
    Fault {
        /// The problem.
        id: String,
        /// Which proof, from 1.
        number: usize,
        /// What is wrong with it.
        error: Box<DocumentError>,
    },
}

/// Checks a certificate, or those of the faults of a verdict; says what they establish, a line
/// each.
///
/// # Errors
/// If one of them does not hold.
pub fn check_document(value: &Value, limits: &ProofLimits) -> Result<Vec<String>, DocumentError> {
    let Some(faults) = value.get("faults").and_then(Value::as_array) else {
        return Ok(vec![certificate(value.clone(), limits)?]);
    };
    let id = value.get("id").and_then(Value::as_str).unwrap_or("?");
    let proofs = faults.iter().filter_map(|fault| fault.get("proof").filter(|it| !it.is_null()));
    let mut lines = Vec::new();
    for (proof, number) in proofs.zip(1..) {
        let line = certificate(proof.clone(), limits).map_err(|error| DocumentError::Fault {
            id: id.to_owned(),
            number,
            error: Box::new(error),
        })?;
        lines.push(format!("{id}, proof {number}: {line}"));
    }
    lines.push(format!("{id}: {} faults, {} with a proof", faults.len(), lines.len()));
    Ok(lines)
}

fn certificate(value: Value, limits: &ProofLimits) -> Result<String, DocumentError> {
    if value.get("format").and_then(Value::as_str) == Some(refutation::FORMAT) {
        let refutation: Refutation = serde_json::from_value(value)?;
        let positions = verify_refutation(&refutation).map_err(DocumentError::Refutation)?;
        let within = refutation.within.map(|plies| format!(" within {plies} plies"));
        let within = within.unwrap_or_default();
        return Ok(format!("no mate{within}; {positions} positions of the attacker checked"));
    }
    let proof: Proof = serde_json::from_value(value)?;
    let verified = verify(&proof, limits).map_err(DocumentError::Proof)?;
    let length = proof.length.map(|plies| format!(" in {plies} by convention"));
    Ok(format!(
        "mate{}, at most {} plies; {} positions of the attacker checked",
        length.unwrap_or_default(),
        verified.plies,
        verified.positions
    ))
}
