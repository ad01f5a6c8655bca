//! The mate solver: an answer that can be trusted, its length, a line, and the proof.
//!
//! The work is done in stages, each from one value to the next: `find` a mate, `shorten` it,
//! `prove` it, `count` its length by convention, and `present` a line.

use std::time::Duration;

use yomikiri_base::clock::Stopwatch;
use yomikiri_proof::game::{ProofGame, Role};
use yomikiri_proof::limits::{ProofLimits, Reason};
use yomikiri_proof::solver::{Options, ProofOutcome, Solver};
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_shogi::{Color, Hand, Move, Position};

use crate::game::dominance::Held;
use crate::game::node::{Ply, Sort, Tsume};
use crate::verify::{Counting, Refutation};

mod count;
mod find;
mod present;
mod prove;
mod refute;
mod run;
mod shorten;

pub use find::default_options;
pub(crate) use present::duration;
pub use prove::Proven;
pub(crate) use prove::{checking, prove};
use refute::MOST_POSITIONS;
pub(crate) use refute::refute;
pub use run::OnMateProgress;
pub(crate) use run::Run;

/// What part of the memory stays free for the proof and everything else beside the table.
const BESIDE_THE_TABLE: usize = 16;

/// How to solve.
#[derive(Clone, Debug)]
pub struct MateSettings {
    /// The search.
    pub options: Options,
    /// Its limits, for the whole question.
    pub limits: ProofLimits,
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
    /// Whether a *no mate* is to be shown by a refutation, which is checked.
    pub refute: bool,
    /// Whether the proof of a mate is to show, if its length is the shortest, that nothing shorter
    /// mates.
    pub certify: bool,
}

impl Default for MateSettings {
    fn default() -> Self {
        Self {
            options: default_options(),
            limits: ProofLimits::default(),
            shortest: true,
            largest_proof: 20_000_000,
            raw: false,
            checking: None,
            refute: false,
            certify: false,
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
    /// Whether the length is known to be that of convention to the letter. Else an interposition
    /// was left out of the count that is simply taken, but may prolong the mate.
    pub by_the_rule: bool,
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
    /// Whether the proof or the refutation was extracted and checked.
    pub verified: bool,
    /// A verified mate: its proof, and how to play it.
    pub proven: Option<Box<Proven>>,
    /// No mate: the refutation, if it was requested and the limits were enough.
    pub refutation: Option<Box<Refutation>>,
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
    settings: MateSettings,
    solver: Solver,
}

impl MateSolver {
    /// A solver.
    #[must_use]
    pub fn new(settings: MateSettings) -> Self {
        let mut limits = settings.limits.clone();
        limits.memory -= limits.memory / BESIDE_THE_TABLE;
        let solver = Solver::new(settings.options, limits);
        Self { settings, solver }
    }

    /// Begins work on a problem that was solved before, with `settings` for all of it.
    pub(crate) fn go_on<'s>(
        &'s self,
        settings: &'s MateSettings,
        watch: Stopwatch,
        nodes: u64,
    ) -> Run<'s> {
        Run { watch, nodes, ..Run::start(&self.solver, settings) }
    }

    /// Begins work with all of the limits and what the table knows.
    pub(crate) fn run(&self) -> Run<'_> {
        Run::start(&self.solver, &self.settings)
    }

    /// Solves a problem from an empty table.
    pub fn solve(&mut self, game: &Tsume, report: &mut OnMateProgress<'_>) -> Solution {
        self.solver.clear();
        let mut run = self.run();
        if game.position().king(!game.attacker()).is_none() {
            return without_mate(&run, Verdict::Unknown(Why::NoKing));
        }
        let found = find::any_mate(&mut run, game, report);
        if found.number.is_proven() {
            return mate(&mut run, game, found.length, report);
        }
        if !found.number.is_disproven() {
            let reason = found.gave_up.unwrap_or(Reason::Stopped);
            return without_mate(&run, Verdict::Unknown(Why::Limit(reason)));
        }
        let wanted = run.settings.refute;
        let refutation =
            wanted.then(|| refute(&mut run, game, (UNBOUNDED, MOST_POSITIONS), Counting::Laws));
        let refutation = refutation.flatten().map(Box::new);
        let verified = refutation.is_some();
        Solution { refutation, verified, ..without_mate(&run, Verdict::NoMate) }
    }

    /// The generic solver with its table, as the last question left it.
    #[must_use]
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Solves one more question, with all of the limits, keeping the table of the questions
    /// before.
    pub(crate) fn fresh(&self, game: &Tsume, length: u16) -> ProofOutcome<Held> {
        let mut run = self.run();
        run.ask(game, &run.query().within(length), &mut |_| {})
    }
}

fn without_mate(run: &Run<'_>, verdict: Verdict) -> Solution {
    Solution {
        verdict,
        low: 0,
        high: UNBOUNDED,
        by_the_rule: false,
        raw_length: 0,
        line: Vec::new(),
        left_in_hand: Hand::EMPTY,
        nodes: run.nodes,
        elapsed: run.watch.elapsed(),
        table_bytes: run.solver.table().bytes(),
        verified: false,
        proven: None,
        refutation: None,
    }
}

/// Everything about a mate of `found` plies that is in the table.
fn mate(run: &mut Run<'_>, game: &Tsume, found: u16, report: &mut OnMateProgress<'_>) -> Solution {
    let mut bounds = shorten::Bounds { low: 0, high: found, epoch: 0 };
    if run.settings.shortest {
        let shorter = shorten::lines(run, game, bounds, report);
        bounds = shorten::root(run, game, shorter, report);
    }
    // Who is to move has not mated yet.
    bounds.low = bounds.low.max(u16::from(game.role() == Role::Attacker));
    let checking = prove::checking(run.settings, bounds.epoch).within(bounds.high);
    let proven = match prove::prove(run, game, &checking) {
        Ok(proven) => proven,
        Err(why) => return without_mate(run, Verdict::Unknown(why)),
    };
    let counted = count::count(run, &checking, game, &proven, bounds);
    let mut solution = present::solution(run, game, proven, counted);
    if run.settings.raw {
        shorten::raw(run, game, &mut solution, bounds.epoch, report);
    }
    // By the letter of the rule a mate may take longer than the search allows for: then there is
    // nothing to write down.
    if run.settings.certify && solution.is_exact() && bounds.low == solution.high {
        certify(run, game, &mut solution);
    }
    solution.nodes = run.nodes;
    solution.elapsed = run.watch.elapsed();
    solution
}

/// Adds to the proof that nothing shorter mates, if the limits are enough for it.
fn certify(run: &mut Run<'_>, game: &Tsume, solution: &mut Solution) {
    let (Some(proven), Some(less)) = (&mut solution.proven, solution.high.checked_sub(2)) else {
        return;
    };
    if let Some(bound) = refute(run, game, (less, MOST_POSITIONS), Counting::Convention) {
        proven.proof.bound = Some(Box::new(bound));
        proven.proof = proven.proof.clone().sealed();
    }
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
