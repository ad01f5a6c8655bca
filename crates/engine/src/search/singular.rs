//! Singular extension: a move that is better than all others by a margin is searched deeper.
//!
//! Three forms. *Frontier* (Nakayama et al.): at nodes whose children are leaves, the best leaf
//! far ahead of the second is suspect (an exchange broken off halfway) and is searched on; where
//! a leaf passes beta, the leaves go on until a second one does; with `singular.past_beta` leaves
//! are opened there and nowhere else, which is the paper to the letter. *Original* (Anantharaman,
//! Campbell and Hsu 1990): the first move that raises alpha (PV-singular) or fails high
//! (fail-high-singular) is tested against reduced searches of all other moves. *Table*: the move
//! of the transposition table is tested by one reduced search of the node without it; where that
//! search still fails high, several moves do, and the node is cut. `singular.family` extends by
//! more and reduces what others match.

use super::negamax::Node;
use super::ordering::{Picker, Purpose, is_quiet};
use super::searcher::Searcher;
use super::{NodeType, NonPv, PLY};
use crate::eval::Evaluation;
use crate::settings::search::Rewrite;
use crate::tt::{Bound, stored_depth};
use crate::value::{INFINITE, MATE_BOUND, MAX_PLY, Value, from_table, mated_in};
use yomikiri_shogi::Move;

/// What a test says about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Search it deeper by this (or, if negative, shallower), in parts of a ply.
    Extend(i32),
    /// Other moves fail high as well: return this value.
    Cut(Value),
}

impl<E: Evaluation> Searcher<E> {
    /// The table form.
    pub(super) fn table_singular(&mut self, node: &Node, mv: Move) -> Verdict {
        let Some(hit) = node.hit else { return Verdict::Extend(0) };
        let value = from_table(hit.value, node.ply);
        let least = self.params.singular.min_depth + i32::from(node.table_pv);
        if node.depth < least * PLY
            || node.excluded.is_some()
            || !matches!(hit.bound, Bound::Lower | Bound::Exact)
            || hit.depth < stored_depth(node.depth - 3 * PLY)
            || value.abs() >= MATE_BOUND
            || node.ply >= 2 * MAX_PLY / 3
        {
            return Verdict::Extend(0);
        }
        self.instruments.counters.singular[0] += 1;
        let former = node.table_pv && !node.pv;
        let params = &self.params.singular;
        let gap = params.margin + if former { params.former_pv } else { 0 };
        let bound = value - gap * Self::plies(node.depth) / 100;
        self.frame_mut(node.ply).excluded = Some(mv);
        let other =
            self.negamax::<NonPv>(bound - 1, bound, (node.depth - PLY) / 2, node.ply, node.cut);
        self.frame_mut(node.ply).excluded = None;
        if self.stopped {
            Verdict::Extend(0)
        } else if self.params.singular.family {
            self.instruments.counters.singular[1] += u64::from(other < bound);
            self.singular_family(node, mv, value, bound, other)
        } else if other < bound {
            self.instruments.counters.singular[1] += 1;
            let clearly = !node.pv && other < bound - 50;
            Verdict::Extend(if clearly { 2 * PLY } else { PLY })
        } else if bound >= node.beta {
            Verdict::Cut(bound)
        } else if value >= node.beta {
            Verdict::Extend(-PLY)
        } else {
            Verdict::Extend(0)
        }
    }

    /// What the search without the table's move says, in Stockfish's form: one ply more for it, two
    /// or three where the others stay far behind, sooner if it is quiet; a cut where another move
    /// fails high as well; and less depth where the others come close and a cut-off is expected.
    fn singular_family(
        &self,
        node: &Node,
        mv: Move,
        value: Value,
        bound: Value,
        other: Value,
    ) -> Verdict {
        let params = &self.params.singular;
        if other < bound {
            let quiet = if is_quiet(&self.position, mv) { params.quiet } else { 0 };
            let more = if node.pv { params.pv } else { 0 } - quiet;
            let behind = bound - other;
            let plies = 1
                + i32::from(behind > params.double + more)
                + i32::from(behind > params.triple + more);
            return Verdict::Extend(plies * PLY);
        }
        if other >= node.beta && other.abs() < MATE_BOUND {
            return Verdict::Cut(other);
        }
        let plies = match () {
            () if value >= node.beta => -3,
            () if node.cut => -2,
            () => 0,
        };
        Verdict::Extend(plies * PLY)
    }

