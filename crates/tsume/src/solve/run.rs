//! One problem being worked on: the questions asked about it share a table and the limits.

use yomikiri_base::clock::Stopwatch;
use yomikiri_proof::limits::ProofLimits;
use yomikiri_proof::solver::{ProofOutcome, Query, Solver, SolverProgress};

use super::MateSettings;
use crate::game::dominance::Held;
use crate::game::node::Tsume;

/// A listener of a running search.
pub type OnMateProgress<'r> = dyn FnMut(&SolverProgress) + Send + 'r;

/// The solver with its table, and what was used of the limits so far.
#[derive(Debug)]
pub(crate) struct Run<'s> {
    pub(crate) solver: &'s Solver,
    pub(crate) settings: &'s MateSettings,
    pub(crate) watch: Stopwatch,
    pub(crate) nodes: u64,
}

impl<'s> Run<'s> {
    /// Begins with all of the limits.
    pub(crate) fn start(solver: &'s Solver, settings: &'s MateSettings) -> Self {
        Self { solver, settings, watch: settings.limits.time_source.stopwatch(), nodes: 0 }
    }

    /// What is left of the limits.
    pub(crate) fn limits_left(&self) -> ProofLimits {
        let limits = self.settings.limits.clone();
        let time = limits.time.map(|time| time.saturating_sub(self.watch.elapsed()));
        let nodes = limits.nodes.saturating_sub(self.nodes);
        ProofLimits { time, nodes, ..limits }
    }

    /// A question with what is left of the limits.
    pub(crate) fn query(&self) -> Query {
        Query::new(self.settings.options, self.limits_left())
    }

    /// Solves a question and charges for it.
    pub(crate) fn ask(
        &mut self,
        game: &Tsume,
        query: &Query,
        report: &mut OnMateProgress<'_>,
    ) -> ProofOutcome<Held> {
        let mut forward = |progress: &SolverProgress| report(progress);
        let outcome = self.solver.ask(game, query, Some(&mut forward));
        self.charge(outcome.nodes);
        outcome
    }

    /// Adds nodes to those used.
    pub(crate) fn charge(&mut self, nodes: u64) {
        self.nodes += nodes;
    }
}
