//! Exported proofs: what is true passes the check, and whatever is changed in them is found out.

mod common;

use common::generator::{Recipe, random_problem};
use common::oracle::Oracle;
use common::{cases, game, seeds, set, settings};
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::{Color, Position};
use yomikiri_tsume::verify::refutation::Refuted;
use yomikiri_tsume::verify::{self, Counting, Flaw, Proof, ProofStep, Refutation, Verified};
use yomikiri_tsume::{MateSettings, MateSolver, Tsume, Verdict};

/// Mate in 3 by convention, in 13 with every interposition.
const THREE: &str = "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1";

fn check(proof: &Proof) -> Result<Verified, Flaw> {
    verify::verify(proof, &ProofLimits { memory: 4 << 20, ..ProofLimits::nodes(300_000) })
}

fn proof_of(solver: &mut MateSolver, game: &Tsume) -> Option<Proof> {
    let solution = solver.solve(game, &mut |_| {});
    (solution.verdict == Verdict::Mate).then(|| solution.proven.expect("it was proven").proof)
}

fn proof_of_sfen(sfen: &str) -> Proof {
    proof_of(&mut MateSolver::new(settings(300_000)), &game(sfen)).expect("a mate")
}

#[test]
fn proofs_pass_the_reference_check_and_forgeries_do_not() {
    let proof = proof_of_sfen(THREE);
    let verified = check(&proof).unwrap();
    assert_eq!(verified, verify::verify_fast(&proof).unwrap());
    assert!(verified.plies >= 3);
    let mut forged = proof.clone();
    forged.steps.pop();
    assert!(matches!(check(&forged), Err(Flaw::Missing { .. })));
    let mut forged = proof.clone();
    forged.steps[0].play = "9i9h".to_owned();
    assert!(matches!(check(&forged), Err(Flaw::Illegal { step: 0, .. })));
}

#[test]
fn the_length_by_convention_is_found_anew_and_not_believed() {
    let proof = proof_of_sfen(THREE);
    assert_eq!(proof.length, Some(3));
    for stated in [0, 1, 2, 5, 13, 99] {
        let forged = Proof { length: Some(stated), ..proof.clone() };
        assert_eq!(check(&forged), Err(Flaw::Length { stated, found: 3 }));
    }
    assert!(check(&Proof { length: None, ..proof.clone() }.sealed()).is_ok());
    let hurried = verify::verify(&proof, &ProofLimits { memory: 4 << 20, ..ProofLimits::nodes(1) });
    assert_eq!(hurried, Err(Flaw::LengthUnknown { stated: 3 }));
}

#[test]
fn the_raw_length_and_the_plies_of_every_step_are_counted_and_not_believed() {
    let proof = proof_of_sfen(THREE);
    for stated in [0, 1, proof.raw_length - 2, proof.raw_length + 2, u32::MAX] {
        let forged = Proof { raw_length: stated, ..proof.clone() };
        assert_eq!(check(&forged), Err(Flaw::RawLength { stated, found: proof.raw_length }));
    }
    for step in 0..proof.steps.len() {
        let found = proof.steps[step].plies;
        for stated in [0, found - 1, found + 1, found + 2, u32::MAX] {
            let mut forged = proof.clone();
            forged.steps[step].plies = stated;
            let refused = check(&forged).unwrap_err();
            assert_eq!(refused, Flaw::Plies { step, stated, found });
            assert!(refused.to_string().starts_with(&format!("steps[{step}].plies: ")));
        }
    }
}

#[test]
fn steps_that_lead_in_a_circle_are_no_proof() {
    // The rook drives the king from one corner square to the other and back: gold, knight and
    // bishop leave him one answer to each check.
    let step = |board: &str, play: &str| ProofStep {
        board: board.to_owned(),
        hand: "-".to_owned(),
        play: play.to_owned(),
        plies: 1,
    };
    let start = "8k/9/5NG2/6B2/9/9/9/9/7R1";
    let proof = Proof {
        format: verify::FORMAT.to_owned(),
        sfen: format!("{start} b - 1"),
        attacker: "b".to_owned(),
        length: None,
        raw_length: 1,
        steps: vec![step(start, "2i1i"), step("7k1/9/5NG2/6B2/9/9/9/9/8R", "1i2i")],
        bound: None,
        digest: String::new(),
    };
    let Err(Flaw::Loop { sfen }) = check(&proof) else { panic!("{:?}", check(&proof)) };
    assert!(sfen.starts_with(start), "{sfen}");
    let fast = verify::verify_fast(&proof);
    assert!(matches!(fast, Err(Flaw::Loop { .. })), "{fast:?}");
}

