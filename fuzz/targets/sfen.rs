//! Any text as a position, a `position` line, a move.
#![no_main]

use libfuzzer_sys::fuzz_target;
use yomikiri_shogi::{Move, Position};

fuzz_target!(|text: &str| {
    if let Ok(position) = Position::from_sfen(text) {
        let again = Position::from_sfen(&position.to_sfen()).expect("what was written is read");
        assert_eq!(again, position);
        assert_eq!(position.legal_moves().len(), position.count_legal_moves());
    }
    let _ = Position::from_usi(text);
    if let Ok(played) = text.parse::<Move>() {
        assert_eq!(played.to_string(), text);
    }
});
