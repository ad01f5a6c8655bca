//! How much depth a move spends.
//!
//! Three ways, one place: every move a ply; late-move reductions (`late_move_reduction`); or
//! realization probability (Tsuruoka, Yokoyama and Chikayama 2002): a move spends minus the
//! logarithm of the probability that a move of its category is played (or, near the root, the move
//! itself by the move policy), so that depth measures how likely a line is.

use super::PLY;
use super::child::Child;
use super::late_move_reduction::UNIT;
use super::negamax::Node;
use super::searcher::Searcher;
use crate::category;
use crate::eval::Evaluation;
use crate::realization::MoveProbabilities;
use crate::settings::search::{Reduction, SearchParams};

/// Moves that have a reduction of their own by number.
const NUMBERS: usize = 256;

/// Late-move reductions and realization costs, computed once per setting.
pub struct Reductions {
    /// By depth in plies and number of the move, in 1024ths of a ply.
    late: Vec<[i16; NUMBERS]>,
    /// What a move of each category spends, in parts of a ply.
    costs: [i32; category::COUNT],
    pub(super) probabilities: MoveProbabilities,
}

impl Reductions {
    /// The tables for these settings.
    pub fn new(params: &SearchParams, table: &[u32; category::COUNT]) -> Reductions {
        let divisor = f64::from(params.lmr.divisor) / 100.0;
        let late = (0..64)
            .map(|depth: i32| {
                core::array::from_fn(|number| {
                    if depth < 2 || number < 2 {
                        return 0;
                    }
                    let logs = f64::from(depth).ln() * (number as f64).ln();
                    (logs / divisor * f64::from(UNIT)) as i16
                })
            })
            .collect();
        let costs = table.map(|probability| realization_cost(params, probability));
        Reductions { late, costs, probabilities: MoveProbabilities::new(*table) }
    }

    /// What a late move loses by depth and number, in 1024ths of a ply.
    #[inline]
    pub(super) fn late(&self, depth: i32, number: i32) -> i32 {
        let plies = (depth / PLY).clamp(0, 63) as usize;
        i32::from(self.late[plies][number.clamp(0, NUMBERS as i32 - 1) as usize])
    }
}

/// What a move spends whose category is played with a probability in millionths.
fn realization_cost(params: &SearchParams, probability: u32) -> i32 {
    let halvings = -(f64::from(probability.max(1)) / 1e6).log2();
    let hundredths = (halvings * f64::from(params.reduction.realization_scale)).clamp(
        f64::from(params.reduction.realization_least),
        f64::from(params.reduction.realization_most),
    );
    (hundredths * f64::from(PLY) / 100.0) as i32
}

impl<E: Evaluation> Searcher<E> {
    /// The depth of the first search of a move, whose window is null, and of the one that follows
    /// if it surprises.
    #[inline]
    pub(super) fn child_depths(&self, node: &Node, child: &Child) -> (i32, i32) {
        let full = child.depth + child.extension;
        let cost = match self.params.reduction.method {
            Reduction::None => PLY,
            Reduction::Policy if node.depth >= self.params.reduction.policy_depth * PLY => {
                let known = &self.reductions.probabilities;
                realization_cost(&self.params, known.by_policy(&self.position, node.ply, child.mv))
            }
            Reduction::Realization | Reduction::Policy => {
                self.reductions.costs[category::of(&self.position, child.mv).index()]
            }
            Reduction::LateMove => return (self.late_depth(node, child, full), full),
        };
        let first = full + PLY - cost;
        // A likely move may spend less than a ply: then its own depth is the full one.
        (first, first.max(full))
    }
}
