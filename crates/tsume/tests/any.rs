//! Where any mate will do the line is no exact one, but it is one of moves on the board and no
//! longer than the proof.

mod common;

use common::{game, set, settings};
use yomikiri_shogi::{Color, Hand, Kind, Piece, Position, Square};
use yomikiri_tsume::{MateSettings, MateSolver, Tsume, Verdict};

fn any_mate(nodes: u64) -> MateSolver {
    MateSolver::new(MateSettings { shortest: false, ..settings(nodes) })
}

/// Solves a problem; if it is a mate, checks what is reported about it and prints that.
fn is_sound(solver: &mut MateSolver, game: &Tsume) -> bool {
    let mut position = game.position().clone();
    let name = position.to_sfen();
    let solution = solver.solve(game, &mut |_| {});
    if solution.verdict != Verdict::Mate {
        return false;
    }
    assert!(solution.verified, "{name}");
    let length = solution.line.len();
    for &played in &solution.line {
        assert!(position.is_legal(played), "{name}: {played} in {}", position.to_sfen());
        position.play(played);
        assert!(position.side_to_move() == game.attacker() || position.in_check(), "{name}");
    }
    assert!(position.side_to_move() != game.attacker(), "{name}");
    let king = position.king(!game.attacker());
    assert!(position.legal_moves().iter().all(|answer| answer.from() != king), "{name}");
    let least = u16::from(game.position().side_to_move() == game.attacker());
    assert!(solution.low >= least && solution.low <= solution.high, "{name}");
    assert!(length <= usize::from(solution.high), "{name}");
    assert!(u32::from(solution.high) <= solution.raw_length, "{name}");
    let guide = solution.proven.expect("a mate").guide;
    assert_eq!(guide.line(game.position()).len(), solution.raw_length as usize, "{name}");
    true
}

#[test]
fn pieces_given_back_by_the_proof_are_not_dropped_on_the_board() {
    let mut solver = any_mate(200_000);
    for sfen in
        ["4s4/4kL3/5L3/3p2S2/9/7+B1/9/9/1R6R b Gnl 1", "9/L6L1/6L1k/1+R7/1R7/9/9/9/9 b Sl 1"]
    {
        assert!(is_sound(&mut solver, &game(sfen)), "{sfen}");
    }
}

#[test]
fn mined_mates() {
    let mut solver = any_mate(200_000);
    let rows = set("mined.tsv");
    let mates = rows.iter().filter(|row| row[1] == "mate");
    assert!(
        mates.map(|row| assert!(is_sound(&mut solver, &game(&row[0])), "{}", row[3])).count() > 100
    );
}

/// A white king among black pieces that check from a distance, with something in hand to interpose.
fn random_problem(random: &mut fastrand::Rng) -> Option<Position> {
    let mut position = Position::empty();
    let king = Square::try_new(random.i8(0..9), random.i8(0..5))?;
    position.put(king, Some(Piece::new(Kind::King, Color::White)));
    let kinds = [Kind::Rook, Kind::Bishop, Kind::Lance, Kind::Lance, Kind::Silver, Kind::Gold];
    for _ in 0..random.u8(4..7) {
        let kind = kinds[random.usize(..kinds.len())];
        let square = Square::try_new(random.i8(0..9), random.i8(0..9))?;
        if position.piece_on(square).is_none() {
            let kind = if random.bool() { kind.promoted().unwrap_or(kind) } else { kind };
            position.put(square, Some(Piece::new(kind, Color::Black)));
        }
    }
    position.set_hand(Color::Black, Hand::EMPTY.with(kinds[random.usize(2..kinds.len())]));
    let held = Hand::EMPTY.with(Kind::Knight).with(kinds[random.usize(2..kinds.len())]);
    position.set_hand(Color::White, held);
    position.set_side_to_move(Color::Black);
    Position::from_problem_sfen(&position.to_sfen()).ok()
}

#[test]
fn random_mates_with_interpositions() {
    let mut random = fastrand::Rng::with_seed(20);
    let mut solver = any_mate(3_000);
    let mut mates = 0;
    for _ in 0..1_500 {
        let Some(position) = random_problem(&mut random) else { continue };
        mates += usize::from(is_sound(&mut solver, &Tsume::new(position, Color::Black)));
    }
    assert!(mates > 100, "{mates} mates");
}
