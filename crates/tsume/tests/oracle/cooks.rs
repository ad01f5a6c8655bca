//! Cooks at every move of the attacker along lines of several moves.

use std::collections::BTreeSet;

use crate::common::generator::{RandomProblem, Recipe, random_problem};
use crate::common::kernels::{NON_PROMOTION, variation};
use crate::common::oracle::is_mate;
use crate::common::{cases, seeds};
use crate::{small_settings, solver};
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::cook::cooks;
use yomikiri_tsume::{Solution, Tsume, Verdict};

/// Positions that brute force lists at most about one move.
const POSITIONS: usize = 2_000;

/// A move by the number of its ply.
type Cooks = BTreeSet<(usize, String)>;

/// The moves beside the line, at every move of the attacker: those that mate, those that do not,
/// and how many are beyond brute force.
fn others(problem: &RandomProblem, solution: &Solution) -> (Cooks, Cooks, usize) {
    let mut position: Position = problem.position.clone();
    let (mut mates, mut fails, mut unknown) = (Cooks::new(), Cooks::new(), 0);
    for (at, &played) in solution.line.iter().enumerate() {
        if position.side_to_move() == problem.attacker {
            for other in position.legal_moves() {
                if other == played || !position.gives_check(other) {
                    continue;
                }
                let mut after = position.clone();
                after.play(other);
                let name = (at + 1, other.to_string());
                match is_mate(&after, problem.attacker, POSITIONS) {
                    Some(true) => drop(mates.insert(name)),
                    Some(false) => drop(fails.insert(name)),
                    None => unknown += 1,
                }
            }
        }
        position.play(played);
    }
    (mates, fails, unknown)
}

/// The cooks that the solver finds.
fn said(problem: &RandomProblem, solution: &Solution) -> Cooks {
    let found = cooks(&problem.game(), &solution.line, &small_settings());
    let checked = found.into_iter().map(|cook| {
        assert!(cook.length.is_some_and(|length| length % 2 == 1), "{}", problem.name());
        assert_eq!(usize::from(cook.intended), solution.line.len() + 1 - cook.ply);
        (cook.ply, cook.played.to_string())
    });
    checked.collect()
}

/// Whether the solver mates behind a cook with a proof that passes the check.
fn is_proven(problem: &RandomProblem, line: &[Move], (ply, name): &(usize, String)) -> bool {
    let mut position = problem.position.clone();
    for &played in &line[..ply - 1] {
        position.play(played);
    }
    position.play(name.parse().expect("a move"));
    let game = Tsume::new(position, problem.attacker);
    let solution = solver().solve(&game, &mut |_| {});
    solution.verdict == Verdict::Mate && solution.verified
}

/// Crowded corners, and now and then a kernel with its longer line.
fn candidate(seed: u64) -> Option<RandomProblem> {
    if seed.is_multiple_of(16) {
        variation(&NON_PROMOTION, seed)
    } else {
        random_problem(Recipe::Corner, seed)
    }
}

#[test]
fn cooks_within_five_plies_are_all_found_and_the_others_carry_a_proof() {
    let mut solver = solver();
    let (mut compared, mut mating, mut failing, mut beyond) = (0, 0, 0, 0);
    let (mut later, mut proven) = (0, 0);
    let count = cases(20);
    for seed in seeds(count) {
        if compared == count {
            break;
        }
        let Some(problem) = candidate(seed) else { continue };
        let solution = solver.solve(&problem.game(), &mut |_| {});
        if solution.verdict != Verdict::Mate || !matches!(solution.line.len(), 3..=5) {
            continue;
        }
        let (mates, fails, unknown) = others(&problem, &solution);
        let said = said(&problem, &solution);
        let name = problem.name();
        let missed: Vec<_> = mates.difference(&said).collect();
        assert!(missed.is_empty(), "{name} {:?}: missed {missed:?}", solution.line);
        let invented: Vec<_> = said.intersection(&fails).collect();
        assert!(invented.is_empty(), "{name} {:?}: invented {invented:?}", solution.line);
        // What is beyond brute force needs a proof.
        for cook in said.difference(&mates) {
            assert!(is_proven(&problem, &solution.line, cook), "{name}: {cook:?}");
            proven += 1;
        }
        compared += 1;
        mating += mates.len();
        failing += fails.len();
        beyond += unknown;
        later += mates.iter().filter(|(ply, _)| *ply > 1).count();
    }
    println!(
        "{compared} mates: {mating} other moves mate, {later} of them after the first, \
         {failing} do not, {beyond} are beyond brute force, {proven} of those proven"
    );
    assert!(compared * 2 >= count, "{compared} of {count}");
    assert!(mating > compared / 4 && later > compared / 8, "{mating} mate, {later} later");
}
