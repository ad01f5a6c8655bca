// Long: one worker with its loop; its parts are in the folder beside it.
//! Df-pn: depth-first proof-number search with thresholds and a table (Nagai 2002).
//!
//! A visit to a node goes on until one of its numbers reaches its threshold. The thresholds of the
//! child are those at which the search would move to another child anyway. What ours adds:
//!
//! * **1+epsilon** (Pawlewicz and Lew 2007): a child may run on past the second best by a fraction,
//!   so that the search does not thrash between two children whose subtrees do not fit into the
//!   table.
//! * **Loops** (threshold control, Kishimoto 2010): a child already met at a smaller depth may lead
//!   back, and its numbers may then never move. A node with such a child raises its thresholds
//!   until a new leaf has been expanded.
//! * **Graph-history interaction**: see [`crate::path`]. A result that depends on a repetition
//!   becomes a fact only at the node where the dependence ends.
//! * **Lengths**: every visit has a budget of plies. The same code answers "is there a solution"
//!   (no budget) and "within n plies".
//! * **One rule for both kinds of node**: numbers are asked for by role, so there is no OR twin and
//!   AND twin.
//!
//! [`crate::pds`] is the same visit with other thresholds.

use crate::game::{Candidate, NodeIdentity, ProofGame, Repetition, Role, Stock};
use crate::limits::{LimitClock, Reason};
use crate::number::Number;
use crate::path::{INDEPENDENT, Path, PathResult, Remembered};
use crate::solver::{Options, SolverProgress};
use crate::table::{Handle, TableAnswer, UNBOUNDED};
use crate::virtual_numbers::VirtualProofNumbers;
use crate::widening::{Combined, Scratch, Siblings};

/// Beyond this depth a search gives up rather than run out of stack.
pub(crate) const DEEPEST: usize = 30_000;

/// A child of a node on the path.
#[derive(Clone, Copy, Debug)]
struct Branching<M, S> {
    play: M,
    node: NodeIdentity<S>,
    /// Stock of the answer, once solved.
    stock: S,
    /// Length of the answer, once solved.
    length: u16,
    /// Depth the answer depends on, once solved.
    path_dependency: u16,
    plies: u8,
    /// Never visited before.
    fresh: bool,
}

type Child<G> = Branching<<G as ProofGame>::Move, <G as ProofGame>::Stock>;

/// What a visit found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visit<S> {
    pub number: Number,
    pub stock: S,
    pub length: u16,
    pub path_dependency: u16,
}

/// `length` prolonged by `plies`.
#[inline]
fn prolonged(length: u16, plies: u8) -> u16 {
    if length == UNBOUNDED { UNBOUNDED } else { length + u16::from(plies) }
}

/// What is left of `budget` after a move of `plies`.
#[inline]
fn remaining(budget: u16, plies: u8) -> Option<u16> {
    if budget == UNBOUNDED { Some(UNBOUNDED) } else { budget.checked_sub(u16::from(plies)) }
}

/// A listener.
pub type OnProgress<'r> = &'r mut (dyn FnMut(&SolverProgress) + Send + 'r);

/// When the clock is asked next, and who receives how the search stands.
struct Pace<'r> {
    until_tick: u64,
    stride: u64,
    until_report: u64,
    report: Option<OnProgress<'r>>,
    /// The number of the root.
    root: Number,
}

/// One thread's search.
pub(crate) struct Worker<'s, 'r, G: ProofGame> {
    pub game: G,
    pub nodes: u64,
    pub stopped: Option<Reason>,
    table: Handle<'s>,
    clock: &'s LimitClock,
    options: Options,
    path: Path<G::Stock>,
    remembered: Remembered,
    /// The children of all nodes on the path, and their numbers at the same places.
    children: Vec<Child<G>>,
    siblings: Siblings,
    /// The children of one node as they look while other threads are inside.
    seen: Siblings,
    /// Places of children of the node being expanded that may be known.
    perhaps_known: Vec<usize>,
    /// The moves of the node being expanded, and where they lead.
    candidates: Vec<Candidate<G::Move>>,
    identities: Vec<(NodeIdentity<G::Stock>, u64)>,
    scratch: Scratch,
    pace: Pace<'r>,
    /// Lines longer than this end the search.
    deepest: usize,
    /// The other threads, if there are any.
    virtual_numbers: Option<&'s VirtualProofNumbers>,
}

/// With fewer plies left a look at the node is worth more than the table.
const SOON: u16 = 2;
const REPORT_EVERY: u64 = 1 << 16;

