//! The solver against brute force on random small problems.
//!
//! `YOMIKIRI_ORACLE=N` tries N problems in each test instead of a few, `YOMIKIRI_ORACLE_SEED=S`
//! others than the usual ones; `--nocapture` shows the counts.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod common;

use common::generator::{RandomProblem, Recipe, random_problem};
use common::oracle::{Oracle, TooLarge};
use common::{cases, seeds, settings};
use yomikiri_shogi::{Color, Move, Position};
use yomikiri_tsume::cook::cooks;
use yomikiri_tsume::hisshi::hisshi_moves;
use yomikiri_tsume::verify;
use yomikiri_tsume::{MateSolver, Settings, Solution, Verdict};

/// Positions that the oracle lists at most.
const POSITIONS: usize = 1_000;
/// The same where only what is near is listed.
const NEAR_POSITIONS: usize = 4_000;
/// Plies to which it goes where it cannot list everything.
const PLIES: u32 = 7;
/// Nodes for the solver.
const NODES: u64 = 300_000;

/// A long run says now and then how far it is.
const PROGRESS: usize = 1_000;

/// What the oracle knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Mate(u32),
    NoMate,
    NotWithin(u32),
}

/// The truth about a problem; nothing if not even three plies can be listed.
fn truth(oracle: &mut Oracle, problem: &RandomProblem) -> Option<Truth> {
    match oracle.plies(&problem.position) {
        Ok(Some(plies)) => return Some(Truth::Mate(plies)),
        Ok(None) => return Some(Truth::NoMate),
        Err(TooLarge) => {}
    }
    let mut near = Oracle::new(problem.attacker, NEAR_POSITIONS);
    for plies in 0..=PLIES {
        match near.within(&problem.position, plies) {
            Ok(true) => return Some(Truth::Mate(plies)),
            Ok(false) => {}
            Err(TooLarge) => return (plies > 3).then(|| Truth::NotWithin(plies - 1)),
        }
    }
    Some(Truth::NotWithin(PLIES))
}

/// A small table: it is cleared for every question.
fn small_settings() -> Settings {
    let mut settings = settings(NODES);
    settings.limits.memory = 4 << 20;
    settings
}

fn solver() -> MateSolver {
    MateSolver::new(Settings { raw: true, ..small_settings() })
}

/// How the problems of a test came out.
#[derive(Debug, Default)]
struct Tally {
    problems: usize,
    mates: usize,
    no_mates: usize,
    bounds: usize,
    undecided: usize,
}

impl Tally {
    fn count(&mut self, truth: Truth, solution: &Solution) {
        self.problems += 1;
        match truth {
            Truth::Mate(_) => self.mates += 1,
            Truth::NoMate => self.no_mates += 1,
            Truth::NotWithin(_) => self.bounds += 1,
        }
        self.undecided += usize::from(matches!(solution.verdict, Verdict::Unknown(_)));
    }
}

/// What is wrong with a solution, if anything is.
fn disagreement(truth: Truth, solution: &Solution) -> Option<String> {
    let said = (solution.verdict, solution.low, solution.high, solution.raw_length);
    let wrong = || Some(format!("{truth:?}, but the solver says {said:?}"));
    match (truth, solution.verdict) {
        (Truth::Mate(plies), Verdict::Mate)
            if solution.raw_length != plies || u32::from(solution.high) > plies =>
        {
            wrong()
        }
        (Truth::NotWithin(plies), Verdict::Mate) if solution.raw_length <= plies => wrong(),
        (Truth::Mate(_), Verdict::NoMate) | (Truth::NoMate, Verdict::Mate) => wrong(),
        // Nothing but the number of nodes may keep the solver from an answer.
        (_, Verdict::Unknown(_)) if solution.nodes < NODES => wrong(),
        (_, Verdict::Mate) if !solution.verified => wrong(),
        _ => None,
    }
}

/// Whether the line can be played with a check at every move of the attacker.
fn is_playable(problem: &RandomProblem, solution: &Solution) -> bool {
    let mut position = problem.position.clone();
    solution.line.iter().all(|&played| {
        let legal = position.is_legal(played);
        if legal {
            position.play(played);
        }
        legal && (position.side_to_move() == problem.attacker || position.in_check())
    })
}

/// Compares the solver with brute force on one problem.
fn compare(solver: &mut MateSolver, problem: &RandomProblem, truth: Truth) -> (Solution, String) {
    let solution = solver.solve(&problem.game(), &mut |_| {});
    let mut wrong = disagreement(truth, &solution).unwrap_or_default();
    if solution.verdict == Verdict::Mate && !is_playable(problem, &solution) {
        wrong += " unplayable line";
    }
    (solution, wrong)
}

