//! Iterative deepening from the root, with aspiration windows, several lines and an end in time.

use super::PLY;
use super::game_end::EndRules;
use super::limits::{Control, Limits};
use super::probcut::QuiescenceModel;
use super::root::RootMove;
use super::searcher::{Counters, Searcher};
use crate::category::COUNT;
use crate::eval::Evaluation;
use crate::events::{LineInfo, OnEvent, SearchEvent};
use crate::settings::search::{Driver, SearchParams};
use crate::time::{Schedule, scaled};
use crate::tt::{Bound, TranspositionTable};
use crate::value::{INFINITE, MATE, MATE_BOUND, MAX_PLY, Value, is_mate};
use std::sync::Arc;
use yomikiri_shogi::{Move, Position};

/// One search to be done.
pub struct SearchJob<'a> {
    /// From where, with the history that repetition needs.
    pub position: &'a Position,
    /// What it may spend.
    pub limits: &'a Limits,
    /// What the time manager allows.
    pub schedule: Schedule,
    /// How many lines to give.
    pub lines: usize,
    /// No line is searched farther than this: the stack has no room for more.
    pub max_ply: usize,
    /// Its signals.
    pub control: &'a Arc<Control>,
}

/// Bytes of stack that a ply takes at most: a search, and a search within it that tests a move.
const BYTES_PER_PLY: usize = 12 << 10;

impl<'a> SearchJob<'a> {
    /// A search for one line, with no plan of its time and a stack that is deep enough.
    pub fn new(
        position: &'a Position,
        limits: &'a Limits,
        control: &'a Arc<Control>,
    ) -> SearchJob<'a> {
        let (schedule, max_ply) = (Schedule::default(), MAX_PLY - 1);
        SearchJob { position, limits, schedule, lines: 1, max_ply, control }
    }

    /// The same with a number of lines (MultiPV).
    #[must_use]
    pub fn lines(self, lines: usize) -> SearchJob<'a> {
        SearchJob { lines, ..self }
    }

    /// The same with a plan of its time.
    #[must_use]
    pub fn schedule(self, schedule: Schedule) -> SearchJob<'a> {
        SearchJob { schedule, ..self }
    }

    /// The same with the size of the stack in bytes.
    #[must_use]
    pub fn stack(self, bytes: usize) -> SearchJob<'a> {
        SearchJob { max_ply: (bytes / BYTES_PER_PLY).min(MAX_PLY - 1), ..self }
    }
}

/// A searcher of any evaluation, as a thread runs it.
pub trait SearchWorker: Send {
    /// Searches, and gives the root moves, best first.
    fn work(&mut self, job: &SearchJob<'_>, on_event: &mut OnEvent<'_>) -> Vec<RootMove>;

    /// Takes new parameters, and keeps what was learned.
    fn configure(&mut self, params: &SearchParams, rules: &EndRules, model: &QuiescenceModel);

    /// Takes other probabilities of the categories of moves, in millionths.
    fn set_move_probabilities(&mut self, table: &[u32; COUNT]);

    /// Takes another transposition table.
    fn set_table(&mut self, table: &Arc<TranspositionTable>);

    /// Forgets what was learned in earlier games.
    fn forget(&mut self);

    /// What the last search of this thread counted.
    fn counters(&self) -> Counters;
}

impl<E: Evaluation> SearchWorker for Searcher<E> {
    fn work(&mut self, job: &SearchJob<'_>, on_event: &mut OnEvent<'_>) -> Vec<RootMove> {
        self.run(job, on_event)
    }

    fn configure(&mut self, params: &SearchParams, rules: &EndRules, model: &QuiescenceModel) {
        Searcher::configure(self, params, rules, model);
    }

    fn set_move_probabilities(&mut self, table: &[u32; COUNT]) {
        Searcher::set_move_probabilities(self, table);
    }

    fn set_table(&mut self, table: &Arc<TranspositionTable>) {
        self.table = Arc::clone(table);
    }

    fn forget(&mut self) {
        self.clear();
    }

    fn counters(&self) -> Counters {
        Searcher::counters(self)
    }
}