impl<'s, 'r, G: ProofGame> Worker<'s, 'r, G> {
    pub fn new(game: G, table: Handle<'s>, clock: &'s LimitClock, options: Options) -> Self {
        let stride = clock.stride();
        Self {
            game,
            nodes: 0,
            stopped: None,
            table,
            clock,
            options,
            path: Path::default(),
            remembered: Remembered::default(),
            children: Vec::new(),
            siblings: Siblings::default(),
            seen: Siblings::default(),
            perhaps_known: Vec::new(),
            candidates: Vec::new(),
            identities: Vec::new(),
            scratch: Scratch::default(),
            pace: Pace {
                until_tick: stride,
                stride,
                until_report: REPORT_EVERY,
                report: None,
                root: Number::UNIT,
            },
            deepest: DEEPEST,
            virtual_numbers: None,
        }
    }

    pub fn reporting(mut self, report: Option<OnProgress<'r>>) -> Self {
        self.pace.report = report;
        self
    }

    /// Ends the search where a line is longer than this.
    pub fn bound_depth(&mut self, deepest: usize) {
        self.deepest = deepest.min(DEEPEST);
    }

    /// Makes the worker one of several.
    pub fn join(&mut self, virtual_numbers: &'s VirtualProofNumbers) {
        self.virtual_numbers = Some(virtual_numbers);
    }

    /// Searches the root until it is solved within `budget`, or a limit is met. `anew` looks into
    /// the root even if its answer is known.
    pub fn run(&mut self, budget: u16, anew: bool) -> Visit<G::Stock> {
        let board =
            self.table_key(self.game.board_key(), self.game.stock(), self.game.repetition_key());
        let node = NodeIdentity { board, stock: self.game.stock() };
        let found = self.table.look_up(node, budget, Number::UNIT);
        if found.number.is_solved() && !anew {
            return Visit {
                number: found.number,
                stock: found.stock,
                length: found.length,
                path_dependency: INDEPENDENT,
            };
        }
        self.path.push(self.path_key(node), node.stock);
        let mut threshold = self.options.driver.first_threshold();
        loop {
            let visit = self.visit(node, threshold, budget, !anew, &mut 0);
            self.pace.root = visit.number;
            let stuck = threshold == Number::UNLIMITED && !visit.number.is_solved();
            if visit.number.is_solved() || self.stopped.is_some() || stuck {
                self.path.pop();
                if stuck && self.stopped.is_none() {
                    self.stopped = Some(Reason::Numbers);
                }
                self.flush();
                return visit;
            }
            threshold = self.options.driver.next_threshold(visit.number);
        }
    }

    /// Under superko a result belongs to its path, so the path becomes part of the key.
    fn table_key(&self, board: u64, stock: G::Stock, repetition_key: u64) -> u64 {
        match self.game.repetition() {
            Repetition::AttackerFails => board,
            Repetition::MoverFails => {
                self.path.key_with(board ^ repetition_key.rotate_left(32), stock)
            }
        }
    }

    /// Key by which the present node is found again on the path.
    fn path_key(&self, node: NodeIdentity<G::Stock>) -> u64 {
        match self.game.repetition() {
            Repetition::AttackerFails => node.board,
            Repetition::MoverFails => self.game.repetition_key(),
        }
    }

    fn visit(
        &mut self,
        node: NodeIdentity<G::Stock>,
        threshold: Number,
        budget: u16,
        fresh: bool,
        extra: &mut u32,
    ) -> Visit<G::Stock> {
        let nodes_before = self.nodes;
        self.count_node();
        self.table.mark(node.board);
        // The visit ends with a store there; a new node was not looked up before.
        self.table.prefetch(node.board);
        let depth = (self.path.len() - 1) as u16;
        if fresh && let Some(visit) = self.settle(node, budget, depth) {
            return visit;
        }
        let role = self.game.role();
        let first = self.children.len();
        let may_lead_back = self.expand(role, budget, depth);
        let extra_before = *extra;
        *extra += u32::from(may_lead_back);
        self.carry(role, first, budget, depth);
        let mut combined = self.combine(role, first);
        while !combined.number.is_solved() && self.stopped.is_none() {
            let mut limit = threshold;
            if *extra > 0 {
                limit.pn = limit.pn.max(combined.number.pn.saturating_add(1));
                limit.dn = limit.dn.max(combined.number.dn.saturating_add(1));
            }
            if self.options.driver.exhausted(combined.number, limit) {
                break;
            }
            let chosen = self.choose(role, first, combined, limit);
            if !self.is_news(first + chosen.best, budget, depth) {
                self.search_child(role, first + chosen.best, &chosen, limit, budget, extra);
            }
            if self.siblings.number(first + chosen.best).of(role.other()) == 0 {
                self.carry(role, first, budget, depth);
            }
            combined = self.combine(role, first);
        }
        *extra = (*extra).min(extra_before);
        let visit = self.conclude(role, node, first, combined, budget);
        self.note_win(role, first, &visit);
        self.truncate_children(first);
        self.store(node, &visit, depth, self.nodes - nodes_before);
        visit
    }

