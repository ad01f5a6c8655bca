//! Captures in Go.

use crate::SessionResources;
use crate::mate::{progress_view, unknown_view};
use crate::protocol::{
    CaptureAnswer, CaptureMoves, CaptureRole, Event, Fault, FaultCode, GoBoard, GoBoardView,
    GoCandidate, GoCandidatesAsk, GoCandidatesView, GoEvent, GoStep, PlayGoAsk, ReadGoAsk,
    SolveGoAsk, StoneColour, WidthAsk,
};
use crate::task::{Context, TaskOutcome};
use std::sync::Arc;
use yomikiri_go::board::{Board, Colour, KoRule, Move, Point, PointSet};
use yomikiri_go::candidates::{LEVELS, levels};
use yomikiri_go::capture::{
    CaptureListener, CaptureSettings, CaptureSolution, GIVE_UP, Moves, NODE_LIMIT, solve,
};
use yomikiri_go::problem::{CaptureProblem, CaptureResult};
use yomikiri_go::sgf;
use yomikiri_proof::estimate::by_level;
use yomikiri_proof::game::Role;
use yomikiri_proof::solver::SolverProgress;
use yomikiri_proof::widening::Width;

/// Most nodes that may be asked for.
const MOST_NODES: u64 = 20_000_000;
/// Positions up to which an answer is checked on the slow board.
const MOST_POSITIONS: usize = 200_000;

fn bad(error: impl ToString) -> Fault {
    Fault::new(FaultCode::BadGo, error.to_string())
}

impl From<Colour> for StoneColour {
    fn from(colour: Colour) -> StoneColour {
        match colour {
            Colour::Black => StoneColour::Black,
            Colour::White => StoneColour::White,
        }
    }
}

impl From<StoneColour> for Colour {
    fn from(colour: StoneColour) -> Colour {
        match colour {
            StoneColour::Black => Colour::Black,
            StoneColour::White => Colour::White,
        }
    }
}

fn board_of(board: &GoBoard) -> Result<Board, Fault> {
    let size = usize::from(board.size);
    if !(2..=19).contains(&size) {
        return Err(bad(format!("board size {size} is not supported (2 to 19)")));
    }
    let mut stones = Vec::new();
    for (colour, names) in [(Colour::Black, &board.black), (Colour::White, &board.white)] {
        for name in names {
            stones.push((colour, Point::parse(name, size).map_err(bad)?));
        }
    }
    let mut found = Board::from_stones(size, KoRule::Simple, stones).map_err(bad)?;
    if let Some(ko) = &board.ko {
        found.set_ko(Some(Point::parse(ko, size).map_err(bad)?));
    }
    Ok(found)
}

fn names(points: &PointSet) -> Vec<String> {
    points.iter().map(|point| point.to_string()).collect()
}

fn board_view(board: &Board) -> GoBoard {
    GoBoard {
        size: board.size() as u8,
        black: names(board.stones(Colour::Black)),
        white: names(board.stones(Colour::White)),
        ko: board.ko().map(|point| point.to_string()),
    }
}

/// Reads a position from SGF.
pub fn read(ask: &ReadGoAsk) -> Result<GoBoardView, Fault> {
    let until = ask.moves.map(|moves| moves as usize);
    let position = sgf::read(&ask.sgf, until).map_err(bad)?;
    let last = position.last.and_then(|(_, mv)| mv.point());
    Ok(GoBoardView {
        board: board_view(&position.board),
        to_move: position.to_move.into(),
        last: last.map(|point| point.to_string()),
        moves: position.moves as u32,
        notes: position.notes,
    })
}

/// Plays a stone.
pub fn play(ask: &PlayGoAsk) -> Result<GoBoardView, Fault> {
    let mut board = board_of(&ask.board)?;
    let colour = Colour::from(ask.colour);
    let point = match ask.point.as_str() {
        "pass" => None,
        name => Some(Point::parse(name, board.size()).map_err(bad)?),
    };
    board.play(colour, point.map_or(Move::PASS, Move::from)).map_err(bad)?;
    Ok(GoBoardView {
        board: board_view(&board),
        to_move: colour.other().into(),
        last: point.map(|point| point.to_string()),
        moves: 0,
        notes: Vec::new(),
    })
}

fn target(board: &Board, name: &str) -> Result<Point, Fault> {
    let point = Point::parse(name, board.size()).map_err(bad)?;
    let there = board.stone(point).is_some();
    there
        .then_some(point)
        .ok_or_else(|| Fault::new(FaultCode::NoTarget, format!("there is no stone on {name}")))
}

/// The block and the points that matter for its capture.
pub fn candidates(ask: &GoCandidatesAsk) -> Result<GoCandidatesView, Fault> {
    let board = board_of(&ask.board)?;
    let point = target(&board, &ask.target)?;
    let missing = || Fault::new(FaultCode::NoTarget, "there is no block");
    let block = board.block(point).ok_or_else(missing)?;
    let colour = board.stone(point).ok_or_else(missing)?;
    let found = levels(&board, point);
    let mut candidates = Vec::new();
    for level in 1..=LEVELS {
        let number = by_level(Role::Attacker, level as u32).pn;
        candidates.extend(found.at(level).iter().map(|point| GoCandidate {
            point: point.to_string(),
            level: level as u32,
            number,
        }));
    }
    Ok(GoCandidatesView {
        colour: colour.into(),
        stones: names(block.stones()),
        liberties: names(block.liberties()),
        candidates,
    })
}

