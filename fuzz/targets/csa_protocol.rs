//! Any bytes as what a CSA server says: lines, and the conditions of a game.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::time::Duration;
use yomikiri_play::csa::protocol::consumed;
use yomikiri_play::csa::{ServerLine, SummaryReader};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = SummaryReader::default();
    for line in text.lines() {
        if let ServerLine::Move { consumed: Some(number), .. } = ServerLine::parse(line) {
            for unit in [1, 1_000, 60_000].map(Duration::from_millis) {
                let _ = consumed(number, unit, Duration::from_secs(3));
            }
        }
        match reader.line(line) {
            Ok(None) => {}
            Ok(Some(summary)) => {
                // What is agreed to can be played: both clocks, and a position with its moves.
                let _ = summary.clock().remaining();
                let _ = summary.own_time().held_back();
                summary.start.final_position().validate().expect("a possible position");
                reader = SummaryReader::default();
            }
            Err(_) => reader = SummaryReader::default(),
        }
    }
});
