//! Questions about captures and their answers in words.

use unicode_width::UnicodeWidthStr;
use yomikiri_go::board::Colour;
use yomikiri_go::capture::{CaptureSolution, CheckFailure, Moves};
use yomikiri_go::problem::{CaptureProblem, CaptureResult};
use yomikiri_go::questions::{MOST_POSITIONS, QuestionSettings};
use yomikiri_proof::game::Role;
use yomikiri_text::Capture;

use crate::kinds::go_solve::CaptureRow;

/// Who moves first and what is asked.
#[must_use]
pub fn question(problem: &CaptureProblem, words: Capture) -> String {
    let colour = match problem.mover() {
        Colour::Black => words.black(),
        Colour::White => words.white(),
    };
    match problem.first {
        Role::Attacker => words.to_capture(colour, problem.target),
        Role::Defender => words.to_save(colour, problem.target),
    }
}

/// The answer in words.
#[must_use]
pub fn answer(
    problem: &CaptureProblem,
    solution: &CaptureSolution,
    settings: &QuestionSettings,
    words: Capture,
) -> String {
    let attacks = problem.first == Role::Attacker;
    let text = match (solution.answer, attacks) {
        (Some(CaptureResult::Unconditional), true) => words.captured(),
        (Some(CaptureResult::Unconditional), false) => words.saved(),
        (Some(CaptureResult::Cannot), true) => words.not_captured(),
        (Some(CaptureResult::Cannot), false) => words.not_saved(),
        (Some(CaptureResult::KoOpponentThreatens), true) => words.captured_by_ko_other(),
        (Some(CaptureResult::KoOpponentThreatens), false) => words.saved_by_ko_other(),
        (Some(CaptureResult::KoMustThreaten), true) => words.captured_by_ko(),
        (Some(CaptureResult::KoMustThreaten), false) => words.saved_by_ko(),
        (None, _) => {
            let why = solution.searches.iter().rev().find_map(|search| search.gave_up);
            words.unknown(why.map_or_else(|| words.no_reason(), |why| why.to_string()))
        }
    };
    let stays = solution.answer.is_some_and(|answer| !answer.captured(problem.first));
    let by_ko = solution.answer.is_some_and(CaptureResult::is_ko);
    let bound = match settings.give_up {
        most if most > 0 && stays && !by_ko && attacks => words.stays(most),
        most if most > 0 && stays && !by_ko => words.reaches(most),
        _ => String::new(),
    };
    match settings.moves {
        Moves::All | Moves::Zones => text + &bound,
        Moves::Heuristic => text + &bound + &words.no_proof(),
    }
}

/// What the independent check says of an answer.
#[must_use]
pub fn check(problem: &CaptureProblem, solution: &CaptureSolution, words: Capture) -> String {
    match solution.check(problem.first) {
        Some(Ok(positions)) => words.checked(positions),
        Some(Err(CheckFailure::TooLarge)) => words.too_many(MOST_POSITIONS),
        Some(Err(CheckFailure::Forgotten(_))) => words.forgotten(),
        Some(Err(
            CheckFailure::Unsearched(_) | CheckFailure::Unsupported | CheckFailure::Refuted(_),
        ))
        | None => words.not_checked(),
    }
}

/// Moves with colours, a pass where one side waits.
#[must_use]
pub fn line(first: Colour, moves: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    let mut colour = first;
    let mut parts = Vec::new();
    for mv in moves {
        parts.push(format!("{}{mv}", if colour == Colour::Black { "B:" } else { "W:" }));
        colour = colour.other();
    }
    parts.join(" ")
}

/// The answer to a problem of a set in one line.
#[must_use]
pub fn row(problem: &CaptureProblem, answer: &CaptureRow, words: Capture) -> String {
    let verdict = match (answer.result, answer.as_expected) {
        (None, _) => words.open(),
        (Some(_), None) => String::new(),
        (Some(_), Some(true)) => words.as_expected(),
        (Some(_), Some(false)) => words.otherwise(),
    };
    let room = " ".repeat(12_usize.saturating_sub(verdict.width()));
    let code = answer.result.map_or("?".into(), |code| code.to_string());
    let moves = line(problem.mover(), answer.line.iter().take(8));
    let (id, target, nodes) = (&problem.id, problem.target.to_string(), answer.nodes);
    format!("{id:<24} {target:<5} {code} {verdict}{room} {nodes:>9} nodes  {moves}")
}

/// The answer to a question with all that is to be said about it, some lines.
#[must_use]
pub fn report(
    problem: &CaptureProblem,
    solution: &CaptureSolution,
    settings: &QuestionSettings,
    words: Capture,
) -> String {
    let mut text = answer(problem, solution, settings, words) + "\n";
    if !solution.line.is_empty() {
        text += &format!("{}\n", words.line(line(problem.mover(), &solution.line)));
    }
    let seconds = format!("{:.2}", solution.elapsed().as_secs_f64());
    text += &format!("{}\n", words.effort(solution.nodes(), seconds));
    if solution.answer.is_some() {
        text += &format!("{}\n", check(problem, solution, words));
    }
    text
}

/// The answer as one line of JSON.
#[must_use]
pub fn json_line(problem: &CaptureProblem, solution: &CaptureSolution) -> String {
    let line: Vec<String> = solution.line.iter().map(ToString::to_string).collect();
    let value = serde_json::json!({
        "id": problem.id,
        "result": solution.answer.map(CaptureResult::code),
        "line": line,
        "nodes": solution.nodes(),
        "seconds": solution.elapsed().as_secs_f64(),
    });
    format!("{value}\n")
}
