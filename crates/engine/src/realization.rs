//! Where realization probability takes its probabilities from: a table of categories, or the move
//! policy.
//!
//! The policy looks at all moves of a position at once and costs as much as some two hundred nodes,
//! so that it is asked only where much depth is left, and what it says is kept for each ply.

use crate::category::{self, COUNT};
use crate::eval::policy::Policy;
use std::cell::RefCell;
use yomikiri_shogi::{Move, Position};

/// The probabilities of moves, in millionths.
pub struct MoveProbabilities {
    table: [u32; COUNT],
    /// Made on first use.
    policy: RefCell<Option<Box<PolicyCache>>>,
}

/// The probabilities of the moves along the line that is searched.
struct PolicyCache {
    policy: Policy,
    /// By ply: the position's key and its moves.
    plies: Vec<(u64, Vec<(Move, u32)>)>,
}

impl Default for MoveProbabilities {
    fn default() -> MoveProbabilities {
        MoveProbabilities::new(category::DEFAULT)
    }
}

impl MoveProbabilities {
    /// With the probabilities of a table.
    pub fn new(table: [u32; COUNT]) -> MoveProbabilities {
        MoveProbabilities { table, policy: RefCell::new(None) }
    }

    /// The table of the categories.
    pub fn table(&self) -> &[u32; COUNT] {
        &self.table
    }

    /// How likely a legal move is by the policy; `ply` is where its answer is kept.
    pub fn by_policy(&self, position: &Position, ply: usize, mv: Move) -> u32 {
        let mut slot = self.policy.borrow_mut();
        let cache = slot.get_or_insert_with(|| {
            Box::new(PolicyCache { policy: Policy::embedded(), plies: Vec::new() })
        });
        cache.look(position, ply);
        cache.plies[ply].1.iter().find(|one| one.0 == mv).map_or(1, |one| one.1)
    }
}

impl PolicyCache {
    fn look(&mut self, position: &Position, ply: usize) {
        if self.plies.len() <= ply {
            self.plies.resize(ply + 1, (0, Vec::new()));
        }
        let key = position.key();
        if self.plies[ply].0 == key && !self.plies[ply].1.is_empty() {
            return;
        }
        let likely = self.policy.probabilities(position, 1.0);
        let whole = |(mv, chance): (Move, f64)| (mv, (chance * 1e6).clamp(1.0, 999_999.0) as u32);
        self.plies[ply] = (key, likely.into_iter().map(whole).collect());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_is_asked_once_for_a_ply_and_says_the_same_again() {
        let known = MoveProbabilities::default();
        assert_eq!(known.table(), &category::DEFAULT);
        let mut position = Position::start();
        let first: Vec<u32> =
            position.legal_moves().iter().map(|&mv| known.by_policy(&position, 0, mv)).collect();
        let sum: u32 = first.iter().sum();
        assert!((990_000..1_010_000).contains(&sum), "{sum}");
        position.play("7g7f".parse().unwrap());
        known.by_policy(&position, 1, "3c3d".parse().unwrap());
        position.undo();
        let again = known.by_policy(&position, 0, position.legal_moves()[3]);
        assert_eq!(again, first[3]);
    }
}