impl<E: Evaluation> Searcher<E> {
    /// Searches, and gives the root moves, best first; empty if there is no legal move.
    pub fn run(&mut self, job: &SearchJob<'_>, on_event: &mut OnEvent<'_>) -> Vec<RootMove> {
        self.set_position(job.position);
        self.control = Arc::clone(job.control);
        self.effort.node_limit = job.limits.nodes;
        self.effort.schedule = job.schedule;
        self.effort.max_ply = job.max_ply;
        let mut list = yomikiri_shogi::MoveList::new();
        self.position.generate(
            yomikiri_shogi::movegen::Which::All,
            self.non_promotions(),
            &mut list,
        );
        let mut asked_for = self.position.legal_moves();
        asked_for.retain(|mv| job.limits.search_moves.contains(mv));
        if !asked_for.is_empty() {
            list = asked_for;
        }
        self.root.moves = list.iter().map(|&mv| RootMove::new(mv)).collect();
        if !self.root.moves.is_empty() {
            self.order_root();
            self.deepen(job, on_event);
            self.report_nodes();
            for line in 0..job.lines.clamp(1, self.root.moves.len()) {
                self.root.moves[line].line = self.whole_line(line);
            }
        }
        core::mem::take(&mut self.root.moves)
    }

    /// Puts the table's move first.
    fn order_root(&mut self) {
        let known = self.table.probe(self.position.key()).and_then(|hit| hit.mv);
        self.root.moves.sort_by_key(|root| Some(root.mv) != known);
    }

    fn deepen(&mut self, job: &SearchJob<'_>, on_event: &mut OnEvent<'_>) {
        let last = job.limits.depth.unwrap_or(MAX_PLY as i32 - 8).clamp(1, MAX_PLY as i32 - 8);
        let direct = self.params.driver.method == Driver::AlphaBeta && job.limits.depth.is_some();
        let lines = job.lines.clamp(1, self.root.moves.len());
        let mut stability = Stability::default();
        for depth in if direct { last } else { 1 }..=last {
            // Helpers of one machine search different depths, so that they do not walk in step.
            if self.thread > 0 && (depth + self.thread as i32) % 4 == 0 && depth < last {
                continue;
            }
            for root in &mut self.root.moves {
                root.previous = root.value;
            }
            for line in 0..lines {
                self.deepest = 0;
                self.search_line(depth, line, job, on_event);
                if self.stopped {
                    break;
                }
                self.root.moves[..=line].sort_by_key(|root| -root.value);
            }
            if self.stopped {
                self.keep_last_value();
                // It may be another move than that of the last whole iteration; and all nodes.
                self.report_line(self.root.moves[0].depth, 0, job, on_event, Bound::Exact);
                break;
            }
            // A later line may have overtaken an earlier one: they are reported when all are known.
            for line in 0..lines {
                self.report_line(depth, line, job, on_event, Bound::Exact);
            }
            if self.thread == 0 && self.is_enough(job, depth, &mut stability) {
                break;
            }
        }
    }

    /// After an iteration that was broken off: a move that had begun to look worse has no rivals
    /// of that depth yet, so that the value of the iteration before stands, or the static one.
    fn keep_last_value(&mut self) {
        let last = self.root.moves.iter().map(|root| root.previous).max();
        let last = match last.filter(|&value| value > -INFINITE) {
            Some(value) => value,
            None => self.static_value(),
        };
        if let Some(best) = self.root.moves.first_mut() {
            best.value = best.value.max(last);
        }
    }

    /// Searches one line of the root to a depth.
    fn search_line(
        &mut self,
        depth: i32,
        line: usize,
        job: &SearchJob<'_>,
        on_event: &mut OnEvent<'_>,
    ) {
        let previous = self.root.moves[line].previous;
        let known = previous > -INFINITE;
        match self.params.driver.method {
            Driver::Mtdf => {
                let guess = if known { previous } else { self.static_value() };
                self.mtdf(guess, depth * PLY, line);
            }
            Driver::PrincipalVariation
                if known && depth >= self.params.aspiration.min_depth && !is_mate(previous) =>
            {
                self.aspire(previous, depth, line, job, on_event);
            }
            _ => {
                self.search_root(-INFINITE, INFINITE, depth * PLY, line);
            }
        }
    }

