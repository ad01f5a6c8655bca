//! Any bytes as a certificate of a mate problem, that there is a mate or that there is none: read
//! and walked through. No bytes that were changed have the right checksum, so they get it here.
#![no_main]

use libfuzzer_sys::fuzz_target;
use yomikiri_tsume::verify::{Certificate, verify_fast, verify_refutation};

fuzz_target!(|bytes: &[u8]| {
    match serde_json::from_slice::<Certificate>(bytes) {
        Ok(Certificate::Mate(proof)) => drop(verify_fast(&proof.sealed())),
        Ok(Certificate::NoMate(refutation)) => drop(verify_refutation(&refutation.sealed())),
        Err(_) => {}
    }
});
