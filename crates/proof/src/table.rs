//! The transposition table: one entry of 32 bytes per board and stock, shared by all threads.
//!
//! * **Dominance.** The key leaves the stock out. A look-up meets every entry of the same board in one run of slots and
//!   compares stocks: what is proven with less is proven with more, what is disproven with more is disproven with less,
//!   and the numbers of such neighbours are bounds.
//! * **Lengths.** An entry keeps the shortest length for which it is proven and the greatest length within which it is
//!   disproven, so one table serves the search for any solution and the searches for a shorter one.
//! * **Facts only.** Results that depend on the path never come here (see [`crate::path`]).
//! * **Threads.** Four atomic words an entry, the key folded with the other three, so that a torn read looks like
//!   another position. No locks while searching; growth and collection stop the threads through a read-write lock.
//! * **Memory.** The table starts small and doubles up to its limit; then entries on which little work was spent are
//!   dropped (half of them) and the rest moves together.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

use crate::game::{Identity, Stock};
use crate::number::Number;

/// A length that no solution reaches: the search without a limit on length.
pub const UNBOUNDED: u16 = u16::MAX;

/// Slots behind the last home position, so that runs never wrap round.
const TAIL: usize = 256;
/// Longest run that a look-up follows.
const LONGEST_RUN: usize = 256;
/// Slots of the smallest table.
const FIRST_SLOTS: usize = 1 << 14;
const SLOT_BYTES: usize = 32;

type Slot = [AtomicU64; 4];

/// What is known about one board and stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
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
    /// Smallest depth at which it was met.
    pub depth: u16,
    /// Whether it was once answered by a repetition, on some path.
    pub leaned: bool,
}

const AMOUNT_BITS: u32 = 32;
const LEANED_BIT: u32 = 48;

impl Entry {
    fn to_words(self, key: u64) -> [u64; 4] {
        let a =
            u64::from(self.stock) | u64::from(self.proven) << 32 | u64::from(self.disproven) << 48;
        let b = u64::from(self.number.pn) | u64::from(self.number.dn) << 32;
        let c = u64::from(self.amount.max(1))
            | u64::from(self.depth) << AMOUNT_BITS
            | u64::from(self.leaned) << LEANED_BIT;
        [key ^ a ^ b ^ c, a, b, c]
    }

    fn from_words(words: [u64; 4]) -> (u64, Self) {
        let [folded, a, b, c] = words;
        let entry = Self {
            stock: a as u32,
            proven: (a >> 32) as u16,
            disproven: (a >> 48) as u16,
            number: Number { pn: b as u32, dn: (b >> 32) as u32 },
            amount: c as u32,
            depth: (c >> AMOUNT_BITS) as u16,
            leaned: c >> LEANED_BIT & 1 != 0,
        };
        (folded ^ a ^ b ^ c, entry)
    }

    /// How much its loss would hurt: solved entries weigh more than their nodes.
    fn weight(&self) -> u32 {
        let solved = self.proven != UNBOUNDED || self.disproven == UNBOUNDED;
        if solved { self.amount.saturating_mul(4) } else { self.amount }
    }
}

fn read(slot: &Slot) -> [u64; 4] {
    [
        slot[0].load(Ordering::Relaxed),
        slot[1].load(Ordering::Relaxed),
        slot[2].load(Ordering::Relaxed),
        slot[3].load(Ordering::Relaxed),
    ]
}

fn write(slot: &Slot, words: [u64; 4]) {
    for (cell, word) in slot.iter().zip(words) {
        cell.store(word, Ordering::Relaxed);
    }
}

/// A look-up's result.
#[derive(Clone, Copy, Debug)]
pub struct Found<S> {
    /// Numbers; solved if the question is answered.
    pub number: Number,
    /// Proven: a stock that suffices. Disproven: one that does not.
    pub stock: S,
    /// Proven: the length. Disproven: the greatest length disproven.
    pub length: u16,
    /// Whether the table held an entry for exactly this stock.
    pub known: bool,
    /// Smallest depth at which the entry was met, or the greatest depth if unknown.
    pub depth: u16,
    /// Nodes spent on the entry.
    pub amount: u32,
    /// Whether it was once answered by a repetition, on some path.
    pub leaned: bool,
}

