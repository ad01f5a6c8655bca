//! The solver against the sets that the project carries.

mod common;

use common::{game, set, settings};
use std::time::Duration;
use yomikiri_proof::limits::{ProofLimits, Reason};
use yomikiri_shogi::Position;
use yomikiri_tsume::solve::Why;
use yomikiri_tsume::{MateSettings, MateSolver, Solution, Verdict, attacker_of};

fn solve(solver: &mut MateSolver, sfen: &str) -> Solution {
    solver.solve(&game(sfen), &mut |_| {})
}

/// The line is legal, the attacker checks with every move, and the last one leaves at most
/// interpositions.
fn assert_playable(sfen: &str, solution: &Solution) {
    let mut position = Position::from_problem_sfen(sfen).unwrap();
    let attacker = attacker_of(&position);
    for &played in &solution.line {
        assert!(position.is_legal(played), "{sfen}: {played}");
        position.play(played);
        assert!(position.side_to_move() == attacker || position.in_check(), "{sfen}: {played}");
    }
    let king = position.king(!attacker);
    assert!(position.legal_moves().iter().all(|answer| answer.from() != king), "{sfen}");
}

#[test]
fn mined_mates_and_near_misses() {
    let mut solver = MateSolver::new(settings(500_000));
    let mut counts = [0; 2];
    for row in set("mined.tsv") {
        let solution = solve(&mut solver, &row[0]);
        if row[1] == "mate" {
            assert_eq!(solution.verdict, Verdict::Mate, "{}", row[3]);
            assert!(solution.verified && solution.is_exact(), "{}", row[3]);
            assert_eq!(solution.high.to_string(), row[2], "{}", row[3]);
            assert_eq!(solution.line.len(), usize::from(solution.high), "{}", row[3]);
            assert!(solution.raw_length >= u32::from(solution.high), "{}", row[3]);
            assert_playable(&row[0], &solution);
            counts[0] += 1;
        } else {
            assert_eq!(solution.verdict, Verdict::NoMate, "{}", row[3]);
            counts[1] += 1;
        }
    }
    assert!(counts[0] > 100 && counts[1] > 50, "{counts:?}");
}

/// Old masterpieces that need few nodes; length by convention.
#[test]
fn classics() {
    let mut solver = MateSolver::new(settings(400_000));
    let mut solved = 0;
    for name in ["zukou_odd.tsv", "musou_odd.tsv"] {
        for row in set(name).iter().filter(|row| row[1].parse::<u16>().unwrap() <= 19) {
            let solution = solve(&mut solver, &row[0]);
            if solution.verdict == Verdict::Mate {
                assert!(solution.verified, "{}", row[2]);
                solved += 1;
            }
        }
    }
    assert!(solved >= 5, "{solved} solved");
}

#[test]
fn conventions_that_other_solvers_missed() {
    let expectations = [
        ("5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1", 3),
        ("6p2/8k/9/6P2/8+P/9/9/9/8L b G2r2b3g4s4n3l15p 1", 11),
        ("5B1n1/8k/6Rpp/9/9/9/1+p7/9/K8 b rb4g4s3n4l15p 1", 5),
    ];
    let mut solver = MateSolver::new(settings(300_000));
    for (sfen, length) in expectations {
        let solution = solve(&mut solver, sfen);
        assert_eq!(
            (solution.verdict, solution.low, solution.high),
            (Verdict::Mate, length, length),
            "{sfen}"
        );
        assert!(solution.verified);
    }
}

#[test]
fn real_interpositions_are_no_mate_in_one() {
    for sfen in [
        "9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1",
        "4k4/3P5/3+B5/3B5/9/9/9/9/9 b L2r4g4s4n3l17p 1",
    ] {
        let solver = yomikiri_proof::solver::Solver::new(
            yomikiri_tsume::solve::default_options(),
            ProofLimits::default(),
        );
        assert!(solver.solve_within(&game(sfen), 1, None).number.is_disproven(), "{sfen}");
    }
}

#[test]
fn defender_to_move_and_white_as_attacker() {
    let mut solver = MateSolver::new(settings(100_000));
    // Black king in the corner, white mates with a gold.
    let solution = solve(&mut solver, "9/9/9/9/9/9/1p7/9/K8 w g 1");
    assert_eq!((solution.verdict, solution.high), (Verdict::Mate, 1));
    // The same after the gold has come and it is black's turn: mated already.
    let solution = solve(&mut solver, "9/9/9/9/9/9/1p7/1g7/K8 b - 1");
    assert_eq!((solution.verdict, solution.high), (Verdict::Mate, 0));
}

#[test]
fn refutations_keep_within_the_limits() {
    let sfen = "9/9/9/9/2R4l+S/7pP/8k/2L+R2L2/6NP1 b BSNbl 1";
    let solve = |nodes| {
        let settings = MateSettings { refute: true, ..settings(nodes) };
        MateSolver::new(settings).solve(&game(sfen), &mut |_| {})
    };
    let full = solve(1_000_000);
    assert!(full.verdict == Verdict::NoMate && full.verified);
    for nodes in [full.nodes / 4, full.nodes / 2] {
        let short = solve(nodes);
        assert!(!short.verified && short.nodes <= nodes, "{} of {nodes}", short.nodes);
    }
}

#[test]
fn two_threads_give_the_same_answers() {
    let mut twofold = settings(2_000_000);
    twofold.options.threads = 2;
    let mut two = MateSolver::new(twofold);
    let mut one = MateSolver::new(settings(300_000));
    for row in set("mined.tsv").iter().step_by(9) {
        let (a, b) = (solve(&mut one, &row[0]), solve(&mut two, &row[0]));
        assert_eq!((a.verdict, a.low, a.high), (b.verdict, b.low, b.high), "{}", row[3]);
    }
}

#[test]
fn a_mate_that_cannot_be_checked_in_time_is_not_known() {
    let game = game("8k/9/6+R2/9/9/9/9/9/K8 b S 1");
    let solve = |checking| {
        let limits = ProofLimits { memory: 4 << 20, ..ProofLimits::nodes(100_000) };
        let settings = MateSettings { limits, checking: Some(checking), ..MateSettings::default() };
        MateSolver::new(settings).solve(&game, &mut |_| {})
    };
    let patient = solve(Duration::from_secs(3600));
    assert!(patient.verdict == Verdict::Mate && patient.verified);
    let hurried = solve(Duration::ZERO);
    assert_eq!(hurried.verdict, Verdict::Unknown(Why::Limit(Reason::Time)));
    assert!(!hurried.verified);
}