#[test]
fn a_proof_is_read_to_the_letter() {
    let proof = proof_of_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1");
    assert!(check(&proof).is_ok());
    let with = |board: &str, hand: &str| {
        let mut changed = proof.clone();
        let step = changed.steps.last_mut().unwrap();
        (step.board, step.hand) = (board.to_owned(), hand.to_owned());
        check(&changed)
    };
    let board = proof.steps.last().unwrap().board.as_str();
    assert!(with(board, "G").is_ok());
    assert!(matches!(with(board, "1G"), Err(Flaw::LeastHand { .. })), "another text");
    // With nothing in hand the step would fit as well, but he has a gold where it is played.
    assert!(matches!(with(board, "-"), Err(Flaw::LeastHand { .. })));
    for hand in ["257G", "0G", "5G", "G1", "GG", "K", "g", "", "G-", "99999999999G", "Ｇ"] {
        assert!(matches!(with(board, hand), Err(Flaw::Hand { .. })), "{hand}");
    }
    let more_ranks = format!("{board}{}", "/9".repeat(300));
    for wrong in [
        more_ranks.as_str(),
        "4k4/9/4P4/9/9/9/9/9",
        "4k4/9/4P4/9/9/9/9/9/8",
        "4k4/9/4P4/9/9/9/9/9/91",
        "4k4/9/4P40/9/9/9/9/9/9",
        "4k4/9/4P4P/9/9/9/9/9/9",
        "4k4/9/4P3+/9/9/9/9/9/9",
        "4k4/9/4P4/9/9/9/9/9/+4P4",
        "4k4/9/4++P4/9/9/9/9/9/9",
        "4+k4/9/4P4/9/9/9/9/9/9",
        "",
    ] {
        assert!(matches!(with(wrong, "G"), Err(Flaw::Board { .. })), "{wrong}");
    }
}

#[test]
fn without_a_king_or_a_check_there_is_no_mate() {
    let proof = |sfen: &str, attacker: &str| Proof {
        format: verify::FORMAT.to_owned(),
        sfen: sfen.to_owned(),
        attacker: attacker.to_owned(),
        length: None,
        raw_length: 0,
        steps: Vec::new(),
        bound: None,
        digest: String::new(),
    };
    let flaw = |sfen, attacker| check(&proof(sfen, attacker)).unwrap_err();
    assert!(matches!(flaw("4k4/9/9/9/9/9/9/9/9 b - 1", "w"), Flaw::NoKing { .. }));
    assert!(matches!(flaw("4k4/9/9/9/9/9/9/9/9 w - 1", "w"), Flaw::NoKing { .. }));
    // The king in the corner cannot move, but nothing attacks him.
    assert!(matches!(flaw("6G1k/9/7G1/9/9/9/9/9/9 w - 1", "b"), Flaw::Stalemate { .. }));
    let mated = proof("8k/8G/8P/9/9/9/9/9/9 w - 1", "b");
    assert_eq!(check(&mated.sealed()).unwrap().plies, 0);
}

/// Another number near `number`, or one far away.
fn other_number(random: &mut fastrand::Rng, number: u32) -> u32 {
    match random.u8(..5) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => number.wrapping_add(2),
        3 => number.wrapping_sub(2),
        _ => random.u32(..),
    }
}

/// The text with one character changed, left out or doubled.
fn other_text(random: &mut fastrand::Rng, text: &str) -> String {
    const LETTERS: &[u8] = b"123456789+/-*PLNSGBRKplnsgbrkabcdefghiwb ";
    let mut bytes = text.as_bytes().to_vec();
    let at = random.usize(..bytes.len());
    match random.u8(..4) {
        0 => drop(bytes.remove(at)),
        1 => bytes.insert(at, bytes[at]),
        _ => bytes[at] = LETTERS[random.usize(..LETTERS.len())],
    }
    String::from_utf8(bytes).expect("ASCII")
}

