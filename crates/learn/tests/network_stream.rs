//! A file of any size is streamed in the memory of one block. A process of its own, so that nothing
//! else moves its memory.
//!
//! `YOMIKIRI_STREAM_POSITIONS` sets how many positions; 10^8 take a file of 4 GB.

use std::io::Write;
use yomikiri_learn::network::NetworkConfig;
use yomikiri_learn::network::stream::{Stream, StreamPosition};
use yomikiri_shogi::Position;
use yomikiri_shogi::notation::packed::{PackedEntry, PackedFormat};

/// Most memory that the process has had, in KiB, where the system reports it.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}

#[test]
fn a_large_file_takes_no_more_memory_than_a_block() {
    let count: u64 = std::env::var("YOMIKIRI_STREAM_POSITIONS")
        .map_or(1_000_000, |text| text.parse().expect("a number of positions"));
    let folder = std::env::temp_dir().join(format!("yomikiri-stream-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("generated.psv");
    let position = Position::start();
    let mut entry = Vec::new();
    let start = PackedEntry { position, score: 0, played: None, winner: None };
    start.write(PackedFormat::Psv, &mut entry).unwrap();
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    for number in 0..count {
        entry[32..34].copy_from_slice(&((number % 2000) as i16).to_le_bytes());
        file.write_all(&entry).unwrap();
    }
    file.into_inner().unwrap();

    let mut config = NetworkConfig::default();
    config.data.files = vec![path];
    config.data.shuffle = 100_000;
    // No block is kept aside.
    config.validation.share = u64::MAX;
    let mut stream = Stream::at(&config, StreamPosition::default()).unwrap();
    let mut batch = Vec::new();
    let mut sum = 0u64;
    let mut take = |stream: &mut Stream, positions: u64| {
        for _ in 0..positions / 10_000 {
            stream.take(10_000, &mut batch).unwrap();
            sum += batch.iter().map(|it| it.score as u64).sum::<u64>();
        }
    };
    take(&mut stream, 200_000);
    let before = peak();
    take(&mut stream, count - 200_000);
    let after = peak();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(sum, count / 2000 * (1999 * 2000 / 2), "every position came once");
    assert_eq!(stream.cursor(), StreamPosition { epoch: 1, block: 0, offset: 0 });
    if let (Some(before), Some(after)) = (before, after) {
        assert!(after < before + 2048, "{before} KiB became {after}");
        assert!(after < 100 * 1024, "{after} KiB");
    }
}
