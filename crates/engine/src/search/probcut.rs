//! ProbCut: a shallow search predicts the deep one, and far outside the window it decides.
//!
//! Papers: Buro 1995; Takeuchi, Kaneko and Kawai for ProbCut inside quiescence. In the normal
//! search ours is today's form: a capture that stands far above beta after quiescence and after a
//! reduced search cuts. Inside quiescence it is the paper's: the value of the shallow quiescence,
//! v4, predicts the deep one as a * v4 + b; the test is a null-window search at the bound shifted
//! by the margin, which is w pawns or n standard deviations of the prediction's error.

use super::negamax::Node;
use super::ordering::{Picker, Purpose};
use super::searcher::Searcher;
use super::{NonPv, PLY};
use crate::eval::{Evaluation, Phase, phase};
use crate::settings::search::QuiescenceProbCut;
use crate::tt::{Bound, TableEntry, stored_depth};
use crate::value::{EVAL_LIMIT, MATE_BOUND, Value, from_table, to_table};
use core::fmt;
use core::str::FromStr;

/// How the deep value is predicted from the shallow one in one phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prediction {
    /// The factor, in thousandths.
    pub a: i32,
    /// What is added, in hundredths of a pawn.
    pub b: i32,
    /// The standard deviation of the error, in hundredths of a pawn.
    pub sigma: i32,
}

/// The predictions of the three phases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuiescenceModel {
    /// By [`Phase`].
    pub phases: [Prediction; 3],
}

impl Default for QuiescenceModel {
    fn default() -> QuiescenceModel {
        QuiescenceModel { phases: [Prediction { a: 1000, b: 0, sigma: 150 }; 3] }
    }
}

impl fmt::Display for QuiescenceModel {
    /// One line a phase: `a b sigma`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Prediction { a, b, sigma } in self.phases {
            writeln!(f, "{a} {b} {sigma}")?;
        }
        Ok(())
    }
}

/// Why a text is no model.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModelError {
    /// Fewer than three phases.
    #[error("expected a line 'a b sigma' for phase {0}")]
    Phase(usize),
    /// A word that is no number.
    #[error("line {0}: '{1}' is no number")]
    NoNumber(usize, String),
    /// Not three numbers.
    #[error("line {0}: expected three numbers 'a b sigma'")]
    Count(usize),
    /// Numbers that make no prediction.
    #[error("line {0}: a must be positive and sigma not negative")]
    Range(usize),
    /// More than three phases.
    #[error("line {0}: expected only three phases")]
    TooMany(usize),
}

impl FromStr for QuiescenceModel {
    type Err = ModelError;

    /// Reads three lines `a b sigma`; empty lines and those that begin with `#` do not count.
    fn from_str(text: &str) -> Result<QuiescenceModel, ModelError> {
        let mut model = QuiescenceModel::default();
        let mut lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        for (number, prediction) in model.phases.iter_mut().enumerate() {
            let (line, words) = lines.next().ok_or(ModelError::Phase(number + 1))?;
            let line = line + 1;
            let numbers: Vec<i32> = words
                .split_whitespace()
                .map(|word| word.parse().map_err(|_| ModelError::NoNumber(line, word.to_string())))
                .collect::<Result<_, _>>()?;
            let [a, b, sigma] = numbers[..] else {
                return Err(ModelError::Count(line));
            };
            if a <= 0 || sigma < 0 {
                return Err(ModelError::Range(line));
            }
            *prediction = Prediction { a, b, sigma };
        }
        match lines.next() {
            Some((line, _)) => Err(ModelError::TooMany(line + 1)),
            None => Ok(model),
        }
    }
}

