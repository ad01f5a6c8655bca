//! The recursive search of one node, step by step.
//!
//! Values that depend on the path (repetition, the greatest number of moves) are returned before
//! anything is stored, so that the table keeps no such value as a fact of its own node; they can
//! still colour the value of a parent, as in every engine of this kind.

use super::child::Child;
use super::move_pruning::Decision;
use super::ordering::{Picker, Purpose, is_quiet};
use super::searcher::Searcher;
use super::singular::Verdict;
use super::{NodeType, PLY};
use crate::eval::Evaluation;
use crate::settings::search::{Reduction, Singular};
use crate::tt::{Bound, TableEntry, stored_depth, stored_quiescence};
use crate::value::{INFINITE, MATE_BOUND, Value, from_table, mate_in, mated_in, to_table};
use arrayvec::ArrayVec;
use yomikiri_shogi::Move;

/// What the steps of one node share.
pub(super) struct Node {
    pub alpha: Value,
    pub beta: Value,
    pub depth: i32,
    pub ply: usize,
    pub key: u64,
    pub pv: bool,
    /// Whether a principal variation goes through here, or once did.
    pub table_pv: bool,
    /// Whether the node is expected to fail high.
    pub cut: bool,
    /// By how much the move that led here was reduced, in parts of a ply.
    pub prior_reduction: i32,
    pub in_check: bool,
    /// The static value; below everything in check.
    pub raw: Value,
    /// The static value, corrected by earlier errors.
    pub eval: Value,
    /// That, corrected by what the table knows.
    pub estimate: Value,
    /// Whether the side to move stands better than two plies ago.
    pub improving: bool,
    pub excluded: Option<Move>,
    pub hit: Option<TableEntry>,
    pub table_move: Option<Move>,
}

/// The moves tried before the best one, to be punished if it cuts.
#[derive(Default)]
pub(super) struct Tried {
    pub quiets: ArrayVec<Move, 64>,
    pub captures: ArrayVec<Move, 64>,
}

impl Tried {
    pub(super) fn push(&mut self, mv: Move, quiet: bool) {
        let list = if quiet { &mut self.quiets } else { &mut self.captures };
        // Beyond this number failed moves teach little.
        let _ = list.try_push(mv);
    }
}

/// How far the moves of a node have been searched.
pub(super) struct Progress {
    pub alpha: Value,
    pub best: Value,
    pub best_move: Option<Move>,
    pub number: i32,
    tried: Tried,
}

impl<E: Evaluation> Searcher<E> {
    /// The value of the node for the side to move, within the window where it matters.
    // Long: the steps of a node in their order; each is a call.
    pub(super) fn negamax<N: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        // Step 1. At the leaves, quiescence.
        if depth < PLY {
            return self.leaf::<N>(alpha, beta, ply);
        }

        // Step 2. Limits, ends of games, mates that cannot be improved.
        if self.must_stop() {
            return 0;
        }
        self.lines[ply].clear();
        self.deepest = self.deepest.max(ply);
        if let Some(value) = self.game_end() {
            return value;
        }
        if ply >= self.effort.max_ply {
            return self.static_value();
        }
        let (alpha, beta) = (alpha.max(mated_in(ply)), beta.min(mate_in(ply + 1)));
        if alpha >= beta {
            return alpha;
        }

        // Step 3. The transposition table.
        let mut node = self.look_up::<N>(alpha, beta, depth, ply, cut);
        if let Some(value) = self.table_cut(&node) {
            return value;
        }

        // Step 4. Mate in one move.
        if let Some(value) = self.mate_at_once(&node) {
            return value;
        }

        // Step 5. The static value.
        self.evaluate_node(&mut node);

        // Step 6. Whole-node pruning: razoring, futility, null move, ProbCut.
        if let Some(value) = self.prune_node(&mut node) {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // Step 7. Less depth where no good first move is known.
        node.depth -= self.internal_reduction(&node);

        // Step 8. The frontier form of singular extension has a loop of its own.
        if self.params.singular.form == Singular::Frontier && node.depth < 2 * PLY {
            return self.frontier::<N>(&node);
        }

        // Step 9. The moves.
        self.search_moves::<N>(node)
    }

