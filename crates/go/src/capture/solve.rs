//! Questions about captures and their answers.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use yomikiri_proof::game::{Candidate, ProofGame, Role};
use yomikiri_proof::limits::{ProofLimits, Reason};
use yomikiri_proof::number::Number;
use yomikiri_proof::solver::{Options, Solver, SolverProgress};
use yomikiri_proof::table::{Handle, UNBOUNDED};
use yomikiri_proof::widening::{Sum, Widening, Width};

use super::estimate::FirstNumbers;
use super::game::{CaptureCounts, CaptureGame, CaptureRules, Ko};
use super::moves::Moves;
use super::verify::{CheckFailure, verify};
use crate::board::{Board, Move, Point};
use crate::problem::{CaptureProblem, CaptureResult};

/// Liberties at which the attacker gives up by default, as in the paper.
pub const GIVE_UP: u32 = 5;
/// Nodes of one search by default, as in the paper.
pub const NODE_LIMIT: u64 = 200_000;
/// The longest line that is followed for display.
const LONGEST_LINE: usize = 200;

/// How to search.
#[derive(Clone, Debug)]
pub struct CaptureSettings {
    /// Which moves are tried.
    pub moves: Moves,
    /// The attacker gives up at this many liberties of the target, 2 or more; never, if absent.
    pub give_up: Option<u32>,
    /// Most nodes of one search. A question can take three searches, one for each assumption about
    /// ko threats.
    pub nodes: u64,
    /// The first numbers of a node.
    pub numbers: FirstNumbers,
    /// Which children count.
    pub width: Width,
    /// How the numbers of children are added up.
    pub sum: Sum,
    /// How far the search of a move may run past the second best, in percent (1+epsilon).
    pub epsilon_percent: u32,
    /// Most bytes for the table.
    pub memory: usize,
    /// Check solved searches on the slow board, up to this many positions; 0 = do not.
    pub verify: usize,
    /// Raised to stop.
    pub stop: Arc<AtomicBool>,
    /// Receives the running search.
    pub listener: CaptureListener,
}

/// Receives how a running search stands, or nobody does.
#[derive(Clone, Default)]
pub struct CaptureListener(pub Option<Arc<OnProgress>>);

/// What is called with the state of a running search.
pub type OnProgress = dyn Fn(&SolverProgress) + Send + Sync;

impl std::fmt::Debug for CaptureListener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "Listener(some)" } else { "Listener(none)" })
    }
}

impl Default for CaptureSettings {
    fn default() -> Self {
        CaptureSettings {
            moves: Moves::All,
            sum: Sum::Total,
            give_up: Some(GIVE_UP),
            nodes: NODE_LIMIT,
            numbers: FirstNumbers::default(),
            width: Width::Top(5),
            epsilon_percent: 25,
            memory: 256 << 20,
            verify: 0,
            stop: Arc::default(),
            listener: CaptureListener::default(),
        }
    }
}

impl CaptureSettings {
    /// The settings that go with these moves: with zones one refutation answers many moves, so that
    /// the greatest number of the children says more than their sum.
    pub fn with_moves(moves: Moves) -> CaptureSettings {
        let (numbers, sum) = match moves {
            Moves::Zones => (FirstNumbers::Liberties, Sum::Weak),
            Moves::All | Moves::Heuristic => (FirstNumbers::Levels, Sum::Total),
        };
        CaptureSettings { moves, numbers, sum, ..CaptureSettings::default() }
    }
}

/// The outcome of one search under one ko rule.
#[derive(Clone, Debug)]
pub struct CaptureSearch {
    /// The ko rule.
    pub ko: Ko,
    /// Whether the target falls, if known.
    pub captured: Option<bool>,
    /// Why it is not known.
    pub gave_up: Option<Reason>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// What the game counted.
    pub counts: CaptureCounts,
    /// The expected sequence, where the answer is known.
    pub line: Vec<Move>,
    /// The result of the independent check, if it was made: positions looked at, or a doubt.
    pub verified: Option<Result<usize, CheckFailure>>,
}

