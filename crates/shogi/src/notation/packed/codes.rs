//! The code words of PackedSfen (YaneuraOu) and HuffmanCodedPos (Apery, cshogi).
//!
//! A piece on the board is a prefix, a promotion bit and an owner bit; an empty square is one 0
//! bit. A piece in hand saves that one bit, so that every position of a full set has 256 bits. A
//! piece that is nowhere is written as a promoted piece in hand, which cannot be.

use super::bits::Reader;
use crate::types::{Color, Kind, Piece};
use std::sync::LazyLock;

/// Bits of a king's square.
pub(super) const KING_BITS: u32 = 7;

/// Which code a packed position is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    /// PackedSfen, of PSV files.
    PackedSfen,
    /// HuffmanCodedPos, of HCPE files.
    Huffman,
}

/// A code word, lowest bit first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Word {
    pub bits: u32,
    pub length: u32,
}

impl Word {
    const fn new(bits: u32, length: u32) -> Word {
        Word { bits, length }
    }

    const fn then(self, bit: bool) -> Word {
        Word { bits: self.bits | (bit as u32) << self.length, length: self.length + 1 }
    }
}

/// What follows the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Item {
    /// A piece in hand.
    Hand(Kind, Color),
    /// A piece that is nowhere.
    Box(Kind),
}

const EMPTY: Word = Word::new(0, 1);
const LONGEST: u32 = 8;

impl Code {
    /// What distinguishes the kinds. The codes differ in knight and silver.
    const fn prefix(self, kind: Kind) -> Word {
        match (kind.unpromoted(), self) {
            (Kind::Pawn, _) => Word::new(0b01, 2),
            (Kind::Lance, _) => Word::new(0b0011, 4),
            (Kind::Knight, Code::PackedSfen) | (Kind::Silver, Code::Huffman) => {
                Word::new(0b1011, 4)
            }
            (Kind::Silver, Code::PackedSfen) | (Kind::Knight, Code::Huffman) => {
                Word::new(0b0111, 4)
            }
            (Kind::Gold, _) => Word::new(0b01111, 5),
            (Kind::Bishop, _) => Word::new(0b011111, 6),
            _ => Word::new(0b111111, 6),
        }
    }

    /// The word of a square.
    pub(super) fn board_word(self, piece: Option<Piece>) -> Word {
        let Some(piece) = piece else { return EMPTY };
        let kind = piece.kind();
        let prefix = self.prefix(kind);
        let (promoted, white) = (kind.is_promoted(), piece.color() == Color::White);
        match self {
            _ if kind == Kind::Gold => prefix.then(white),
            Code::PackedSfen => prefix.then(promoted).then(white),
            Code::Huffman => prefix.then(white).then(promoted),
        }
    }

    /// The prefix without the bit that distinguishes a piece from an empty square.
    fn short_prefix(self, kind: Kind) -> Word {
        let prefix = self.prefix(kind);
        Word::new(prefix.bits >> 1, prefix.length - 1)
    }

    /// The word of a piece in hand.
    pub(super) fn hand_word(self, kind: Kind, color: Color) -> Word {
        let white = color == Color::White;
        match (self, kind) {
            (_, Kind::Gold) => self.short_prefix(kind).then(white),
            (Code::Huffman, Kind::Bishop | Kind::Rook) => self.prefix(kind).then(white),
            _ => self.short_prefix(kind).then(false).then(white),
        }
    }

    /// The word of a piece that is nowhere. Gold has no promotion bit: it takes the word that a
    /// promoted white silver in hand would have.
    pub(super) fn box_word(self, kind: Kind) -> Word {
        match (self, kind) {
            (_, Kind::Gold) => self.short_prefix(Kind::Silver).then(true).then(true),
            (Code::Huffman, Kind::Bishop) => Word::new(0b0001111, 7),
            (Code::Huffman, Kind::Rook) => Word::new(0b0101111, 7),
            _ => self.short_prefix(kind).then(true).then(false),
        }
    }

    /// Takes a square's word off the bits; `None` if there is none.
    pub(super) fn read_board(self, reader: &mut Reader) -> Option<Option<Piece>> {
        BOARD[self as usize].read(reader)
    }

    /// Takes the word of a piece in hand, or nowhere, off the bits.
    pub(super) fn read_hand(self, reader: &mut Reader) -> Option<Item> {
        HANDS[self as usize].read(reader)
    }

    fn board_words(self) -> Words<Option<Piece>> {
        let mut words = Words::new();
        words.add(EMPTY, None);
        for color in Color::ALL {
            for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::King) {
                let piece = Some(Piece::new(kind, color));
                words.add(self.board_word(piece), piece);
            }
        }
        words
    }

    fn hand_words(self) -> Words<Item> {
        let mut words = Words::new();
        for kind in Kind::HAND {
            for color in Color::ALL {
                words.add(self.hand_word(kind, color), Item::Hand(kind, color));
            }
            words.add(self.box_word(kind), Item::Box(kind));
        }
        words
    }
}

/// The words of both codes, made once: training reads millions of positions.
static BOARD: LazyLock<[Words<Option<Piece>>; 2]> =
    LazyLock::new(|| [Code::PackedSfen, Code::Huffman].map(Code::board_words));
static HANDS: LazyLock<[Words<Item>; 2]> =
    LazyLock::new(|| [Code::PackedSfen, Code::Huffman].map(Code::hand_words));

/// What every possible next byte begins with: the length of the word and what it stands for.
struct Words<T>([Option<(u32, T)>; 1 << LONGEST]);

impl<T: Copy> Words<T> {
    const fn new() -> Words<T> {
        Words([None; 1 << LONGEST])
    }

    fn add(&mut self, word: Word, item: T) {
        for rest in 0..1 << (LONGEST - word.length) {
            self.0[(word.bits | rest << word.length) as usize] = Some((word.length, item));
        }
    }

    fn read(&self, reader: &mut Reader) -> Option<T> {
        let (length, item) = self.0[reader.peek_byte() as usize]?;
        reader.take(length).map(|_| item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No word begins another, so reading is never in doubt.
    #[test]
    fn the_codes_are_prefix_codes() {
        for code in [Code::PackedSfen, Code::Huffman] {
            let mut board = vec![EMPTY];
            let mut hand = Vec::new();
            for color in Color::ALL {
                for kind in Kind::ALL.into_iter().filter(|&kind| kind != Kind::King) {
                    board.push(code.board_word(Some(Piece::new(kind, color))));
                }
                hand.extend(Kind::HAND.map(|kind| code.hand_word(kind, color)));
            }
            hand.extend(Kind::HAND.map(|kind| code.box_word(kind)));
            for words in [board, hand] {
                for (i, a) in words.iter().enumerate() {
                    for b in &words[i + 1..] {
                        let length = a.length.min(b.length);
                        let mask = (1 << length) - 1;
                        assert_ne!(a.bits & mask, b.bits & mask, "{code:?} {a:?} {b:?}");
                    }
                }
            }
        }
    }
}
