//! Any bytes as a file of a move policy. Random bytes do not get past the checksum: so they are
//! also packed as the content of a file whose header is right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use yomikiri_base::checksum::sha256;
use yomikiri_eval::policy::PolicyWeights;

/// Magic and version of a good file.
static HEAD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let good = PolicyWeights::embedded().to_bytes().expect("there is memory");
    good[..20].to_vec()
});

fn exercise(bytes: &[u8]) {
    if let Ok(weights) = PolicyWeights::from_bytes(bytes) {
        let written = weights.to_bytes().expect("there is memory");
        assert!(PolicyWeights::from_bytes(&written).is_ok());
    }
}

fuzz_target!(|bytes: &[u8]| {
    exercise(bytes);
    let mut laid = HEAD.clone();
    laid.extend_from_slice(bytes);
    exercise(&laid);
    let mut whole = HEAD.clone();
    whole.extend(sha256(bytes));
    whole.extend(zstd::encode_all(bytes, 1).expect("there is memory"));
    exercise(&whole);
});