    fn leaf<N: NodeType>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        if self.params.quiescence.enabled {
            return self.quiescence_root::<N>(alpha, beta, ply);
        }
        self.lines[ply].clear();
        if self.must_stop() {
            return 0;
        }
        match self.game_end() {
            Some(value) => value,
            None if self.position.in_check() && !self.position.has_legal_move() => mated_in(ply),
            None => self.static_value(),
        }
    }

    #[inline]
    pub(super) fn static_value(&mut self) -> Value {
        self.eval.evaluate(&self.position)
    }

    fn look_up<N: NodeType>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Node {
        let key = self.position.key();
        let excluded = self.frame(ply).excluded;
        let hit = self.table.probe(key);
        let table_move = hit.and_then(|hit| hit.mv).filter(|&mv| self.position.is_legal(mv));
        let in_check = self.position.in_check();
        let follows_line = self.follows_line(ply);
        let frame = self.frame_mut(ply);
        (frame.in_check, frame.hit, frame.follows_line) = (in_check, hit.is_some(), follows_line);
        // Without the excluded move the node is the same.
        if excluded.is_none() {
            frame.table_pv = N::PV || hit.is_some_and(|hit| hit.pv);
        }
        let table_pv = frame.table_pv;
        // It counts once: not in further searches of the same node.
        let prior_reduction = match ply.checked_sub(1) {
            Some(parent) => core::mem::take(&mut self.frame_mut(parent).reduction),
            None => 0,
        };
        Node {
            alpha,
            beta,
            depth,
            ply,
            key,
            pv: N::PV,
            table_pv,
            cut,
            prior_reduction,
            in_check,
            raw: -INFINITE,
            eval: -INFINITE,
            estimate: -INFINITE,
            improving: false,
            excluded,
            hit,
            table_move,
        }
    }

    /// Whether the moves up to this ply are those of the last iteration's best line.
    #[inline]
    fn follows_line(&self, ply: usize) -> bool {
        let Some(parent) = ply.checked_sub(1) else { return true };
        let frame = self.frame(parent);
        frame.follows_line
            && frame.mv.is_some()
            && self
                .root
                .moves
                .first()
                .is_some_and(|best| best.line.get(parent).copied() == frame.mv)
    }

    fn evaluate_node(&mut self, node: &mut Node) {
        let ply = node.ply;
        if node.in_check {
            let frame = self.frame_mut(ply);
            (frame.eval, frame.correction) = (None, 0);
            return;
        }
        node.raw = match node.hit.and_then(|hit| hit.eval) {
            Some(eval) => eval,
            None => self.static_value(),
        };
        if node.hit.is_none() && node.excluded.is_none() {
            self.store_static(node);
        }
        let eval = self.corrected(node.raw, ply);
        let correction = eval - node.raw;
        let frame = self.frame_mut(ply);
        (frame.eval, frame.correction) = (Some(eval), correction);
        node.eval = eval;
        node.estimate = eval;
        // Without the excluded move the table's value says nothing about the node.
        if let Some(hit) = node.hit.filter(|_| node.excluded.is_none()) {
            let value = from_table(hit.value, ply);
            if hit.bound != Bound::None
                && hit.bound.cuts(value, eval + 1)
                && value.abs() < MATE_BOUND
            {
                node.estimate = value;
            }
        }
        let earlier = |back: usize| self.frames[ply + super::searcher::BEFORE_ROOT - back].eval;
        node.improving = match earlier(2).or(earlier(4)) {
            Some(before) => eval > before,
            None => false,
        };
        self.judge_by_value(node);
        node.depth += self.hindsight(node);
    }

    fn prune_node(&mut self, node: &mut Node) -> Option<Value> {
        if node.pv || node.in_check {
            return self.table_probcut(node);
        }
        let value = self.razor(node).or_else(|| self.reverse_futility(node));
        let value = value.or_else(|| self.null_move(node));
        if value.is_some() || self.stopped {
            return value;
        }
        // What stands above beta already gains ground enough.
        node.improving |= node.eval >= node.beta;
        match self.probcut(node) {
            None if !self.stopped => self.table_probcut(node),
            outcome => outcome,
        }
    }

    /// Step 9: tries the moves in order, and learns from the outcome.
    // Long: the move loop: its steps share the state of the node.
    fn search_moves<N: NodeType>(&mut self, mut node: Node) -> Value {
        let context = self.order_context(node.ply);
        let mut picker = Picker::new(&self.position, Purpose::Search, node.table_move, context);
        let mut progress = Progress {
            alpha: node.alpha,
            best: -INFINITE,
            best_move: None,
            number: 0,
            tried: Tried::default(),
        };
        let below = self.frame_mut(node.ply + 2);
        (below.killers, below.cutoffs) = ([None; 2], 0);
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            if Some(mv) == node.excluded {
                continue;
            }
            progress.number += 1;
            let mut child = self.child(&node, mv, &progress);

            // 9a. Skip what is unlikely to matter.
            if progress.best > -MATE_BOUND {
                if self.is_late(&node, child.number) {
                    picker.skip_quiets();
                }
                match self.skip_move(&node, &child, progress.best_move.is_some()) {
                    Decision::Search => {}
                    Decision::Skip => continue,
                    Decision::Futile(value) => {
                        progress.best = progress.best.max(value);
                        continue;
                    }
                }
            }

            // 9b. Extend what is forced.
            match self.extend(&mut node, mv) {
                Verdict::Extend(extension) => child.extension = extension,
                Verdict::Cut(value) => return value,
            }
            if self.stopped {
                return 0;
            }

            // 9c. Play it, with less depth if it comes late, and in full if it surprises.
            let value = self.search_child::<N>(&node, &child);
            if self.stopped {
                return 0;
            }

            // 9d. A new best move?
            if self.take_in::<N>(&mut node, &child, value, &mut progress) {
                break;
            }
        }
        if progress.number == 0 {
            return if node.excluded.is_some() { node.alpha } else { mated_in(node.ply) };
        }
        let best = self.soften(&node, progress.best);
        if best <= node.alpha && node.ply > 0 {
            // Where no move was good enough, the one before may yet belong to the best line.
            node.table_pv |= self.frame(node.ply - 1).table_pv;
        }
        self.learn_from(&node, best, progress.best_move, &progress.tried);
        self.store::<N>(&node, best, progress.best_move);
        best
    }

    /// Step 9d: takes in the value of a move. Whether it ends the node.
    #[inline]
    fn take_in<N: NodeType>(
        &mut self,
        node: &mut Node,
        child: &Child,
        value: Value,
        progress: &mut Progress,
    ) -> bool {
        if value > progress.best {
            progress.best = value;
            if value > progress.alpha {
                progress.best_move = Some(child.mv);
                if N::PV {
                    self.extend_line(node.ply, child.mv);
                }
                progress.alpha = value;
                if value >= node.beta {
                    let counts = child.extension < 2 * PLY || N::PV;
                    self.frame_mut(node.ply).cutoffs += i32::from(counts);
                    return true;
                }
                self.lower_depth(node, value);
            }
        }
        if progress.best_move != Some(child.mv) {
            progress.tried.push(child.mv, child.quiet);
        }
        false
    }

    /// The moves after one that raised alpha are searched less deeply: few of them are better.
    #[inline]
    pub(super) fn lower_depth(&self, node: &mut Node, value: Value) {
        let params = &self.params.alpha_raise;
        let plain = self.params.reduction.method == Reduction::LateMove;
        if plain
            && node.depth > params.plies * PLY
            && node.depth < params.max_depth * PLY
            && value.abs() < MATE_BOUND
        {
            node.depth -= params.plies * PLY;
        }
    }

    /// A value that fails high, drawn towards beta: the less deep the search, the more.
    #[inline]
    fn soften(&self, node: &Node, best: Value) -> Value {
        let plies = Self::plies(node.depth);
        let far = best.abs() >= MATE_BOUND || node.alpha.abs() >= MATE_BOUND;
        if !self.params.fail_high.soft || best < node.beta || far || plies < 1 {
            return best;
        }
        (best * plies + node.beta) / (plies + 1)
    }

    /// Step 10: the histories learn from the outcome.
    pub(super) fn learn_from(
        &mut self,
        node: &Node,
        best: Value,
        best_move: Option<Move>,
        tried: &Tried,
    ) {
        match best_move {
            Some(mv) => self.learn(node, mv, tried),
            None => self.reward_prior(node, best),
        }
        if best_move.is_none_or(|mv| is_quiet(&self.position, mv)) {
            self.note_error(node, best, best_move);
        }
    }

    /// Puts a move in front of the line below it.
    #[inline]
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(mv);
        above[ply].extend_from_slice(&below[0]);
    }

    /// Keeps the static value of a node that the table does not know: it is not computed again, and
    /// the node counts as known when it is met again, although pruning may leave nothing else to
    /// store.
    #[inline]
    fn store_static(&self, node: &Node) {
        if self.params.table.static_values {
            let (mv, value, eval) = (None, 0, Some(node.raw));
            let (depth, bound) = (stored_quiescence(0), Bound::None);
            self.table
                .store(node.key, TableEntry { mv, value, eval, depth, bound, pv: node.table_pv });
        }
    }

    /// Step 11: stores what was found.
    pub(super) fn store<N: NodeType>(&mut self, node: &Node, best: Value, mv: Option<Move>) {
        if node.excluded.is_some() {
            return;
        }
        let bound = N::bound(best, node.beta, mv);
        let entry = TableEntry {
            mv,
            value: to_table(best, node.ply),
            eval: (!node.in_check).then_some(node.raw),
            depth: stored_depth(node.depth),
            bound,
            pv: node.table_pv,
        };
        self.table.store(node.key, entry);
    }
}