/// Compares `count` problems of a recipe that `candidate` and, with the truth known, `wanted` let
/// through.
fn compare_all(
    recipe: Recipe,
    count: usize,
    candidate: impl Fn(&RandomProblem) -> bool,
    wanted: impl Fn(&RandomProblem, &Oracle, Truth) -> bool,
) -> Tally {
    let mut solver = solver();
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for seed in seeds() {
        if tally.problems == count {
            break;
        }
        tried += 1;
        let Some(problem) = random_problem(recipe, seed).filter(&candidate) else { continue };
        let mut oracle = Oracle::new(problem.attacker, POSITIONS);
        let Some(truth) = truth(&mut oracle, &problem) else { continue };
        if !wanted(&problem, &oracle, truth) {
            continue;
        }
        let (solution, what) = compare(&mut solver, &problem, truth);
        tally.count(truth, &solution);
        if !what.is_empty() {
            println!("{}: {what}", problem.name());
            wrong.push(format!("{}: {what}", problem.name()));
        }
        if tally.problems % PROGRESS == 0 {
            println!("{recipe:?}: {tally:?} so far");
        }
    }
    println!("{recipe:?}: {tally:?} of {tried} seeds");
    assert!(wrong.is_empty(), "{} of {tally:?}:\n{}", wrong.len(), wrong.join("\n"));
    tally
}

fn any(_: &RandomProblem) -> bool {
    true
}

#[test]
fn random_problems_have_the_answer_and_the_length_of_brute_force() {
    let tally = compare_all(Recipe::Any, cases(300), any, |_, _, _| true);
    assert!(tally.mates > tally.problems / 20, "{tally:?}");
    assert!(tally.no_mates > tally.problems / 20, "{tally:?}");
}

/// Whether there is a check at once that leaves a piece unpromoted which could promote.
fn declines_with_check(problem: &RandomProblem) -> bool {
    let legal = problem.position.legal_moves();
    legal.iter().any(|&played| {
        let promoted = played.from().map(|from| Move::board(from, played.to(), true));
        !played.is_promotion()
            && promoted.is_some_and(|promoted| legal.contains(&promoted))
            && problem.position.gives_check(played)
    })
}

#[test]
fn problems_in_which_a_piece_may_stay_unpromoted_agree() {
    let needed = std::cell::Cell::new(0);
    let count_needed = |problem: &RandomProblem, _: &Oracle, truth| {
        if let Truth::Mate(plies) = truth {
            let mut forced = Oracle::new(problem.attacker, POSITIONS).with_forced_promotion();
            let needs = forced.within(&problem.position, plies) == Ok(false);
            needed.set(needed.get() + usize::from(needs));
        }
        true
    };
    compare_all(Recipe::NonPromotion, cases(60), declines_with_check, count_needed);
    println!("{} mates need a piece left unpromoted", needed.get());
}

#[test]
fn who_cannot_move_and_is_not_in_check_is_not_mated() {
    let stuck = |problem: &RandomProblem| {
        !problem.position.in_check() && !problem.position.has_legal_move()
    };
    let tally = compare_all(Recipe::Stalemate, cases(50), stuck, |_, _, _| true);
    assert_eq!(tally.no_mates, tally.problems);
}

#[test]
fn defenders_to_move_without_a_check_are_judged_by_all_their_moves() {
    let quiet = |problem: &RandomProblem| {
        !problem.position.in_check() && problem.position.side_to_move() != problem.attacker
    };
    let tally = compare_all(Recipe::Stalemate, cases(100), quiet, |_, _, _| true);
    assert!(tally.mates > 0 && tally.no_mates > 0, "{tally:?}");
}

#[test]
fn lines_of_checks_that_come_back_are_no_mate() {
    let tally = compare_all(Recipe::Chase, cases(40), any, |_, oracle, truth| {
        truth == Truth::NoMate && oracle.has_circle()
    });
    assert_eq!(tally.no_mates, tally.problems);
}

#[test]
fn mates_among_lines_that_come_back_are_found() {
    compare_all(Recipe::Chase, cases(10), any, |_, oracle, truth| {
        matches!(truth, Truth::Mate(plies) if plies > 1) && oracle.has_circle()
    });
}

#[test]
fn an_attacker_in_check_must_parry_with_a_check() {
    let tally = compare_all(Recipe::OwnKingInReach, cases(200), any, |_, _, _| true);
    assert!(tally.mates > 0 && tally.no_mates > 0, "{tally:?}");
}

#[test]
fn the_two_generators_give_one_truth() {
    let mut compared = 0;
    for seed in seeds() {
        if compared == cases(10).min(200) {
            break;
        }
        let Some(problem) = random_problem(Recipe::Any, seed) else { continue };
        let mut fast = Oracle::new(problem.attacker, 300);
        let mut slow = Oracle::new(problem.attacker, 300).with_reference_generator();
        let answers = (fast.plies(&problem.position), slow.plies(&problem.position));
        assert_eq!(answers.0, answers.1, "{}", problem.name());
        if answers.0.is_ok() {
            assert_eq!(fast.len(), slow.len(), "{}", problem.name());
            compared += usize::from(fast.len() > 1);
        }
    }
}

