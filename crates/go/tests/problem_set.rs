//! Problems of the regression suite that solve quickly: the expected answers, each search verified
//! on the slow board, and the liberty limit.

use std::path::Path;

use yomikiri_go::board::Point;
use yomikiri_go::capture::{CaptureSettings, CheckFailure, Ko, search, solve};
use yomikiri_go::problem::{self, CaptureProblem, CaptureResult};
use yomikiri_proof::game::Role;

fn problems() -> Vec<CaptureProblem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/go/go_gnugo_capture.jsonl");
    let text = std::fs::read_to_string(path).expect("the problem set is in the tree");
    problem::read(&text).expect("the problem set can be read")
}

#[test]
fn the_set_has_the_problems_that_the_experiment_counts_on() {
    let unconditional = |problem: &&CaptureProblem| {
        let expected = problem.expected.as_ref().expect("every problem has an expectation");
        problem.board.size() == 19 && !expected.answers.iter().any(|answer| answer.is_ko())
    };
    let all = problems();
    assert_eq!((all.len(), all.iter().filter(unconditional).count()), (155, 76));
}

#[test]
fn quick_answers_are_as_expected_and_verified() {
    let settings = CaptureSettings { nodes: 1_500, verify: 3_000, ..CaptureSettings::default() };
    let (mut solved, mut by_ko, mut verified) = (0, 0, 0);
    for problem in problems().iter().filter(|problem| problem.board.size() == 9) {
        let solution = solve(problem, &settings).expect("a target");
        for search in &solution.searches {
            match &search.verified {
                Some(Ok(_)) => verified += 1,
                Some(Err(CheckFailure::TooLarge)) | None => {}
                Some(Err(doubt)) => {
                    panic!("{} {:?}: {doubt:?}\n{}", problem.id, search.ko, problem.board)
                }
            }
        }
        let checked = solution.check(problem.first);
        let lacking = matches!(checked, Some(Err(CheckFailure::Unsearched(_))));
        assert!(!lacking, "{}: {checked:?}", problem.id);
        let Some(answer) = solution.answer else {
            assert!(solution.line.is_empty(), "{}: a line without an answer", problem.id);
            continue;
        };
        let expected = problem.expected.as_ref().expect("every problem has an expectation");
        assert!(expected.answers.contains(&answer), "{}: {answer:?}, not {expected:?}", problem.id);
        solved += 1;
        by_ko += u32::from(answer.is_ko());
    }
    assert!(solved >= 15 && by_ko >= 5 && verified >= 15, "{solved}, {by_ko} by ko, {verified}");
}

/// White took in a ko on F1: that forbids Black's retake, and nothing to White.
#[test]
fn ko_binds_only_the_side_that_would_retake() {
    let settings = CaptureSettings { nodes: 1_500, verify: 3_000, ..CaptureSettings::default() };
    let all = problems();
    for id in ["reading.tst:83", "reading.tst:84"] {
        let problem = all.iter().find(|problem| problem.id == id).expect("it is in the set");
        assert!(problem.board.ko().is_some());
        let mut without = problem.clone();
        without.board.set_ko(None);
        let (with, without) = (solve(problem, &settings), solve(&without, &settings));
        let (with, without) = (with.expect("a target"), without.expect("a target"));
        assert_eq!((with.answer, with.nodes()), (without.answer, without.nodes()), "{id}");
    }
}

/// The side that took in a ko moves again and fills it.
#[test]
fn the_side_that_took_may_fill_the_ko() {
    let taken = "(;SZ[9]AB[ed][ef][fe]AW[ee][dd][df][ce];B[de])";
    let position = yomikiri_go::sgf::read(taken, None).expect("a position");
    assert_eq!(position.board.ko(), Some(Point::parse("E5", 9).expect("a point")));
    let target = Point::parse("D5", 9).expect("a point");
    let ask = |first| CaptureProblem {
        id: taken.into(),
        board: position.board.clone(),
        target,
        first,
        expected: None,
        gnugo: None,
    };
    let settings = CaptureSettings { verify: 3_000, ..CaptureSettings::default() };
    let saved = solve(&ask(Role::Defender), &settings).expect("a target");
    assert_eq!(saved.answer, Some(CaptureResult::Unconditional));
    assert!(saved.searches.iter().all(|search| matches!(search.verified, Some(Ok(_)))));
    // White, who would retake, must find a threat first.
    let taken = solve(&ask(Role::Attacker), &settings).expect("a target");
    assert_eq!(taken.answer, Some(CaptureResult::KoMustThreaten));
}

/// A capture found under the liberty limit is one without it, and a block that is safe without the
/// limit is safe with it.
#[test]
fn the_liberty_limit_only_gives_up() {
    let limited = CaptureSettings { nodes: 1_500, ..CaptureSettings::default() };
    let unlimited = CaptureSettings { give_up: None, nodes: 6_000, ..CaptureSettings::default() };
    let mut compared = 0;
    for problem in problems().iter().filter(|problem| problem.board.size() == 9) {
        for first in [Role::Attacker, Role::Defender] {
            let ask =
                |settings| search(&problem.board, problem.target, first, Ko::Simple, settings);
            let with = ask(&limited).expect("a target").captured;
            let Some(with) = with else { continue };
            let Some(without) = ask(&unlimited).expect("a target").captured else { continue };
            assert!(without || !with, "{} {first:?}", problem.id);
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}
