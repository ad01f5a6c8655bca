//! Zobrist keys.
//!
//! The board and the side to move have a key of their own that moves update; hands are mixed in
//! when a full key is needed, so that the mate solver can look a board up whatever the hands.

use super::Position;
use crate::types::{Hand, Piece, Square};

/// Marks white to move.
pub(super) const SIDE_KEY: u64 = 0x9d39_247e_3377_6d41;

static PIECE_KEYS: [[u64; 128]; 32] = piece_keys();

/// The key of a piece on a square.
#[inline]
pub(super) fn piece_key(piece: Piece, square: Square) -> u64 {
    PIECE_KEYS[piece.index()][square.index()]
}

/// The full key of a board's key and both hands.
#[inline]
pub(super) fn with_hands(board_key: u64, hands: [Hand; 2]) -> u64 {
    board_key ^ scramble((hands[0].bits() as u64) << 32 | hands[1].bits() as u64)
}

/// One step of splitmix64.
const fn scramble(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn piece_keys() -> [[u64; 128]; 32] {
    let mut table = [[0; 128]; 32];
    let mut seed = 0x796f_6d69_6b69_7269;
    let mut piece = 0;
    while piece < 32 {
        let mut square = 0;
        while square < 81 {
            seed = scramble(seed);
            table[piece][square] = seed;
            square += 1;
        }
        piece += 1;
    }
    table
}

impl Position {
    /// The key of the board and the side to move, without the hands.
    #[inline]
    pub fn board_key(&self) -> u64 {
        self.board_key
    }

    /// The key of everything that repetition compares: board, side to move and both hands.
    #[inline]
    pub fn key(&self) -> u64 {
        with_hands(self.board_key, self.hands)
    }

    /// The board key computed anew, to check the one that moves update.
    pub fn board_key_from_scratch(&self) -> u64 {
        let side = if self.side == crate::Color::White { SIDE_KEY } else { 0 };
        Square::all()
            .filter_map(|square| self.piece_on(square).map(|piece| piece_key(piece, square)))
            .fold(side, |key, piece| key ^ piece)
    }
}
