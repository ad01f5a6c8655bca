//! Mates in which a piece has to stay as it is.

use std::cell::Cell;

use crate::common::cases;
use crate::common::generator::{RandomProblem, Recipe};
use crate::common::kernels::{NON_PROMOTION, variation};
use crate::common::oracle::Oracle;
use crate::{NEAR_POSITIONS, Tally, Truth, compare_all, made};
use yomikiri_shogi::{Kind, Move};

/// Whether there is a check at once that leaves a piece unpromoted which could promote.
fn declines_with_check(problem: &RandomProblem) -> bool {
    let legal = problem.position.legal_moves();
    legal.iter().any(|&mv| {
        let promoted = mv.from().map(|from| Move::board(from, mv.to(), true));
        !mv.is_promotion()
            && promoted.is_some_and(|promoted| legal.contains(&promoted))
            && problem.position.gives_check(mv)
    })
}

/// Kinds that lose nothing but a legal pawn drop, or a check from a distance, by promoting.
const KINDS: [Kind; 4] = [Kind::Pawn, Kind::Lance, Kind::Bishop, Kind::Rook];

/// Whether the mate takes longer, or is none, if pieces of these kinds must promote.
fn needs_non_promotion(problem: &RandomProblem, plies: u32, kinds: &[Kind]) -> bool {
    let mut forced = Oracle::new(problem.attacker, NEAR_POSITIONS).with_forced_promotion(kinds);
    forced.within(&problem.position, plies) == Ok(false)
}

/// Compares problems, and counts the mates that need a piece left unpromoted: one of any kind, and
/// those that need it of one kind.
fn compare_counting(
    name: &str,
    count: usize,
    make: impl Fn(u64) -> Option<RandomProblem>,
) -> (Tally, usize, [usize; 4]) {
    let needed = Cell::new((0, [0; 4]));
    let tally = compare_all(name, count, make, |problem, _, truth| {
        let Truth::Mate(plies) = truth else { return true };
        let (mut any, mut each) = needed.get();
        if needs_non_promotion(problem, plies, &KINDS) {
            any += 1;
            for (sum, kind) in each.iter_mut().zip(KINDS) {
                *sum += usize::from(needs_non_promotion(problem, plies, &[kind]));
            }
        }
        needed.set((any, each));
        true
    });
    let (any, each) = needed.get();
    println!("{name}: {any} of {} mates need a piece left unpromoted: {each:?}", tally.mates);
    (tally, any, each)
}

#[test]
fn problems_in_which_a_piece_may_stay_unpromoted_agree() {
    let problems = made(Recipe::NonPromotion, declines_with_check);
    let (tally, _, _) = compare_counting("non-promotion", cases(60), problems);
    assert!(tally.mates > 0, "{tally:?}");
}

#[test]
fn mates_that_need_a_piece_left_unpromoted_agree() {
    let problems = |seed| variation(&NON_PROMOTION, seed);
    let (tally, any, each) = compare_counting("kernels", cases(100), problems);
    assert!(any * 5 > tally.problems, "{any} of {tally:?}");
    let [_, lance, bishop, rook] = each;
    assert!(lance > 0 && bishop + rook > tally.problems / 20, "{each:?} of {tally:?}");
}