/// A result to be stored.
#[derive(Clone, Copy, Debug)]
pub struct Answer<S> {
    /// Solved or open numbers.
    pub number: Number,
    /// Proven: the stock that suffices. Disproven: the one that does not. Open: the node's own.
    pub stock: S,
    /// Proven: its length. Disproven: the greatest length disproven.
    pub length: u16,
}

/// The slots themselves.
#[derive(Debug)]
struct Slots {
    slots: Vec<Slot>,
    homes: usize,
    used: AtomicUsize,
}

impl Slots {
    fn new(homes: usize) -> Self {
        let slots = std::iter::repeat_with(Slot::default).take(homes + TAIL).collect();
        Self { slots, homes, used: AtomicUsize::new(0) }
    }

    #[inline]
    fn home(&self, key: u64) -> usize {
        ((u128::from(key) * self.homes as u128) >> 64) as usize
    }

    /// The run of slots in which entries of `key` may stand.
    #[inline]
    fn run(&self, key: u64) -> &[Slot] {
        let home = self.home(key);
        &self.slots[home..(home + LONGEST_RUN).min(self.slots.len())]
    }

    fn crowded(&self) -> bool {
        self.used.load(Ordering::Relaxed) * 10 > self.homes * 7
    }

    /// Puts `words` into the first free slot of its run, or over the lightest entry there.
    fn insert(&self, key: u64, words: [u64; 4]) {
        let run = self.run(key);
        let mut lightest = (u32::MAX, 0);
        for (at, slot) in run.iter().enumerate() {
            let old = read(slot);
            if old[3] == 0 {
                write(slot, words);
                self.used.fetch_add(1, Ordering::Relaxed);
                return;
            }
            let weight = Entry::from_words(old).1.weight();
            if weight < lightest.0 {
                lightest = (weight, at);
            }
        }
        write(&run[lightest.1], words);
    }

    /// A table twice as large with the same entries.
    fn grown(&self, homes: usize) -> Self {
        let larger = Self::new(homes);
        for slot in &self.slots {
            let words = read(slot);
            if words[3] != 0 {
                larger.insert(Entry::from_words(words).0, words);
            }
        }
        larger
    }

    /// Drops the lighter half of the entries and closes the gaps.
    fn collect(&self) {
        let limit = self.median_weight();
        let mut kept = 0;
        for at in 0..self.slots.len() {
            let words = read(&self.slots[at]);
            if words[3] == 0 {
                continue;
            }
            write(&self.slots[at], [0; 4]);
            let (key, entry) = Entry::from_words(words);
            if entry.weight() <= limit {
                continue;
            }
            // Everything left of `at` is already settled, so the first gap from home on is its place.
            let home = self.home(key).min(at);
            let place = (home..=at).find(|&p| read(&self.slots[p])[3] == 0).unwrap_or(at);
            write(&self.slots[place], words);
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
            .map(read)
            .filter(|words| words[3] != 0)
            .map(|words| Entry::from_words(words).1.weight())
            .collect();
        if weights.is_empty() {
            return 0;
        }
        let middle = weights.len() / 2;
        *weights.select_nth_unstable(middle).1
    }
}

/// The table.
#[derive(Debug)]
pub struct Table {
    slots: RwLock<Slots>,
    upkeep: AtomicBool,
    most_homes: usize,
    collections: AtomicUsize,
}

impl Table {
    /// A table that never takes more than `bytes` (but at least a small one).
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        // While growing, old and new stand side by side: two thirds for the last size keeps both within the limit.
        let most_homes = (bytes / SLOT_BYTES * 2 / 3).max(FIRST_SLOTS);
        let mut homes = most_homes;
        while homes >= FIRST_SLOTS * 2 {
            homes /= 2;
        }
        Self {
            slots: RwLock::new(Slots::new(homes)),
            upkeep: AtomicBool::new(false),
            most_homes,
            collections: AtomicUsize::new(0),
        }
    }

