//! The root: its moves are kept with values and lines from one iteration to the next.

use super::child::Child;
use super::negamax::{Node, Tried};
use super::ordering::{Picker, Purpose, is_quiet};
use super::searcher::Searcher;
use super::{NonPv, PLY, Pv};
use crate::eval::Evaluation;
use crate::settings::search::Driver;
use crate::tt::{Bound, TableEntry, stored_depth};
use crate::value::{INFINITE, Value};
use yomikiri_shogi::Move;

/// A line is completed from the table up to this length.
const LONGEST_LINE: usize = 20;

/// A move of the root and what is known about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its value in this iteration, or below everything if it did not matter.
    pub value: Value,
    /// Its value in the iteration before.
    pub previous: Value,
    /// Its values so far, each as heavy as all before it.
    pub average: Option<Value>,
    /// The best line that begins with it.
    pub line: Vec<Move>,
    /// How deep that line was searched, in plies.
    pub depth: i32,
    /// Nodes spent on it.
    pub nodes: u64,
}

impl RootMove {
    /// A line that was found without searching the root.
    pub(crate) fn of_line(line: Vec<Move>, value: Value) -> RootMove {
        let depth = line.len() as i32;
        RootMove { value, previous: value, depth, line: line.clone(), ..RootMove::new(line[0]) }
    }

    pub(super) fn new(mv: Move) -> RootMove {
        let (value, line) = (-INFINITE, vec![mv]);
        RootMove { mv, value, previous: value, average: None, line, depth: 0, nodes: 0 }
    }
}

impl<E: Evaluation> Searcher<E> {
    /// Searches the root moves from `first` on, and sorts them by value.
    // Long: the move loop of the root: what it keeps about each move stays in the list.
    pub(super) fn search_root(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        first: usize,
    ) -> Value {
        let mut node = self.root_node(alpha, beta, depth);
        self.order_by_histories(first);
        let below = self.frame_mut(2);
        (below.killers, below.cutoffs) = ([None; 2], 0);
        let (mut best, mut best_move, mut alpha) = (-INFINITE, None, alpha);
        let mut tried = Tried::default();
        for index in first..self.root.moves.len() {
            let mv = self.root.moves[index].mv;
            let quiet = is_quiet(&self.position, mv);
            let number = (index - first + 1) as i32;
            let before = self.nodes;
            let child = Child {
                mv,
                quiet,
                check: self.position.gives_check(mv),
                number,
                depth: node.depth - PLY,
                extension: 0,
                alpha,
                best,
                stat_score: self.stat_score(0, mv, quiet),
            };
            let value = if self.params.driver.method == Driver::Mtdf {
                self.search_move::<NonPv>(&node, &child)
            } else {
                self.search_move::<Pv>(&node, &child)
            };
            self.root.moves[index].nodes += self.nodes - before;
            if self.stopped {
                // What was searched before the stop counts.
                self.root.moves[first..index].sort_by_key(|root| -root.value);
                return best;
            }
            let average = &mut self.root.moves[index].average;
            *average = Some(average.map_or(value, |before| (before + value) / 2));
            if number == 1 || value > alpha {
                self.set_root_value(index, value, depth, alpha < value && value < beta);
            } else {
                self.root.moves[index].value = -INFINITE;
            }
            best = best.max(value);
            if value > alpha {
                (alpha, best_move) = (value, Some(mv));
                if value >= beta {
                    break;
                }
                self.lower_depth(&mut node, value);
            } else {
                tried.push(mv, quiet);
            }
        }
        self.root.moves[first..].sort_by_key(|root| -root.value);
        self.learn_from(&node, best, best_move, &tried);
        self.store_root(&node, best, first);
        best
    }

    /// Puts the moves after the first into the order in which a node inside the tree tries them:
    /// late ones are reduced here as there.
    fn order_by_histories(&mut self, first: usize) {
        let table_move = self.root.moves.get(first).map(|root| root.mv);
        let context = self.order_context(0);
        let mut picker = Picker::new(&self.position, Purpose::Search, table_move, context);
        let mut rest = self.root.moves.split_off(first);
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            if let Some(index) = rest.iter().position(|root| root.mv == mv) {
                self.root.moves.push(rest.swap_remove(index));
            }
        }
        // What the picker leaves out is in `searchmoves`.
        self.root.moves.append(&mut rest);
    }

    pub(super) fn root_node(&mut self, alpha: Value, beta: Value, depth: i32) -> Node {
        let in_check = self.position.in_check();
        let raw = self.static_value();
        let eval = self.corrected(raw, 0);
        let frame = self.frame_mut(0);
        (frame.eval, frame.in_check) = ((!in_check).then_some(eval), in_check);
        frame.correction = if in_check { 0 } else { eval - raw };
        (frame.table_pv, frame.follows_line) = (true, true);
        self.root.window = (beta - alpha).max(1);
        self.lines[0].clear();
        Node {
            alpha,
            beta,
            depth,
            ply: 0,
            key: self.position.key(),
            pv: true,
            table_pv: true,
            cut: false,
            prior_reduction: 0,
            in_check,
            raw,
            eval,
            estimate: eval,
            improving: false,
            excluded: None,
            hit: self.table.probe(self.position.key()),
            table_move: self.root.moves.first().map(|root| root.mv),
        }
    }

    /// Takes in the value of a root move. A search that failed low or high has no line of its own:
    /// the line of the last exact one stays, and where there is none, the table gives it.
    fn set_root_value(&mut self, index: usize, value: Value, depth: i32, exact: bool) {
        let root = &mut self.root.moves[index];
        root.value = value;
        root.depth = Self::plies(depth);
        // Null windows alone never give a line.
        let by_table = self.params.driver.method == Driver::Mtdf;
        if exact || by_table {
            root.line.truncate(1);
        }
        if exact && !by_table {
            root.line.extend_from_slice(&self.lines[1]);
        }
    }

    /// The line of a root move, gone on with by the transposition table where the search left off:
    /// at its horizon, or where it knows only the first move.
    pub(super) fn whole_line(&mut self, index: usize) -> Vec<Move> {
        let mut line = self.root.moves[index].line.clone();
        for &mv in &line {
            self.position.play(mv);
        }
        while line.len() < LONGEST_LINE
            && self.position.repetition_within(16).is_none()
            && let Some(next) = self.table.probe(self.position.key()).and_then(|hit| hit.mv)
            && self.position.is_legal(next)
        {
            self.position.play(next);
            line.push(next);
        }
        for _ in &line {
            self.position.undo();
        }
        line
    }

    fn store_root(&mut self, node: &Node, best: Value, first: usize) {
        if first > 0 {
            return;
        }
        let bound = if best >= node.beta {
            Bound::Lower
        } else if best > node.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = TableEntry {
            mv: self.root.moves.first().map(|root| root.mv),
            value: best,
            eval: (!node.in_check).then_some(node.raw),
            depth: stored_depth(node.depth),
            bound,
            pv: true,
        };
        self.table.store(node.key, entry);
    }
}