/// The answer to a problem.
#[derive(Clone, Debug)]
pub struct CaptureSolution {
    /// The answer, unless a limit was met.
    pub answer: Option<CaptureResult>,
    /// The expected sequence behind it; empty without an answer.
    pub line: Vec<Move>,
    /// The searches that it took.
    pub searches: Vec<CaptureSearch>,
}

impl CaptureSolution {
    /// What the independent check says of the answer: the positions looked at in all the games that
    /// it rests on, or a doubt about one of them. `None` without an answer, or if a search was not
    /// checked.
    pub fn check(&self, first: Role) -> Option<Result<usize, CheckFailure>> {
        let mut positions = 0;
        for (ko, succeeds) in grounds(self.answer?, first) {
            if self.succeeds(ko, first) != Some(succeeds) {
                return Some(Err(CheckFailure::Unsearched(ko)));
            }
            match self.search(ko)?.verified.as_ref()? {
                Ok(count) => positions += count,
                Err(doubt) => return Some(Err(doubt.clone())),
            }
        }
        Some(Ok(positions))
    }

    fn search(&self, ko: Ko) -> Option<&CaptureSearch> {
        self.searches.iter().find(|search| search.ko == ko)
    }

    /// Whether the side that moves first succeeds in the game with this ko rule, if that is known.
    fn succeeds(&self, ko: Ko, first: Role) -> Option<bool> {
        let captured = self.search(ko)?.captured?;
        Some(captured == (first == Role::Attacker))
    }

    /// Sets the answer, with the line of the search under `ko`.
    fn conclude(mut self, answer: CaptureResult, ko: Ko) -> CaptureSolution {
        self.answer = Some(answer);
        self.line = self.search(ko).map_or(Vec::new(), |search| search.line.clone());
        self
    }

    /// Nodes of all searches.
    pub fn nodes(&self) -> u64 {
        self.searches.iter().map(|search| search.nodes).sum()
    }

    /// Time of all searches.
    pub fn elapsed(&self) -> Duration {
        self.searches.iter().map(|search| search.elapsed).sum()
    }
}

/// Searches once, under one ko rule. `None` if there is no stone on `target`.
pub fn search(
    board: &Board,
    target: Point,
    first: Role,
    ko: Ko,
    settings: &CaptureSettings,
) -> Option<CaptureSearch> {
    let CaptureSettings { moves, give_up, numbers, .. } = *settings;
    let rules = CaptureRules { ko, moves, give_up, numbers };
    let (game, totals) = CaptureGame::counted(board, target, first, rules)?;
    let CaptureSettings { width, sum, .. } = *settings;
    let widening = Widening { width, sum, ..Widening::default() };
    let limits = ProofLimits {
        nodes: settings.nodes,
        memory: settings.memory,
        stop: Arc::clone(&settings.stop),
        ..ProofLimits::default()
    };
    let options = Options { epsilon_percent: settings.epsilon_percent, ..Options::default() };
    let solver = Solver::new(options.with_widening(widening), limits);
    let mut report = |progress: &SolverProgress| {
        if let Some(report) = &settings.listener.0 {
            report(progress);
        }
    };
    let outcome = solver.solve_within(&game, UNBOUNDED, Some(&mut report));
    let solved = outcome.number.is_solved();
    let counts = totals.get();
    let table = solver.table().handle();
    let line = if solved { follow(&game, &table, outcome.number) } else { Vec::new() };
    let check = || verify(board, &game, rules, target, outcome.number, &table, settings.verify);
    let verified = (solved && settings.verify > 0).then(check);
    Some(CaptureSearch {
        ko,
        captured: solved.then(|| outcome.number.is_proven()),
        gave_up: outcome.gave_up,
        nodes: outcome.nodes,
        elapsed: outcome.elapsed,
        counts,
        line,
        verified,
    })
}

/// The ko rules under which the side that moves first has the worst and the best of it.
fn extremes(first: Role) -> (Ko, Ko) {
    match first {
        Role::Attacker => (Ko::AttackerYields, Ko::DefenderYields),
        Role::Defender => (Ko::DefenderYields, Ko::AttackerYields),
    }
}

