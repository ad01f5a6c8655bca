//! Quiescence: search on with captures, promotions, checks and evasions until nothing is hanging.
//!
//! Paper: Takeuchi, Kaneko and Kawai cut it off at depth 8 and put ProbCut inside it; both are
//! settings here. A node whose side to move is not in check may always stand on its static value.

use super::NodeType;
use super::ordering::{Picker, Purpose, gain, is_quiet};
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::settings::search::QuiescenceProbCut;
use crate::tt::{Bound, TableEntry, stored_quiescence};
use crate::value::{INFINITE, MATE_BOUND, Value, from_table, mate_in, mated_in, to_table};
use yomikiri_shogi::Move;

/// What the steps of one node share.
struct QNode {
    alpha: Value,
    beta: Value,
    ply: usize,
    left: i32,
    key: u64,
    in_check: bool,
    /// The static value.
    raw: Option<Value>,
    /// The static value, corrected by earlier errors.
    eval: Option<Value>,
    hit: Option<TableEntry>,
}

impl<E: Evaluation> Searcher<E> {
    /// Quiescence from a leaf of the normal search.
    pub(super) fn quiescence_root<N: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        let left = self.params.quiescence.depth;
        if self.instruments.recorder.is_some() {
            self.record(alpha, beta);
        }
        if self.params.quiescence.probcut != QuiescenceProbCut::Off {
            // A cut has no line of its own.
            self.lines[ply].clear();
            if let Some(value) = self.quiescence_probcut(alpha, beta, ply, left, true) {
                return value;
            }
        }
        self.quiescence::<N>(alpha, beta, ply, left, true)
    }

    /// Quiescence with `left` plies to go.
    pub(super) fn quiescence<N: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        left: i32,
        root: bool,
    ) -> Value {
        if self.must_stop() {
            return 0;
        }
        if N::PV {
            self.lines[ply].clear();
        }
        self.instruments.counters.quiescence_nodes += 1;
        self.deepest = self.deepest.max(ply);
        if let Some(value) = self.game_end() {
            return value;
        }
        if ply >= self.effort.max_ply {
            return self.static_value();
        }
        let key = self.position.key();
        let hit = self.table.probe(key);
        if !N::PV
            && self.params.table.cuts
            && let Some(hit) = hit
            && hit.depth >= self.quiescence_depth(left)
        {
            let value = from_table(hit.value, ply);
            if hit.bound.cuts(value, beta) {
                return value;
            }
        }
        if !root
            && self.params.quiescence.probcut == QuiescenceProbCut::Every
            && let Some(value) = self.quiescence_probcut(alpha, beta, ply, left, false)
        {
            return value;
        }
        let in_check = self.position.in_check();
        let node = QNode { alpha, beta, ply, left, key, in_check, raw: None, eval: None, hit };
        self.quiet_down::<N>(node)
    }

    /// Stands on the static value or searches on.
    fn quiet_down<N: NodeType>(&mut self, mut node: QNode) -> Value {
        let (mut best, mut alpha) = (-INFINITE, node.alpha);
        if !node.in_check {
            let eval = match node.hit.and_then(|hit| hit.eval) {
                Some(eval) => eval,
                None => self.static_value(),
            };
            node.raw = Some(eval);
            let eval = self.corrected(eval, node.ply);
            node.eval = Some(eval);
            self.frame_mut(node.ply).eval = Some(eval);
            best = eval;
            if let Some(hit) = node.hit {
                let value = from_table(hit.value, node.ply);
                let better = hit.bound != Bound::None && hit.bound.cuts(value, eval + 1);
                if better && value.abs() < MATE_BOUND {
                    best = value;
                }
            }
            if best >= node.beta {
                best = self.soften_quiescence(best, node.beta);
                if node.hit.is_none() {
                    self.store_quiescence::<N>(&node, best, None);
                }
                return best;
            }
            // Only here: what stands above beta without a mate needs none.
            if let Some(mating) = self.mating_move(node.hit) {
                let value = mate_in(node.ply + 1);
                self.store_quiescence::<N>(&node, value, Some(mating));
                return value;
            }
            if node.left <= 0 {
                if node.hit.is_none_or(|hit| hit.may_hide_mate()) {
                    self.store_quiescence::<N>(&node, best, None);
                }
                return best;
            }
            alpha = alpha.max(best);
        } else if node.left <= 0 {
            // At the end of the depth a check is not followed; mate is still seen.
            return if self.position.has_legal_move() {
                self.static_value()
            } else {
                mated_in(node.ply)
            };
        }
        self.search_on::<N>(&node, best, alpha)
    }

    fn search_on<N: NodeType>(&mut self, node: &QNode, mut best: Value, mut alpha: Value) -> Value {
        let table_move = node.hit.and_then(|hit| hit.mv).filter(|&mv| self.position.is_legal(mv));
        let taken = self.params.quiescence.depth - node.left;
        let purpose = Purpose::Quiescence {
            checks: taken < self.params.quiescence.checks,
            escapes: taken < self.params.quiescence.escapes,
        };
        let context = self.order_context(node.ply);
        let mut picker = Picker::new(&self.position, purpose, table_move, context);
        let mut best_move = None;
        let mut number = 0;
        let futility = node.eval.map(|eval| eval + self.params.quiescence.margin);
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            number += 1;
            if best > -MATE_BOUND
                && (self.is_late_quiescence(node, mv, number)
                    || self.is_hopeless(node, mv, futility, &mut best, alpha))
            {
                continue;
            }
            self.play(mv, node.ply);
            let value =
                -self.quiescence::<N>(-node.beta, -alpha, node.ply + 1, node.left - 1, false);
            self.undo();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(mv);
                    if N::PV {
                        self.extend_line(node.ply, mv);
                    }
                    alpha = value;
                    if value >= node.beta {
                        break;
                    }
                }
            }
        }
        if node.in_check && number == 0 {
            return mated_in(node.ply);
        }
        if best > node.beta {
            best = self.soften_quiescence(best, node.beta);
        }
        self.store_quiescence::<N>(node, best, best_move);
        best
    }

    /// Whether a move loses material or cannot reach alpha by what it takes.
    #[inline]
    fn is_hopeless(
        &self,
        node: &QNode,
        mv: Move,
        futility: Option<Value>,
        best: &mut Value,
        alpha: Value,
    ) -> bool {
        if node.in_check {
            // Interpositions and flights are all tried while no safe one is known; then only
            // captures are.
            return !self.params.quiescence.all_evasions && is_quiet(&self.position, mv);
        }
        if let Some(futility) = futility
            && !self.takes_back(mv)
            && !self.position.gives_check(mv)
        {
            let reach = futility + gain(&self.position, mv);
            if reach <= alpha {
                *best = (*best).max(reach);
                return true;
            }
            if !self.position.see_ge(mv, alpha - futility) {
                *best = (*best).max(alpha.min(futility));
                return true;
            }
        }
        !self.position.see_ge(mv, -self.params.quiescence.loss)
    }

    /// Whether the move takes what was just moved.
    #[inline]
    fn takes_back(&self, mv: Move) -> bool {
        self.position.last_move().map(Move::to) == Some(mv.to())
    }

    /// Whether enough moves were tried: what does not take back nor give check is left out then.
    #[inline]
    fn is_late_quiescence(&self, node: &QNode, mv: Move, number: i32) -> bool {
        let most = self.params.quiescence.moves;
        most > 0
            && number > most
            && !node.in_check
            && !self.takes_back(mv)
            && !self.position.gives_check(mv)
    }

    /// A value that fails high, drawn halfway to beta.
    #[inline]
    fn soften_quiescence(&self, best: Value, beta: Value) -> Value {
        let soft = self.params.fail_high.soft && best.abs() < MATE_BOUND;
        if soft { (best + beta) / 2 } else { best }
    }

    /// The depth of quiescence as the table keeps it.
    #[inline]
    fn quiescence_depth(&self, left: i32) -> i32 {
        stored_quiescence(if self.params.quiescence.any_entry { 0 } else { left })
    }

    /// Stores what was found.
    fn store_quiescence<N: NodeType>(&mut self, node: &QNode, best: Value, mv: Option<Move>) {
        let bound = N::bound(best, node.beta, mv);
        let entry = TableEntry {
            mv,
            value: to_table(best, node.ply),
            eval: node.raw,
            depth: self.quiescence_depth(node.left),
            bound,
            pv: node.hit.is_some_and(|hit| hit.pv),
        };
        self.table.store(node.key, entry);
    }
}
