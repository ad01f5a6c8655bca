//! The solver as its users see it: options, limits, a table that stays between questions, and the
//! outcome.

use std::time::Duration;

pub use crate::dfpn::OnProgress;
use crate::dfpn::{DEEPEST, Worker};
use crate::estimate::Initial;
use crate::game::{ProofGame, Role};
use crate::limits::{LimitClock, ProofLimits, Reason, Stack};
use crate::number::Number;
use crate::table::{ProofTable, UNBOUNDED};
use crate::virtual_numbers::VirtualProofNumbers;
use crate::widening::Widening;

/// Which depth-first search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Driver {
    /// Df-pn, and df-pn+ with [`Initial::Game`].
    #[default]
    DfPn,
    /// PDS, by the child's own numbers.
    Pds,
    /// PDS, by what the parent lacks as well; see [`crate::pds`].
    PdsByParent,
}

/// Everything that may be varied about a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which search.
    pub driver: Driver,
    /// Where the numbers of new leaves come from.
    pub initial: Initial,
    /// How children combine where the attacker is to move.
    pub attacker_nodes: Widening,
    /// How children combine where the defender is to move.
    pub defender_nodes: Widening,
    /// How far a child may run past the second best, in percent.
    pub epsilon_percent: u32,
    /// Number of threads.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            driver: Driver::default(),
            initial: Initial::default(),
            attacker_nodes: Widening::default(),
            defender_nodes: Widening::default(),
            epsilon_percent: 25,
            threads: 1,
        }
    }
}

impl Options {
    /// The same rule for both kinds of node.
    #[must_use]
    pub fn with_widening(mut self, widening: Widening) -> Self {
        self.attacker_nodes = widening;
        self.defender_nodes = widening;
        self
    }

    /// The rule for nodes in which `role` is to move.
    #[inline]
    #[must_use]
    pub fn widening_at(&self, role: Role) -> Widening {
        match role {
            Role::Attacker => self.attacker_nodes,
            Role::Defender => self.defender_nodes,
        }
    }
}

/// How a running search stands.
#[derive(Clone, Copy, Debug)]
pub struct SolverProgress {
    /// Nodes visited.
    pub nodes: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// Depth of the search at this moment.
    pub depth: usize,
    /// The root's numbers when it was last looked at.
    pub number: Number,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub struct ProofOutcome<S> {
    /// Proven, disproven, or the numbers reached.
    pub number: Number,
    /// Proven: a stock that suffices. Disproven: one that does not.
    pub stock: S,
    /// Proven: a length the attacker can force (not the shortest). Disproven: the greatest length
    /// ruled out.
    pub length: u16,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Why the search gave up, if it did.
    pub gave_up: Option<Reason>,
}

/// One question to a solver: what is asked, how to search, and what that may cost.
#[derive(Clone, Debug)]
pub struct Query {
    /// Most plies allowed ([`UNBOUNDED`] for any).
    pub length: u16,
    /// Whether to look into the node itself even if the table has its answer, so that the answers
    /// of its children are there afterwards.
    pub anew: bool,
    /// Whose numbers count, see [`ProofTable::handle_in`].
    pub epoch: u16,
    /// The search.
    pub options: Options,
    /// Its limits; the memory is that of the solver's table.
    pub limits: ProofLimits,
}

impl Query {
    /// A question about any length, with the numbers of the first epoch.
    #[must_use]
    pub fn new(options: Options, limits: ProofLimits) -> Self {
        Self { length: UNBOUNDED, anew: false, epoch: 0, options, limits }
    }

    /// The same about solutions of no more than `length` plies.
    #[must_use]
    pub fn within(self, length: u16) -> Self {
        Self { length, ..self }
    }

    /// The same with the numbers of another epoch.
    #[must_use]
    pub fn in_epoch(self, epoch: u16) -> Self {
        Self { epoch, ..self }
    }

