//! The transposition table: one entry of 32 bytes per board and stock, shared by all threads.
//!
//! * **Dominance.** The key leaves the stock out. A look-up meets every entry of the same board in
//!   one run of slots and compares stocks: what is proven with less is proven with more, what is
//!   disproven with more is disproven with less, and the numbers of such neighbours are bounds.
//! * **Lengths.** An entry keeps the shortest length for which it is proven and the greatest length
//!   within which it is disproven, so one table serves the search for any solution and the searches
//!   for a shorter one.
//! * **Facts only.** Results that depend on the path never come here (see [`crate::path`]).
//! * **Threads.** Four atomic words an entry, the key folded with the other three, so that a torn
//!   read looks like another position. No locks while searching; growth and collection stop the
//!   threads through a read-write lock.
//! * **Memory.** The table starts small and doubles in place up to its limit; then entries on which
//!   little work was spent are dropped (half of them) and the rest moves together.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

use crate::game::{NodeIdentity, Stock};
use crate::number::Number;

mod entry;
mod slots;

use entry::{EPOCHS, Entry, key_of};
use slots::{Slots, is_empty};

/// A length that no solution reaches: the search without a limit on length.
pub const UNBOUNDED: u16 = u16::MAX;

/// Homes of the smallest table.
const FIRST_HOMES: usize = 1 << 14;

/// A look-up's result.
#[derive(Clone, Copy, Debug)]
pub struct TableHit<S> {
    /// Numbers; solved if the question is answered.
    pub number: Number,
    /// Proven: a stock that suffices. Disproven: one that does not.
    pub stock: S,
    /// Proven: the length. Disproven: the greatest length disproven.
    pub length: u16,
    /// Whether the table held an entry for exactly this stock.
    pub known: bool,
    /// Whether that entry had numbers of this epoch.
    pub numbered: bool,
    /// Smallest depth at which the entry was met this epoch, or the greatest depth if unknown.
    pub depth: u16,
    /// Nodes spent on the entry.
    pub amount: u32,
    /// Whether it was once answered by a repetition, on some path.
    pub path_dependent: bool,
}

/// A result to be stored.
#[derive(Clone, Copy, Debug)]
pub struct TableAnswer<S> {
    /// Solved or open numbers.
    pub number: Number,
    /// Proven: the stock that suffices. Disproven: the one that does not. Open: the node's own.
    pub stock: S,
    /// Proven: its length. Disproven: the greatest length disproven.
    pub length: u16,
}

/// The table.
#[derive(Debug)]
pub struct ProofTable {
    slots: RwLock<Slots>,
    upkeep: AtomicBool,
    most_homes: usize,
    collections: AtomicUsize,
}