    /// The original form: the value of the first move, searched deeper if it is singular.
    pub(super) fn original_singular<N: NodeType>(
        &mut self,
        node: &Node,
        best: Move,
        value: Value,
        alpha: Value,
    ) -> Value {
        if value <= alpha
            || node.depth < self.params.singular.min_depth * PLY
            || value.abs() >= MATE_BOUND
            || self.frame(node.ply).extended > 8 * PLY
        {
            return value;
        }
        self.instruments.counters.singular[0] += 1;
        if self.has_rival(node, best, value - self.params.singular.original_margin) {
            return value;
        }
        if self.stopped {
            return value;
        }
        self.instruments.counters.singular[1] += 1;
        self.play(best, node.ply);
        self.frame_mut(node.ply + 1).extended += PLY;
        let deeper = -self.negamax::<N>(-node.beta, -alpha, node.depth, node.ply + 1, !node.cut);
        self.undo();
        deeper
    }

    /// Whether a move other than `best` reaches the bound in a reduced search.
    fn has_rival(&mut self, node: &Node, best: Move, bound: Value) -> bool {
        let context = self.order_context(node.ply);
        let mut picker = Picker::new(&self.position, Purpose::Search, None, context);
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            if mv == best {
                continue;
            }
            self.play(mv, node.ply);
            let depth = node.depth - 3 * PLY;
            let value = -self.negamax::<NonPv>(-bound, -bound + 1, depth, node.ply + 1, true);
            self.undo();
            if self.stopped || value >= bound {
                return true;
            }
        }
        false
    }

    /// The frontier form: a node whose children are leaves.
    pub(super) fn frontier<N: NodeType>(&mut self, node: &Node) -> Value {
        // The leaves that may be opened and the best of the others, best first.
        let kept = self.params.singular.width as usize + 1;
        let mut leaves: Vec<(Value, Move)> = Vec::with_capacity(kept + 1);
        let context = self.order_context(node.ply);
        let mut picker = Picker::new(&self.position, Purpose::Search, node.table_move, context);
        let mut past_beta = 0;
        // Values at or below the second best need not be exact.
        let mut second = -INFINITE;
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            self.play(mv, node.ply);
            let value = -self.negamax::<N>(-INFINITE, -second, 0, node.ply + 1, false);
            self.undo();
            if self.stopped {
                return 0;
            }
            leaves.insert(leaves.partition_point(|leaf| leaf.0 >= value), (value, mv));
            leaves.truncate(kept);
            second = leaves.get(1).map_or(-INFINITE, |&(value, _)| value);
            past_beta += i32::from(value >= node.beta);
            if past_beta >= 2 {
                break;
            }
        }
        let Some(&(value, first)) = leaves.first() else { return mated_in(node.ply) };
        // Below an opened leaf nothing is opened again.
        let first_time = self.frame(node.ply).extended == 0;
        let judged = past_beta >= 2 || !self.params.singular.past_beta;
        if first_time && judged && value - second >= self.params.singular.gap {
            self.open_leaves::<N>(node, &mut leaves);
            if self.stopped {
                return 0;
            }
        }
        let (best, mv) = leaves[0];
        self.instruments.counters.frontier_nodes += u64::from(first_time);
        self.instruments.counters.frontier_changes[0] += u64::from(best != value);
        self.instruments.counters.frontier_changes[1] += u64::from(mv != first);
        if N::PV {
            self.lines[node.ply].clear();
            self.lines[node.ply].push(mv);
        }
        self.store::<N>(node, best, Some(mv).filter(|_| best > node.alpha));
        best
    }

    /// Searches the best leaves deeper, and writes their values back. Beyond the window, and below
    /// the best leaf that is not opened, a bound is as good as the value.
    fn open_leaves<N: NodeType>(&mut self, node: &Node, leaves: &mut [(Value, Move)]) {
        let width = self.params.singular.width as usize;
        let always = self.params.singular.rewrite == Rewrite::Always;
        let wrong = if always { 0 } else { self.params.singular.wrong };
        let floor = leaves.get(width).map_or(-INFINITE, |&(value, _)| value);
        let low = (node.alpha.max(floor) - wrong).max(-INFINITE);
        let high = (node.beta + wrong).min(INFINITE);
        let (low, high) = match self.params.singular.past_beta {
            // Whatever is found, the node fails high: all of it is wanted for its own sake.
            true => (-INFINITE, INFINITE),
            false => (low, high),
        };
        if low >= high {
            // The node fails high by a leaf that stays closed, whatever the opened ones are worth.
            return;
        }
        self.instruments.counters.singular[0] += 1;
        for (value, mv) in leaves.iter_mut().take(width) {
            self.play(*mv, node.ply);
            let extra = self.params.singular.extra * PLY;
            self.frame_mut(node.ply + 1).extended += extra;
            let deeper = -self.negamax::<N>(-high, -low, extra, node.ply + 1, false);
            self.undo();
            if self.stopped {
                return;
            }
            if always || (deeper - *value).abs() >= wrong {
                *value = if deeper <= low {
                    deeper.min(*value)
                } else if deeper >= high {
                    deeper.max(*value)
                } else {
                    deeper
                };
            }
        }
        leaves.sort_by_key(|&(value, _)| -value);
    }
}
