//! One move of a node: how much deeper it goes, and its search by null and open windows.

use super::negamax::{Node, Progress};
use super::ordering::is_quiet;
use super::searcher::Searcher;
use super::singular::Verdict;
use super::{NodeType, NonPv, PLY, Pv};
use crate::eval::Evaluation;
use crate::settings::search::{Driver, Singular};
use crate::tt::stored_depth;
use crate::value::{INFINITE, Value};
use yomikiri_shogi::Move;

/// A move about to be searched, and where its node stands.
pub(super) struct Child {
    pub mv: Move,
    pub quiet: bool,
    /// Whether it gives check.
    pub check: bool,
    /// Its place in the order, from 1.
    pub number: i32,
    /// The depth of its node before it is extended or reduced, in parts of a ply.
    pub depth: i32,
    /// How much deeper it is searched, in parts of a ply.
    pub extension: i32,
    /// The lower end of the window by now.
    pub alpha: Value,
    /// The best value of the moves before it.
    pub best: Value,
    /// How moves like it fared before.
    pub stat_score: i32,
}

impl Child {
    /// The first move of a node.
    #[cfg(test)]
    pub(super) fn first(node: &Node, mv: Move) -> Child {
        let (depth, alpha) = (node.depth - PLY, node.alpha);
        let (quiet, check) = (true, false);
        let (number, extension, best, stat_score) = (1, 0, -INFINITE, 0);
        Child { mv, quiet, check, number, depth, extension, alpha, best, stat_score }
    }
}

impl<E: Evaluation> Searcher<E> {
    /// A move about to be searched.
    #[inline]
    pub(super) fn child(&self, node: &Node, mv: Move, progress: &Progress) -> Child {
        let quiet = is_quiet(&self.position, mv);
        Child {
            mv,
            quiet,
            check: self.position.gives_check(mv),
            number: progress.number,
            depth: node.depth - PLY,
            extension: 0,
            alpha: progress.alpha,
            best: progress.best,
            stat_score: self.stat_score(node.ply, mv, quiet),
        }
    }

    /// Step 9b: how much deeper to search a move. Where one is singular, the others go deeper too.
    pub(super) fn extend(&mut self, node: &mut Node, mv: Move) -> Verdict {
        if self.params.singular.form == Singular::Table && Some(mv) == node.table_move {
            let verdict = self.table_singular(node, mv);
            if let Verdict::Extend(plies) = verdict
                && plies > 0
                && self.params.singular.family
            {
                node.depth += PLY;
            }
            if verdict != Verdict::Extend(0) {
                return verdict;
            }
        }
        Verdict::Extend(self.check_extension(node, mv))
    }

    /// Step 9c: one move, in the forms of singular extension that look at its value again.
    pub(super) fn search_child<N: NodeType>(&mut self, node: &Node, child: &Child) -> Value {
        let value = self.search_move::<N>(node, child);
        if child.number > 1 || self.params.singular.form != Singular::Original || self.stopped {
            return value;
        }
        self.original_singular::<N>(node, child.mv, value, child.alpha)
    }

    /// Principal-variation search of one move.
    pub(super) fn search_move<N: NodeType>(&mut self, node: &Node, child: &Child) -> Value {
        let &Child { mv, extension, alpha, .. } = child;
        // Only now: a search without this move has used the same frame.
        let frame = self.frame_mut(node.ply);
        (frame.number, frame.stat_score) = (child.number, child.stat_score);
        let (reduced, mut full) = self.child_depths(node, child);
        let ply = node.ply + 1;
        self.play(mv, node.ply);
        self.frame_mut(ply).extended += extension;
        let mut value = -INFINITE;
        let late = child.number > 1;
        if self.params.driver.method == Driver::AlphaBeta {
            value = -self.negamax::<N>(-node.beta, -alpha, reduced, ply, false);
            self.undo();
            return value;
        }
        if late || !N::PV {
            self.frame_mut(node.ply).reduction = if late { full - reduced } else { 0 };
            value = -self.negamax::<NonPv>(-alpha - 1, -alpha, reduced, ply, late || !node.cut);
            self.frame_mut(node.ply).reduction = 0;
            if late && value > alpha && node.depth >= 2 * PLY && !self.stopped {
                full += self.research_change(child.best, value, full, reduced);
                if reduced < full {
                    value = -self.negamax::<NonPv>(-alpha - 1, -alpha, full, ply, !node.cut);
                }
                self.reward_surprise(node);
            }
        }
        if N::PV && (!late || value > alpha) && !self.stopped {
            // A line that the table knows does not end in quiescence.
            if node.table_move == Some(mv)
                && node.hit.is_some_and(|hit| hit.depth > stored_depth(PLY))
            {
                full = full.max(PLY);
            }
            value = -self.negamax::<Pv>(-node.beta, -alpha, full, ply, false);
        }
        self.undo();
        value
    }
}