    /// A thread's access.
    pub fn handle(&self) -> Handle<'_> {
        Handle { table: self, slots: Some(read_lock(&self.slots)) }
    }

    /// Bytes in use now.
    #[must_use]
    pub fn bytes(&self) -> usize {
        read_lock(&self.slots).slots.len() * SLOT_BYTES
    }

    /// Entries stored now.
    #[must_use]
    pub fn entries(&self) -> usize {
        read_lock(&self.slots).used.load(Ordering::Relaxed)
    }

    /// How often entries had to be dropped.
    #[must_use]
    pub fn collections(&self) -> usize {
        self.collections.load(Ordering::Relaxed)
    }

    /// Forgets everything; keeps the memory if it is no more than `keep` bytes.
    pub fn clear(&mut self, keep: usize) {
        let slots = self.slots.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        if slots.slots.len() * SLOT_BYTES > keep {
            let mut homes = self.most_homes;
            while homes >= FIRST_SLOTS * 2 {
                homes /= 2;
            }
            *slots = Slots::new(homes);
        } else {
            for slot in &slots.slots {
                write(slot, [0; 4]);
            }
            slots.used.store(0, Ordering::Relaxed);
        }
    }

    fn make_room(&self) {
        let mut slots = self.slots.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if slots.crowded() {
            if slots.homes * 2 <= self.most_homes {
                *slots = slots.grown(slots.homes * 2);
            } else {
                slots.collect();
                self.collections.fetch_add(1, Ordering::Relaxed);
            }
        }
        self.upkeep.store(false, Ordering::Relaxed);
    }
}

fn read_lock(slots: &RwLock<Slots>) -> RwLockReadGuard<'_, Slots> {
    slots.read().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// One thread's access to the table. It has to call [`Handle::upkeep`] often, since others wait for it then.
#[derive(Debug)]
pub struct Handle<'t> {
    table: &'t Table,
    slots: Option<RwLockReadGuard<'t, Slots>>,
}

