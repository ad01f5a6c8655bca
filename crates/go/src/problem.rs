//! Capture problems from JSON lines.
//!
//! Two forms are read: a single question (`cmd` = `attack` or `defend`, with the expected answer),
//! and a position with GNU Go's answers to both (`gnugo_attack`, `gnugo_defend`), which gives two
//! problems.

use serde::Deserialize;
use thiserror::Error;
use yomikiri_proof::game::Role;

use crate::board::{Board, Colour, KoRule, Point, PointError, RefusedMove};

/// Answers as the sets code them, seen from the side that is asked to attack or to defend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaptureResult {
    /// 1: it succeeds whatever the opponent does.
    Unconditional,
    /// 0: it fails.
    Cannot,
    /// 2: by ko, and the opponent must find the first threat.
    KoOpponentThreatens,
    /// 3: by ko, and the side that asks must find the first threat.
    KoMustThreaten,
}

impl CaptureResult {
    /// The number by which the sets name it.
    pub fn code(self) -> u8 {
        match self {
            CaptureResult::Unconditional => 1,
            CaptureResult::Cannot => 0,
            CaptureResult::KoOpponentThreatens => 2,
            CaptureResult::KoMustThreaten => 3,
        }
    }

    fn from_code(code: char) -> Option<CaptureResult> {
        match code {
            '0' => Some(CaptureResult::Cannot),
            '1' => Some(CaptureResult::Unconditional),
            '2' => Some(CaptureResult::KoOpponentThreatens),
            '3' => Some(CaptureResult::KoMustThreaten),
            _ => None,
        }
    }

    /// Whether ko plays a part.
    pub fn is_ko(self) -> bool {
        matches!(self, CaptureResult::KoOpponentThreatens | CaptureResult::KoMustThreaten)
    }

    /// Whether the target falls if nobody has a ko threat.
    pub fn captured(self, asked: Role) -> bool {
        let succeeds =
            matches!(self, CaptureResult::Unconditional | CaptureResult::KoOpponentThreatens);
        succeeds == (asked == Role::Attacker)
    }
}

/// What a set says about a problem, e.g. `1 (D9|E8)` or `(2|3) F1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The answers that count as right.
    pub answers: Vec<CaptureResult>,
    /// The first moves that it names.
    pub moves: Vec<String>,
}

impl Expected {
    /// Reads the notation of the sets.
    pub fn parse(text: &str) -> Option<Expected> {
        let (answers, moves) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let answers: Vec<CaptureResult> = split(answers)
            .map(|a| CaptureResult::from_code(a.chars().next()?))
            .collect::<Option<_>>()?;
        let moves = split(moves).filter(|name| !name.is_empty()).map(str::to_string).collect();
        (!answers.is_empty()).then_some(Expected { answers, moves })
    }
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.trim().trim_start_matches('(').trim_end_matches(')').split('|')
}

/// One question about one block.
#[derive(Clone)]
pub struct CaptureProblem {
    /// A name that is unique in its file.
    pub id: String,
    /// The position.
    pub board: Board,
    /// A stone of the block.
    pub target: Point,
    /// Who moves first: the attacker or the defender.
    pub first: Role,
    /// The answer that the file expects, if it has one.
    pub expected: Option<Expected>,
    /// GNU Go's own answer, if the file has it.
    pub gnugo: Option<Expected>,
}

/// A line that is no problem.
#[derive(Debug, Error)]
#[error("line {line}: {fault}")]
pub struct CaptureProblemError {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub fault: CaptureProblemFault,
}