    /// Searches with a window around the last value, widened on each failure.
    fn aspire(
        &mut self,
        previous: Value,
        depth: i32,
        line: usize,
        job: &SearchJob<'_>,
        on_event: &mut OnEvent<'_>,
    ) {
        let params = self.params.aspiration;
        let middle = self.root.moves[line].average.unwrap_or(previous);
        let mut delta = params.delta + middle * middle / params.divisor;
        let mut failed_high = 0;
        let (mut alpha, mut beta) =
            ((middle - delta).max(-INFINITE), (middle + delta).min(INFINITE));
        loop {
            // A value above the window needs no more depth to be one.
            let now = (depth - failed_high).max(1);
            let value = self.search_root(alpha, beta, now * PLY, line);
            if self.stopped {
                return;
            }
            if value <= alpha {
                failed_high = 0;
                beta = alpha;
                alpha = (value - delta).max(-INFINITE);
                self.report_line(depth, line, job, on_event, Bound::Upper);
            } else if value >= beta {
                failed_high += 1;
                alpha = (beta - delta).max(alpha);
                beta = (value + delta).min(INFINITE);
                self.report_line(depth, line, job, on_event, Bound::Lower);
            } else {
                return;
            }
            delta += delta / 3 + 1;
            if delta > 3000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    fn report_line(
        &mut self,
        depth: i32,
        line: usize,
        job: &SearchJob<'_>,
        on_event: &mut OnEvent<'_>,
        bound: Bound,
    ) {
        let nodes = self.report_nodes();
        if self.thread != 0 {
            return;
        }
        let pv = self.whole_line(line);
        let root = &self.root.moves[line];
        on_event(&SearchEvent::Line(LineInfo {
            depth,
            selective_depth: self.deepest,
            line: line + 1,
            value: if root.value > -INFINITE { root.value } else { root.previous },
            bound,
            whole: !self.stopped,
            nodes,
            time: job.control.elapsed(),
            fullness: self.table.fullness(),
            pv,
        }));
    }

    /// Whether nothing more is to be gained, or the time for this move is used up.
    fn is_enough(&mut self, job: &SearchJob<'_>, depth: i32, stability: &mut Stability) -> bool {
        let best = &self.root.moves[0];
        let scale = stability.note(best.mv, best.value, depth);
        if job.limits.infinite || self.control.is_pondering() {
            return false;
        }
        // A mate shorter than the depth searched cannot become shorter. A given depth is searched
        // all the same, if there is time.
        if job.lines == 1
            && job.limits.depth.is_none()
            && best.value.abs() >= MATE_BOUND
            && MATE - best.value.abs() <= depth
        {
            return true;
        }
        let schedule = self.schedule_now();
        let Some(optimum) = schedule.optimum else { return false };
        let used = self.control.used();
        let on_the_clock = job.limits.clocks.is_some() || self.control.schedule_of_hit().is_some();
        if self.root.moves.len() == 1 && on_the_clock {
            return true;
        }
        // Time that is lost if it is not used is used whether the search is sure or not.
        let scale = if schedule.is_fixed() { 1.0 } else { scale };
        schedule.is_used_up(used, scaled(optimum, scale))
    }
}

/// Follows whether the best move and its value keep changing.
#[derive(Default)]
struct Stability {
    best: Option<Move>,
    value: Value,
    kept: i32,
}

impl Stability {
    /// Notes an iteration's outcome; gives the factor by which to stretch the time.
    fn note(&mut self, best: Move, value: Value, depth: i32) -> f64 {
        if self.best == Some(best) {
            self.kept += 1;
        } else {
            self.kept = 0;
        }
        let falling = if depth > 4 { (self.value - value).clamp(-50, 150) } else { 0 };
        self.best = Some(best);
        self.value = value;
        let steady = [1.4, 1.2, 1.0, 0.9, 0.8, 0.75, 0.7][self.kept.min(6) as usize];
        steady * (1.0 + f64::from(falling) / 200.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::material::Material;
    use crate::search::limits::{Clocks, Control};
    use crate::tt::TranspositionTable;
    use crate::value::mate_in;
    use std::sync::Arc;
    use std::time::Duration;

    /// Whether a search of depth 10 that sees a mate in three goes no deeper.
    fn is_enough(limits: &Limits, optimum: Option<Duration>) -> bool {
        let mut searcher =
            Searcher::new(Material::default(), Arc::new(TranspositionTable::new(1)), 0);
        let position = Position::start();
        let schedule = Schedule { optimum, ..Schedule::default() };
        let control = Arc::new(Control::default());
        let job = SearchJob::new(&position, limits, &control).schedule(schedule);
        searcher.effort.schedule = schedule;
        searcher.root.moves = position
            .legal_moves()
            .iter()
            .map(|&mv| RootMove { value: mate_in(3), ..RootMove::new(mv) })
            .collect();
        searcher.is_enough(&job, 10, &mut Stability::default())
    }

    #[test]
    fn a_mate_ends_the_search_unless_a_depth_was_asked_for() {
        let (used_up, plenty) = (Some(Duration::ZERO), Some(Duration::from_secs(1 << 20)));
        let clocks = Some(Clocks::default());
        for optimum in [None, used_up, plenty] {
            assert!(is_enough(&Limits { clocks, ..Limits::default() }, optimum));
        }
        let deep = Limits { depth: Some(20), clocks, ..Limits::default() };
        assert!(is_enough(&deep, used_up), "the clock counts beside the depth");
        assert!(!is_enough(&deep, plenty));
        assert!(!is_enough(&deep, None));
    }
}
