//! The verdict against brute force, and certificates that nobody can change.
#![allow(clippy::print_stdout)]

mod common;

use std::collections::BTreeSet;

use common::generator::{RandomProblem, Recipe, random_problem};
use common::oracle::is_mate;
use common::{cases, game, seeds, settings};
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::Position;
use yomikiri_tsume::judge::{Customs, Doubt, FaultKind, JudgeSettings, Judged, Ruling, judge};
use yomikiri_tsume::verify::{self, Certificate, Proof, Refutation};
use yomikiri_tsume::{MateSettings, MateSolver, Verdict};

/// Nodes for a verdict.
const NODES: u64 = 400_000;
/// Positions that brute force lists at most about one move.
const POSITIONS: usize = 2_000;

fn judged(sfen: &str) -> Judged {
    judge(&game(sfen), None, &judge_settings(NODES), &mut |_| {})
}

fn judge_settings(nodes: u64) -> JudgeSettings {
    let mut solve = MateSettings { refute: true, raw: true, ..settings(nodes) };
    solve.limits.memory = 8 << 20;
    JudgeSettings { solve, ..JudgeSettings::default() }
}

fn check(certificate: &Certificate) -> Result<(), String> {
    match certificate {
        Certificate::Mate(proof) => {
            let limits = ProofLimits { memory: 4 << 20, ..ProofLimits::nodes(300_000) };
            verify::verify(proof, &limits).map(drop).map_err(|flaw| flaw.to_string())
        }
        Certificate::NoMate(refutation) => {
            verify::verify_refutation(refutation).map(drop).map_err(|flaw| flaw.to_string())
        }
    }
}

fn kinds(judged: &Judged) -> Vec<FaultKind> {
    judged.judgement.faults.iter().map(|fault| fault.kind).collect()
}

