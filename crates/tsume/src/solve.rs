//! The mate solver: an answer that can be trusted, its length, a line, and the proof.

use std::sync::Arc;
use std::time::Duration;

use yomikiri_base::clock::Stopwatch;
use yomikiri_proof::game::{Game, Role};
use yomikiri_proof::limits::{Clock, Limits, Reason};
use yomikiri_proof::proof_tree::{self, Failure, ProofTree};
use yomikiri_proof::solver::{Options, Outcome, Progress, Solver};
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_proof::widening::{Groups, Sum, Ties, Widening};
use yomikiri_shogi::{Color, Hand, Move, Position};

use crate::dominance::Held;
use crate::guide::Guide;
use crate::node::{Ply, Sort, Tsume};
use crate::shorten::LONG;
use crate::verify::{self, Proof, Step};

/// Plain sums; among moves that differ by promotion only the worse counts, interpositions wait for
/// each other, and of equal children the soonest refuted is searched. Every other problem of Shogi
/// Zuko and Muso's odd numbers, 3 M nodes each: 49 solved with 9.6 M nodes; with weak proof numbers
/// at both kinds of node 48 with 11.8 M, with promotions apart and ties by order 49 with 9.6 M.
/// Microcosmos is proven within 33 M nodes. `lab run tsume-widening` compares more rules.
#[must_use]
pub fn default_options() -> Options {
    let rule = Widening { ties: Ties::SoonestRefuted, ..Widening::default() };
    Options {
        attacker_nodes: Widening { groups: Groups::Greatest, ..rule },
        defender_nodes: Widening { groups: Groups::Delayed, ..rule },
        epsilon_percent: 25,
        ..Options::default()
    }
}

/// Nodes of the turns in which two rules look for a mate. Of 703 mates of 11 plies from games one
/// takes 554,000 nodes with the default alone; in turns none takes more than 150,000.
const TURNS: [u64; 3] = [1 << 15, 1 << 16, 1 << 17];
/// Season of the other rule: no budget of plies.
const OTHER_SEASON: u16 = UNBOUNDED - 1;

/// The other rule: weak proof numbers.
fn other_options(usual: Options) -> Options {
    Options {
        attacker_nodes: Widening { sum: Sum::Weak, ..usual.attacker_nodes },
        defender_nodes: Widening { sum: Sum::Weak, ..usual.defender_nodes },
        ..usual
    }
}

/// What part of the memory stays free for the proof and everything else beside the table.
const BESIDE_THE_TABLE: usize = 16;

/// How to solve.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The search.
    pub options: Options,
    /// Its limits, for the whole question.
    pub limits: Limits,
    /// Whether to look for the shortest mate.
    pub shortest: bool,
    /// Most nodes of a proof to be extracted.
    pub largest_proof: usize,
    /// Whether to look for the shortest raw length too, in the time that is left.
    pub raw: bool,
    /// How long the proof of a mate may be walked and parts of it searched anew; a stop ends that
    /// too, and the mate is not known then. `None`: an answer that is there is not lost to the
    /// check.
    pub checking: Option<Duration>,
    /// Whether another search has to agree before a *no mate* counts as verified.
    pub second_opinion: bool,
    /// Whether to keep what to play in every position of the proof.
    pub guide: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            options: default_options(),
            limits: Limits::default(),
            shortest: true,
            largest_proof: 20_000_000,
            raw: false,
            checking: None,
            second_opinion: false,
            guide: false,
        }
    }
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Mate.
    Mate,
    /// No mate.
    NoMate,
    /// Not known.
    Unknown(Why),
}

/// Why an answer is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A limit was met.
    Limit(Reason),
    /// A mate was found but its proof did not stand the check.
    NotVerified,
    /// A mate was found, but its proof is too large to be checked.
    TooLarge,
    /// There is no king to mate.
    NoKing,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Limit(reason) => reason.fmt(f),
            Self::NotVerified => f.write_str("proof not verified"),
            Self::TooLarge => f.write_str("proof too large to verify"),
            Self::NoKing => f.write_str("no king to mate"),
        }
    }
}

/// Everything found out about a problem.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The answer.
    pub verdict: Verdict,
    /// Least length possible by convention.
    pub low: u16,
    /// Length by convention that is proven; exact if equal to `low`.
    pub high: u16,
    /// Plies at most when everything counts, by a verified proof; the least if it was asked for and
    /// there was time.
    pub raw_length: u32,
    /// The attacker's best and the defender's longest, up to mate by convention.
    pub line: Vec<Move>,
    /// What the attacker has left at the end of the line.
    pub left_in_hand: Hand,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken, checking included.
    pub elapsed: Duration,
    /// Largest size of the table.
    pub table_bytes: usize,
    /// Mate: whether the proof was extracted and checked. No mate: whether another search says the
    /// same.
    pub verified: bool,
    /// How to play a verified mate, if it was asked for.
    pub guide: Option<Guide>,
}