    fn search_child(
        &mut self,
        role: Role,
        at: usize,
        combined: &Combined,
        limit: Number,
        budget: u16,
        extra: &mut u32,
    ) {
        let child = self.children[at];
        let number = self.siblings.number(at);
        let threshold =
            self.options.driver.child_threshold(role, number, combined, limit, &self.options);
        let Some(left) = remaining(budget, child.plies) else { return };
        if child.fresh {
            *extra = extra.saturating_sub(1);
        }
        self.game.play(child.play);
        let key = self.path_key(child.node);
        self.path.push(key, child.node.stock);
        if let Some(virtual_numbers) = self.virtual_numbers {
            virtual_numbers.enter(child.node.board);
        }
        let visit = self.visit(child.node, threshold, left, child.fresh, extra);
        if let Some(virtual_numbers) = self.virtual_numbers {
            virtual_numbers.leave(child.node.board);
        }
        self.path.pop();
        self.game.undo(child.play);
        self.siblings.set(at, visit.number);
        let child = &mut self.children[at];
        child.stock = visit.stock;
        child.length = visit.length;
        child.path_dependency = visit.path_dependency;
        child.fresh = false;
    }

    fn truncate_children(&mut self, len: usize) {
        self.children.truncate(len);
        self.siblings.truncate(len);
    }

    /// A static answer on the first visit.
    fn settle(
        &mut self,
        node: NodeIdentity<G::Stock>,
        budget: u16,
        depth: u16,
    ) -> Option<Visit<G::Stock>> {
        let settled = self.game.settle()?;
        let visit = if settled.proven {
            Visit {
                number: Number::PROVEN,
                stock: settled.stock,
                length: settled.length,
                path_dependency: INDEPENDENT,
            }
        } else {
            Visit {
                number: Number::DISPROVEN,
                stock: settled.stock,
                length: UNBOUNDED,
                path_dependency: INDEPENDENT,
            }
        };
        self.store(node, &visit, depth, 1);
        (!settled.proven || settled.length <= budget).then_some(visit)
    }

    fn step_key(&mut self, play: G::Move, node: NodeIdentity<G::Stock>) -> u64 {
        match self.game.repetition() {
            Repetition::AttackerFails => node.board,
            Repetition::MoverFails => {
                self.game.play(play);
                let key = self.game.repetition_key();
                self.game.undo(play);
                key
            }
        }
    }

    /// The child's identity in the table, and the key by which it is found on the path.
    fn identify(&mut self, play: G::Move) -> (NodeIdentity<G::Stock>, u64) {
        match self.game.repetition() {
            Repetition::AttackerFails => {
                let node = self.game.peek(play);
                (node, node.board)
            }
            Repetition::MoverFails => {
                self.game.play(play);
                let (board, stock) = (self.game.board_key(), self.game.stock());
                let key = self.game.repetition_key();
                let board = self.table_key(board, stock, key);
                self.game.undo(play);
                (NodeIdentity { board, stock }, key)
            }
        }
    }

    #[inline]
    fn combine(&mut self, role: Role, first: usize) -> Combined {
        self.options.widening_at(role).combine(role, &self.siblings, first, &mut self.scratch)
    }

    /// The child to search: the best one, or one nearly as good if other threads are busy there.
    fn choose(&mut self, role: Role, first: usize, best: Combined, limit: Number) -> Combined {
        let Some(virtual_numbers) = self.virtual_numbers else { return best };
        self.seen.truncate(0);
        for at in first..self.children.len() {
            let number =
                virtual_numbers.seen(role, self.siblings.number(at), self.children[at].node.board);
            self.seen.push(number, self.siblings.group(at));
        }
        let other = self.options.widening_at(role).combine(role, &self.seen, 0, &mut self.scratch);
        let its_own = self.siblings.number(first + other.best).of(role);
        if its_own < limit.of(role) { other } else { best }
    }

    /// Whether another thread has changed what is known of a child; the child is brought up to
    /// date.
    #[inline]
    fn is_news(&mut self, at: usize, budget: u16, depth: u16) -> bool {
        if self.virtual_numbers.is_none() {
            return false;
        }
        let before = self.siblings.number(at);
        self.recall(at, budget, depth);
        self.siblings.number(at) != before
    }

    /// The result of a visit from the state of its children.
    fn conclude(
        &self,
        role: Role,
        node: NodeIdentity<G::Stock>,
        first: usize,
        combined: Combined,
        budget: u16,
    ) -> Visit<G::Stock> {
        let number = combined.number;
        let children = &self.children[first..];
        if !number.is_solved() {
            return Visit { number, stock: node.stock, length: 0, path_dependency: INDEPENDENT };
        }
        if number.of(role) == 0 {
            return self.won(role, first);
        }
        self.lost(role, children, number, budget)
    }

