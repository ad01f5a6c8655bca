//! Helpmates against a search without a table.

mod common;

use common::generator::{Recipe, random_problem};
use common::{cases, seeds};
use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::movegen::reference::PlainBoard;
use yomikiri_shogi::{Color, Position};
use yomikiri_tsume::helpmate::{HelpVerdict, helpmate};

const MOST: u16 = 4;

/// The lines of exactly `left` plies that mate, with the reference generator and nothing else.
fn lines(board: &PlainBoard, attacker: Color, left: u16) -> u64 {
    let attacks = board.side_to_move() == attacker;
    if left == 0 {
        return u64::from(!attacks && board.is_mate());
    }
    let mut found = 0;
    for mv in board.legal_moves() {
        let mut after = board.clone();
        after.play(mv);
        if !attacks || after.in_check(!attacker) {
            found += lines(&after, attacker, left - 1);
        }
    }
    found
}

fn is_mate(position: &Position, line: &[yomikiri_shogi::Move], attacker: Color) -> bool {
    let mut position = position.clone();
    for &mv in line {
        let attacks = position.side_to_move() == attacker;
        if !position.is_legal(mv) || (attacks && !position.gives_check(mv)) {
            return false;
        }
        position.play(mv);
    }
    position.side_to_move() != attacker && position.is_mate()
}

#[test]
fn lengths_and_numbers_of_solutions_are_those_of_brute_force() {
    let count = cases(400);
    let (mut mates, mut several, mut none) = (0, 0, 0);
    for seed in seeds(count).take(count) {
        let recipe = [Recipe::Any, Recipe::Corner, Recipe::Circle][seed as usize % 3];
        let Some(problem) = random_problem(recipe, seed) else { continue };
        let (position, attacker) = (&problem.position, problem.attacker);
        let answer = helpmate(position, attacker, MOST, &ProofLimits::nodes(1_000_000));
        let board = PlainBoard::new(position);
        let first = u16::from(position.side_to_move() == attacker);
        let shortest = (first..=MOST)
            .step_by(2)
            .map(|plies| (plies, lines(&board, attacker, plies)))
            .find(|&(_, lines)| lines > 0);
        match (answer.verdict, shortest) {
            (HelpVerdict::Mate(found), Some((plies, lines))) => {
                assert_eq!(answer.line.len(), usize::from(plies), "{}", problem.name());
                assert_eq!(found, Some(lines), "{}", problem.name());
                assert!(is_mate(position, &answer.line, attacker), "{}", problem.name());
                assert_eq!(answer.is_unique(), lines == 1);
                mates += 1;
                several += usize::from(lines > 1);
            }
            (HelpVerdict::NoMate | HelpVerdict::NotWithin(MOST), None) => none += 1,
            other => panic!("{}: {other:?}", problem.name()),
        }
    }
    assert!(mates > 10 && several > 5 && none > 10, "{mates} {several} {none}");
}
