//! The transposition table, shared by all threads without locks.
//!
//! An entry is two words: the data, and the position's key combined with the data, so that an
//! entry torn by two threads does not match its key (Hyatt and Mann 2002). Four entries share a
//! cache line. Values that hold only on the path that led to them are not stored as facts: see
//! `negamax`.

use crate::memory;
use crate::search::PLY;
use crate::value::Value;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};
use yomikiri_base::large_pages::reserve;
use yomikiri_base::prefetch::prefetch;
use yomikiri_shogi::Move;

/// What is known about a stored value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Nothing: the entry has only a move or a static value.
    None = 0,
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The value itself.
    Exact = 3,
}

impl Bound {
    /// Whether the bound lets the value stand in for a search with this outcome.
    #[inline]
    pub const fn cuts(self, value: Value, beta: Value) -> bool {
        let needed = if value >= beta { Bound::Lower } else { Bound::Upper };
        self as u8 & needed as u8 != 0
    }
}

/// What the table keeps about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// The best move, unverified.
    pub mv: Option<Move>,
    /// The value, with mates counted from the position itself.
    pub value: Value,
    /// The static value, if it was computed.
    pub eval: Option<Value>,
    /// The depth searched, in the units of [`stored_depth`].
    pub depth: i32,
    /// What the value means.
    pub bound: Bound,
    /// Whether the position was part of a principal variation.
    pub pv: bool,
}

/// Quarter plies below this are plies left of quiescence.
const QUIESCENCE_DEPTHS: i32 = 32;
const MAX_STORED: i32 = 511;
/// No static value.
const NO_EVAL: i16 = i16::MIN;

/// Search depth, in parts of a ply, as the table keeps it: in quarter plies. Reductions may leave
/// less than nothing, which counts as the shallowest quiescence: an entry has no room for a sign.
#[inline]
pub const fn stored_depth(depth: i32) -> i32 {
    let quarter_plies = depth * 4 / PLY;
    let least = if quarter_plies < -QUIESCENCE_DEPTHS { -QUIESCENCE_DEPTHS } else { quarter_plies };
    let depth = QUIESCENCE_DEPTHS + least;
    if depth > MAX_STORED { MAX_STORED } else { depth }
}

/// Plies left of quiescence as the table keeps them: below every search depth.
#[inline]
pub const fn stored_quiescence(plies_left: i32) -> i32 {
    if plies_left < QUIESCENCE_DEPTHS { plies_left } else { QUIESCENCE_DEPTHS - 1 }
}

impl TableEntry {
    /// Whether a mate in one move may not have been looked for: the position stood above beta as it
    /// was.
    #[inline]
    pub fn may_hide_mate(&self) -> bool {
        self.bound == Bound::Lower && self.mv.is_none()
    }

    fn pack(&self, generation: u8) -> u64 {
        let mv = self.mv.map_or(0, Move::bits) as u64;
        let value = self.value as i16 as u16 as u64;
        let eval = self.eval.map_or(NO_EVAL, |eval| eval as i16) as u16 as u64;
        let rest = self.depth as u64
            | (self.bound as u64) << 9
            | (self.pv as u64) << 11
            | (generation as u64 & 15) << 12;
        mv | value << 16 | eval << 32 | rest << 48
    }

    fn unpack(data: u64) -> TableEntry {
        let eval = (data >> 32) as u16 as i16;
        let rest = data >> 48;
        TableEntry {
            mv: Move::from_bits(data as u16),
            value: Value::from((data >> 16) as u16 as i16),
            eval: (eval != NO_EVAL).then_some(Value::from(eval)),
            depth: (rest & 511) as i32,
            bound: match rest >> 9 & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            pv: rest >> 11 & 1 != 0,
        }
    }
}

const fn generation_of(data: u64) -> u8 {
    (data >> 60) as u8
}

const fn depth_of(data: u64) -> i32 {
    (data >> 48 & 511) as i32
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; 4]);

const MEGABYTE: usize = 1 << 20;
/// Address space that must be left beside a table: stacks, histories, the solver's table.
const HEADROOM: usize = 256 * MEGABYTE;

/// This many clusters if memory has room for them.
fn empty_clusters(count: usize) -> Option<Vec<Cluster>> {
    let mut list = reserve(count)?;
    // Reserved and given back unused: what comes after the table needs memory as well.
    drop(reserve::<u8>((count * size_of::<Cluster>()).min(HEADROOM))?);
    list.resize_with(count, Cluster::default);
    Some(list)
}

/// The table.
pub struct TranspositionTable {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

impl TranspositionTable {
    /// A table of about this many megabytes, or as large as memory has room for: see [`memory`].
    /// [`megabytes`](Self::megabytes) says what was taken.
    pub fn new(megabytes: usize) -> TranspositionTable {
        TranspositionTable::within(memory::room(), megabytes)
    }

    fn within(room: Option<usize>, megabytes: usize) -> TranspositionTable {
        let wanted = megabytes.max(1).saturating_mul(MEGABYTE);
        let bytes = room.map_or(wanted, |room| wanted.min(room)).max(MEGABYTE);
        let count = bytes / size_of::<Cluster>();
        let list = memory::halve_until_some(count, empty_clusters);
        // Where not one cluster can be had, nothing else can.
        let clusters = list.unwrap_or_else(|| vec![Cluster::default()]);
        TranspositionTable { clusters, generation: AtomicU8::new(0) }
    }