impl Handle<'_> {
    #[inline]
    fn slots(&self) -> &Slots {
        self.slots.as_ref().expect("held except inside upkeep")
    }

    /// Whether nothing is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots().used.load(Ordering::Relaxed) == 0
    }

    /// Lets the table grow or collect if it has to. Nothing read before stays valid after it but by value.
    #[inline]
    pub fn upkeep(&mut self) {
        if self.slots().crowded() {
            self.table.upkeep.store(true, Ordering::Relaxed);
            self.slots = None;
            self.table.make_room();
            self.slots = Some(read_lock(&self.table.slots));
        } else if self.table.upkeep.load(Ordering::Relaxed) {
            self.slots = None;
            self.slots = Some(read_lock(&self.table.slots));
        }
    }

    /// Starts to bring the entries of a board into the cache: a visit asks for all children of a node at once, and each
    /// would wait for memory by itself.
    #[inline]
    pub fn prefetch(&self, board: u64) {
        let slots = self.slots();
        crate::prefetch::read(&slots.slots[slots.home(board)]);
    }

    /// Everything the table knows about `node` within `length` plies. `initial` are its numbers if nothing is known.
    pub fn look_up<S: Stock>(&self, node: Identity<S>, length: u16, initial: Number) -> Found<S> {
        let own = node.stock.to_bits();
        let mut found = Found {
            number: initial,
            stock: node.stock,
            length: 0,
            known: false,
            depth: u16::MAX,
            amount: 0,
            leaned: false,
        };
        let (mut least_pn, mut least_dn) = (0, 0);
        for slot in self.slots().run(node.board) {
            let words = read(slot);
            if words[3] == 0 {
                break;
            }
            let (key, entry) = Entry::from_words(words);
            if key != node.board {
                continue;
            }
            let stock = S::from_bits(entry.stock);
            if entry.stock == own || node.stock.covers(stock) {
                if entry.proven <= length && entry.proven != UNBOUNDED {
                    return Found {
                        number: Number::PROVEN,
                        stock,
                        length: entry.proven,
                        known: true,
                        ..found
                    };
                }
                least_dn = least_dn.max(entry.number.dn);
            }
            if entry.stock == own || stock.covers(node.stock) {
                if entry.disproven == UNBOUNDED || entry.disproven > length {
                    let length =
                        if entry.disproven == UNBOUNDED { UNBOUNDED } else { entry.disproven - 1 };
                    return Found {
                        number: Number::DISPROVEN,
                        stock,
                        length,
                        known: true,
                        ..found
                    };
                }
                least_pn = least_pn.max(entry.number.pn);
            }
            if entry.stock == own {
                found.number = entry.number;
                found.known = true;
                found.depth = entry.depth;
                found.amount = entry.amount;
                found.leaned = entry.leaned;
            }
        }
        found.number = Number::open(found.number.pn.max(least_pn), found.number.dn.max(least_dn));
        found
    }

    /// Notes that `node` was answered by a repetition: worth asking the path about. `number` are its numbers if it was
    /// not known before.
    pub fn note_leaning<S: Stock>(
        &self,
        node: Identity<S>,
        number: Number,
        depth: u16,
        amount: u32,
    ) {
        let own = node.stock.to_bits();
        let slots = self.slots();
        for slot in slots.run(node.board) {
            let words = read(slot);
            if words[3] == 0 {
                break;
            }
            let (key, entry) = Entry::from_words(words);
            if key == node.board && entry.stock == own {
                let amount = entry.amount.saturating_add(amount);
                let entry = Entry { leaned: true, amount, depth: entry.depth.min(depth), ..entry };
                write(slot, entry.to_words(key));
                return;
            }
        }
        let entry = Entry {
            stock: own,
            number,
            proven: UNBOUNDED,
            disproven: 0,
            amount,
            depth,
            leaned: true,
        };
        slots.insert(node.board, entry.to_words(node.board));
    }

    /// Stores what a visit at `depth` that took `amount` nodes found out about `node`. Facts only.
    pub fn store<S: Stock>(&self, node: Identity<S>, answer: Answer<S>, depth: u16, amount: u32) {
        let slots = self.slots();
        let target = answer.stock.to_bits();
        let own = node.stock.to_bits();
        let mut reusable = None;
        for slot in slots.run(node.board) {
            let words = read(slot);
            if words[3] == 0 {
                break;
            }
            let (key, entry) = Entry::from_words(words);
            if key != node.board {
                continue;
            }
            if entry.stock == target {
                write(
                    slot,
                    merged(entry, answer.number, answer.length, depth, amount).to_words(key),
                );
                return;
            }
            // The node's own unsolved entry is of no use once a neighbour answers for it.
            if entry.stock == own && entry.proven == UNBOUNDED && entry.disproven == 0 {
                reusable = Some((slot, entry));
            }
        }
        let blank = Entry {
            stock: target,
            number: Number::UNIT,
            proven: UNBOUNDED,
            disproven: 0,
            amount: 0,
            depth,
            leaned: false,
        };
        if let Some((slot, old)) = reusable {
            let entry = Entry { amount: old.amount, depth: old.depth, ..blank };
            write(
                slot,
                merged(entry, answer.number, answer.length, depth, amount).to_words(node.board),
            );
        } else {
            let entry = merged(blank, answer.number, answer.length, depth, amount);
            slots.insert(node.board, entry.to_words(node.board));
        }
    }
}