    /// The same with no more than `nodes`.
    #[must_use]
    pub fn at_most(mut self, nodes: u64) -> Self {
        self.limits.nodes = self.limits.nodes.min(nodes);
        self
    }
}

/// A solver with its table.
#[derive(Debug)]
pub struct Solver {
    options: Options,
    limits: ProofLimits,
    table: ProofTable,
}

/// Stack of a search thread: a frame of the recursion stays well below this per ply.
pub(crate) const STACK_BYTES: usize = DEEPEST * 8 * 1024;

impl Solver {
    /// A solver with an empty table.
    #[must_use]
    pub fn new(options: Options, limits: ProofLimits) -> Self {
        let table = ProofTable::new(limits.memory);
        Self { options, limits, table }
    }

    /// The table, for looking up what earlier questions left there.
    #[must_use]
    pub fn table(&self) -> &ProofTable {
        &self.table
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear(64 << 20);
    }

    /// A question with the options and limits of the solver.
    #[must_use]
    pub fn query(&self) -> Query {
        Query::new(self.options, self.limits.clone())
    }

    /// Does the attacker reach the goal?
    pub fn solve<G: ProofGame>(&self, game: &G) -> ProofOutcome<G::Stock> {
        self.ask(game, &self.query(), None)
    }

    /// Does the attacker reach the goal within `length` plies ([`UNBOUNDED`] for any)? `report`
    /// receives the progress.
    pub fn solve_within<G: ProofGame>(
        &self,
        game: &G,
        length: u16,
        report: Option<OnProgress<'_>>,
    ) -> ProofOutcome<G::Stock> {
        self.ask(game, &self.query().within(length), report)
    }

    /// Answers a question. `report` receives the progress.
    pub fn ask<G: ProofGame>(
        &self,
        game: &G,
        query: &Query,
        report: Option<OnProgress<'_>>,
    ) -> ProofOutcome<G::Stock> {
        let clock = LimitClock::start(query.limits.clone());
        let (visit, gave_up) = self.run_threads(game, query, &clock, report);
        ProofOutcome {
            number: visit.number,
            stock: visit.stock,
            length: visit.length,
            nodes: clock.nodes(),
            elapsed: clock.elapsed(),
            gave_up: if visit.number.is_solved() { None } else { gave_up },
        }
    }

    fn run_threads<'r, G: ProofGame>(
        &self,
        game: &G,
        query: &Query,
        clock: &LimitClock,
        report: Option<OnProgress<'r>>,
    ) -> (crate::dfpn::Visit<G::Stock>, Option<Reason>) {
        let virtual_numbers = (query.options.threads > 1).then(VirtualProofNumbers::default);
        let run = |game: G, report: Option<OnProgress<'r>>| {
            let mut worker =
                Worker::new(game, self.table.handle_in(query.epoch), clock, query.options)
                    .reporting(report);
            worker.bound_depth(query.limits.stack.deepest());
            if let Some(virtual_numbers) = &virtual_numbers {
                worker.join(virtual_numbers);
            }
            let visit = worker.run(query.length, query.anew);
            if visit.number.is_solved() {
                clock.finish();
            }
            (visit, worker.stopped)
        };
        if query.limits.stack != Stack::Own {
            return run(game.clone(), report);
        }
        std::thread::scope(|scope| {
            let mut report = report;
            let mut handles = Vec::new();
            for _ in 0..query.options.threads.max(1) {
                let report = report.take();
                let game = game.clone();
                let run = &run;
                let spawned = std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || run(game, report));
                match spawned {
                    Ok(handle) => handles.push(handle),
                    // A machine that gives no more threads solves with those it gave.
                    Err(_) if !handles.is_empty() => break,
                    Err(error) => panic!("the system gives no thread to search in: {error}"),
                }
            }
            let results: Vec<_> =
                handles.into_iter().map(|h| h.join().expect("a search thread panicked")).collect();
            let solved = results.iter().position(|(visit, _)| visit.number.is_solved());
            results[solved.unwrap_or(0)]
        })
    }
}
