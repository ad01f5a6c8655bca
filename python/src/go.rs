//! `capture`: can a block of Go be taken?

use crate::errors::{bad_value, notation};
use crate::interrupt;
use crate::proof::width_of;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;
use yomikiri_go::board::{Board, Colour, KoRule, Point};
use yomikiri_go::capture::{CaptureSettings, GIVE_UP, Moves, NODE_LIMIT, solve};
use yomikiri_go::problem::{CaptureProblem, CaptureResult};
use yomikiri_go::sgf;
use yomikiri_proof::game::Role;

/// The independent check gives up beyond this many positions.
const MOST_POSITIONS: usize = 20_000;

/// A board from SGF, or from rows of `X` (black), `O` (white) and `.`, the top row first.
fn board_of(position: &Bound<'_, PyAny>) -> PyResult<Board> {
    if let Ok(text) = position.extract::<String>() {
        if text.trim_start().starts_with('(') {
            return Ok(sgf::read(&text, None).map_err(notation)?.board);
        }
        let rows: Vec<String> = text.split_whitespace().map(str::to_string).collect();
        return board_of_rows(&rows);
    }
    board_of_rows(&position.extract::<Vec<String>>()?)
}

fn board_of_rows(rows: &[String]) -> PyResult<Board> {
    let size = rows.len();
    if !(2..=19).contains(&size) {
        return Err(notation(format!("a board has 2 to 19 rows, not {size}")));
    }
    let mut stones = Vec::new();
    for (row, text) in rows.iter().rev().enumerate() {
        let points: Vec<char> = text.chars().collect();
        if points.len() != size {
            return Err(notation(format!("row '{text}' has {} points, not {size}", points.len())));
        }
        for (column, point) in points.into_iter().enumerate() {
            match point {
                'X' | 'x' | '#' => stones.push((Colour::Black, Point::new(column, row))),
                'O' | 'o' => stones.push((Colour::White, Point::new(column, row))),
                '.' => {}
                other => return Err(notation(format!("'{other}' is none of X, O and ."))),
            }
        }
    }
    Board::from_stones(size, KoRule::Simple, stones).map_err(notation)
}

const fn answer_word(answer: CaptureResult) -> &'static str {
    match answer {
        CaptureResult::Unconditional => "unconditional",
        CaptureResult::Cannot => "cannot",
        CaptureResult::KoOpponentThreatens => "ko, the opponent must find the first threat",
        CaptureResult::KoMustThreaten => "ko, the side that asks must find the first threat",
    }
}

/// Can the block with a stone on `target` be captured (`attack=True`, the attacker moves first), or
/// saved (`attack=False`)? The position is an SGF text, or rows of `X`, `O` and `.`. `nodes` limits
/// one search, of which a question can take three; `width` says which children count (`all`,
/// `top:N`, `rate:N`); the attacker gives up when the block has `give_up` liberties (0 for never);
/// `heuristic` tries likely moves only, and can be wrong.
///
/// Gives `answer` (`'unconditional'`, `'cannot'`, or which ko; `None` if a limit was met), `code`
/// (1, 0, 2, 3), `line`, `nodes`, `time`, and `verified`: how many positions the independent check
/// on a slow board walked through, or `None` where it could not confirm the answer.
///
///     >>> from yomikiri import go
///     >>> result = go.capture(["OX...", ".....", ".....", ".....", "....."], "A5")
///     >>> result["answer"], result["line"]
///     ('unconditional', ['A4'])
#[pyfunction]
#[pyo3(signature = (position, target, *, attack = true, nodes = NODE_LIMIT, give_up = GIVE_UP,
    heuristic = false, width = "top:5", verify = true))]
#[allow(clippy::too_many_arguments)]
fn capture<'py>(
    position: &Bound<'py, PyAny>,
    target: &str,
    attack: bool,
    nodes: u64,
    give_up: u32,
    heuristic: bool,
    width: &str,
    verify: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let py = position.py();
    let board = board_of(position)?;
    let point = Point::parse(target, board.size()).map_err(notation)?;
    if board.stone(point).is_none() {
        return Err(bad_value(format!("there is no stone on {target}")));
    }
    if give_up == 1 {
        return Err(bad_value("give_up is 2 or more, or 0 for never"));
    }
    let stop = Arc::default();
    let settings = CaptureSettings {
        moves: if heuristic { Moves::Heuristic } else { Moves::All },
        give_up: (give_up > 0).then_some(give_up),
        nodes,
        width: width_of(width)?,
        verify: if verify { MOST_POSITIONS } else { 0 },
        stop: Arc::clone(&stop),
        ..CaptureSettings::default()
    };
    let first = if attack { Role::Attacker } else { Role::Defender };
    let (id, expected, gnugo) = (String::new(), None, None);
    let problem = CaptureProblem { id, board, target: point, first, expected, gnugo };
    let solution = interrupt::run(py, &stop, || solve(&problem, &settings))?;
    let solution = solution.ok_or_else(|| bad_value(format!("no stone on {target}")))?;
    let result = PyDict::new(py);
    result.set_item("answer", solution.answer.map(answer_word))?;
    result.set_item("code", solution.answer.map(CaptureResult::code))?;
    let line: Vec<String> = solution.line.iter().map(ToString::to_string).collect();
    result.set_item("line", line)?;
    result.set_item("nodes", solution.nodes())?;
    result.set_item("time", solution.elapsed().as_secs_f64())?;
    result.set_item("verified", solution.check(first).and_then(Result::ok))?;
    Ok(result)
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(capture, module)?)
}