fn width(ask: Option<WidthAsk>) -> Result<Width, Fault> {
    let wrong = || Fault::new(FaultCode::BadValue, "the width must be at least 1");
    match ask {
        None => Ok(CaptureSettings::default().width),
        Some(WidthAsk::All) => Ok(Width::All),
        Some(WidthAsk::Top(0) | WidthAsk::Rate(0)) => Err(wrong()),
        Some(WidthAsk::Top(count)) => Ok(Width::Top(count)),
        Some(WidthAsk::Rate(part)) => Ok(Width::Rate(part)),
    }
}

/// The work of a capture problem.
pub fn question(
    ask: &SolveGoAsk,
    resources: &SessionResources,
) -> Result<impl FnOnce(&Context) -> TaskOutcome + Send + use<>, Fault> {
    let board = board_of(&ask.board)?;
    let problem = CaptureProblem {
        id: String::new(),
        target: target(&board, &ask.target)?,
        board,
        first: match ask.first {
            CaptureRole::Attacker => Role::Attacker,
            CaptureRole::Defender => Role::Defender,
        },
        expected: None,
        gnugo: None,
    };
    let moves = match ask.moves.unwrap_or(CaptureMoves::All) {
        CaptureMoves::All => Moves::All,
        CaptureMoves::Zones => Moves::Zones,
        CaptureMoves::Candidates => Moves::Heuristic,
    };
    let heuristic = moves == Moves::Heuristic;
    let settings = CaptureSettings {
        moves,
        give_up: match ask.give_up.unwrap_or(GIVE_UP) {
            0 => None,
            liberties => Some(liberties.max(2)),
        },
        nodes: ask.nodes.unwrap_or(NODE_LIMIT).clamp(1, MOST_NODES),
        width: width(ask.width)?,
        memory: resources.mate_megabytes << 20,
        verify: if heuristic { 0 } else { MOST_POSITIONS },
        ..CaptureSettings::default()
    };
    Ok(move |context: &Context| {
        let (emit, throttle) = (Arc::clone(&context.emit), context.throttle());
        let watch = context.clock.stopwatch();
        let since = watch.clone();
        let report = move |progress: &SolverProgress| {
            if throttle.is_due() {
                let progress = SolverProgress { elapsed: since.elapsed(), ..*progress };
                emit(Event::GoProgress(progress_view(&progress)));
            }
        };
        let stop = context.stop.token().flag();
        let settings =
            CaptureSettings { stop, listener: CaptureListener(Some(Arc::new(report))), ..settings };
        let Some(solution) = solve(&problem, &settings) else { return TaskOutcome::Failed };
        if context.stop.is_stopped() && solution.answer.is_none() {
            return TaskOutcome::Stopped;
        }
        let event = GoEvent {
            time: watch.elapsed().as_millis() as u64,
            ..event(&problem, &solution, heuristic)
        };
        TaskOutcome::Event(Box::new(Event::Go(event)))
    })
}

fn event(problem: &CaptureProblem, solution: &CaptureSolution, heuristic: bool) -> GoEvent {
    let answer = match solution.answer {
        Some(CaptureResult::Unconditional) => CaptureAnswer::Unconditional,
        Some(CaptureResult::Cannot) => CaptureAnswer::Cannot,
        Some(CaptureResult::KoOpponentThreatens) => CaptureAnswer::KoOpponentThreatens,
        Some(CaptureResult::KoMustThreaten) => CaptureAnswer::KoMustThreaten,
        None => CaptureAnswer::Unknown,
    };
    let gave_up = solution.searches.iter().rev().find_map(|search| search.gave_up);
    let checked = solution.check(problem.first).and_then(Result::ok);
    GoEvent {
        answer,
        why: unknown_view(gave_up.filter(|_| solution.answer.is_none())),
        heuristic,
        line: line(problem, &solution.line),
        nodes: solution.nodes(),
        time: solution.elapsed().as_millis() as u64,
        checked: checked.map(|positions| positions as u32),
    }
}

/// The expected sequence with its positions. Kos are retaken at once where the answer rests on
/// threats, so the board does not mind them here.
fn line(problem: &CaptureProblem, moves: &[Move]) -> Vec<GoStep> {
    let mut board = problem.board.clone();
    let owner = board.stone(problem.target).unwrap_or(Colour::Black);
    let mut colour = if problem.first == Role::Attacker { owner.other() } else { owner };
    let mut steps = Vec::new();
    for &mv in moves {
        board.set_ko(None);
        if board.play(colour, mv).is_err() {
            break;
        }
        let point = mv.point().map_or("pass".to_string(), |point| point.to_string());
        steps.push(GoStep { colour: colour.into(), point, board: board_view(&board) });
        colour = colour.other();
    }
    steps
}