#[test]
fn a_gold_over_the_head_is_sound() {
    // The gold on the head is the only mate.
    let judged = judged("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    assert_eq!(judged.judgement.verdict, Ruling::Sound, "{:?}", judged.judgement.faults);
    assert!(judged.judgement.faults.is_empty() && judged.judgement.open.is_empty());
    assert_eq!(judged.judgement.main_line, ["G*5b"]);
}

#[test]
fn what_is_left_over_is_a_fault_unless_custom_allows_it() {
    let sfen = "4k4/9/4P4/9/9/9/9/9/9 b GP2r2b3g4s4n4l16p 1";
    let strict = judged(sfen);
    assert_eq!(strict.judgement.verdict, Ruling::Faulty);
    assert_eq!(kinds(&strict), [FaultKind::Leftover]);
    let mut customs = Customs::default();
    customs.flaws.insert(FaultKind::Leftover);
    let settings = JudgeSettings { customs, ..judge_settings(NODES) };
    let lenient = judge(&game(sfen), None, &settings, &mut |_| {});
    assert_eq!(lenient.judgement.verdict, Ruling::Sound);
    assert!(lenient.judgement.faults[0].minor);
}

#[test]
fn no_mate_comes_with_its_refutation() {
    let judged = judged("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1");
    assert_eq!(judged.judgement.verdict, Ruling::NoMate);
    let fault = &judged.judgement.faults[0];
    assert_eq!(fault.kind, FaultKind::NoMate);
    assert_eq!(check(fault.proof.as_ref().expect("a refutation")), Ok(()));
}

#[test]
fn distance_and_promotion_that_do_not_matter_are_told_apart() {
    // A rook checks along the back rank from any distance; the gold guards all flight squares.
    let far = judged("4k4/9/3GGG3/9/9/9/9/9/9 b R 1");
    assert!(!far.judgement.faults.is_empty());
    assert!(
        kinds(&far)
            .iter()
            .all(|kind| matches!(kind, FaultKind::FreeDistance | FaultKind::LastMove))
    );
    assert!(kinds(&far).contains(&FaultKind::FreeDistance), "{:?}", kinds(&far));
    // A silver mates with and without promotion.
    let promoted = judged("4k4/9/3GSG3/9/9/9/9/9/9 b - 1");
    assert!(kinds(&promoted).contains(&FaultKind::FreePromotion), "{:?}", kinds(&promoted));
}

#[test]
fn nothing_is_sound_while_something_is_open() {
    let sfen = "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1";
    for nodes in [1, 50, 500, 5_000] {
        let judged = judge(&game(sfen), None, &judge_settings(nodes), &mut |_| {});
        let judgement = &judged.judgement;
        if judgement.verdict == Ruling::Sound {
            assert!(judgement.open.is_empty() && judged.solution.is_exact(), "{nodes}");
        }
        if !judgement.open.is_empty() {
            assert_ne!(judgement.verdict, Ruling::Sound, "{nodes}");
        }
    }
}

#[test]
fn without_an_exact_length_nothing_is_a_fault() {
    // Muso 65: recorded with 9 plies, which do not mate by force; the shortest mate takes long to
    // find, and on the way to it there are lines full of other mates.
    let sfen = "9/9/5g3/5p1+p1/2+p3+p2/3pP3N/1nS1kB3/2+R3Ss1/1N1Ps3+R b BG2gn4l11p 1";
    let mut settings = judge_settings(4 * NODES);
    settings.solve.limits.memory = 64 << 20;
    let judged = judge(&game(sfen), None, &settings, &mut |_| {});
    assert_eq!(judged.solution.verdict, Verdict::Mate);
    assert!(!judged.solution.is_exact() && judged.solution.low > 9, "{}", judged.solution.low);
    let judgement = &judged.judgement;
    assert_eq!(judgement.verdict, Ruling::Undecided, "{:?}", judgement.faults);
    assert!(judgement.faults.is_empty());
    assert_eq!(judgement.open[0].what, Doubt::Length);
    // What else is open is about the first move alone.
    assert!(judgement.open.iter().all(|open| open.ply <= 1), "{:?}", judgement.open);
}

/// The other checks along the main line: those that mate by brute force, and those that do not.
fn others(problem: &RandomProblem, judged: &Judged) -> [BTreeSet<(usize, String)>; 2] {
    let mut position: Position = problem.position.clone();
    let [mut mates, mut fails] = [BTreeSet::new(), BTreeSet::new()];
    for (ply, &mv) in (1..).zip(&judged.solution.line) {
        if position.side_to_move() == problem.attacker {
            for other in position.legal_moves() {
                if other == mv || !position.gives_check(other) {
                    continue;
                }
                let mut after = position.clone();
                after.play(other);
                match is_mate(&after, problem.attacker, POSITIONS) {
                    Some(true) => drop(mates.insert((ply, other.to_string()))),
                    Some(false) => drop(fails.insert((ply, other.to_string()))),
                    None => {}
                }
            }
        }
        position.play(mv);
    }
    [mates, fails]
}

fn is_other_move(kind: FaultKind) -> bool {
    use FaultKind::{
        Detour, EarlyMate, FreeDistance, FreePromotion, LastMove, OtherMate, Transposition,
    };
    let kinds =
        [Detour, EarlyMate, FreeDistance, FreePromotion, LastMove, OtherMate, Transposition];
    kinds.contains(&kind)
}

/// Compares a verdict with brute force; returns how many other mates it names.
fn compare(problem: &RandomProblem, judged: &Judged) -> usize {
    let (judgement, name) = (&judged.judgement, problem.name());
    for fault in &judgement.faults {
        if let Some(proof) = &fault.proof {
            assert_eq!(check(proof), Ok(()), "{name}: {fault:?}");
        }
    }
    let [mates, fails] = others(problem, judged);
    let cooks = judgement.faults.iter().filter(|fault| is_other_move(fault.kind));
    let said: BTreeSet<(usize, String)> =
        cooks.map(|fault| (fault.ply, fault.play.clone().expect("a move"))).collect();
    let open = judgement.open.iter().filter_map(|open| Some((open.ply, open.play.clone()?)));
    let open: BTreeSet<(usize, String)> = open.collect();
    for cook in &mates {
        assert!(said.contains(cook) || open.contains(cook), "{name}: {cook:?} is missed");
    }
    assert!(said.is_disjoint(&fails), "{name}: {said:?} {fails:?}");
    let major = judgement.faults.iter().any(|fault| !fault.minor);
    match judgement.verdict {
        Ruling::Sound => assert!(!major && judgement.open.is_empty(), "{name}"),
        Ruling::Faulty => assert!(major, "{name}"),
        Ruling::Undecided => assert!(!major && !judgement.open.is_empty(), "{name}"),
        Ruling::NoMate => assert_eq!(judged.solution.verdict, Verdict::NoMate, "{name}"),
    }
    said.len()
}

#[test]
fn verdicts_on_random_problems_are_those_of_brute_force() {
    let count = cases(40);
    let (mut compared, mut sound, mut faulty, mut cooks) = (0, 0, 0, 0);
    for seed in seeds(count) {
        if compared == count {
            break;
        }
        let Some(problem) = random_problem(Recipe::Corner, seed) else { continue };
        let truth = is_mate(&problem.position, problem.attacker, POSITIONS);
        // There are far more without a mate.
        if truth.is_none_or(|mate| !mate && !seed.is_multiple_of(32)) {
            continue;
        }
        let judged = judge(&problem.game(), None, &judge_settings(NODES), &mut |_| {});
        let verdict = judged.judgement.verdict;
        assert_eq!(verdict == Ruling::NoMate, truth == Some(false), "{}", problem.name());
        cooks += compare(&problem, &judged);
        compared += 1;
        sound += usize::from(verdict == Ruling::Sound);
        faulty += usize::from(verdict == Ruling::Faulty);
    }
    println!("{compared} problems: {sound} sound, {faulty} faulty, {cooks} other mates");
    assert_eq!(compared, count);
    assert!(faulty > 0 && cooks > 0);
}

#[test]
fn refutations_of_random_problems_pass_the_reference_check() {
    let count = cases(40);
    let mut passed = 0;
    for seed in seeds(count) {
        if passed == count {
            break;
        }
        let recipe = if seed.is_multiple_of(3) { Recipe::Circle } else { Recipe::Any };
        let Some(problem) = random_problem(recipe, seed) else { continue };
        let solve = judge_settings(100_000).solve;
        let solution = MateSolver::new(solve).solve(&problem.game(), &mut |_| {});
        let Some(refutation) = solution.refutation else {
            assert!(!solution.verified || solution.verdict == Verdict::Mate, "{}", problem.name());
            continue;
        };
        assert_eq!(solution.verdict, Verdict::NoMate, "{}", problem.name());
        if refutation.positions.len() < 200 {
            let found = verify::verify_refutation(&refutation);
            assert!(found.is_ok(), "{}: {found:?}", problem.name());
            passed += 1;
        }
    }
    assert_eq!(passed, count);
}

/// A text with one thing changed: a character of a string, or a number.
fn mutated(text: &str, random: &mut fastrand::Rng) -> String {
    const LETTERS: &[u8] = b"123456789abcdefghiPLNSGBRKplnsgbrk+-*/";
    let mut bytes = text.as_bytes().to_vec();
    let at = random.usize(..bytes.len());
    match random.u8(..3) {
        0 => drop(bytes.remove(at)),
        1 => bytes.insert(at, LETTERS[random.usize(..LETTERS.len())]),
        _ => bytes[at] = LETTERS[random.usize(..LETTERS.len())],
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A small proof that shows both sides of its length.
fn mate_with_bound() -> Proof {
    let settings = MateSettings { certify: true, ..judge_settings(20_000).solve };
    let mut solver = MateSolver::new(settings);
    let small = |proof: &Proof| {
        let length = proof.length.map(u32::from);
        let positions = proof.bound.as_ref().map_or(0, |bound| bound.positions.len());
        length == Some(proof.raw_length) && proof.steps.len() < 9 && (2..9).contains(&positions)
    };
    let mut proofs = seeds(1).filter_map(|seed| {
        let problem = random_problem(Recipe::Any, seed)?;
        solver.solve(&problem.game(), &mut |_| {}).proven.map(|proven| proven.proof)
    });
    proofs.find(small).expect("a small problem among many")
}

#[test]
fn a_changed_certificate_is_never_accepted() {
    let mate = "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1";
    let no_mate = "4k4/9/9/9/9/9/9/9/9 b GS 1";
    let mut proofs = Vec::new();
    for sfen in [mate, no_mate] {
        let solution = MateSolver::new(judge_settings(NODES).solve).solve(&game(sfen), &mut |_| {});
        assert!(solution.verified, "{sfen} {:?}", solution.verdict);
        let text = match (solution.proven, solution.refutation) {
            (Some(proven), _) => {
                serde_json::to_string(&Proof { length: None, ..proven.proof }.sealed())
            }
            (_, Some(refutation)) => serde_json::to_string(&*refutation),
            _ => panic!("{sfen}: no certificate"),
        };
        proofs.push(text.expect("it is written"));
    }
    proofs.push(serde_json::to_string(&mate_with_bound()).expect("it is written"));
    let mut random = fastrand::Rng::with_seed(28);
    let (mut tried, mut read) = (0, 0);
    while tried < 1_000 {
        let text = &proofs[tried % 3];
        let changed = mutated(text, &mut random);
        if changed == *text {
            continue;
        }
        tried += 1;
        // What says the same in other words is no change.
        let (same, accepted) = if (tried - 1) % 3 != 1 {
            let read = serde_json::from_str::<Proof>(&changed).ok();
            let same = read == serde_json::from_str(text).ok();
            (same, read.is_some_and(|proof| check(&Certificate::Mate(proof)).is_ok()))
        } else {
            let read = serde_json::from_str::<Refutation>(&changed).ok();
            let same = read == serde_json::from_str(text).ok();
            (same, read.is_some_and(|it| check(&Certificate::NoMate(it)).is_ok()))
        };
        read += usize::from(!same);
        assert!(same || !accepted, "accepted: {changed}");
    }
    assert!(read > 900, "{read}");
}
