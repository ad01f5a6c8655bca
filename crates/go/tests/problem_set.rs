//! Problems of the regression suite that solve quickly: the expected answers, each search verified
//! on the slow board, and the liberty limit.

use std::path::Path;

use yomikiri_go::capture::{Ko, Settings, search, solve};
use yomikiri_go::problem::{self, Problem};
use yomikiri_proof::game::Role;

fn problems() -> Vec<Problem> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/go/go_gnugo_capture.jsonl");
    let text = std::fs::read_to_string(path).expect("the problem set is in the tree");
    problem::read(&text).expect("the problem set can be read")
}

#[test]
fn the_set_has_the_problems_that_the_experiment_counts_on() {
    let unconditional = |problem: &&Problem| {
        let expected = problem.expected.as_ref().expect("every problem has an expectation");
        problem.board.size() == 19 && !expected.answers.iter().any(|answer| answer.is_ko())
    };
    let all = problems();
    assert_eq!((all.len(), all.iter().filter(unconditional).count()), (155, 76));
}

#[test]
fn quick_answers_are_as_expected_and_verified() {
    let settings = Settings { nodes: 1_500, verify: 3_000, ..Settings::default() };
    let (mut solved, mut by_ko, mut verified) = (0, 0, 0);
    for problem in problems().iter().filter(|problem| problem.board.size() == 9) {
        let solution = solve(problem, &settings).expect("a target");
        for search in &solution.searches {
            match &search.verified {
                Some(Ok(_)) => verified += 1,
                Some(Err(yomikiri_go::capture::Doubt::TooLarge)) | None => {}
                Some(Err(doubt)) => {
                    panic!("{} {:?}: {doubt:?}\n{}", problem.id, search.ko, problem.board)
                }
            }
        }
        let Some(answer) = solution.answer else { continue };
        let expected = problem.expected.as_ref().expect("every problem has an expectation");
        assert!(expected.answers.contains(&answer), "{}: {answer:?}, not {expected:?}", problem.id);
        solved += 1;
        by_ko += u32::from(answer.is_ko());
    }
    assert!(solved >= 15 && by_ko >= 5 && verified >= 15, "{solved}, {by_ko} by ko, {verified}");
}

/// A capture found under the liberty limit is one without it, and a block that is safe without the
/// limit is safe with it.
#[test]
fn the_liberty_limit_only_gives_up() {
    let limited = Settings { nodes: 1_500, ..Settings::default() };
    let unlimited = Settings { give_up: None, nodes: 6_000, ..Settings::default() };
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