/// Changes one field of a proof.
fn mutate(random: &mut fastrand::Rng, proof: &mut Proof) {
    let step = random.usize(..proof.steps.len().max(1));
    let other = random.usize(..proof.steps.len().max(1));
    match random.u8(..12) {
        0 => proof.format = other_text(random, &proof.format),
        1 => proof.sfen = other_text(random, &proof.sfen),
        2 => proof.attacker = other_text(random, &proof.attacker),
        3 => {
            let length = u32::from(proof.length.unwrap_or(1));
            proof.length = Some(other_number(random, length) as u16);
        }
        4 => proof.raw_length = other_number(random, proof.raw_length),
        _ if proof.steps.is_empty() => {}
        5 => proof.steps[step].board = other_text(random, &proof.steps[step].board),
        6 => proof.steps[step].hand = other_text(random, &proof.steps[step].hand),
        7 => proof.steps[step].play = other_text(random, &proof.steps[step].play),
        8 => proof.steps[step].plies = other_number(random, proof.steps[step].plies),
        9 => drop(proof.steps.remove(step)),
        10 => {
            let copy = proof.steps[step].clone();
            proof.steps.insert(other, copy);
        }
        _ => proof.steps.swap(step, other),
    }
}

/// What a proof says as a whole: what is mated, by whom, in how many plies.
fn statement(proof: &Proof) -> (&str, &str, Option<u16>, u32) {
    (&proof.sfen, &proof.attacker, proof.length, proof.raw_length)
}

/// The boards of a proof with the plies from there, in any order.
fn numbers(proof: &Proof) -> Vec<(&str, u32)> {
    let mut all: Vec<_> = proof.steps.iter().map(|s| (s.board.as_str(), s.plies)).collect();
    all.sort_unstable();
    all
}

/// Whether the statement of a proof is true, by brute force; nothing if that takes too long.
fn is_true(proof: &Proof) -> Option<bool> {
    let position = Position::from_problem_sfen(&proof.sfen).expect("accepted");
    let attacker = if proof.attacker == "b" { Color::Black } else { Color::White };
    let mate = Oracle::new(attacker, 100_000).within(&position, proof.raw_length).ok()?;
    let Some(length) = proof.length else { return Some(mate) };
    let mut solver = MateSolver::new(settings(300_000));
    let solution = solver.solve(&Tsume::new(position, attacker), &mut |_| {});
    Some(mate && solution.is_exact() && solution.high == length)
}

/// What became of mutated proofs.
#[derive(Debug, Default)]
struct Tally {
    proofs: usize,
    mutations: usize,
    unchanged: usize,
    accepted: usize,
    unchecked: usize,
}

fn try_mutations(random: &mut fastrand::Rng, proof: &Proof, count: usize, tally: &mut Tally) {
    assert!(check(proof).is_ok(), "{proof:?}");
    tally.proofs += 1;
    for _ in 0..count {
        let mut forged = proof.clone();
        mutate(random, &mut forged);
        if forged != *proof {
            assert!(check(&forged).is_err(), "what was changed is refused: {forged:?}");
        }
        // A forger renews the checksum too: what the proof says has to be right all the same.
        let forged = forged.sealed();
        if forged == *proof {
            tally.unchanged += 1;
            continue;
        }
        tally.mutations += 1;
        if check(&forged).is_err() {
            continue;
        }
        tally.accepted += 1;
        // Another move may mate as well, and the order of unlike steps is free.
        if statement(&forged) == statement(proof) {
            assert_eq!(numbers(&forged), numbers(proof), "{forged:?}");
            continue;
        }
        match is_true(&forged) {
            Some(truth) => assert!(truth, "accepted: {forged:?}\nfrom: {proof:?}"),
            None => tally.unchecked += 1,
        }
    }
}