impl Solution {
    /// Whether the length is the shortest.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.verdict == Verdict::Mate && self.low == self.high
    }
}

/// Who mates whom: the side that lacks a king, else the side to move.
#[must_use]
pub fn attacker_of(position: &Position) -> Color {
    let side = position.side_to_move();
    if position.king(!side).is_some() { side } else { !side }
}

/// A solver for one problem after another.
#[derive(Debug)]
pub struct MateSolver {
    pub(crate) settings: Settings,
    pub(crate) solver: Solver,
    started: Stopwatch,
    nodes: u64,
}

/// A listener of a running search.
pub type Report<'r> = dyn FnMut(&Progress) + Send + 'r;

impl MateSolver {
    /// A solver.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let mut limits = settings.limits.clone();
        limits.memory -= limits.memory / BESIDE_THE_TABLE;
        let started = limits.time_source.stopwatch();
        let solver = Solver::new(settings.options, limits);
        Self { settings, solver, started, nodes: 0 }
    }

    /// Solves a problem from an empty table.
    pub fn solve(&mut self, game: &Tsume, report: &mut Report<'_>) -> Solution {
        self.solver.clear();
        self.started = self.settings.limits.time_source.stopwatch();
        self.nodes = 0;
        if game.position().king(!game.attacker()).is_none() {
            return self.without_mate(Verdict::Unknown(Why::NoKing), 0);
        }
        let first = self.any_mate(game, report);
        if first.number.is_disproven() {
            return self.no_mate(game);
        }
        if !first.number.is_proven() {
            let reason = first.gave_up.unwrap_or(Reason::Stopped);
            return self.without_mate(Verdict::Unknown(Why::Limit(reason)), 0);
        }
        let (low, high) = if self.settings.shortest {
            let high = self.refine(game, first.length, report);
            self.shorten(game, (0, high), report)
        } else {
            (0, first.length)
        };
        // Who is to move has not mated yet.
        let least = u16::from(game.role() == Role::Attacker);
        let mut solution = self.with_mate(game, low.max(least), high);
        if self.settings.raw && solution.verdict == Verdict::Mate {
            self.shorten_raw(game, &mut solution, report);
            solution.nodes = self.nodes;
            solution.elapsed = self.started.elapsed();
        }
        solution
    }

    /// Is there a mate? A small problem can be hard for one rule and easy for another, so at first
    /// two take turns; each has its own season in the table.
    fn any_mate(&mut self, game: &Tsume, report: &mut Report<'_>) -> Outcome<Held> {
        let usual = self.settings.options;
        for quota in TURNS {
            for (season, options) in [(0, usual), (OTHER_SEASON, other_options(usual))] {
                self.solver.begin_season(season);
                *self.solver.options_mut() = options;
                let outcome = self.ask_briefly(game, UNBOUNDED, quota, report);
                if outcome.number.is_solved() || outcome.nodes < quota {
                    self.solver.begin_season(0);
                    *self.solver.options_mut() = usual;
                    return outcome;
                }
            }
        }
        self.solver.begin_season(0);
        *self.solver.options_mut() = usual;
        self.ask(game, UNBOUNDED, report)
    }

    /// Asks one question of its own, with all of the limits, keeping the table of the questions
    /// before.
    pub(crate) fn fresh(&mut self, game: &Tsume, length: u16) -> Outcome<Held> {
        self.started = self.settings.limits.time_source.stopwatch();
        self.nodes = 0;
        self.ask(game, length, &mut |_| {})
    }

    /// The generic solver with its table, as the last question left it.
    #[must_use]
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Asks within what is left of the limits.
    pub(crate) fn ask(
        &mut self,
        game: &Tsume,
        length: u16,
        report: &mut Report<'_>,
    ) -> Outcome<Held> {
        self.ask_briefly(game, length, u64::MAX, report)
    }

    /// The same, with no more than `nodes` for this question.
    pub(crate) fn ask_briefly(
        &mut self,
        game: &Tsume,
        length: u16,
        nodes: u64,
        report: &mut Report<'_>,
    ) -> Outcome<Held> {
        self.limit_nodes(nodes);
        let mut forward = |progress: &Progress| report(progress);
        let outcome = self.solver.solve_within(game, length, Some(&mut forward));
        self.nodes += outcome.nodes;
        outcome
    }

    /// No mate, after a search of another kind from an empty table was asked as well.
    fn no_mate(&mut self, game: &Tsume) -> Solution {
        let found = self.without_mate(Verdict::NoMate, 0);
        if !self.settings.second_opinion {
            return found;
        }
        self.solver.clear();
        let other = Solver::new(Options::default(), self.limits_left());
        let second = other.solve(game);
        self.nodes += second.nodes;
        let verdict = if second.number.is_proven() {
            Verdict::Unknown(Why::NotVerified)
        } else {
            Verdict::NoMate
        };
        Solution {
            verdict,
            verified: second.number.is_disproven(),
            nodes: self.nodes,
            elapsed: self.started.elapsed(),
            ..found
        }
    }

    /// Sets the limits of the next question: what is left, and no more than `nodes`.
    pub(crate) fn limit_nodes(&mut self, nodes: u64) {
        let left = self.limits_left();
        let current = self.solver.limits_mut();
        current.time = left.time;
        current.nodes = left.nodes.min(nodes);
        current.stop = left.stop;
    }

    /// What is left of the limits of the whole question.
    fn limits_left(&self) -> Limits {
        let limits = self.settings.limits.clone();
        let time = limits.time.map(|time| time.saturating_sub(self.started.elapsed()));
        let nodes = limits.nodes.saturating_sub(self.nodes);
        Limits { time, nodes, ..limits }
    }

    fn without_mate(&self, verdict: Verdict, low: u16) -> Solution {
        Solution {
            verdict,
            low,
            high: UNBOUNDED,
            raw_length: 0,
            line: Vec::new(),
            left_in_hand: Hand::EMPTY,
            nodes: self.nodes,
            elapsed: self.started.elapsed(),
            table_bytes: self.solver.table().bytes(),
            verified: false,
            guide: None,
        }
    }

    fn with_mate(&mut self, game: &Tsume, low: u16, high: u16) -> Solution {
        // Checking has its own time and, unless it is in a hurry, goes on after a stop: an answer
        // that is there is not lost to the check.
        let limits = self.solver.limits_mut();
        limits.nodes = u64::MAX;
        if self.settings.checking.is_some() {
            limits.stop = Arc::clone(&self.settings.limits.stop);
            limits.time = self.settings.checking;
        } else {
            limits.stop = Arc::default();
            limits.time = self.settings.limits.time.map(|time| time.max(Duration::from_secs(5)));
        }
        let mut solution = self.without_mate(Verdict::Mate, low);
        solution.high = high;
        let (tree, proof) = match self.extract(game, high) {
            Ok(found) => found,
            Err(Failure::GaveUp(reason)) => {
                return Solution { verdict: Verdict::Unknown(Why::Limit(reason)), ..solution };
            }
            Err(Failure::TooLarge) => {
                return Solution { verdict: Verdict::Unknown(Why::TooLarge), ..solution };
            }
            Err(Failure::NotProven) => {
                return Solution { verdict: Verdict::Unknown(Why::NotVerified), ..solution };
            }
        };
        let stack = self.settings.limits.stack;
        let Ok((verified, guide)) = verify::verify_for_play(&proof, stack) else {
            return Solution { verdict: Verdict::Unknown(Why::NotVerified), ..solution };
        };
        solution.raw_length = verified.plies;
        solution.verified = true;
        // What was found just before the time ran out may have made the proof shorter still.
        solution.high = within(tree.nodes[tree.root()].length, verified.plies);
        self.add_line(game, tree, &guide, &mut solution);
        solution.guide = Some(guide).filter(|_| self.settings.guide);
        solution.elapsed = self.started.elapsed();
        solution.table_bytes = self.solver.table().bytes();
        solution
    }

    /// Adds the line, and makes the length that of convention to the letter where the search was
    /// too generous.
    fn add_line(
        &mut self,
        game: &Tsume,
        tree: ProofTree<Ply, Held>,
        guide: &Guide,
        solution: &mut Solution,
    ) {
        let exact = solution.is_exact();
        let mut line = crate::length::line(self, game, tree, exact);
        let generous = line.len() != usize::from(solution.high)
            || solution.raw_length > u32::from(solution.high);
        if exact
            && generous
            && let Some(raw) = u16::try_from(solution.raw_length).ok().filter(|&raw| raw <= LONG)
            && let Some((length, strict)) = crate::strict::judge(self, game, solution.high, raw)
        {
            (solution.low, solution.high) = (length, length);
            line = strict;
        }
        // A proof may come to a position in several ways and take longer there than it has to.
        if line.len() > solution.raw_length as usize {
            line = guide.line(game.position());
        }
        // What is shown is what is counted: an interposition that nothing else lasts as long as is
        // not useless.
        solution.high = solution.high.max(u16::try_from(line.len()).unwrap_or(UNBOUNDED));
        solution.left_in_hand = hand_after(game, &line);
        solution.line = line;
    }

    /// Whether `game` is mate within `length`, if `nodes` are enough to know: part of the checking,
    /// not of the search. Tells the nodes used as well.
    pub(crate) fn decide(&mut self, game: &Tsume, length: u16, nodes: u64) -> (Option<bool>, u64) {
        self.solver.limits_mut().nodes = nodes;
        let outcome = self.solver.solve_within(game, length, None);
        self.solver.limits_mut().nodes = u64::MAX;
        let number = outcome.number;
        (number.is_solved().then(|| number.is_proven()), outcome.nodes)
    }

    /// The proof of the mate of `solution`, the answer to the last question, checked.
    ///
    /// # Errors
    /// If it does not stand the check, is too large, or a limit is met while it is checked or parts
    /// of it are searched anew.
    pub fn prove(
        &self,
        game: &Tsume,
        solution: &Solution,
    ) -> Result<(ProofTree<Ply, Held>, Proof), Failure> {
        let within = |length| {
            let (tree, mut proof) = self.extract(game, length)?;
            let stack = self.settings.limits.stack;
            verify::complete(&mut proof, stack).map_err(|_| Failure::NotProven)?;
            Ok((tree, proof))
        };
        let (tree, mut proof) = within(solution.high).or_else(|_| within(UNBOUNDED))?;
        proof.length = solution.is_exact().then_some(solution.high);
        Ok((tree, proof))
    }

    /// The proof of a mate within `length` that the last question established, before the check.
    /// Its numbers are those of the tree, in which a position reached in several ways may take
    /// longer than it has to.
    pub(crate) fn extract(
        &self,
        game: &Tsume,
        length: u16,
    ) -> Result<(ProofTree<Ply, Held>, Proof), Failure> {
        let mut boards = Vec::new();
        let attacker = game.attacker();
        let hurry = self.settings.checking.map(|time| Limits {
            time: Some(time),
            nodes: u64::MAX,
            ..self.settings.limits.clone()
        });
        let clock = hurry.map(Clock::start);
        let seen = |node: &Tsume| {
            let text = if node.position().side_to_move() == attacker {
                verify::board_text(node.position())
            } else {
                String::new()
            };
            boards.push(text);
            clock
                .as_ref()
                .and_then(|clock| clock.tick(0))
                .map_or(Ok(()), |r| Err(Failure::GaveUp(r)))
        };
        let tree = proof_tree::extract_while(
            &self.solver,
            game,
            length,
            self.settings.largest_proof,
            seen,
        )?;
        let proof = written(game, &tree, &boards);
        Ok((tree, proof))
    }
}

