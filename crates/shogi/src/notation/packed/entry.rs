//! Entries of training files: a position with its score, the move played and the result.

use super::{Code, POSITION_BYTES, decode, encode};
use crate::notation::ParseError;
use crate::position::Position;
use crate::types::{Color, Kind, Move, Origin, Square};

/// Bytes of a PSV entry.
pub const PSV_BYTES: usize = 40;
/// Bytes of an HCPE entry.
pub const HCPE_BYTES: usize = 38;

/// The layout of a file of packed positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PackedFormat {
    /// YaneuraOu's PackedSfenValue.
    Psv,
    /// Apery's and cshogi's HuffmanCodedPosAndEval.
    Hcpe,
}

/// One training position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedEntry {
    /// The position. HCPE does not keep the move number.
    pub position: Position,
    /// The score in centipawns, good for the side to move if positive.
    pub score: i16,
    /// The move played or found best, if it is a legal one.
    pub played: Option<Move>,
    /// Who won the game; `None` for a draw.
    pub winner: Option<Color>,
}

impl PackedFormat {
    /// Bytes of an entry.
    pub const fn entry_bytes(self) -> usize {
        match self {
            PackedFormat::Psv => PSV_BYTES,
            PackedFormat::Hcpe => HCPE_BYTES,
        }
    }
}

impl PackedEntry {
    /// Reads an entry.
    ///
    /// # Errors
    /// If the length is wrong or the bits are no position.
    pub fn read(bytes: &[u8], format: PackedFormat) -> Result<PackedEntry, ParseError> {
        let length = format.entry_bytes();
        if bytes.len() != length {
            let message = format!("an entry has {length} bytes, not {}", bytes.len());
            return Err(ParseError::new(message, bytes.len()));
        }
        let mut packed = [0; POSITION_BYTES];
        packed.copy_from_slice(&bytes[..POSITION_BYTES]);
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let score = word(32) as i16;
        match format {
            PackedFormat::Psv => {
                let mut position = decode(&packed, Code::PackedSfen)?;
                position.set_move_number(u32::from(word(36)).max(1));
                let side = position.side_to_move();
                let winner = match bytes[38] as i8 {
                    1 => Some(side),
                    -1 => Some(!side),
                    0 => None,
                    other => return Err(bad_result(other, 38)),
                };
                let played = yaneuraou_move(word(34)).filter(|&played| position.is_legal(played));
                Ok(PackedEntry { position, score, played, winner })
            }
            PackedFormat::Hcpe => {
                let position = decode(&packed, Code::Huffman)?;
                let winner = match bytes[36] as i8 {
                    0 => None,
                    1 => Some(Color::Black),
                    2 => Some(Color::White),
                    other => return Err(bad_result(other, 36)),
                };
                let played = apery_move(word(34)).filter(|&played| position.is_legal(played));
                Ok(PackedEntry { position, score, played, winner })
            }
        }
    }

    /// Appends the entry to a file's bytes.
    ///
    /// # Errors
    /// If a king is missing.
    pub fn write(&self, format: PackedFormat, bytes: &mut Vec<u8>) -> Result<(), ParseError> {
        let side = self.position.side_to_move();
        let code = match format {
            PackedFormat::Psv => Code::PackedSfen,
            PackedFormat::Hcpe => Code::Huffman,
        };
        bytes.extend_from_slice(&encode(&self.position, code)?);
        bytes.extend_from_slice(&self.score.to_le_bytes());
        match format {
            PackedFormat::Psv => {
                let played = self.played.map_or(0, yaneuraou_bits);
                bytes.extend_from_slice(&played.to_le_bytes());
                let number = self.position.move_number().min(u32::from(u16::MAX)) as u16;
                bytes.extend_from_slice(&number.to_le_bytes());
                let result: i8 = match self.winner {
                    None => 0,
                    Some(winner) if winner == side => 1,
                    Some(_) => -1,
                };
                bytes.extend_from_slice(&[result as u8, 0]);
            }
            PackedFormat::Hcpe => {
                let played = self.played.map_or(0, apery_bits);
                bytes.extend_from_slice(&played.to_le_bytes());
                let result = self.winner.map_or(0, |winner| winner.index() as u8 + 1);
                bytes.extend_from_slice(&[result, 0]);
            }
        }
        Ok(())
    }
}

fn bad_result(value: i8, at: usize) -> ParseError {
    ParseError::new(format!("{value} is not a game result"), at)
}

/// The kinds that can be dropped, in the order in which both engines number them from 1.
fn dropped_kind(number: u16) -> Option<Kind> {
    Kind::from_index(usize::from(number)).filter(|kind| kind.is_hand())
}

fn square(index: u16) -> Option<Square> {
    (usize::from(index) < Square::COUNT).then(|| Square::from_index(usize::from(index)))
}

fn board_move(from: u16, to: Square, promote: bool) -> Option<Move> {
    square(from).filter(|&from| from != to).map(|from| Move::board(from, to, promote))
}

/// To in bits 0 to 6, from or dropped kind in 7 to 13, drop 14, promotion 15.
fn yaneuraou_move(bits: u16) -> Option<Move> {
    let (to, from) = (square(bits & 127)?, bits >> 7 & 127);
    match bits >> 14 {
        1 => dropped_kind(from).map(|kind| Move::drop(kind, to)),
        flags @ (0 | 2) => board_move(from, to, flags == 2),
        _ => None,
    }
}

fn yaneuraou_bits(played: Move) -> u16 {
    let to = played.to().index() as u16;
    match played.origin() {
        Origin::Hand(kind) => to | (kind.index() as u16) << 7 | 1 << 14,
        Origin::Board(from) => {
            to | (from.index() as u16) << 7 | u16::from(played.is_promotion()) << 15
        }
    }
}

/// To in bits 0 to 6, from or 80 + dropped kind in 7 to 13, promotion 14.
fn apery_move(bits: u16) -> Option<Move> {
    let (to, from) = (square(bits & 127)?, bits >> 7 & 127);
    match (from, bits >> 14) {
        (81.., 0) => dropped_kind(from - 80).map(|kind| Move::drop(kind, to)),
        (_, flags @ (0 | 1)) => board_move(from, to, flags == 1),
        _ => None,
    }
}

fn apery_bits(played: Move) -> u16 {
    let to = played.to().index() as u16;
    match played.origin() {
        Origin::Hand(kind) => to | (80 + kind.index() as u16) << 7,
        Origin::Board(from) => {
            to | (from.index() as u16) << 7 | u16::from(played.is_promotion()) << 14
        }
    }
}