fn merged(mut entry: Entry, number: Number, length: u16, depth: u16, amount: u32) -> Entry {
    if number.is_proven() {
        entry.proven = entry.proven.min(length);
    } else if number.is_disproven() {
        let bound = if length == UNBOUNDED { UNBOUNDED } else { length + 1 };
        entry.disproven = entry.disproven.max(bound);
    } else {
        entry.number = number;
    }
    entry.depth = entry.depth.min(depth);
    entry.amount = entry.amount.saturating_add(amount);
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stock of up to 15 things of two kinds.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Pair(u32, u32);

    impl Stock for Pair {
        fn to_bits(self) -> u32 {
            self.0 << 4 | self.1
        }
        fn from_bits(bits: u32) -> Self {
            Self(bits >> 4, bits & 15)
        }
        fn covers(self, other: Self) -> bool {
            self.0 >= other.0 && self.1 >= other.1
        }
        fn join(self, other: Self) -> Self {
            Self(self.0.max(other.0), self.1.max(other.1))
        }
        fn meet(self, other: Self) -> Self {
            Self(self.0.min(other.0), self.1.min(other.1))
        }
    }

    fn node(board: u64, stock: Pair) -> Identity<Pair> {
        Identity { board, stock }
    }

    fn spread(i: u64) -> u64 {
        i.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[test]
    fn entries_survive_their_coding() {
        let entry = Entry {
            stock: 0xdead_beef,
            number: Number { pn: 17, dn: 1 << 29 },
            proven: 1525,
            disproven: 7,
            amount: 123_456,
            depth: 300,
            leaned: true,
        };
        let key = 0x0123_4567_89ab_cdef;
        assert_eq!(Entry::from_words(entry.to_words(key)), (key, entry));
    }

    #[test]
    fn dominance_answers_for_neighbours() {
        let table = Table::new(1 << 20);
        let handle = table.handle();
        let key = spread(1);
        let answer = Answer { number: Number::PROVEN, stock: Pair(1, 0), length: 5 };
        handle.store(node(key, Pair(2, 1)), answer, 3, 10);
        let more = handle.look_up(node(key, Pair(1, 4)), UNBOUNDED, Number::UNIT);
        assert!(more.number.is_proven());
        assert_eq!((more.stock, more.length), (Pair(1, 0), 5));
        assert!(!handle.look_up(node(key, Pair(0, 9)), UNBOUNDED, Number::UNIT).number.is_solved());
        assert!(!handle.look_up(node(key, Pair(1, 4)), 3, Number::UNIT).number.is_solved());

        let answer = Answer { number: Number::DISPROVEN, stock: Pair(0, 3), length: UNBOUNDED };
        handle.store(node(key, Pair(0, 1)), answer, 3, 10);
        assert!(handle.look_up(node(key, Pair(0, 2)), 9, Number::UNIT).number.is_disproven());
        assert!(!handle.look_up(node(key, Pair(0, 4)), 9, Number::UNIT).number.is_solved());
    }

    #[test]
    fn lengths_answer_from_both_sides() {
        let table = Table::new(1 << 20);
        let handle = table.handle();
        let at = node(spread(2), Pair(1, 1));
        handle.store(at, Answer { number: Number::DISPROVEN, stock: Pair(1, 1), length: 4 }, 0, 1);
        handle.store(at, Answer { number: Number::PROVEN, stock: Pair(1, 1), length: 9 }, 0, 1);
        assert!(handle.look_up(at, 4, Number::UNIT).number.is_disproven());
        assert!(!handle.look_up(at, 7, Number::UNIT).number.is_solved());
        assert!(handle.look_up(at, 9, Number::UNIT).number.is_proven());
    }

    #[test]
    fn growth_loses_nothing_and_collection_keeps_the_heavy() {
        let table = Table::new(SLOT_BYTES * FIRST_SLOTS * 6);
        let mut handle = table.handle();
        let total = 100_000_u64;
        for i in 0..total {
            let answer =
                Answer { number: Number { pn: i as u32 + 1, dn: 1 }, stock: Pair(0, 0), length: 0 };
            handle.store(node(spread(i + 1), Pair(0, 0)), answer, 0, i as u32 + 1);
            handle.upkeep();
            if i == 20_000 {
                assert_eq!(table.collections(), 0);
                for j in 0..=i {
                    assert!(
                        handle
                            .look_up(node(spread(j + 1), Pair(0, 0)), UNBOUNDED, Number::UNIT)
                            .known
                    );
                }
            }
        }
        assert!(table.collections() > 0);
        assert!(table.bytes() <= SLOT_BYTES * (FIRST_SLOTS * 6 + TAIL));
        let heavy = (total - 1000..total)
            .filter(|&i| {
                handle.look_up(node(spread(i + 1), Pair(0, 0)), UNBOUNDED, Number::UNIT).known
            })
            .count();
        assert_eq!(heavy, 1000);
        let light = (0..1000)
            .filter(|&i| {
                handle.look_up(node(spread(i + 1), Pair(0, 0)), UNBOUNDED, Number::UNIT).known
            })
            .count();
        assert_eq!(light, 0);
    }
}
