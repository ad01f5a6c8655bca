//! All solvers agree with brute force on random trees, joining graphs and graphs with cycles.

use yomikiri_proof::conformance::{self, LastStone, Puzzle, Shape};
use yomikiri_proof::game::Repetition;
use yomikiri_proof::limits::ProofLimits;
use yomikiri_proof::solver::{Options, Solver};

fn check_shape(shape: Shape, sizes: &[u16], seeds: u64) {
    let mut proven = 0;
    let mut total = 0;
    for &size in sizes {
        for seed in 0..seeds {
            let puzzle = Puzzle::random(shape, size, seed);
            if let Err(what) = conformance::check(&puzzle, 100_000) {
                panic!("{shape:?} size {size} seed {seed}: {what:?}");
            }
            total += 1;
            proven += u64::from(conformance::brute_force(&puzzle, 100_000).unwrap().is_some());
        }
    }
    // Both answers have to occur often, or the test says nothing.
    assert!(proven * 10 > total && proven * 10 < total * 9, "{proven} of {total} proven");
}

#[test]
fn trees() {
    check_shape(Shape::Tree, &[10, 40, 120], 25);
}

#[test]
fn joining_graphs() {
    check_shape(Shape::Dag, &[8, 20, 60], 30);
}

#[test]
fn graphs_with_cycles() {
    check_shape(Shape::Cyclic, &[6, 12, 30, 80], 40);
}

#[test]
fn best_first_reference() {
    for (shape, size) in [(Shape::Tree, 60), (Shape::Dag, 14), (Shape::Cyclic, 8)] {
        for seed in 0..40 {
            let puzzle = Puzzle::random(shape, size, seed);
            let proven = conformance::brute_force(&puzzle, 100_000).unwrap().is_some();
            if let Err(what) = conformance::check_best_first(&puzzle, proven) {
                panic!("{shape:?} seed {seed}: {what:?}");
            }
        }
    }
}

#[test]
fn brute_force_agrees_with_following_every_path() {
    for seed in 0..60 {
        let puzzle = Puzzle::random(Shape::Cyclic, 8, seed);
        let listed = conformance::brute_force(&puzzle, 100_000).unwrap().is_some();
        assert_eq!(listed, conformance::follow_every_path(&puzzle), "seed {seed}");
    }
}

#[test]
fn superko_answers_belong_to_their_path() {
    let mut differs = 0;
    for seed in 0..60 {
        let puzzle = Puzzle::random(Shape::Cyclic, 8, seed);
        let plain = conformance::follow_every_path(&puzzle);
        let puzzle = puzzle.with_rule(Repetition::MoverFails);
        let expected = conformance::follow_every_path(&puzzle);
        differs += u32::from(plain != expected);
        for options in conformance::all_options() {
            let outcome = Solver::new(
                options,
                ProofLimits { memory: 1 << 20, ..ProofLimits::nodes(2_000_000) },
            )
            .solve(&puzzle);
            assert!(outcome.number.is_solved(), "seed {seed} {options:?}");
            assert_eq!(outcome.number.is_proven(), expected, "seed {seed} {options:?}");
        }
    }
    assert!(differs > 1, "the rule has to matter: {differs}");
}

#[test]
fn known_game() {
    for stones in 1..40 {
        let outcome = Solver::new(Options::default(), ProofLimits::nodes(100_000))
            .solve(&LastStone::new(stones));
        assert_eq!(outcome.number.is_proven(), stones % 3 != 0, "{stones} stones");
        conformance::check(&LastStone::new(stones), 1000).unwrap();
    }
}
