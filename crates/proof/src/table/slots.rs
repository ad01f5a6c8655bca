//! The slots of the table: where an entry stands, how they grow and how they are cleared out.
//!
//! The high bits of a key give its home, so the order of the keys is the order of the homes. That
//! lets the slots double without a second copy: taken from the end, every entry moves to a place
//! that nobody needs any more.
//!
//! Beside the slots stands one bit for each quarter of a home: whether a board whose key falls
//! there was ever stored or visited. Most children of a new node were not, and a clear bit says so
//! at the price of one access to an array of a 64th of the size, in place of a run of slots.
//! Microcosmos, 6 M nodes: 26 M look-ups read 96 M slots, two in three of them in vain.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::entry::{Entry, key_of};
use yomikiri_base::large_pages;

/// Slots behind the last home position, so that runs never wrap round.
pub(super) const TAIL: usize = 256;
/// Longest run that a look-up follows.
const LONGEST_RUN: usize = 256;
/// Marks for each home.
const MARKS: usize = 4;

/// One entry; never across two cache lines.
#[derive(Debug, Default)]
#[repr(align(32))]
pub(super) struct Slot([AtomicU64; 4]);

/// Bytes of a slot.
pub(super) const SLOT_BYTES: usize = size_of::<Slot>();

impl Slot {
    #[inline]
    pub fn read(&self) -> [u64; 4] {
        let [folded, a, b, c] = &self.0;
        [
            folded.load(Ordering::Relaxed),
            a.load(Ordering::Relaxed),
            b.load(Ordering::Relaxed),
            c.load(Ordering::Relaxed),
        ]
    }

    #[inline]
    pub fn write(&self, words: [u64; 4]) {
        for (cell, word) in self.0.iter().zip(words) {
            cell.store(word, Ordering::Relaxed);
        }
    }

    fn clear(&self) {
        self.write([0; 4]);
    }
}

/// Whether words are those of an empty slot.
#[inline]
pub(super) fn is_empty(words: [u64; 4]) -> bool {
    words[3] == 0
}

/// How many homes fit into `bytes`, with their marks and the slots behind them.
pub(super) fn homes_within(bytes: usize) -> usize {
    let a_word = 64 * SLOT_BYTES + MARKS * size_of::<AtomicU64>();
    bytes.saturating_sub(TAIL * SLOT_BYTES) / a_word * 64
}

fn no_marks(homes: usize) -> Vec<AtomicU64> {
    large_pages::large_list((homes * MARKS).div_ceil(64), AtomicU64::default)
}

/// The slots themselves.
#[derive(Debug)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    marks: Vec<AtomicU64>,
    homes: usize,
    most_homes: usize,
    used: AtomicUsize,
}

impl Slots {
    /// Empty slots that can grow to `most_homes`, or to as much as the system has.
    pub fn new(first_homes: usize, most_homes: usize) -> Self {
        let mut most_homes = most_homes.max(first_homes);
        let mut reserved = large_pages::reserve(most_homes + TAIL);
        while reserved.is_none() && most_homes > first_homes {
            most_homes = (most_homes / 2).max(first_homes);
            reserved = large_pages::reserve(most_homes + TAIL);
        }
        let mut homes = most_homes;
        while homes >= first_homes * 2 {
            homes /= 2;
        }
        let mut slots: Vec<Slot> = reserved.unwrap_or_default();
        slots.resize_with(homes + TAIL, Slot::default);
        Self { slots, marks: no_marks(homes), homes, most_homes, used: AtomicUsize::new(0) }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.slots.len() * SLOT_BYTES + size_of_val(self.marks.as_slice())
    }

