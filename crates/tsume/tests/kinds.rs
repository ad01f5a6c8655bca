//! Each kind of fault and each fact of a record, on problems that have them.
#![allow(clippy::print_stdout)]

mod common;

use common::generator::{RandomProblem, Recipe, random_problem};
use common::{cases, game, seeds, set, settings};
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::judge::{Facts, FaultKind, Form, JudgeSettings, Judged, Ruling, judge};
use yomikiri_tsume::verify::{self, Certificate};
use yomikiri_tsume::{MateSettings, MateSolver, Tsume, Verdict};

/// Nodes for a verdict, and for a length.
const NODES: u64 = 200_000;
const NODES_A_LENGTH: u64 = 10_000;

fn judge_settings() -> JudgeSettings {
    let mut solve = MateSettings { refute: true, ..settings(NODES) };
    solve.limits.memory = 8 << 20;
    JudgeSettings { solve, ..JudgeSettings::default() }
}

fn against(game: &Tsume, line: &[Move]) -> Judged {
    judge(game, Some(line), &judge_settings(), &mut |_| {})
}

fn stands(certificate: &Certificate) -> bool {
    match certificate {
        Certificate::Mate(proof) => {
            let limits = ProofLimits { memory: 4 << 20, ..ProofLimits::nodes(300_000) };
            verify::verify(proof, &limits).is_ok()
        }
        Certificate::NoMate(refutation) => verify::verify_refutation(refutation).is_ok(),
    }
}

fn small_solver() -> MateSolver {
    let mut settings = settings(NODES_A_LENGTH);
    settings.limits.memory = 4 << 20;
    MateSolver::new(settings)
}

/// Whether limits left a move open.
fn is_open(judged: &Judged, ply: usize, mv: &str) -> bool {
    let mut open = judged.judgement.open.iter();
    open.any(|open| open.ply == ply && open.play.as_deref().is_none_or(|open| open == mv))
}

/// The problem with one more of its moves made.
fn behind(problem: &Tsume, mv: Move) -> Tsume {
    let mut position: Position = problem.position().clone();
    position.play(mv);
    Tsume::new(position, problem.attacker())
}

/// A shortest line of a problem, if it is mate and its length is known.
fn shortest(solver: &mut MateSolver, problem: &Tsume) -> Option<Vec<Move>> {
    let solution = solver.solve(problem, &mut |_| {});
    (solution.is_exact() && solution.by_the_rule).then_some(solution.line)
}

/// Small random mates of three plies and more, with their shortest lines.
fn mates(solver: &mut MateSolver) -> impl Iterator<Item = (RandomProblem, Vec<Move>)> {
    seeds(cases(4) * 10).filter_map(|seed| {
        let problem = random_problem(Recipe::Corner, seed)?;
        let line = shortest(solver, &problem.game())?;
        let first = problem.position.side_to_move() == problem.attacker;
        (first && line.len() >= 3).then_some((problem, line))
    })
}

#[test]
fn a_record_with_a_weaker_defence_has_a_longer_variation() {
    let (mut solver, mut other) = (small_solver(), small_solver());
    let (count, mut seen) = (cases(4), 0);
    for (problem, line) in mates(&mut solver) {
        if seen == count {
            break;
        }
        let after = behind(&problem.game(), line[0]);
        for defence in after.position().legal_moves() {
            let Some(rest) = shortest(&mut other, &behind(&after, defence)) else { continue };
            if rest.len() + 2 >= line.len() {
                continue;
            }
            let recorded: Vec<Move> = [line[0], defence].into_iter().chain(rest).collect();
            let judged = against(&problem.game(), &recorded);
            let long = |fault: &&yomikiri_tsume::judge::JudgedFault| {
                fault.kind == FaultKind::LongVariation && fault.ply == 2
            };
            let found = judged.judgement.faults.iter().find(long);
            let name = problem.name();
            let Some(found) = found else {
                assert!(is_open(&judged, 2, &line[1].to_string()), "{name}: {judged:?}");
                break;
            };
            assert!(!found.minor && judged.judgement.verdict == Ruling::Faulty, "{name}");
            assert!(found.proof.as_ref().is_none_or(stands), "{name}");
            seen += 1;
            break;
        }
    }
    assert_eq!(seen, count);
}