impl QuiescenceModel {
    /// The shallow value from which the prediction reaches `bound`.
    fn shallow_bound(&self, phase: Phase, bound: Value) -> Value {
        let Prediction { a, b, .. } = self.phases[phase as usize];
        ((bound - b) * 1000 / a).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The deep value that a shallow one predicts.
    fn deep_value(&self, phase: Phase, shallow: Value) -> Value {
        let Prediction { a, b, .. } = self.phases[phase as usize];
        (shallow * a / 1000 + b).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}

impl<E: Evaluation> Searcher<E> {
    /// ProbCut in the normal search.
    pub(super) fn probcut(&mut self, node: &Node) -> Option<Value> {
        let params = &self.params.probcut;
        let beta = node.beta + params.margin - if node.improving { params.improving } else { 0 };
        if !self.params.probcut.enabled
            || node.depth < self.params.probcut.min_depth * PLY
            || node.beta.abs() >= EVAL_LIMIT
        {
            return None;
        }
        let depth = node.depth - self.params.probcut.reduction * PLY;
        if let Some(hit) = node.hit
            && hit.bound != Bound::None
            && from_table(hit.value, node.ply) < beta
        {
            return None;
        }
        self.instruments.counters.probcut[0] += 1;
        let purpose = Purpose::ProbCut { threshold: beta - node.eval };
        let context = self.order_context(node.ply);
        let mut picker = Picker::new(&self.position, purpose, node.table_move, context);
        while let Some(mv) = picker.next(&self.position, &self.histories) {
            if Some(mv) == node.excluded {
                continue;
            }
            self.play(mv, node.ply);
            let mut value = -self.quiescence_root::<NonPv>(-beta, -beta + 1, node.ply + 1);
            if value >= beta && depth > 0 && !self.stopped {
                value = -self.negamax::<NonPv>(-beta, -beta + 1, depth, node.ply + 1, !node.cut);
            }
            self.undo();
            if self.stopped {
                return None;
            }
            if value >= beta {
                self.instruments.counters.probcut[1] += 1;
                let entry = TableEntry {
                    mv: Some(mv),
                    value: to_table(value, node.ply),
                    eval: Some(node.raw),
                    depth: stored_depth(depth + PLY),
                    bound: Bound::Lower,
                    pv: node.table_pv,
                };
                if node.excluded.is_none() {
                    self.table.store(node.key, entry);
                }
                let mate = value.abs() >= MATE_BOUND;
                return Some(if mate { value } else { value - (beta - node.beta) });
            }
        }
        None
    }

    /// ProbCut from the table alone: a lower bound far above beta, found at nearly this depth.
    #[inline]
    pub(super) fn table_probcut(&self, node: &Node) -> Option<Value> {
        let (params, hit) = (&self.params.probcut, node.hit?);
        let beta = node.beta + params.table_margin;
        let value = from_table(hit.value, node.ply);
        let cuts = params.table
            && node.ply > 0
            && node.excluded.is_none()
            && matches!(hit.bound, Bound::Lower | Bound::Exact)
            && hit.depth >= stored_depth(node.depth - 4 * PLY)
            && node.depth >= params.min_depth * PLY
            && value >= beta
            && value.abs() < MATE_BOUND
            && node.beta.abs() < EVAL_LIMIT;
        cuts.then_some(beta)
    }

    /// ProbCut inside quiescence: the bound that the deep value surely keeps, if there is one.
    pub(super) fn quiescence_probcut(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        left: i32,
        root: bool,
    ) -> Option<Value> {
        let params = &self.params;
        let here = match params.quiescence.probcut {
            QuiescenceProbCut::Off => false,
            QuiescenceProbCut::Root => root,
            QuiescenceProbCut::Every => true,
        };
        let shallow = params.quiescence.probcut_depth;
        if !here || left <= shallow || self.position.in_check() {
            return None;
        }
        let phase = phase(&self.position);
        let margin = match params.quiescence.probcut_margin {
            -1 => self.model.phases[phase as usize].sigma * params.quiescence.probcut_sigmas / 100,
            pawns => pawns,
        };
        // So the model turns it off in a phase.
        if margin >= EVAL_LIMIT {
            return None;
        }
        // Mates are no matter of probability, and no value lies outside of a whole window.
        let above = (beta < MATE_BOUND).then(|| self.model.shallow_bound(phase, beta + margin));
        let below = (alpha > -MATE_BOUND).then(|| self.model.shallow_bound(phase, alpha - margin));
        self.instruments.counters.quiescence_probcut[0] += 1;
        // The shallow search begins at this node: it has its plies of quiet checks, as the deep
        // one.
        let deep = self.params.quiescence.depth;
        self.params.quiescence.depth = deep - left + shallow;
        let cut = self.shallow_test((above, below), ply, shallow);
        self.params.quiescence.depth = deep;
        let (above_beta, value) = cut?;
        self.instruments.counters.quiescence_probcut[1] += 1;
        // As far outside the window as the prediction says: MTD(f) would creep along by bounds that
        // never leave the window.
        let predicted = self.model.deep_value(phase, value);
        Some(if above_beta { beta.max(predicted - margin) } else { alpha.min(predicted + margin) })
    }

    /// Whether the shallow quiescence lies above the first bound (true) or below the second, and
    /// its value. A bound that is missing is not tested.
    fn shallow_test(
        &mut self,
        (above, below): (Option<Value>, Option<Value>),
        ply: usize,
        shallow: i32,
    ) -> Option<(bool, Value)> {
        // The likelier side first: mostly one test decides.
        let middle = above.zip(below).map(|(above, below)| below + (above - below) / 2);
        let likely_above = middle.is_some_and(|middle| self.static_value() > middle);
        let sides = [(above, 1), (below, -1)];
        for (bound, side) in if likely_above { sides } else { [sides[1], sides[0]] } {
            let Some(bound) = bound else { continue };
            // Fails high above `bound`, or low below it.
            let (low, high) = if side > 0 { (bound, bound + 1) } else { (bound - 1, bound) };
            let value = self.quiescence::<NonPv>(low, high, ply, shallow, false);
            if self.stopped {
                return None;
            }
            if side > 0 && value >= high || side < 0 && value <= low {
                return Some((side > 0, value));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::Pv;
    use super::*;
    use crate::eval::material::Material;
    use crate::tt::TranspositionTable;
    use crate::value::INFINITE;
    use std::sync::Arc;
    use yomikiri_shogi::Position;

    #[test]
    fn a_mate_is_not_predicted_beyond_every_value() {
        let mut searcher =
            Searcher::new(Material::default(), Arc::new(TranspositionTable::new(1)), 0);
        searcher.model.phases = [Prediction { a: 1100, b: 0, sigma: 100 }; 3];
        let quiescence = &mut searcher.params.quiescence;
        (quiescence.probcut, quiescence.probcut_depth) = (QuiescenceProbCut::Every, 0);
        let depth = quiescence.depth;
        searcher.set_position(&Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap());
        let value = searcher.quiescence::<Pv>(-INFINITE, INFINITE, 0, depth, true);
        assert!((MATE_BOUND..INFINITE).contains(&value), "{value}");
    }

    #[test]
    fn a_model_is_read_back_as_it_was_written() {
        let mut model = QuiescenceModel::default();
        model.phases[1] = Prediction { a: 950, b: -12, sigma: 301 };
        assert_eq!(model.to_string().parse(), Ok(model));
        assert_eq!(format!("# made today\n\n{model}").parse(), Ok(model));
    }

    #[test]
    fn bad_models_are_refused_with_their_line() {
        for (text, part) in [
            ("1000 0 1\n", "phase 2"),
            ("1000 0\n1000 0 1\n1000 0 1", "line 1"),
            ("1000 0 1\n1000 x 1\n1000 0 1", "line 2"),
            ("1 0 1\n1 0 1\n1 0 1\n1 0 1", "line 4"),
            ("0 0 1\n1 0 1\n1 0 1", "line 1"),
        ] {
            let error = text.parse::<QuiescenceModel>().unwrap_err().to_string();
            assert!(error.contains(part), "{text:?}: {error}");
        }
    }

    #[test]
    fn the_shifted_bound_inverts_the_prediction() {
        let model = QuiescenceModel { phases: [Prediction { a: 800, b: 40, sigma: 0 }; 3] };
        let shallow = model.shallow_bound(Phase::Middle, 440);
        assert_eq!(model.deep_value(Phase::Middle, shallow), 440);
    }
}