#[test]
fn a_tampered_proof_is_accepted_only_if_it_is_a_true_one() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut solver = MateSolver::new(settings(20_000));
    let mut tally = Tally::default();
    let proofs = cases(30);
    for seed in seeds(proofs) {
        if tally.proofs >= proofs {
            break;
        }
        let Some(problem) = random_problem(Recipe::Any, seed) else { continue };
        let Some(proof) = proof_of(&mut solver, &problem.game()) else { continue };
        // The reference generator is slow.
        if proof.steps.len() <= 20 && proof.raw_length <= 7 {
            try_mutations(&mut random, &proof, 24, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.mutations > 15 * tally.proofs, "{tally:?}");
    assert!(tally.accepted * 3 < tally.mutations, "{tally:?}");
}

#[test]
fn proofs_of_mined_mates_state_what_the_check_finds() {
    let mut solver = MateSolver::new(settings(100_000));
    for row in set("mined.tsv").iter().filter(|row| row[1] == "mate").step_by(8) {
        let proof = proof_of(&mut solver, &game(&row[0])).expect("a mate");
        assert_eq!(proof.length.map(|length| length.to_string()).as_ref(), Some(&row[2]));
        if proof.steps.len() < 200 {
            assert!(check(&proof).is_ok(), "{}", row[3]);
        } else {
            assert_eq!(verify::verify_fast(&proof).unwrap().plies, proof.raw_length);
        }
    }
}

/// The proof of a mate with everything that shows its length.
fn certified(nodes: u64, game: &Tsume) -> Option<Proof> {
    let settings = MateSettings { certify: true, raw: true, ..settings(nodes) };
    proof_of(&mut MateSolver::new(settings), game)
}

#[test]
fn the_length_is_checked_without_a_search_where_both_sides_are_written_down() {
    let no_search = ProofLimits { memory: 1 << 20, ..ProofLimits::nodes(1) };
    let count = cases(15);
    let (mut bounds, mut both) = (0, 0);
    for seed in seeds(count) {
        if both >= count {
            break;
        }
        let Some(problem) = random_problem(Recipe::Any, seed) else { continue };
        let Some(proof) = certified(50_000, &problem.game()) else { continue };
        let Some(bound) = proof.bound.as_deref() else { continue };
        let length = proof.length.expect("a bound belongs to a length");
        assert_eq!(bound.within, Some(u32::from(length) - 2), "{}", problem.name());
        if bound.positions.len() > 150 || proof.steps.len() > 60 {
            continue;
        }
        bounds += 1;
        assert!(check(&proof).is_ok(), "{}: {:?}", problem.name(), check(&proof));
        if proof.raw_length == u32::from(length) {
            assert!(verify::verify(&proof, &no_search).is_ok(), "{}", problem.name());
            both += 1;
        }
        // Two plies more are not refuted: that is the mate.
        let mut forged = proof.clone();
        let within = bound.within.map(|plies| plies + 2);
        let raised = bound
            .positions
            .iter()
            .map(|it| Refuted { plies: it.plies.map(|plies| plies + 2), ..it.clone() });
        let positions = raised.collect();
        let bound = Refutation { within, positions, ..bound.clone() }.sealed();
        assert!(verify::verify_refutation(&bound).is_err(), "{}", problem.name());
        forged.bound = Some(Box::new(bound));
        assert_eq!(check(&forged.sealed()), Err(Flaw::OtherBound));
    }
    assert!(both >= count && bounds > both / 2, "{bounds} bounds, {both} of both sides");
}

#[test]
fn a_bound_by_convention_knows_useless_interpositions() {
    let proof = certified(300_000, &game(THREE)).expect("a mate");
    let bound = proof.bound.as_deref().expect("nothing mates in one");
    assert_eq!((proof.length, bound.within), (Some(3), Some(1)));
    assert_eq!(bound.counting, Counting::Convention);
    assert!(check(&proof).is_ok(), "{:?}", check(&proof));
    // 7c7a+ is mate at once by convention, and takes seven plies with every interposition: the
    // laws refute what convention does not.
    let distant = "7k1/6P2/2R4S1/6G2/9/9/9/9/9 b Pr2b3g3s4n4l16p 1";
    let proof = certified(300_000, &game(distant)).expect("a mate");
    assert_eq!((proof.length, proof.bound.is_none()), (Some(1), true));
    assert!(proof.raw_length > 1);
}