/// The proof as steps under the laws of shogi.
fn written(game: &Tsume, tree: &ProofTree<Ply, Held>, boards: &[String]) -> Proof {
    let mut raw = vec![0_u32; tree.nodes.len()];
    let mut steps = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        raw[at] = node.moves.iter().map(|&(_, to)| raw[to as usize] + 1).max().unwrap_or(0);
        if let (Role::Attacker, Some((ply, _))) = (node.role, node.moves.first()) {
            steps.push(Step {
                board: boards[at].clone(),
                hand: verify::hand_text(node.identity.stock.0),
                play: ply.played.to_string(),
                plies: raw[at],
            });
        }
    }
    // Of the steps that fit a position the first is played: the shortest.
    steps.sort_by_key(|step| step.plies);
    Proof {
        format: verify::FORMAT.to_owned(),
        sfen: game.position().to_sfen(),
        attacker: if game.attacker() == Color::Black { "b" } else { "w" }.to_owned(),
        length: None,
        raw_length: raw[tree.root()],
        steps,
    }
}

pub(crate) fn hand_after(game: &Tsume, line: &[Move]) -> Hand {
    let mut position = game.position().clone();
    for &played in line {
        // A hand is not worth a panic.
        if !position.is_legal(played) {
            break;
        }
        position.play(played);
    }
    position.hand(game.attacker())
}

/// A length by convention, which is never above that with everything counted.
fn within(length: u16, raw: u32) -> u16 {
    u16::try_from(raw).map_or(length, |raw| length.min(raw))
}

/// The ply in which `played` is made, given how `game` would generate it.
#[must_use]
pub fn ply_of(game: &mut Tsume, played: Move) -> Option<Ply> {
    let mut candidates = Vec::new();
    game.moves(&mut candidates);
    candidates
        .iter()
        .map(|c| c.play)
        .find(|ply| ply.played == played && ply.sort != Sort::NotCounted)
}