    /// The size of the table, which may be less than the size requested.
    pub fn megabytes(&self) -> usize {
        size_of_val(self.clusters.as_slice()) / MEGABYTE
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.clusters.iter().flat_map(|cluster| &cluster.0) {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// Marks what is in the table as older than what comes.
    pub fn new_search(&self) {
        self.generation.fetch_add(1, Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Announces to the memory that the position will be looked up soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.cluster(key));
    }

    /// What is known about the position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<TableEntry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key && data != 0).then(|| TableEntry::unpack(data))
        })
    }

    /// Keeps what was found out about the position. An entry of the same position gives way
    /// unless it is much deeper; otherwise the shallowest, oldest entry of the cluster does.
    #[inline]
    pub fn store(&self, key: u64, mut entry: TableEntry) {
        let generation = self.generation.load(Relaxed) & 15;
        let age = |data: u64| i32::from(generation.wrapping_sub(generation_of(data)) & 15);
        let (mut victim, mut worth) = (&self.cluster(key).0[0], i32::MAX);
        for slot in &self.cluster(key).0 {
            let data = slot.data.load(Relaxed);
            if slot.check.load(Relaxed) ^ data == key && data != 0 {
                let old = TableEntry::unpack(data);
                entry.mv = entry.mv.or(old.mv);
                let keep =
                    entry.bound != Bound::Exact && entry.depth + 16 <= old.depth && age(data) == 0;
                if keep {
                    return;
                }
                victim = slot;
                break;
            }
            let value = if data == 0 { i32::MIN } else { depth_of(data) - 32 * age(data) };
            if value < worth {
                (victim, worth) = (slot, value);
            }
        }
        let data = entry.pack(generation);
        victim.data.store(data, Relaxed);
        victim.check.store(key ^ data, Relaxed);
    }

    /// How full the table is of entries of this search, in per mille.
    pub fn fullness(&self) -> u32 {
        let generation = self.generation.load(Relaxed) & 15;
        let sample = self.clusters.len().min(250);
        let used = self.clusters[..sample]
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && generation_of(data) == generation)
            .count();
        (used * 1000 / (4 * sample)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_shogi::Square;

    fn entry(depth: i32) -> TableEntry {
        TableEntry {
            mv: Some(Move::board(Square::new(6, 6), Square::new(6, 5), false)),
            value: -31_950,
            eval: Some(-77),
            depth,
            bound: Bound::Lower,
            pv: true,
        }
    }

    #[test]
    fn entries_come_back_as_they_went_in() {
        let table = TranspositionTable::new(1);
        for depth in [0, 31, stored_depth(0), stored_depth(20 * PLY), 511] {
            let key = 0x1234_5678_9abc_def0 + depth as u64;
            table.store(key, entry(depth));
            assert_eq!(table.probe(key), Some(entry(depth)));
        }
        assert_eq!(table.probe(99), None);
        let bare = TableEntry { mv: None, eval: None, bound: Bound::None, pv: false, ..entry(3) };
        table.store(5, bare);
        assert_eq!(table.probe(5), Some(bare));
        table.clear();
        assert_eq!(table.probe(5), None);
    }

    #[test]
    fn a_table_beyond_memory_takes_what_there_is() {
        let small = |megabytes| TranspositionTable::within(Some(3 * MEGABYTE + 1000), megabytes);
        for (asked, taken) in [(0, 1), (2, 2), (3, 3), (4, 3), (65_536, 3), (usize::MAX, 3)] {
            let table = small(asked);
            assert_eq!(table.megabytes(), taken, "{asked}");
            table.store(7, entry(40));
            assert_eq!(table.probe(7), Some(entry(40)));
        }
        assert_eq!(TranspositionTable::within(Some(0), 16).megabytes(), 1);
        assert_eq!(TranspositionTable::within(None, 2).megabytes(), 2);
        assert!(empty_clusters(usize::MAX / size_of::<Cluster>()).is_none());
    }

    #[test]
    fn every_depth_fits_into_an_entry() {
        let table = TranspositionTable::new(1);
        for parts in -4000..=4000 {
            let depth = stored_depth(parts);
            let key = 0x1234_5678_9abc_def0 + (parts + 4000) as u64;
            table.store(key, entry(depth));
            assert_eq!(table.probe(key), Some(entry(depth)), "{parts}");
            assert!(depth <= stored_depth(parts + 1));
        }
    }

    #[test]
    fn a_move_survives_an_update_without_one() {
        let table = TranspositionTable::new(1);
        table.store(7, entry(40));
        table.store(7, TableEntry { mv: None, ..entry(60) });
        assert_eq!(table.probe(7), Some(entry(60)));
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let table = TranspositionTable::new(1);
        for low in 0..4 {
            table.store(low, entry(40 + low as i32));
        }
        table.new_search();
        table.store(9, entry(1));
        assert_eq!(table.probe(0), None);
        assert!(table.probe(9).is_some() && table.probe(3).is_some());
    }
}
