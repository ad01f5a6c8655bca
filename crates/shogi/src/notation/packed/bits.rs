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
pub(super) struct Reader<'a> {
    bytes: &'a [u8; POSITION_BYTES],
    position: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8; POSITION_BYTES]) -> Reader<'a> {
        Reader { bytes, position: 0 }
    }

    pub fn position(&self) -> usize {
        self.position
    }

    /// How many bits are left.
    pub fn left(&self) -> usize {
        8 * POSITION_BYTES - self.position
    }

    /// The next eight bits; beyond the end they are 0.
    pub fn peek_byte(&self) -> u8 {
        let at = |index: usize| self.bytes.get(index).copied().unwrap_or(0);
        let index = self.position / 8;
        let both = u16::from_le_bytes([at(index), at(index + 1)]);
        (both >> (self.position % 8)) as u8
    }

    /// Takes `length` bits, lowest first, if there are as many.
    pub fn take(&mut self, length: u32) -> Option<u32> {
        if self.left() < length as usize {
            return None;
        }
        let mut word = 0;
        for bit in 0..length {
            let byte = self.bytes[self.position / 8];
            word |= u32::from(byte >> (self.position % 8) & 1) << bit;
            self.position += 1;
        }
        Some(word)
    }
}
