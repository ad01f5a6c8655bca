//! One entry of the table, and its coding in four words.

use crate::number::Number;
use crate::table::UNBOUNDED;

/// What is known about one board and stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Bits of the stock this entry speaks of.
    pub stock: u32,
    /// Numbers while unsolved.
    pub number: Number,
    /// Shortest proven length, [`UNBOUNDED`] if not proven.
    pub proven: u16,
    /// One more than the greatest length disproven; [`UNBOUNDED`] if disproven for every length.
    pub disproven: u16,
    /// Nodes spent on it.
    pub amount: u32,
    /// Smallest depth at which it was met since its numbers belong to their epoch.
    pub depth: u16,
    /// Whether it was once answered by a repetition, on some path.
    pub path_dependent: bool,
    /// The epoch in which the numbers were found, below [`EPOCHS`].
    pub epoch: u16,
}

const AMOUNT_BITS: u32 = 32;
const PATH_DEPENDENT_BIT: u32 = 48;
const EPOCH_SHIFT: u32 = 49;
/// How many epochs can be distinguished.
pub(crate) const EPOCHS: u16 = 1 << (64 - EPOCH_SHIFT);

impl Entry {
    /// The words; the first holds the key folded with the others, so that a torn read looks like
    /// another position.
    pub fn to_words(self, key: u64) -> [u64; 4] {
        let a =
            u64::from(self.stock) | u64::from(self.proven) << 32 | u64::from(self.disproven) << 48;
        let b = u64::from(self.number.pn) | u64::from(self.number.dn) << 32;
        let c = u64::from(self.amount.max(1))
            | u64::from(self.depth) << AMOUNT_BITS
            | u64::from(self.path_dependent) << PATH_DEPENDENT_BIT
            | u64::from(self.epoch) << EPOCH_SHIFT;
        [key ^ a ^ b ^ c, a, b, c]
    }

    /// The key and the entry.
    pub fn from_words(words: [u64; 4]) -> (u64, Self) {
        let [_, a, b, c] = words;
        let entry = Self {
            stock: a as u32,
            proven: (a >> 32) as u16,
            disproven: (a >> 48) as u16,
            number: Number { pn: b as u32, dn: (b >> 32) as u32 },
            amount: c as u32,
            depth: (c >> AMOUNT_BITS) as u16,
            path_dependent: c >> PATH_DEPENDENT_BIT & 1 != 0,
            epoch: (c >> EPOCH_SHIFT) as u16,
        };
        (key_of(words), entry)
    }

    /// An entry that says nothing yet.
    pub fn blank(stock: u32, depth: u16, epoch: u16) -> Self {
        Self {
            stock,
            number: Number::UNIT,
            proven: UNBOUNDED,
            disproven: 0,
            amount: 0,
            depth,
            path_dependent: false,
            epoch,
        }
    }

    /// Whether it is solved within some length.
    pub fn says_nothing_solved(&self) -> bool {
        self.proven == UNBOUNDED && self.disproven == 0
    }

    /// How much its loss would hurt: solved entries weigh more than their nodes.
    pub fn weight(&self) -> u32 {
        let solved = self.proven != UNBOUNDED || self.disproven == UNBOUNDED;
        if solved { self.amount.saturating_mul(4) } else { self.amount }
    }

    /// The entry with what a visit at `depth` that took `amount` nodes found out.
    pub fn merged(
        mut self,
        number: Number,
        length: u16,
        depth: u16,
        amount: u32,
        epoch: u16,
    ) -> Self {
        if number.is_proven() {
            self.proven = self.proven.min(length);
        } else if number.is_disproven() {
            let bound = if length == UNBOUNDED { UNBOUNDED } else { length + 1 };
            self.disproven = self.disproven.max(bound);
        } else {
            if self.epoch != epoch {
                self.depth = depth;
            }
            self.number = number;
            self.epoch = epoch;
        }
        self.depth = self.depth.min(depth);
        self.amount = self.amount.saturating_add(amount);
        self
    }
}

/// The key alone.
#[inline]
pub(crate) fn key_of(words: [u64; 4]) -> u64 {
    words[0] ^ words[1] ^ words[2] ^ words[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_their_coding() {
        let entry = Entry {
            stock: 0xdead_beef,
            number: Number { pn: 17, dn: 1 << 29 },
            proven: 1525,
            disproven: 7,
            amount: 123_456,
            depth: 300,
            path_dependent: true,
            epoch: EPOCHS - 1,
        };
        let key = 0x0123_4567_89ab_cdef;
        assert_eq!(Entry::from_words(entry.to_words(key)), (key, entry));
    }
}
