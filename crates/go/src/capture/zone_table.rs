//! What is known of solved positions: by key, and by the stones in their zones.

use std::collections::HashMap;

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

/// Most patterns, and most positions by key. Beyond these the table starts anew: what it does not
/// know rests on the whole board, which is right, and slow.
const MOST_PATTERNS: usize = 400_000;
const MOST_KEYS: usize = 1_500_000;

/// The table.
#[derive(Debug, Default)]
pub(super) struct ZoneTable {
    by_key: HashMap<u64, (Role, Ground)>,
    patterns: HashMap<u64, Vec<Pattern>>,
    count: usize,
}

impl ZoneTable {
    pub fn get(&self, key: u64, winner: Role) -> Option<Ground> {
        self.by_key.get(&key).filter(|(found, _)| *found == winner).map(|&(_, ground)| ground)
    }

    /// Takes in a position under its key, and as a pattern of its family.
    pub fn put(&mut self, key: u64, family: u64, pattern: Pattern) {
        self.put_copy(key, pattern.winner, pattern.ground);
        if self.count >= MOST_PATTERNS {
            self.patterns.clear();
            self.count = 0;
        }
        self.count += 1;
        self.patterns.entry(family).or_default().push(pattern);
    }

    /// Takes in a position that a pattern answered.
    pub fn put_copy(&mut self, key: u64, winner: Role, ground: Ground) {
        if self.by_key.len() >= MOST_KEYS {
            self.by_key.clear();
        }
        self.by_key.insert(key, (winner, ground));
    }

    /// A pattern of the family that has these stones in its zone, among the `most` newest.
    pub fn find(&self, family: u64, stones: &[PointSet; 2], most: usize) -> Option<&Pattern> {
        let fits = |pattern: &&Pattern| {
            let zone = pattern.ground.zone;
            stones[0] & zone == pattern.stones[0] && stones[1] & zone == pattern.stones[1]
        };
        self.patterns.get(&family)?.iter().rev().take(most).find(fits)
    }
}
