//! The way from the root to the present node: repetitions, and results that hold on this way only.
//!
//! **Graph-history interaction.** A disproof by repetition says "this returns to where we were",
//! which is no fact about the position: on another path it may not return. Every such result
//! carries the depth of the shallowest node on the path it depends on. At that node the dependence
//! ends, and the result becomes a fact there; below it is remembered only under the key of the
//! whole path ([`Remembered`]), never in the shared table. (After Kishimoto and Müller 2004; the
//! separate store is as KomoringHeights does it.)

use crate::game::Stock;

/// A depth that stands for "depends on no node of the path".
pub const INDEPENDENT: u16 = u16::MAX;

#[inline]
pub(crate) fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A visited node.
#[derive(Clone, Copy, Debug)]
struct PathStep<S> {
    key: u64,
    stock: S,
    path_key: u64,
    slot: usize,
}

/// The nodes from the root to the present one, with a hash index by key.
///
/// Nodes leave in the reverse order of their coming, so removing from the open-addressed index
/// restores it exactly.
#[derive(Clone, Debug)]
pub struct Path<S> {
    steps: Vec<PathStep<S>>,
    index: Vec<u32>,
}

const EMPTY: u32 = u32::MAX;

impl<S: Stock> Default for Path<S> {
    fn default() -> Self {
        Self { steps: Vec::new(), index: vec![EMPTY; 1 << 10] }
    }
}

impl<S: Stock> Path<S> {
    /// Number of nodes on the path.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether the path is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The keys of the nodes.
    pub fn keys(&self) -> impl Iterator<Item = u64> {
        self.steps.iter().map(|step| step.key)
    }

    /// Key of the path up to the present node.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.steps.last().map_or(0, |step| step.path_key)
    }

    /// Key of the path prolonged by a node.
    #[must_use]
    #[inline]
    pub fn key_with(&self, key: u64, stock: S) -> u64 {
        mix(self.key().rotate_left(17)
            ^ mix(key)
            ^ u64::from(stock.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Steps on to a node.
    pub fn push(&mut self, key: u64, stock: S) {
        if (self.steps.len() + 1) * 2 > self.index.len() {
            self.reindex();
        }
        let path_key = self.key_with(key, stock);
        let slot = self.free_slot(key);
        self.index[slot] = self.steps.len() as u32;
        self.steps.push(PathStep { key, stock, path_key, slot });
    }

    /// Steps back.
    pub fn pop(&mut self) {
        if let Some(step) = self.steps.pop() {
            self.index[step.slot] = EMPTY;
        }
    }

    /// Depth of the deepest node on the path with this key whose stock covers `stock`: returning to
    /// it with no more than one had is no progress.
    #[inline]
    #[must_use]
    pub fn earlier(&self, key: u64, stock: S) -> Option<u16> {
        let mask = self.index.len() - 1;
        let mut slot = mix(key) as usize & mask;
        let mut deepest = None;
        while self.index[slot] != EMPTY {
            let at = self.index[slot];
            let step = &self.steps[at as usize];
            if step.key == key && step.stock.covers(stock) {
                deepest = deepest.max(Some(at as u16));
            }
            slot = (slot + 1) & mask;
        }
        deepest
    }

    fn free_slot(&self, key: u64) -> usize {
        let mask = self.index.len() - 1;
        let mut slot = mix(key) as usize & mask;
        while self.index[slot] != EMPTY {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn reindex(&mut self) {
        let size = self.index.len() * 2;
        self.index = vec![EMPTY; size];
        for at in 0..self.steps.len() {
            let slot = self.free_slot(self.steps[at].key);
            self.index[slot] = at as u32;
            self.steps[at].slot = slot;
        }
    }
}

/// A result that holds on one path only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathResult {
    /// Whether the attacker wins there.
    pub proven: bool,
    /// The greatest length disproven, or the length of the proof.
    pub length: u16,
    /// Depth of the shallowest node on the path that the result depends on.
    pub path_dependency: u16,
}

/// Slots of a new store, and of the largest.
const FIRST_SLOTS: usize = 1 << 12;
const MOST_SLOTS: usize = 1 << 20;

/// Store of path-dependent results: grows with its use, then the newest wins.
#[derive(Clone, Debug)]
pub struct Remembered {
    slots: Vec<(u64, PathResult)>,
    used: usize,
}

const BLANK: (u64, PathResult) = (0, PathResult { proven: false, length: 0, path_dependency: 0 });

impl Default for Remembered {
    fn default() -> Self {
        Self { slots: vec![BLANK; FIRST_SLOTS], used: 0 }
    }
}

impl Remembered {
    /// The result stored under a path key.
    #[inline]
    #[must_use]
    pub fn get(&self, path_key: u64) -> Option<PathResult> {
        let (key, result) = self.slots[path_key as usize & (self.slots.len() - 1)];
        (key == path_key).then_some(result)
    }

    /// Stores a result under a path key.
    #[inline]
    pub fn put(&mut self, path_key: u64, result: PathResult) {
        if self.used * 2 > self.slots.len() && self.slots.len() < MOST_SLOTS {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let slot = &mut self.slots[path_key as usize & mask];
        self.used += usize::from(slot.0 == 0);
        *slot = (path_key, result);
    }

    #[cold]
    fn grow(&mut self) {
        let larger = vec![BLANK; self.slots.len() * 4];
        let old = std::mem::replace(&mut self.slots, larger);
        self.used = 0;
        for (key, result) in old.into_iter().filter(|(key, _)| *key != 0) {
            self.put(key, result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_on_the_path_and_nothing_else() {
        let mut path = Path::<()>::default();
        let keys: Vec<u64> = (0..5000).map(mix).collect();
        for (depth, &key) in keys.iter().enumerate() {
            assert_eq!(path.earlier(key, ()), None);
            path.push(key, ());
            assert_eq!(path.earlier(key, ()), Some(depth as u16));
        }
        for (depth, &key) in keys.iter().enumerate().rev() {
            assert_eq!(path.earlier(key, ()), Some(depth as u16));
            path.pop();
            assert_eq!(path.earlier(key, ()), None);
        }
        assert!(path.is_empty());
    }

    #[test]
    fn the_store_keeps_results_while_it_grows() {
        let mut store = Remembered::default();
        let result = |i: u64| PathResult { proven: false, length: i as u16, path_dependency: 3 };
        for i in 1..200_000 {
            store.put(mix(i), result(i));
            assert_eq!(store.get(mix(i)), Some(result(i)));
        }
        let kept = (1..200_000).filter(|&i| store.get(mix(i)) == Some(result(i))).count();
        assert!(kept > 120_000, "{kept} kept");
        assert!(store.slots.len() <= MOST_SLOTS && store.slots.len() > FIRST_SLOTS);
    }

    #[test]
    fn path_keys_depend_on_the_order() {
        let (mut a, mut b) = (Path::<()>::default(), Path::<()>::default());
        a.push(1, ());
        a.push(2, ());
        b.push(2, ());
        b.push(1, ());
        assert_ne!(a.key(), b.key());
        assert_eq!(a.key_with(3, ()), {
            a.push(3, ());
            a.key()
        });
    }
}
