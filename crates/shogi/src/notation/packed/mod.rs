//! Packed training positions: PSV (40 bytes an entry) and HCPE (38 bytes).
//!
//! Both hold a position in 256 bits, a score, a move and the result. Their position codes,
//! PackedSfen and HuffmanCodedPos, look alike and are not the same.
//!
//! ```
//! use yomikiri_shogi::{Position, notation::packed::{Code, decode, encode}};
//!
//! let position = Position::start();
//! let bytes = encode(&position, Code::PackedSfen).unwrap();
//! assert_eq!(decode(&bytes, Code::PackedSfen).unwrap(), position);
//! assert_ne!(bytes, encode(&position, Code::Huffman).unwrap());
//! ```

mod bits;
mod codes;
mod entry;

pub use codes::Code;
pub use entry::{HCPE_BYTES, PSV_BYTES, PackedEntry, PackedFormat};

use super::ParseError;
use crate::position::Position;
use crate::types::{Color, Kind, Piece, Square};
use bits::{Reader, Writer};
use codes::{Item, KING_BITS};

/// How many bytes a packed position has.
pub const POSITION_BYTES: usize = 32;

/// Packs a position. Its move number and history are not kept.
///
/// # Errors
/// If a king is missing: the code has no room for such a position.
pub fn encode(position: &Position, code: Code) -> Result<[u8; POSITION_BYTES], ParseError> {
    let mut writer = Writer::default();
    writer.push(position.side_to_move().index() as u32, 1);
    let mut left = [0; 8];
    Kind::HAND.iter().for_each(|kind| left[kind.index()] = kind.set_size());
    for color in Color::ALL {
        let king = position
            .king(color)
            .ok_or_else(|| ParseError::new("a packed position needs both kings", 0))?;
        writer.push(king.index() as u32, KING_BITS);
    }
    for square in Square::all() {
        let piece = position.piece_on(square);
        if piece.is_some_and(|piece| piece.kind() == Kind::King) {
            continue;
        }
        let word = code.board_word(piece);
        writer.push(word.bits, word.length);
        if let Some(piece) = piece {
            left[piece.kind().unpromoted().index()] -= 1;
        }
    }
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            let word = code.hand_word(kind, color);
            (0..count).for_each(|_| writer.push(word.bits, word.length));
            left[kind.index()] -= count;
        }
    }
    // Pieces that are nowhere, as in handicap games, fill the rest.
    for kind in Kind::HAND {
        let word = code.box_word(kind);
        (0..left[kind.index()]).for_each(|_| writer.push(word.bits, word.length));
    }
    Ok(writer.finish())
}

/// Unpacks a position; its move number is 1.
///
/// # Errors
/// If the bits are no position.
pub fn decode(bytes: &[u8; POSITION_BYTES], code: Code) -> Result<Position, ParseError> {
    let mut reader = Reader::new(bytes);
    let bad = |message: &str, reader: &Reader| ParseError::new(message, reader.position() / 8);
    let mut position = Position::empty();
    let side = if reader.take(1) == Some(1) { Color::White } else { Color::Black };
    for color in Color::ALL {
        let square = reader.take(KING_BITS).filter(|&index| index < Square::COUNT as u32);
        let square = square.ok_or_else(|| bad("a king stands outside the board", &reader))?;
        let square = Square::from_index(square as usize);
        if position.piece_on(square).is_some() {
            return Err(bad("both kings stand on one square", &reader));
        }
        position.place(square, Some(Piece::new(Kind::King, color)));
    }
    read_squares(&mut position, code, &mut reader)
        .ok_or_else(|| bad("the bits name no piece", &reader))?;
    while reader.left() > 0 {
        match code.read_hand(&mut reader) {
            Some(Item::Hand(kind, color)) => {
                let hand = position.hand(color);
                let more = hand
                    .with_count(kind, hand.count(kind) + 1)
                    .ok_or_else(|| bad("too many pieces in a hand", &reader))?;
                position.hold(color, more);
            }
            Some(Item::Box(_)) => {}
            None => return Err(bad("the bits name no piece in hand", &reader)),
        }
    }
    // Also settles what follows from the board, which nothing above has done.
    position.set_side_to_move(side);
    position.validate().map_err(|reason| ParseError::new(reason.to_string(), 0))?;
    Ok(position)
}

/// Reads the squares that hold no king; `None` where the bits name no piece.
fn read_squares(position: &mut Position, code: Code, reader: &mut Reader) -> Option<()> {
    const OTHERS: usize = Square::COUNT - 2;
    let [a, b] = Color::ALL.map(|color| position.king(color));
    let (first, second) = (a.min(b)?.index(), a.max(b)?.index());
    let mut number = 0;
    loop {
        // Empty squares are zeros, and come in runs.
        number += reader.skip_zeros(OTHERS - number);
        if number == OTHERS {
            return Some(());
        }
        let piece = code.read_board(reader)?;
        let index = number + usize::from(number >= first);
        let index = index + usize::from(index >= second);
        position.place(Square::from_index(index), piece);
        number += 1;
    }
}