#[test]
fn cooks_are_exactly_the_other_mating_moves() {
    let mut solver = solver();
    let (mut compared, mut plies, mut found) = (0, 0, 0);
    for seed in seeds() {
        if compared == cases(5) {
            break;
        }
        let recipe = if seed % 2 == 0 { Recipe::Chase } else { Recipe::Corner };
        let Some(problem) = random_problem(recipe, seed) else { continue };
        let mut oracle = Oracle::new(problem.attacker, POSITIONS);
        let Ok(Some(1..)) = oracle.plies(&problem.position) else { continue };
        let solution = solver.solve(&problem.game(), &mut |_| {});
        assert_eq!(solution.verdict, Verdict::Mate, "{}", problem.name());
        let mut expected = other_mates(&mut oracle, &problem, &solution);
        let mut said: Vec<_> = cooks(&problem.game(), &solution.line, &small_settings())
            .into_iter()
            .map(|cook| {
                assert!(cook.length.is_some_and(|length| length % 2 == 1), "{}", problem.name());
                assert_eq!(usize::from(cook.intended), solution.line.len() + 1 - cook.ply);
                (cook.ply, cook.played.to_string())
            })
            .collect();
        expected.sort();
        said.sort();
        assert_eq!(said, expected, "{} {:?}", problem.name(), solution.line);
        compared += 1;
        plies += solution.line.len().div_ceil(2);
        found += said.len();
    }
    println!("{compared} mates, {plies} moves of the attacker, {found} cooks");
    assert!(found > 0);
}

/// The mating moves beside the line, at every move of the attacker.
fn other_mates(
    oracle: &mut Oracle,
    problem: &RandomProblem,
    solution: &Solution,
) -> Vec<(usize, String)> {
    let mut position = problem.position.clone();
    let mut expected = Vec::new();
    for (at, &played) in solution.line.iter().enumerate() {
        if position.side_to_move() == problem.attacker {
            let behind = oracle.plies_behind(&position).expect("it was listed");
            let others = behind.iter().filter(|(other, plies)| *other != played && plies.is_some());
            expected.extend(others.map(|(other, _)| (at + 1, other.to_string())));
        }
        position.play(played);
    }
    expected
}

/// The binding moves by brute force: no check, mate if the opponent passes and after every answer.
fn binds(position: &Position, most: usize) -> Result<Vec<String>, TooLarge> {
    let attacker: Color = position.side_to_move();
    let mut oracle = Oracle::new(attacker, most);
    let mut found = Vec::new();
    for played in position.legal_moves() {
        let mut after = position.clone();
        after.play(played);
        if after.in_check() {
            continue;
        }
        let mut passed = after.clone();
        passed.set_side_to_move(attacker);
        let mut binding = oracle.plies(&passed)?.is_some();
        for answer in after.legal_moves() {
            if !binding {
                break;
            }
            let mut next = after.clone();
            next.play(answer);
            binding = oracle.plies(&next)?.is_some();
        }
        if binding {
            found.push(played.to_string());
        }
    }
    Ok(found)
}

#[test]
fn binds_are_exactly_those_of_brute_force() {
    let (mut with, mut tried, mut moves) = (0, 0, 0);
    let count = cases(2);
    for seed in seeds() {
        if with == count {
            break;
        }
        let Some(problem) = random_problem(Recipe::Bind, seed) else { continue };
        let Ok(mut expected) = binds(&problem.position, 600) else { continue };
        // Most positions hold no bind; of those, some are enough.
        if expected.is_empty() && tried >= 2 * (with + 1) {
            continue;
        }
        let said = hisshi_moves(&problem.position, &small_settings());
        assert!(said.iter().all(|bind| bind.sure), "{}: {said:?}", problem.name());
        let mut said: Vec<String> = said.iter().map(|bind| bind.played.to_string()).collect();
        expected.sort();
        said.sort();
        assert_eq!(said, expected, "{}", problem.name());
        tried += 1;
        with += usize::from(!expected.is_empty());
        moves += expected.len();
    }
    println!("{tried} positions, {with} with binds, {moves} binding moves");
}

#[test]
fn proofs_of_random_mates_pass_the_check() {
    let mut solver = solver();
    let mut passed = 0;
    for seed in seeds() {
        if passed == cases(30) {
            break;
        }
        let Some(problem) = random_problem(Recipe::Any, seed) else { continue };
        let game = problem.game();
        let solution = solver.solve(&game, &mut |_| {});
        if solution.verdict != Verdict::Mate {
            continue;
        }
        let (_, proof) = solver.prove(&game, &solution).expect("it was proven");
        let again = verify::verify_fast(&proof).expect("it is a proof");
        assert_eq!(again.plies, proof.raw_length, "{}", problem.name());
        if proof.steps.len() < 8 {
            let limits = small_settings().limits;
            assert_eq!(verify::verify(&proof, &limits), Ok(again), "{}", problem.name());
        }
        passed += 1;
    }
}
