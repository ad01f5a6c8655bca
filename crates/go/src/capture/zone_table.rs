//! What is known of solved positions: by key, and by the stones in their zones.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use yomikiri_proof::game::Role;

use crate::board::{Move, PointSet};

/// What a result rests on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ground {
    /// On every board with the same stones here the same side wins.
    pub zone: PointSet,
    /// Proven: no more plies than this to the capture. Without meaning otherwise.
    pub length: u16,
    /// The winner's move, if it is to move.
    pub best: Option<Move>,
}

/// A solved position, as far as it matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    pub winner: Role,
    /// The stones of both sides within the zone.
    pub stones: [PointSet; 2],
    pub ground: Ground,
}

/// Part of a pattern that is compared first: the word of the board that holds most of its zone.
/// Nearly all patterns are turned away by it, without a look at the rest.
#[derive(Clone, Copy, Debug)]
struct Probe {
    word: usize,
    zone: u64,
    stones: [u64; 2],
}

impl Probe {
    fn of(pattern: &Pattern) -> Probe {
        let zone = &pattern.ground.zone;
        let fullest = (0..PointSet::WORDS).max_by_key(|&word| zone.word(word).count_ones());
        let word = fullest.unwrap_or(0);
        let stones = [0, 1].map(|colour| pattern.stones[colour].word(word));
        Probe { word, zone: zone.word(word), stones }
    }

    #[inline]
    fn fits(&self, stones: &[PointSet; 2]) -> bool {
        let same =
            |colour: usize| stones[colour].word(self.word) & self.zone == self.stones[colour];
        same(0) & same(1)
    }
}

/// The patterns of a family, in the order of their coming.
#[derive(Debug, Default)]
struct Family {
    probes: Vec<Probe>,
    patterns: Vec<Pattern>,
}

/// Keys are hashes already.
#[derive(Clone, Debug, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type ByKey<V> = HashMap<u64, V, BuildHasherDefault<KeyHasher>>;

/// Most patterns; beyond these the table starts anew.
const MOST_PATTERNS: usize = 400_000;
/// Most positions by key in each of two generations. What is not known rests on the whole board,
/// which is right, and slow: so the elder generation goes only when the younger is full.
const MOST_KEYS: usize = 900_000;

/// The table.
#[derive(Debug, Default)]
pub(super) struct ZoneTable {
    by_key: ByKey<(Role, Ground)>,
    elder: ByKey<(Role, Ground)>,
    families: ByKey<Family>,
    count: usize,
    /// Where a ladder was read, and whether there was one.
    ladders: ByKey<bool>,
}

impl ZoneTable {
    pub fn get(&self, key: u64, winner: Role) -> Option<Ground> {
        let found = self.by_key.get(&key).or_else(|| self.elder.get(&key));
        found.filter(|(found, _)| *found == winner).map(|&(_, ground)| ground)
    }

    /// Takes in a position under its key, and as a pattern of its family.
    pub fn put(&mut self, key: u64, family: u64, pattern: Pattern) {
        self.put_copy(key, pattern.winner, pattern.ground);
        if self.count >= MOST_PATTERNS {
            self.families.clear();
            self.count = 0;
        }
        self.count += 1;
        let family = self.families.entry(family).or_default();
        family.probes.push(Probe::of(&pattern));
        family.patterns.push(pattern);
    }

    /// Takes in a position that needs no pattern: one answered by another pattern, or at once.
    pub fn put_copy(&mut self, key: u64, winner: Role, ground: Ground) {
        if self.by_key.len() >= MOST_KEYS {
            self.elder = std::mem::take(&mut self.by_key);
        }
        self.by_key.insert(key, (winner, ground));
    }

    /// Whether the reading of a ladder at this position found one, if it was read.
    pub fn ladder(&self, key: u64) -> Option<bool> {
        self.ladders.get(&key).copied()
    }

    pub fn note_ladder(&mut self, key: u64, found: bool) {
        if self.ladders.len() >= MOST_KEYS {
            self.ladders.clear();
        }
        self.ladders.insert(key, found);
    }

    /// A pattern of the family that has these stones in its zone, among the `most` newest.
    pub fn find(&self, family: u64, stones: &[PointSet; 2], most: usize) -> Option<&Pattern> {
        let Family { probes, patterns } = self.families.get(&family)?;
        let fits = |pattern: &&Pattern| {
            let zone = pattern.ground.zone;
            stones[0] & zone == pattern.stones[0] && stones[1] & zone == pattern.stones[1]
        };
        let newest = (0..probes.len()).rev().take(most);
        let likely = newest.filter(|&at| probes[at].fits(stones));
        likely.map(|at| &patterns[at]).find(fits)
    }
}
