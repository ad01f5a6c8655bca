//! Any bytes as a stored proof of a mate: read, and verified with little time.
#![no_main]

use libfuzzer_sys::fuzz_target;
use yomikiri_tsume::verify::{Proof, verify_fast};

fuzz_target!(|bytes: &[u8]| {
    let Ok(proof) = serde_json::from_slice::<Proof>(bytes) else { return };
    let sealed = proof.sealed();
    let _ = verify_fast(&sealed);
});
