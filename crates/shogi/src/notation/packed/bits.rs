//! Bits in and out of 32 bytes, the lowest bit of each byte first.

use super::POSITION_BYTES;

/// Writes bits; more than fit are dropped.
#[derive(Default)]
pub(super) struct Writer {
    bytes: [u8; POSITION_BYTES],
    position: usize,
}

impl Writer {
    /// Appends the lowest `length` bits of a word, lowest first.
    pub fn push(&mut self, bits: u32, length: u32) {
        for bit in 0..length {
            if let Some(byte) = self.bytes.get_mut(self.position / 8) {
                *byte |= ((bits >> bit & 1) as u8) << (self.position % 8);
            }
            self.position += 1;
        }
    }

    pub fn finish(self) -> [u8; POSITION_BYTES] {
        debug_assert_eq!(self.position, 8 * POSITION_BYTES, "a full set fills the code exactly");
        self.bytes
    }
}

/// Reads bits.
#[derive(Clone)]
pub(super) struct Reader {
    /// The bits, and zeros behind them, so that a word can be read at every place.
    bytes: [u8; POSITION_BYTES + size_of::<u64>()],
    position: usize,
}

impl Reader {
    pub fn new(bytes: &[u8; POSITION_BYTES]) -> Reader {
        let mut padded = [0; POSITION_BYTES + size_of::<u64>()];
        padded[..POSITION_BYTES].copy_from_slice(bytes);
        Reader { bytes: padded, position: 0 }
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// How many bits are left.
    pub fn left(&self) -> usize {
        8 * POSITION_BYTES - self.position
    }

    /// The next bits, at least 57; beyond the end they are 0.
    #[inline]
    fn peek(&self) -> u64 {
        let word = self.bytes[self.position / 8..].first_chunk().expect("zeros stand behind");
        u64::from_le_bytes(*word) >> (self.position % 8)
    }

    /// The next eight bits; beyond the end they are 0.
    #[inline]
    pub fn peek_byte(&self) -> u8 {
        self.peek() as u8
    }

    /// Takes some of the zeros that come next, up to a limit, and says how many. Zeros may be
    /// left.
    #[inline]
    pub fn skip_zeros(&mut self, most: usize) -> usize {
        let zeros = self.peek().trailing_zeros().min(56) as usize;
        let zeros = zeros.min(most).min(self.left());
        self.position += zeros;
        zeros
    }

    /// Takes up to 25 bits, lowest first, if there are as many.
    #[inline]
    pub fn take(&mut self, length: u32) -> Option<u32> {
        debug_assert!(length <= 25);
        if self.left() < length as usize {
            return None;
        }
        let word = self.peek() as u32 & ((1 << length) - 1);
        self.position += length as usize;
        Some(word)
    }
}
