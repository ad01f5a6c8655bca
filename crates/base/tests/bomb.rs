//! Decompression bombs. In a process of their own, since the test looks at the memory that it used.

use std::io::{self, Read, Write};

use yomikiri_base::packed::{PackedError, UnpackLimits, unpack};

/// Zeros packed as a stream whose frame does not state its size.
fn zstd_bomb(size: u64) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    io::copy(&mut io::repeat(0).take(size), &mut encoder).expect("packed");
    encoder.finish().expect("packed")
}

fn gzip_bomb(size: u64) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    io::copy(&mut io::repeat(0).take(size), &mut encoder).expect("packed");
    encoder.flush().expect("packed");
    encoder.finish().expect("packed")
}

/// The most memory that this process has used, where the system reports it.
fn peak_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

#[test]
fn a_bomb_is_refused_without_taking_memory() {
    let bombs = [
        (zstd_bomb(1_100 << 20), UnpackLimits::default()),
        (gzip_bomb(260 << 20), UnpackLimits::size(256 << 20)),
    ];
    for (packed, limits) in bombs {
        assert!(packed.len() < 1 << 20, "{} bytes", packed.len());
        let error = unpack(&packed, limits).expect_err("refused");
        let PackedError::TooLarge { limit } = error else { panic!("{error}") };
        assert_eq!(limit, limits.size);
    }
    assert!(peak_kib() < 100 << 10, "{} KiB", peak_kib());
}
