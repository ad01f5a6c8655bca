//! Binds (hisshi) against brute force.

use crate::common::generator::{RandomProblem, Recipe, random_problem};
use crate::common::kernels::{BINDS, variation};
use crate::common::oracle::is_mate;
use crate::common::{cases, seeds};
use crate::small_settings;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::hisshi::hisshi_moves;

/// Positions that brute force lists at most about one answer.
const POSITIONS: usize = 600;

/// Whether a move binds by brute force: it gives no check, and there is mate if the opponent passes
/// and after every answer. Nothing if that takes too many positions.
fn binds(position: &Position, played: Move) -> Option<bool> {
    let attacker = position.side_to_move();
    let mut after = position.clone();
    after.play(played);
    let mut passed = after.clone();
    passed.set_side_to_move(attacker);
    let mut binding = is_mate(&passed, attacker, POSITIONS);
    for answer in after.legal_moves() {
        if binding == Some(false) {
            break;
        }
        let mut next = after.clone();
        next.play(answer);
        binding = match is_mate(&next, attacker, POSITIONS) {
            Some(true) => binding,
            other => other,
        };
    }
    binding
}

/// Every fourth position is a random one, which hardly ever holds a bind.
fn candidate(seed: u64) -> Option<RandomProblem> {
    if seed.is_multiple_of(4) {
        random_problem(Recipe::Bind, seed)
    } else {
        variation(&BINDS, seed)
    }
}

/// What brute force says of the moves of the positions.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    with_binds: usize,
    binding: usize,
    not_binding: usize,
    beyond: usize,
}

impl Tally {
    fn compare(&mut self, problem: &RandomProblem) {
        let position = &problem.position;
        let said = hisshi_moves(position, &small_settings());
        let before = self.binding;
        for played in position.legal_moves() {
            if position.gives_check(played) {
                continue;
            }
            let found = said.iter().find(|bind| bind.played == played);
            let name = problem.name();
            match binds(position, played) {
                Some(true) => {
                    assert!(found.is_some_and(|bind| bind.sure), "{name}: {played} binds");
                    self.binding += 1;
                }
                Some(false) => {
                    assert!(found.is_none(), "{name}: {played} does not bind");
                    self.not_binding += 1;
                }
                None => self.beyond += 1,
            }
        }
        self.positions += 1;
        self.with_binds += usize::from(self.binding > before);
    }
}

#[test]
fn binds_are_exactly_those_of_brute_force() {
    let mut tally = Tally::default();
    let count = cases(15);
    for seed in seeds(count) {
        if tally.with_binds == count {
            break;
        }
        if let Some(problem) = candidate(seed) {
            tally.compare(&problem);
        }
    }
    println!("{tally:?}");
    assert!(tally.with_binds * 2 >= count, "{tally:?}");
    assert!(tally.not_binding > tally.binding, "{tally:?}");
}
