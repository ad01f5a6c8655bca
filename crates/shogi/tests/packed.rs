//! Packed positions against golden vectors that cshogi 1.1.0 wrote (`tests/data/packed.tsv`: SFEN,
//! PackedSfen, HuffmanCodedPos, move, move in PSV, move in HCPE), and round trips.

use yomikiri_shogi::notation::packed::{Code, PackedEntry, PackedFormat, decode, encode};
use yomikiri_shogi::{Color, Handicap, Move, Position};

fn bytes(hex: &str) -> [u8; 32] {
    let bytes: Vec<u8> = (0..hex.len() / 2)
        .map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap())
        .collect();
    bytes.try_into().unwrap()
}

/// The same position with another move number, which packed positions do not keep.
fn numbered(mut position: Position, number: u32) -> Position {
    position.set_move_number(number);
    position
}

#[test]
fn golden_vectors_of_another_program() {
    let file = include_str!("data/packed.tsv");
    for line in file.lines() {
        let columns: Vec<&str> = line.split('\t').collect();
        let position = Position::from_sfen(columns[0]).unwrap();
        let played: Move = columns[3].parse().unwrap();
        for (code, hex) in [(Code::PackedSfen, columns[1]), (Code::Huffman, columns[2])] {
            assert_eq!(encode(&position, code).unwrap(), bytes(hex), "{code:?} {line}");
            let back = decode(&bytes(hex), code).unwrap();
            assert_eq!(numbered(back, position.move_number()), position);
        }
        for (format, move_bits) in
            [(PackedFormat::Psv, columns[4]), (PackedFormat::Hcpe, columns[5])]
        {
            let entry = PackedEntry {
                position: position.clone(),
                score: -123,
                played: Some(played),
                winner: Some(Color::White),
            };
            let mut written = Vec::new();
            entry.write(format, &mut written).unwrap();
            assert_eq!(written.len(), format.entry_bytes());
            let bits = u16::from_le_bytes([written[34], written[35]]);
            assert_eq!(bits.to_string(), move_bits, "{format:?} {line}");
            let mut back = PackedEntry::read(&written, format).unwrap();
            back.position.set_move_number(position.move_number());
            assert_eq!(back, entry);
        }
    }
    assert_eq!(file.lines().count(), 123);
}

#[test]
fn handicap_starts_round_trip() {
    for handicap in Handicap::ALL {
        let position = handicap.position();
        for code in [Code::PackedSfen, Code::Huffman] {
            let packed = encode(&position, code).unwrap();
            assert_eq!(decode(&packed, code).unwrap(), position, "{handicap:?} {code:?}");
        }
    }
}

#[test]
fn what_cannot_be_packed_is_refused() {
    let problem = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1").unwrap();
    assert!(encode(&problem, Code::PackedSfen).is_err());
    assert!(decode(&[0xff; 32], Code::PackedSfen).is_err());
    assert!(decode(&[0; 32], Code::Huffman).is_err());
    assert!(PackedEntry::read(&[0; 39], PackedFormat::Psv).is_err());
}