/// The games that an answer is about, and whether the side that moves first succeeds in each. What
/// holds at worst holds everywhere, and what fails at best fails everywhere.
fn grounds(answer: CaptureResult, first: Role) -> Vec<(Ko, bool)> {
    let (worst, best) = extremes(first);
    match answer {
        CaptureResult::Unconditional => vec![(worst, true)],
        CaptureResult::Cannot => vec![(best, false)],
        CaptureResult::KoOpponentThreatens => {
            vec![(worst, false), (best, true), (Ko::Simple, true)]
        }
        CaptureResult::KoMustThreaten => vec![(worst, false), (best, true), (Ko::Simple, false)],
    }
}

/// Answers a problem: unconditional, by ko, or not at all.
///
/// The first search gives the side that is asked the worst of it: the opponent has all ko threats.
/// If it succeeds even so, the answer is unconditional. The second gives it the best; if that
/// fails, so does everything. Between the two it is a ko, and the third search, where nobody has a
/// threat, says who must find the first one. No search stands for another game: that one met no ko
/// says nothing about the moves that make one under the other rule.
pub fn solve(problem: &CaptureProblem, settings: &CaptureSettings) -> Option<CaptureSolution> {
    let (worst, best) = extremes(problem.first);
    let ask = |ko| search(&problem.board, problem.target, problem.first, ko, settings);
    let mut solution =
        CaptureSolution { answer: None, line: Vec::new(), searches: vec![ask(worst)?] };
    let at_worst = solution.succeeds(worst, problem.first);
    if at_worst == Some(true) {
        return Some(solution.conclude(CaptureResult::Unconditional, worst));
    }
    solution.searches.push(ask(best)?);
    let at_best = solution.succeeds(best, problem.first);
    if at_best == Some(false) {
        return Some(solution.conclude(CaptureResult::Cannot, best));
    }
    if at_worst.is_none() || at_best.is_none() {
        return Some(solution);
    }
    solution.searches.push(ask(Ko::Simple)?);
    Some(match solution.succeeds(Ko::Simple, problem.first) {
        None => solution,
        Some(true) => solution.conclude(CaptureResult::KoOpponentThreatens, Ko::Simple),
        // The line is what this side would play once its threats are answered.
        Some(false) => solution.conclude(CaptureResult::KoMustThreaten, best),
    })
}

/// The sequence that the table holds: the winner's moves prove the result, the loser resists as
/// long as it is known to.
fn follow(game: &CaptureGame, table: &Handle<'_>, result: Number) -> Vec<Move> {
    let mut game = game.with_all_moves();
    let winner = if result.is_proven() { Role::Attacker } else { Role::Defender };
    let (mut line, mut seen) = (Vec::new(), vec![game.board_key()]);
    let mut moves: Vec<Candidate<Move>> = Vec::new();
    while line.len() < LONGEST_LINE {
        if let Some(settled) = game.settle() {
            // The capture, or the stone that reaches the liberty limit.
            let last = if settled.proven { game.capture_now() } else { game.known_win() };
            line.extend(last.filter(|_| game.role() == winner));
            break;
        }
        moves.clear();
        game.moves(&mut moves);
        let role = game.role();
        let known = moves.iter().filter_map(|candidate| {
            let child = game.peek(candidate.play);
            let found = table.look_up(child, UNBOUNDED, Number::UNIT);
            // What was settled by a look ahead is not in the table.
            let ahead = || game.known(child.board, winner).map(|ground| ground.length);
            let length = if found.number == result { Some(found.length) } else { ahead() };
            length.filter(|_| !seen.contains(&child.board)).map(|length| (candidate.play, length))
        });
        let next = match (role == winner, winner) {
            (true, Role::Attacker) => known.min_by_key(|&(_, length)| length),
            (true, Role::Defender) => known.into_iter().next(),
            (false, Role::Attacker) => known.max_by_key(|&(_, length)| length),
            (false, Role::Defender) => known.into_iter().next(),
        };
        // What a pattern settled has no children in the table.
        let by_zone = || game.known_win().filter(|_| role == winner);
        let Some(play) = next.map(|(play, _)| play).or_else(by_zone) else { break };
        line.push(play);
        game.play(play);
        seen.push(game.board_key());
    }
    line
}
