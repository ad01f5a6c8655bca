//! What the histories learn from the outcome of a node.
//!
//! The move that cut is rewarded, those tried before it are punished; where none was good enough,
//! the quiet move that led there was a good one (prior bonus), and where the answer came at once,
//! a bad one. The static value that a move leads to judges it as well, before any search
//! (`history.by_value`). Schaeffer 1989 for the idea; forms and sizes after Stockfish.

use super::negamax::{Node, Tried};
use super::ordering::is_quiet;
use super::searcher::Searcher;
use crate::eval::Evaluation;
use crate::value::Value;
use yomikiri_shogi::Move;

/// What the move of the table gains beside the bonus when it cuts again.
const TABLE_MOVE: i32 = 353;

/// What a late move gains whose first search surprised.
const SURPRISE: i32 = 1426;

impl<E: Evaluation> Searcher<E> {
    /// What a cut-off at a depth gives its move.
    pub(super) fn history_bonus(&self, depth: i32) -> i32 {
        let params = &self.params.history;
        (params.bonus * Self::plies(depth) - 77).min(params.most_bonus)
    }

    /// What it takes from the moves before it.
    fn history_malus(&self, depth: i32) -> i32 {
        let params = &self.params.history;
        (params.malus * Self::plies(depth) - 204).min(params.most_malus)
    }

    /// Rewards the best move, punishes those tried before it and the move that allowed it.
    pub(super) fn learn(&mut self, node: &Node, best: Move, tried: &Tried) {
        let table = if node.table_move == Some(best) { TABLE_MOVE } else { 0 };
        let mut bonus = self.history_bonus(node.depth) + table;
        if node.ply > 0 {
            bonus += self.frame(node.ply - 1).stat_score / 32;
        }
        let malus = self.history_malus(node.depth);
        if is_quiet(&self.position, best) {
            self.note_refutation(node.ply, best);
            self.learn_quiet(node.ply, best, bonus * 806 / 1024);
            let mut malus = malus * 1113 / 1024;
            for &mv in tried.quiets.iter().filter(|&&mv| mv != best) {
                malus = malus * 977 / 1024;
                self.learn_quiet(node.ply, mv, -malus);
            }
        } else {
            self.histories.update_capture(&self.position, best, bonus * 1286 / 1024);
        }
        for &mv in tried.captures.iter().filter(|&&mv| mv != best) {
            self.histories.update_capture(&self.position, mv, -malus * 1559 / 1024);
        }
        self.punish_prior(node, malus * 616 / 1024);
    }

    /// Keeps the move for nodes of the same ply and after the same last move.
    fn note_refutation(&mut self, ply: usize, best: Move) {
        let frame = self.frame_mut(ply);
        if frame.killers[0] != Some(best) {
            frame.killers = [Some(best), frame.killers[0]];
        }
        let [last, ..] = self.continuation_keys(ply);
        self.histories.set_counter(last, best);
    }

    fn learn_quiet(&mut self, ply: usize, mv: Move, bonus: i32) {
        let keys = self.continuation_keys(ply);
        self.histories.update_quiet(&self.position, keys, mv, bonus);
        if self.params.history.low_ply {
            self.histories.update_low_ply(ply, mv, bonus);
        }
    }

    /// The first moves of the parent are expected to be good: one that is answered at once is not.
    fn punish_prior(&mut self, node: &Node, malus: i32) {
        let Some(parent) = node.ply.checked_sub(1) else { return };
        let prior = *self.frame(parent);
        let early = prior.number == 1 + i32::from(prior.hit);
        if prior.mv.is_some() && early && self.position.last_capture().is_none() {
            let keys = self.continuation_keys(parent);
            self.histories.update_continuation(keys, prior.piece_to, -malus, prior.in_check);
        }
    }

    /// The move that led to a node which the table refutes was a bad one, if it came early.
    pub(super) fn punish_refuted(&mut self, node: &Node) {
        let Some(parent) = node.ply.checked_sub(1) else { return };
        let prior = *self.frame(parent);
        if prior.mv.is_some() && prior.number <= 4 && self.position.last_capture().is_none() {
            let keys = self.continuation_keys(parent);
            self.histories.update_continuation(keys, prior.piece_to, -2142, prior.in_check);
        }
    }

    /// Rewards a late move that was better than expected, as an answer to those before it.
    pub(super) fn reward_surprise(&mut self, node: &Node) {
        let frame = *self.frame(node.ply);
        let keys = self.continuation_keys(node.ply);
        self.histories.update_continuation(keys, frame.piece_to, SURPRISE, frame.in_check);
    }

    /// Rewards the move that led to a node where none was good enough.
    pub(super) fn reward_prior(&mut self, node: &Node, best: Value) {
        let Some(parent) = node.ply.checked_sub(1) else { return };
        let prior = *self.frame(parent);
        let (true, Some(mv)) = (self.params.history.prior_bonus, prior.mv) else { return };
        if let Some(taken) = self.position.last_capture() {
            self.histories.update_taken(prior.piece_to, Some(taken), 1018);
            return;
        }
        let depth = Self::plies(node.depth);
        let mut scale = (59 * depth).min(454) - 232 - prior.stat_score / 108;
        scale += if prior.number > 8 { 169 } else { 0 };
        scale += if !node.in_check && best <= node.eval - 110 { 145 } else { 0 };
        scale += if prior.eval.is_some_and(|eval| best <= -eval - 73) { 154 } else { 0 };
        let bonus = (135 * depth - 80).min(1400) * scale.max(0);
        let keys = self.continuation_keys(parent);
        let after = bonus * 221 / 16384;
        self.histories.update_continuation(keys, prior.piece_to, after, prior.in_check);
        self.histories.update_main(!self.position.side_to_move(), mv, bonus * 235 / 32768);
    }

    /// Judges the quiet move before by the static value that it led to.
    pub(super) fn judge_by_value(&mut self, node: &Node) {
        let (true, Some(parent)) = (self.params.history.by_value, node.ply.checked_sub(1)) else {
            return;
        };
        let prior = self.frame(parent);
        let (Some(mv), Some(before)) = (prior.mv, prior.eval) else { return };
        if self.position.last_capture().is_none() {
            let gained = (-(before + node.eval)).clamp(-214, 171) + 60;
            self.histories.update_main(!self.position.side_to_move(), mv, 10 * gained);
        }
    }
}