#[test]
fn a_record_that_takes_longer_than_it_has_to_is_mated_early() {
    let (mut solver, mut other) = (small_solver(), small_solver());
    let (count, mut seen) = (cases(4), 0);
    for (problem, line) in mates(&mut solver) {
        if seen == count {
            break;
        }
        for check in problem.position.legal_moves() {
            if check == line[0] || !problem.position.gives_check(check) {
                continue;
            }
            let Some(rest) = shortest(&mut other, &behind(&problem.game(), check)) else {
                continue;
            };
            if rest.len() < line.len() {
                continue;
            }
            let recorded: Vec<Move> = std::iter::once(check).chain(rest).collect();
            let judged = against(&problem.game(), &recorded);
            let (name, first) = (problem.name(), line[0].to_string());
            let found = judged.judgement.faults.iter().find(|fault| {
                fault.kind == FaultKind::EarlyMate && fault.play.as_ref() == Some(&first)
            });
            let Some(found) = found else {
                assert!(is_open(&judged, 1, &first), "{name}: {judged:?}");
                break;
            };
            assert_eq!((found.ply, found.minor), (1, false), "{name}");
            assert!(found.length.is_some_and(|plies| usize::from(plies) < recorded.len()));
            assert!(found.proof.as_ref().is_some_and(stands), "{name}");
            assert_eq!(judged.judgement.verdict, Ruling::Faulty, "{name}");
            seen += 1;
            break;
        }
    }
    assert_eq!(seen, count);
}

#[test]
fn a_piece_without_a_part_in_the_mate_is_not_needed() {
    let settings = JudgeSettings { useless: true, ..judge_settings() };
    let judged = |sfen| judge(&game(sfen), None, &settings, &mut |_| {}).judgement;
    // The gold on the head is the only mate; the pawn far away has no part in it.
    let with_pawn = judged("4k4/9/4P4/9/9/9/P8/9/9 b G2r2b3g4s4n4l16p 1");
    let useless: Vec<_> =
        with_pawn.faults.iter().filter(|fault| fault.kind == FaultKind::UselessPiece).collect();
    assert_eq!(useless.len(), 1, "{:?}", with_pawn.faults);
    assert!(useless[0].minor && useless[0].proof.as_ref().is_some_and(stands));
    assert!(useless[0].sfen.starts_with("4k4/9/4P4/9/9/9/9/9/9 b"), "{}", useless[0].sfen);
    assert_eq!(with_pawn.verdict, Ruling::Sound);
    let without = judged("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1");
    assert!(without.faults.is_empty(), "{:?}", without.faults);
}

/// The facts of a problem of a set with its recorded line.
fn recorded_facts(name: &str, id: &str) -> Facts {
    let rows = set(name);
    let row = rows.iter().find(|row| row[2] == id).expect(id);
    let line = row.iter().skip(3).find(|cell| cell.contains(' ')).expect("a recorded line");
    let line: Vec<Move> = line.split(' ').map(|mv| mv.parse().unwrap()).collect();
    Facts::new(&game(&row[0]), &line)
}

#[test]
fn a_record_of_the_smoke_mate_says_what_it_is() {
    let facts = recorded_facts("zukou_odd.tsv", "zukou-099");
    assert_eq!((facts.plies, facts.pieces, facts.left_over), (117, 39, 0));
    assert!(facts.forms.contains(&Form::Smoke), "{:?}", facts.forms);
    assert!(!facts.both_kings);
}

#[test]
fn a_pawn_that_may_not_mate_is_why_a_rook_does_not_promote() {
    // Reported to need a non-promotion (`data/tsume/extra.tsv`).
    let problem = game("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1");
    let judged = judge(&problem, None, &judge_settings(), &mut |_| {});
    let facts = &judged.judgement.facts;
    assert_eq!(judged.solution.verdict, Verdict::Mate);
    assert!(facts.both_kings);
    assert!(!facts.declined_promotions.is_empty(), "{facts:?}");
    let pawn = "7nk/9/7G1/9/9/9/9/9/9 b P 1";
    assert_eq!(Facts::new(&game(pawn), &[]).pawn_drop_mates, [0_usize; 0]);
}

#[test]
fn forms_are_named_by_what_stands_on_the_board() {
    let forms = |sfen: &str, line: &str| {
        let line: Vec<Move> = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        Facts::new(&game(sfen), &line).forms
    };
    assert_eq!(forms("9/6k2/9/9/9/9/9/9/9 b R4GLr2b4s4n3l18p 1", ""), [Form::NakedKing]);
    assert_eq!(forms("7nk/7p1/9/9/9/9/9/9/9 b G 1", ""), [Form::NoAttackers]);
    let centre = "9/9/9/9/4k4/9/3GPG3/9/9 b G 1";
    assert_eq!(forms(centre, "G*5f"), [Form::Centre]);
    assert!(forms("4k4/9/4P4/9/9/9/9/9/9 b G 1", "G*5b").is_empty());
}