impl ProofTable {
    /// A table that never takes more than `bytes` (but at least a small one).
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        let most_homes = slots::homes_within(bytes).max(FIRST_HOMES);
        Self {
            slots: RwLock::new(Slots::new(FIRST_HOMES, most_homes)),
            upkeep: AtomicBool::new(false),
            most_homes,
            collections: AtomicUsize::new(0),
        }
    }

    /// A thread's access in the first epoch.
    pub fn handle(&self) -> Handle<'_> {
        self.handle_in(0)
    }

    /// A thread's access. Only numbers count that were found in the same epoch, while what is
    /// solved always counts: numbers that belong to one budget of plies mislead a search with
    /// another.
    pub fn handle_in(&self, epoch: u16) -> Handle<'_> {
        let epoch = epoch % EPOCHS;
        Handle { table: self, slots: Some(read_lock(&self.slots)), epoch }
    }

    /// Bytes in use now.
    #[must_use]
    pub fn bytes(&self) -> usize {
        read_lock(&self.slots).bytes()
    }

    /// Entries stored now.
    #[must_use]
    pub fn entries(&self) -> usize {
        read_lock(&self.slots).used()
    }

    /// How often entries had to be dropped.
    #[must_use]
    pub fn collections(&self) -> usize {
        self.collections.load(Ordering::Relaxed)
    }

    /// Forgets everything; keeps the memory if it is no more than `keep` bytes.
    pub fn clear(&mut self, keep: usize) {
        let slots = self.slots.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        if slots.bytes() > keep {
            *slots = Slots::new(FIRST_HOMES, self.most_homes);
        } else {
            slots.clear();
        }
    }

    fn make_room(&self) {
        let mut slots = self.slots.write().unwrap_or_else(std::sync::PoisonError::into_inner);
        if slots.crowded() {
            if slots.can_grow() {
                slots.grow();
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

/// One thread's access to the table. It has to call [`Handle::upkeep`] often, since others wait for
/// it then.
#[derive(Debug)]
pub struct Handle<'t> {
    table: &'t ProofTable,
    slots: Option<RwLockReadGuard<'t, Slots>>,
    epoch: u16,
}

impl Handle<'_> {
    #[inline]
    fn slots(&self) -> &Slots {
        self.slots.as_ref().expect("held except inside upkeep")
    }

    /// Lets the table grow or collect if it has to, and returns whether that happened or may have:
    /// nothing read before stays valid then but by value, and marks are those of stored boards.
    #[inline]
    pub fn upkeep(&mut self) -> bool {
        if self.slots().crowded() {
            self.table.upkeep.store(true, Ordering::Relaxed);
            self.slots = None;
            self.table.make_room();
            self.slots = Some(read_lock(&self.table.slots));
            true
        } else if self.table.upkeep.load(Ordering::Relaxed) {
            self.slots = None;
            self.slots = Some(read_lock(&self.table.slots));
            true
        } else {
            false
        }
    }

    /// Notes that a board is being visited.
    #[inline]
    pub fn mark(&self, board: u64) {
        self.slots().mark(board);
    }

    /// Whether a board may have been stored or marked; if not, it surely was not.
    #[inline]
    #[must_use]
    pub fn is_marked(&self, board: u64) -> bool {
        self.slots().is_marked(board)
    }

    /// Asks for the mark of a board ahead of [`Self::is_marked`]: of hundreds of children all are
    /// asked for first.
    #[inline]
    pub fn prefetch_mark(&self, board: u64) {
        yomikiri_base::prefetch::prefetch(self.slots().mark_word(board));
    }

    /// Starts to bring the entries of a board into the cache: a visit asks for all children of a
    /// node at once, and each would wait for memory by itself.
    #[inline]
    pub fn prefetch(&self, board: u64) {
        yomikiri_base::prefetch::prefetch(self.slots().first(board));
    }

    /// Everything the table knows about `node` within `length` plies. `initial` are its numbers if
    /// nothing is known.
    // Long: the hot path of every solver: what a slot can hold, case by case.
    pub fn look_up<S: Stock>(
        &self,
        node: NodeIdentity<S>,
        length: u16,
        initial: Number,
    ) -> TableHit<S> {
        let own = node.stock.to_bits();
        let mut found = TableHit {
            number: initial,
            stock: node.stock,
            length: 0,
            known: false,
            numbered: false,
            depth: u16::MAX,
            amount: 0,
            path_dependent: false,
        };
        let (mut least_pn, mut least_dn) = (0, 0);
        for slot in self.slots().run(node.board) {
            let words = slot.read();
            if is_empty(words) {
                break;
            }
            if key_of(words) != node.board {
                continue;
            }
            let entry = Entry::from_words(words).1;
            let stock = S::from_bits(entry.stock);
            if entry.stock == own || node.stock.covers(stock) {
                if entry.proven <= length && entry.proven != UNBOUNDED {
                    return TableHit {
                        number: Number::PROVEN,
                        stock,
                        length: entry.proven,
                        known: true,
                        ..found
                    };
                }
                if entry.epoch == self.epoch {
                    least_dn = least_dn.max(entry.number.dn);
                }
            }
            if entry.stock == own || stock.covers(node.stock) {
                if entry.disproven == UNBOUNDED || entry.disproven > length {
                    let length =
                        if entry.disproven == UNBOUNDED { UNBOUNDED } else { entry.disproven - 1 };
                    return TableHit {
                        number: Number::DISPROVEN,
                        stock,
                        length,
                        known: true,
                        ..found
                    };
                }
                if entry.epoch == self.epoch {
                    least_pn = least_pn.max(entry.number.pn);
                }
            }
            if entry.stock == own {
                if entry.epoch == self.epoch {
                    found.number = entry.number;
                    found.numbered = true;
                    found.depth = entry.depth;
                }
                found.known = true;
                found.amount = entry.amount;
                found.path_dependent = entry.path_dependent;
            }
        }
        found.number = Number::open(found.number.pn.max(least_pn), found.number.dn.max(least_dn));
        found
    }

    /// Notes that `node` was answered by a repetition: worth asking the path about. `number` are
    /// its numbers if it was not known before.
    pub fn note_path_dependent<S: Stock>(
        &self,
        node: NodeIdentity<S>,
        number: Number,
        depth: u16,
        amount: u32,
    ) {
        let own = node.stock.to_bits();
        let slots = self.slots();
        for slot in slots.run(node.board) {
            let words = slot.read();
            if is_empty(words) {
                break;
            }
            let (key, entry) = Entry::from_words(words);
            if key == node.board && entry.stock == own {
                let amount = entry.amount.saturating_add(amount);
                let entry =
                    Entry { path_dependent: true, amount, depth: entry.depth.min(depth), ..entry };
                slot.write(entry.to_words(key));
                return;
            }
        }
        let entry =
            Entry { number, amount, path_dependent: true, ..Entry::blank(own, depth, self.epoch) };
        slots.insert(node.board, entry.to_words(node.board));
    }

    /// Stores what a visit at `depth` that took `amount` nodes found out about `node`. Facts only.
    pub fn store<S: Stock>(
        &self,
        node: NodeIdentity<S>,
        answer: TableAnswer<S>,
        depth: u16,
        amount: u32,
    ) {
        let slots = self.slots();
        let target = answer.stock.to_bits();
        let own = node.stock.to_bits();
        let merged =
            |entry: Entry| entry.merged(answer.number, answer.length, depth, amount, self.epoch);
        let mut reusable = None;
        for slot in slots.run(node.board) {
            let words = slot.read();
            if is_empty(words) {
                break;
            }
            if key_of(words) != node.board {
                continue;
            }
            let (key, entry) = Entry::from_words(words);
            if entry.stock == target {
                slot.write(merged(entry).to_words(key));
                return;
            }
            // The node's own unsolved entry is of no use once a neighbour answers for it.
            if entry.stock == own && entry.says_nothing_solved() {
                reusable = Some((slot, entry));
            }
        }
        let blank = Entry::blank(target, depth, self.epoch);
        if let Some((slot, old)) = reusable {
            let entry = Entry { amount: old.amount, depth: old.depth, ..blank };
            slot.write(merged(entry).to_words(node.board));
        } else {
            slots.insert(node.board, merged(blank).to_words(node.board));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::slots::{SLOT_BYTES, TAIL};
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

    fn node(board: u64, stock: Pair) -> NodeIdentity<Pair> {
        NodeIdentity { board, stock }
    }

    fn spread(i: u64) -> u64 {
        i.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    #[test]
    fn dominance_answers_for_neighbours() {
        let table = ProofTable::new(1 << 20);
        let handle = table.handle();
        let key = spread(1);
        let answer = TableAnswer { number: Number::PROVEN, stock: Pair(1, 0), length: 5 };
        handle.store(node(key, Pair(2, 1)), answer, 3, 10);
        let more = handle.look_up(node(key, Pair(1, 4)), UNBOUNDED, Number::UNIT);
        assert!(more.number.is_proven());
        assert_eq!((more.stock, more.length), (Pair(1, 0), 5));
        assert!(!handle.look_up(node(key, Pair(0, 9)), UNBOUNDED, Number::UNIT).number.is_solved());
        assert!(!handle.look_up(node(key, Pair(1, 4)), 3, Number::UNIT).number.is_solved());

        let answer =
            TableAnswer { number: Number::DISPROVEN, stock: Pair(0, 3), length: UNBOUNDED };
        handle.store(node(key, Pair(0, 1)), answer, 3, 10);
        assert!(handle.look_up(node(key, Pair(0, 2)), 9, Number::UNIT).number.is_disproven());
        assert!(!handle.look_up(node(key, Pair(0, 4)), 9, Number::UNIT).number.is_solved());
    }

    #[test]
    fn lengths_answer_from_both_sides() {
        let table = ProofTable::new(1 << 20);
        let handle = table.handle();
        let at = node(spread(2), Pair(1, 1));
        handle.store(
            at,
            TableAnswer { number: Number::DISPROVEN, stock: Pair(1, 1), length: 4 },
            0,
            1,
        );
        handle.store(
            at,
            TableAnswer { number: Number::PROVEN, stock: Pair(1, 1), length: 9 },
            0,
            1,
        );
        assert!(handle.look_up(at, 4, Number::UNIT).number.is_disproven());
        assert!(!handle.look_up(at, 7, Number::UNIT).number.is_solved());
        assert!(handle.look_up(at, 9, Number::UNIT).number.is_proven());
    }

    #[test]
    fn numbers_belong_to_their_epoch_and_facts_to_all() {
        let table = ProofTable::new(1 << 20);
        let (open, solved) = (node(spread(3), Pair(1, 1)), node(spread(4), Pair(1, 1)));
        let number = Number { pn: 40, dn: 9 };
        let answer = TableAnswer { number, stock: open.stock, length: 0 };
        table.handle().store(open, answer, 0, 1);
        let answer = TableAnswer { number: Number::PROVEN, stock: Pair(1, 0), length: 5 };
        table.handle().store(solved, answer, 0, 1);
        assert_eq!(table.handle().look_up(open, UNBOUNDED, Number::UNIT).number, number);
        for stock in [Pair(0, 1), Pair(1, 1), Pair(2, 2)] {
            let found =
                table.handle_in(7).look_up(node(open.board, stock), UNBOUNDED, Number::UNIT);
            assert_eq!(found.number, Number::UNIT);
        }
        assert!(table.handle_in(7).look_up(solved, 5, Number::UNIT).number.is_proven());
        assert_eq!(table.handle().look_up(open, UNBOUNDED, Number::UNIT).number, number);
    }

    #[test]
    fn growth_loses_nothing_and_collection_keeps_the_heavy() {
        let table = ProofTable::new(SLOT_BYTES * (FIRST_HOMES * 4 + TAIL));
        let mut handle = table.handle();
        let total = 100_000_u64;
        for i in 0..total {
            let answer = TableAnswer {
                number: Number { pn: i as u32 + 1, dn: 1 },
                stock: Pair(0, 0),
                length: 0,
            };
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
        assert!(table.bytes() <= SLOT_BYTES * (FIRST_HOMES * 4 + TAIL));
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