/// What is wrong with a line.
#[derive(Debug, Error)]
pub enum CaptureProblemFault {
    /// Not JSON of this form.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A name of a point.
    #[error("{0}")]
    Point(#[from] PointError),
    /// Stones that cannot stand.
    #[error("{0}")]
    Board(#[from] RefusedMove),
    /// The target is not a stone.
    #[error("there is no stone on the target {0}")]
    NoTarget(String),
    /// Unknown answer notation.
    #[error("`{0}` is no answer (such as `1 D4` or `0`)")]
    Answer(String),
    /// Neither form.
    #[error("neither `cmd` nor `gnugo_attack` is given")]
    NoQuestion,
}

#[derive(Deserialize)]
struct Line {
    file: Option<String>,
    id: Option<u64>,
    cmd: Option<Command>,
    target: String,
    size: usize,
    black: Vec<String>,
    white: Vec<String>,
    last_move: Option<String>,
    expect: Option<String>,
    gnugo_answer: Option<String>,
    gnugo_attack: Option<String>,
    gnugo_defend: Option<String>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Command {
    Attack,
    Defend,
}

/// Reads all problems of a file; blank lines are skipped.
///
/// # Errors
/// The first line that cannot be read, and why.
pub fn read(text: &str) -> Result<Vec<CaptureProblem>, CaptureProblemError> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let number = index + 1;
        problems.extend(
            read_line(line, number).map_err(|fault| CaptureProblemError { line: number, fault })?,
        );
    }
    Ok(problems)
}

fn read_line(text: &str, number: usize) -> Result<Vec<CaptureProblem>, CaptureProblemFault> {
    let line: Line = serde_json::from_str(text)?;
    let board = position(&line)?;
    let target = Point::parse(&line.target, line.size)?;
    if board.stone(target).is_none() {
        return Err(CaptureProblemFault::NoTarget(line.target));
    }
    let problem = |id: String, first: Role, expected: Option<Expected>, gnugo: Option<Expected>| {
        CaptureProblem { id, board: board.clone(), target, first, expected, gnugo }
    };
    if let Some(command) = line.cmd {
        let first = match command {
            Command::Attack => Role::Attacker,
            Command::Defend => Role::Defender,
        };
        let name = line.file.as_deref().unwrap_or("line");
        let id = format!("{}:{}", name, line.id.unwrap_or(number as u64));
        return Ok(vec![problem(id, first, answer(&line.expect)?, answer(&line.gnugo_answer)?)]);
    }
    let (attack, defend) = (answer(&line.gnugo_attack)?, answer(&line.gnugo_defend)?);
    if attack.is_none() && defend.is_none() {
        return Err(CaptureProblemFault::NoQuestion);
    }
    Ok(vec![
        problem(format!("{number}:attack"), Role::Attacker, None, attack),
        problem(format!("{number}:defend"), Role::Defender, None, defend),
    ])
}

fn answer(text: &Option<String>) -> Result<Option<Expected>, CaptureProblemFault> {
    let parsed = |text: &String| {
        Expected::parse(text).ok_or_else(|| CaptureProblemFault::Answer(text.clone()))
    };
    text.as_ref().map(parsed).transpose()
}

fn position(line: &Line) -> Result<Board, CaptureProblemFault> {
    let mut stones = Vec::new();
    for (colour, names) in [(Colour::Black, &line.black), (Colour::White, &line.white)] {
        for name in names {
            stones.push((colour, Point::parse(name, line.size)?));
        }
    }
    let mut board = Board::from_stones(line.size, KoRule::Simple, stones)?;
    if let Some((colour, name)) = line.last_move.as_deref().and_then(|text| text.split_once(' ')) {
        let ko = match (Colour::parse(colour), Point::parse(name, line.size)) {
            (Some(colour), Ok(point)) => ko_left_by(&board, colour, point),
            _ => None,
        };
        board.set_ko(ko);
    }
    Ok(board)
}

/// The point that ko forbids if the last move took in a ko. The files name the move but not what it
/// took; a lone stone in atari whose capture would be a ko capture is taken to have come by one.
fn ko_left_by(board: &Board, colour: Colour, last: Point) -> Option<Point> {
    if board.stone(last) != Some(colour) {
        return None;
    }
    let block = board.block(last)?;
    let liberty = block.liberties().first()?;
    let alone = block.stones().len() == 1 && block.liberty_count() == 1;
    (alone && board.ko_capture(colour.other(), liberty) == Some(last)).then_some(liberty)
}

#[cfg(test)]
mod tests {
    use super::{CaptureResult, Expected, read};
    use yomikiri_proof::game::Role;

    #[test]
    fn answers_are_read() {
        let expected = Expected::parse("(2|3) (A17|A19)").expect("an answer");
        assert_eq!(
            expected.answers,
            [CaptureResult::KoOpponentThreatens, CaptureResult::KoMustThreaten]
        );
        assert_eq!(expected.moves, ["A17", "A19"]);
        assert_eq!(Expected::parse("3 N1|R3").expect("an answer").moves, ["N1", "R3"]);
        assert_eq!(Expected::parse("0").expect("an answer").answers, [CaptureResult::Cannot]);
        assert!(Expected::parse("x").is_none());
    }

    #[test]
    fn both_forms_give_problems() {
        let text = r#"
{"file":"a.tst","id":3,"cmd":"defend","target":"A1","size":9,"black":["A1"],"white":["A2"],"last_move":null,"expect":"1 B1"}
{"size":9,"black":["A1"],"white":["A2"],"target":"A1","gnugo_attack":"1 B1","gnugo_defend":"1 B1"}
"#;
        let problems = read(text).expect("problems");
        let ids: Vec<&str> = problems.iter().map(|p| p.id.as_str()).collect();
        assert_eq!(ids, ["a.tst:3", "3:attack", "3:defend"]);
        assert_eq!(problems[0].first, Role::Defender);
    }

    #[test]
    fn faults_carry_their_line() {
        for (line, part) in [
            (r#"{"size":9,"black":[],"white":[],"target":"A1","gnugo_attack":"1"}"#, "no stone"),
            (r#"{"size":9,"black":["Z1"],"white":[],"target":"A1","gnugo_attack":"1"}"#, "Z1"),
            (r#"{"size":9,"black":["A1"],"white":[],"target":"A1"}"#, "neither"),
            (
                r#"{"size":9,"black":["A1"],"white":[],"target":"A1","gnugo_attack":"8"}"#,
                "no answer",
            ),
            ("nonsense", "expected"),
        ] {
            let error = read(&format!("\n{line}")).err().expect("a fault").to_string();
            assert!(error.starts_with("line 2") && error.contains(part), "{error}");
        }
    }
}
