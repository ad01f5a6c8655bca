//! Makes the project's own small set of Go capture problems, which quick runs use: stones drawn at
//! random in a corner, at a side or in the middle of a 19x19 board, a block among them, and the
//! answers to both questions, attacker first and defender first, each proven with all legal moves
//! and checked on the slow board.
//!
//! `cargo run -p yomikiri-lab --example make_capture_set > own.jsonl`; it belongs to
//! `crates/lab/src/papers/widening`.

#![allow(clippy::print_stdout)]

use fastrand::Rng;
use serde_json::json;
use yomikiri_go::board::{Board, Colour, KoRule, Point};
use yomikiri_go::capture::{CaptureSettings, Moves, solve};
use yomikiri_go::problem::{CaptureProblem, CaptureResult};
use yomikiri_proof::game::Role;

const SIZE: usize = 19;
const WANTED: usize = 18;
/// The area in which stones are drawn.
const AREA: usize = 7;
/// Most nodes of a search: quick runs are not to spend more.
const MOST_NODES: u64 = 3_000;
/// A problem with fewer nodes is too easy to distinguish ways of search.
const LEAST_NODES: u64 = 100;

fn main() {
    let mut random = Rng::with_seed(1);
    let mut found = 0;
    while found < WANTED {
        let Some(problem) = draw(&mut random) else { continue };
        let Some((attack, attack_nodes)) = answer(&problem, Role::Attacker) else { continue };
        // In every third problem the block falls if the attacker moves first.
        if attack.is_ko() || (attack == CaptureResult::Unconditional) != (found % 3 == 0) {
            continue;
        }
        let Some((defend, defend_nodes)) = answer(&problem, Role::Defender) else { continue };
        if defend.is_ko() || attack_nodes + defend_nodes < LEAST_NODES {
            continue;
        }
        found += 1;
        for (command, answer) in [("attack", attack), ("defend", defend)] {
            println!("{}", line(&problem, found, command, answer));
        }
    }
}

/// Stones and a block of two stones or more with two to four liberties.
fn draw(random: &mut Rng) -> Option<CaptureProblem> {
    let corner = |random: &mut Rng| random.choice([0, (SIZE - AREA) / 2, SIZE - AREA]).unwrap_or(0);
    let (left, bottom) = (corner(random), corner(random));
    let mut stones = Vec::new();
    for column in left..left + AREA {
        for row in bottom..bottom + AREA {
            if random.u32(..100) < 55 {
                let colour = if random.bool() { Colour::Black } else { Colour::White };
                stones.push((colour, Point::new(column, row)));
            }
        }
    }
    let board = Board::from_stones(SIZE, KoRule::Simple, stones.clone()).ok()?;
    let (_, target) = random.choice(stones)?;
    let block = board.block(target)?;
    let fits = block.stones().len() >= 2 && (2..=4).contains(&block.liberty_count());
    let (id, first) = (String::new(), Role::Attacker);
    fits.then(|| CaptureProblem {
        id,
        board: board.clone(),
        target,
        first,
        expected: None,
        gnugo: None,
    })
}

/// A checked answer and the nodes that it took.
fn answer(problem: &CaptureProblem, first: Role) -> Option<(CaptureResult, u64)> {
    let settings = CaptureSettings {
        moves: Moves::All,
        nodes: MOST_NODES,
        verify: 20_000,
        ..CaptureSettings::default()
    };
    let asked = CaptureProblem { first, ..problem.clone() };
    let solution = solve(&asked, &settings)?;
    let checked = matches!(solution.check(first), Some(Ok(_)));
    solution.answer.filter(|_| checked).map(|answer| (answer, solution.nodes()))
}

fn line(
    problem: &CaptureProblem,
    id: usize,
    command: &str,
    answer: CaptureResult,
) -> serde_json::Value {
    let points = |colour: Colour| -> Vec<String> {
        let all = (0..SIZE).flat_map(|column| (0..SIZE).map(move |row| Point::new(column, row)));
        let of_colour = all.filter(|point| problem.board.stone(*point) == Some(colour));
        of_colour.map(|point| point.to_string()).collect()
    };
    json!({
        "file": "own",
        "id": id,
        "cmd": command,
        "target": problem.target.to_string(),
        "size": SIZE,
        "black": points(Colour::Black),
        "white": points(Colour::White),
        "expect": answer.code().to_string(),
    })
}