    /// Entries stored.
    pub fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        ((u128::from(key) * self.homes as u128) >> 64) as usize
    }

    /// The word of marks for a key, and the bit in it.
    #[inline]
    fn mark_of(&self, key: u64) -> (&AtomicU64, u64) {
        let at = ((u128::from(key) * (self.homes * MARKS) as u128) >> 64) as usize;
        (&self.marks[at / 64], 1 << (at % 64))
    }

    /// The word of marks that [`Self::is_marked`] reads.
    #[inline]
    pub fn mark_word(&self, key: u64) -> &AtomicU64 {
        self.mark_of(key).0
    }

    /// Whether a board with this key may have been stored or visited.
    #[inline]
    pub fn is_marked(&self, key: u64) -> bool {
        let (word, bit) = self.mark_of(key);
        word.load(Ordering::Relaxed) & bit != 0
    }

    /// Notes that a board with this key is stored or visited.
    #[inline]
    pub fn mark(&self, key: u64) {
        let (word, bit) = self.mark_of(key);
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    /// The first slot in which an entry of `key` may stand.
    #[inline]
    pub fn first(&self, key: u64) -> &Slot {
        &self.slots[self.home(key)]
    }

    /// The run of slots in which entries of `key` may stand.
    #[inline]
    pub fn run(&self, key: u64) -> &[Slot] {
        let home = self.home(key);
        &self.slots[home..(home + LONGEST_RUN).min(self.slots.len())]
    }

    #[inline]
    pub fn crowded(&self) -> bool {
        self.used.load(Ordering::Relaxed) * 10 > self.homes * 7
    }

    /// Whether there is room for twice as many.
    pub fn can_grow(&self) -> bool {
        self.homes * 2 <= self.most_homes
    }

    /// Empties every slot.
    pub fn clear(&mut self) {
        self.slots.iter().for_each(Slot::clear);
        self.marks = no_marks(self.homes);
        self.used.store(0, Ordering::Relaxed);
    }

    /// Puts `words` into the first free slot of its run, or over the lightest entry there.
    pub fn insert(&self, key: u64, words: [u64; 4]) {
        self.mark(key);
        let run = self.run(key);
        let mut lightest = (u32::MAX, 0);
        for (at, slot) in run.iter().enumerate() {
            let old = slot.read();
            if is_empty(old) {
                slot.write(words);
                self.used.fetch_add(1, Ordering::Relaxed);
                return;
            }
            let weight = Entry::from_words(old).1.weight();
            if weight < lightest.0 {
                lightest = (weight, at);
            }
        }
        run[lightest.1].write(words);
    }

    /// Doubles the homes and moves every entry to its new place.
    pub fn grow(&mut self) {
        let before = self.slots.len();
        self.homes *= 2;
        self.marks = no_marks(self.homes);
        self.slots.resize_with(self.homes + TAIL, Slot::default);
        self.used.store(0, Ordering::Relaxed);
        // An entry stands less than a run behind its home, so from twice a run on its new home lies
        // no further left.
        let low = (2 * LONGEST_RUN).min(before);
        let lifted: Vec<[u64; 4]> = self.slots[..low].iter().map(Slot::read).collect();
        self.slots[..low].iter().for_each(Slot::clear);
        for at in (low..before).rev() {
            let words = self.slots[at].read();
            if !is_empty(words) {
                self.slots[at].clear();
                self.insert(key_of(words), words);
            }
        }
        for words in lifted.into_iter().filter(|&words| !is_empty(words)) {
            self.insert(key_of(words), words);
        }
    }

    /// Drops the lighter half of the entries and closes the gaps.
    pub fn collect(&mut self) {
        let limit = self.median_weight();
        self.marks = no_marks(self.homes);
        let mut kept = 0;
        for at in 0..self.slots.len() {
            let words = self.slots[at].read();
            if is_empty(words) {
                continue;
            }
            self.slots[at].clear();
            let (key, entry) = Entry::from_words(words);
            if entry.weight() <= limit {
                continue;
            }
            // Everything left of `at` is already settled, so the first gap from home on is its
            // place.
            let home = self.home(key).min(at);
            let place = (home..=at).find(|&p| is_empty(self.slots[p].read())).unwrap_or(at);
            self.slots[place].write(words);
            self.mark(key);
            kept += 1;
        }
        self.used.store(kept, Ordering::Relaxed);
    }

    fn median_weight(&self) -> u32 {
        let step = (self.slots.len() / 65_536).max(1);
        let mut weights: Vec<u32> = self
            .slots
            .iter()
            .step_by(step)
            .map(Slot::read)
            .filter(|&words| !is_empty(words))
            .map(|words| Entry::from_words(words).1.weight())
            .collect();
        if weights.is_empty() {
            return 0;
        }
        let middle = weights.len() / 2;
        *weights.select_nth_unstable(middle).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;
    use crate::path::mix;

    #[test]
    fn what_is_stored_stays_marked_and_most_else_is_not() {
        let mut slots = Slots::new(1 << 12, 1 << 16);
        let entry = |amount| Entry { amount, number: Number::UNIT, ..Entry::blank(0, 0, 0) };
        let stored = |count: u32| (1..=u64::from(count)).map(mix);
        let unmarked =
            |slots: &Slots| (1..=1000).filter(|&i| !slots.is_marked(mix(1 << 40 | i))).count();
        let mut count = 0;
        for round in 0..4 {
            while !slots.crowded() {
                count += 1;
                let key = mix(u64::from(count));
                slots.insert(key, entry(count).to_words(key));
            }
            assert!(stored(count).all(|key| slots.is_marked(key)), "round {round}");
            assert!(unmarked(&slots) > 750, "{} in round {round}", unmarked(&slots));
            slots.grow();
            assert!(stored(count).all(|key| slots.is_marked(key)), "round {round}");
        }
        slots.collect();
        let kept = stored(count).filter(|&key| slots.is_marked(key)).count();
        assert!(kept >= slots.used() && kept < count as usize * 3 / 4, "{kept} of {count}");
        slots.clear();
        assert_eq!(unmarked(&slots), 1000);
    }

    #[test]
    fn homes_and_marks_stay_within_their_bytes() {
        for bytes in [1 << 20, 100 << 20, (1 << 30) + 12_345] {
            let homes = homes_within(bytes);
            let all = (homes + TAIL) * SLOT_BYTES + homes * MARKS / 8;
            assert!(all <= bytes && all + 4096 > bytes, "{all} of {bytes}");
        }
    }
}