    /// The mover has a winning child: the best of them answers for the node.
    fn won(&self, role: Role, first: usize) -> Visit<G::Stock> {
        let number = Number::won_by(role);
        let best = self.winner(role, first).expect("the mover has won through a child");
        let stock = match role {
            Role::Attacker => self.game.stock_before_proof(best.play, best.stock),
            Role::Defender => self.game.stock_before_disproof(best.play, best.stock),
        };
        Visit {
            number,
            stock,
            length: prolonged(best.length, best.plies),
            path_dependency: best.path_dependency,
        }
    }

    /// The best of the winning children.
    fn winner(&self, role: Role, first: usize) -> Option<&Child<G>> {
        let won = |at: &usize| self.siblings.number(*at) == Number::won_by(role);
        let winners = (first..self.children.len()).filter(won).map(|at| &self.children[at]);
        winners.max_by_key(|child| {
            let length = prolonged(child.length, child.plies);
            // Facts first; then the attacker wants the shortest, the defender the disproof that
            // reaches furthest.
            (
                child.path_dependency,
                if role == Role::Attacker { UNBOUNDED - length } else { length },
            )
        })
    }

    /// Every child is lost for the mover: all of them answer for the node.
    fn lost(
        &self,
        role: Role,
        children: &[Child<G>],
        number: Number,
        budget: u16,
    ) -> Visit<G::Stock> {
        let path_dependency =
            children.iter().map(|c| c.path_dependency).min().unwrap_or(INDEPENDENT);
        let lengths = children.iter().map(|c| prolonged(c.length, c.plies));
        match role {
            Role::Defender => {
                let needs = children.iter().map(|c| self.game.stock_before_proof(c.play, c.stock));
                let needed = needs.fold(self.game.empty_stock(), Stock::join);
                let stock = self.game.close_proof(needed);
                Visit { number, stock, length: lengths.max().unwrap_or(0), path_dependency }
            }
            Role::Attacker => {
                let bounds =
                    children.iter().map(|c| self.game.stock_before_disproof(c.play, c.stock));
                let stock = self.game.close_disproof(bounds.reduce(Stock::meet));
                let length = lengths.min().unwrap_or(UNBOUNDED);
                debug_assert!(length >= budget || budget == UNBOUNDED);
                Visit { number, stock, length, path_dependency }
            }
        }
    }

    /// Facts go to the table, results that depend on the path above to the path's own store.
    fn store(
        &mut self,
        node: NodeIdentity<G::Stock>,
        visit: &Visit<G::Stock>,
        depth: u16,
        amount: u64,
    ) {
        let amount = u32::try_from(amount).unwrap_or(u32::MAX);
        if visit.number.is_solved() && visit.path_dependency < depth {
            let result = PathResult {
                proven: visit.number.is_proven(),
                length: visit.length,
                path_dependency: visit.path_dependency,
            };
            self.remembered.put(self.path.key(), result);
            let number = if result.proven { Number::open(1, 8) } else { Number::open(8, 1) };
            self.table.note_path_dependent(node, number, depth, amount);
            return;
        }
        let answer = TableAnswer { number: visit.number, stock: visit.stock, length: visit.length };
        self.table.store(node, answer, depth, amount);
    }

    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.table.upkeep() {
            self.path.keys().for_each(|key| self.table.mark(key));
        }
        self.pace.until_tick -= 1;
        if self.pace.until_tick == 0 {
            self.tick();
        }
        if self.path.len() > self.deepest {
            let full = self.deepest == DEEPEST;
            self.stopped = Some(if full { Reason::Memory } else { Reason::Depth });
        }
    }

    #[cold]
    fn tick(&mut self) {
        let reason = self.clock.tick(self.pace.stride);
        self.stopped = self.stopped.or(reason);
        self.pace.until_report = self.pace.until_report.saturating_sub(self.pace.stride);
        self.pace.stride = self.clock.stride();
        self.pace.until_tick = self.pace.stride;
        if self.pace.until_report == 0 {
            self.pace.until_report = REPORT_EVERY;
            if let Some(report) = &mut self.pace.report {
                report(&SolverProgress {
                    nodes: self.clock.nodes(),
                    elapsed: self.clock.elapsed(),
                    depth: self.path.len(),
                    number: self.pace.root,
                });
            }
        }
    }

    /// Reports the nodes not yet reported to the clock.
    fn flush(&mut self) {
        let pending = self.pace.stride - self.pace.until_tick;
        if pending > 0 {
            self.clock.tick(pending);
            self.pace.until_tick = self.pace.stride;
        }
    }
}

mod carry;
mod expand;
#[cfg(test)]
mod tests;
