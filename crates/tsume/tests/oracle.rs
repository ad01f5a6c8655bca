//! The solver against brute force on random small problems.
//!
//! `YOMIKIRI_ORACLE=N` tries N problems in each test instead of a few, `YOMIKIRI_ORACLE_SEED=S`
//! others than the usual ones; `--nocapture` shows the counts.
#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "oracle/binds.rs"]
mod binds;
mod common;
#[path = "oracle/cooks.rs"]
mod cooks;
#[path = "oracle/non_promotion.rs"]
mod non_promotion;

use common::generator::{RandomProblem, Recipe, random_problem};
use common::oracle::{Oracle, TooLarge};
use common::{cases, seeds, settings};
use yomikiri_tsume::verify;
use yomikiri_tsume::{MateSettings, MateSolver, Solution, Verdict};

/// Positions that the oracle lists at most.
const POSITIONS: usize = 3_000;
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
fn small_settings() -> MateSettings {
    let mut settings = settings(NODES);
    settings.limits.memory = 4 << 20;
    settings
}

fn solver() -> MateSolver {
    MateSolver::new(MateSettings { raw: true, ..small_settings() })
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
    solution.line.iter().all(|&mv| {
        let legal = position.is_legal(mv);
        if legal {
            position.play(mv);
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

/// Compares `count` of the problems that `make` gives for the seeds and, with the truth known,
/// `wanted` lets through.
fn compare_all(
    name: &str,
    count: usize,
    make: impl Fn(u64) -> Option<RandomProblem>,
    wanted: impl Fn(&RandomProblem, &Oracle, Truth) -> bool,
) -> Tally {
    let mut solver = solver();
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    let mut tried = 0;
    for seed in seeds(count) {
        if tally.problems == count {
            break;
        }
        tried += 1;
        let Some(problem) = make(seed) else { continue };
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
            println!("{name}: {tally:?} so far");
        }
    }
    println!("{name}: {tally:?} of {tried} seeds, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{} of {tally:?}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tally.problems * 2 >= count, "too few come out of the seeds: {tally:?}");
    tally
}

/// The problems of a recipe that `candidate` lets through.
fn made(
    recipe: Recipe,
    candidate: impl Fn(&RandomProblem) -> bool,
) -> impl Fn(u64) -> Option<RandomProblem> {
    move |seed| random_problem(recipe, seed).filter(&candidate)
}

fn any(_: &RandomProblem) -> bool {
    true
}

#[test]
fn random_problems_have_the_answer_and_the_length_of_brute_force() {
    let tally = compare_all("any", cases(150), made(Recipe::Any, any), |_, _, _| true);
    assert!(tally.mates > tally.problems / 20, "{tally:?}");
    assert!(tally.no_mates > tally.problems / 20, "{tally:?}");
}

#[test]
fn who_cannot_move_and_is_not_in_check_is_not_mated() {
    let stuck = |problem: &RandomProblem| {
        !problem.position.in_check() && !problem.position.has_legal_move()
    };
    let tally = compare_all("stalemate", cases(50), made(Recipe::Stalemate, stuck), |_, _, _| true);
    assert_eq!(tally.no_mates, tally.problems);
}

#[test]
fn defenders_to_move_without_a_check_are_judged_by_all_their_moves() {
    let quiet = |problem: &RandomProblem| {
        !problem.position.in_check() && problem.position.side_to_move() != problem.attacker
    };
    let tally = compare_all("quiet", cases(100), made(Recipe::Stalemate, quiet), |_, _, _| true);
    assert!(tally.mates > 0 && tally.no_mates > 0, "{tally:?}");
}

#[test]
fn lines_of_checks_that_come_back_are_no_mate() {
    let tally = compare_all("chase", cases(20), made(Recipe::Circle, any), |_, oracle, truth| {
        truth == Truth::NoMate && oracle.has_circle()
    });
    assert_eq!(tally.no_mates, tally.problems);
}

#[test]
fn mates_among_lines_that_come_back_are_found() {
    compare_all("circles", cases(10), made(Recipe::Chase, any), |_, oracle, truth| {
        matches!(truth, Truth::Mate(plies) if plies > 1) && oracle.has_circle()
    });
}

#[test]
fn an_attacker_in_check_must_parry_with_a_check() {
    let tally = compare_all("parry", cases(250), made(Recipe::OwnKingInReach, any), |_, _, _| true);
    assert!(tally.mates > 0 && tally.no_mates > 0, "{tally:?}");
}

#[test]
fn the_two_generators_give_one_truth() {
    let mut compared = 0;
    let count = cases(10).min(200);
    for seed in seeds(count) {
        if compared == count {
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
    assert_eq!(compared, count);
}

#[test]
fn proofs_of_random_mates_pass_the_check() {
    let mut solver = solver();
    let mut passed = 0;
    let count = cases(30);
    for seed in seeds(count) {
        if passed == count {
            break;
        }
        let Some(problem) = random_problem(Recipe::Any, seed) else { continue };
        let game = problem.game();
        let solution = solver.solve(&game, &mut |_| {});
        if solution.verdict != Verdict::Mate {
            continue;
        }
        let proof = solution.proven.expect("it was proven").proof;
        let again = verify::verify_fast(&proof).expect("it is a proof");
        assert_eq!(again.plies, proof.raw_length, "{}", problem.name());
        if proof.steps.len() < 8 {
            let limits = small_settings().limits;
            assert_eq!(verify::verify(&proof, &limits), Ok(again), "{}", problem.name());
        }
        passed += 1;
    }
    assert_eq!(passed, count);
}
