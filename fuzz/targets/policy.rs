//! Any bytes as a file of a move policy. Random bytes do not get past the checksum: so they are
//! also packed as the content of a file whose header is right.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use yomikiri_base::checksum::sha256;
use yomikiri_eval::policy::PolicyWeights;

/// Magic and version of a good file.
static HEAD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let good = PolicyWeights::embedded().to_bytes().expect("there is memory");
    good[..20].to_vec()
});

/// How many files are also written again: packing more of them would take most of the time.
const MOST_WRITTEN: usize = 500;

static WRITTEN: AtomicUsize = AtomicUsize::new(0);

fn exercise(bytes: &[u8]) {
    if let Ok(weights) = PolicyWeights::from_bytes(bytes)
        && WRITTEN.fetch_add(1, Ordering::Relaxed) < MOST_WRITTEN
    {
        let written = weights.to_bytes().expect("there is memory");
        assert!(PolicyWeights::from_bytes(&written).is_ok());
    }
}

/// A zstd frame with the bytes as they are: to compress them would take most of the time.
fn frame(bytes: &[u8]) -> Vec<u8> {
    const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
    // One segment, whose length stands in four bytes.
    const DESCRIPTOR: u8 = 0xa0;
    const MOST: usize = 1 << 17;
    let bytes = &bytes[..bytes.len().min(MOST)];
    let length = bytes.len() as u32;
    let last_and_raw = 1 | length << 3;
    let mut frame = [&MAGIC[..], &[DESCRIPTOR], &length.to_le_bytes()].concat();
    frame.extend(&last_and_raw.to_le_bytes()[..3]);
    frame.extend(bytes);
    frame
}

fuzz_target!(|bytes: &[u8]| {
    exercise(bytes);
    let mut laid = HEAD.clone();
    laid.extend_from_slice(bytes);
    exercise(&laid);
    let mut whole = HEAD.clone();
    whole.extend(sha256(bytes));
    whole.extend(frame(bytes));
    exercise(&whole);
});
