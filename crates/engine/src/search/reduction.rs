//! How much depth a move spends.
//!
//! Three ways, one place: every move a ply; late-move reductions (late quiet moves spend more,
//! growing with the logarithms of depth and number); or realization probability (Tsuruoka,
//! Yokoyama and Chikayama 2002): a move spends minus the logarithm of the probability that a move
//! of its category is played, so that depth measures how likely a line is. Late moves lose less
//! where a principal variation once went through.
//!
//! Measured, Elo at 10,000 nodes, late-move reductions against none, 112 games: +123 [63, 190].

use super::PLY;
use super::history::piece_to;
use super::negamax::Local;
use super::params::{Reduction, SearchParams};
use super::searcher::Searcher;
use crate::category;
use crate::eval::Evaluation;
use yomikiri_shogi::Move;

/// Late-move reductions and realization costs, computed once per setting.
pub struct Reductions {
    /// By depth in plies and number of the move, in parts of a ply.
    late: Vec<[i16; 64]>,
    /// What a move of each category spends, in parts of a ply.
    costs: [i32; category::COUNT],
}

impl Reductions {
    /// The tables for these settings.
    pub fn new(params: &SearchParams) -> Reductions {
        let constant = f64::from(params.late_move_constant) / 100.0;
        let divisor = f64::from(params.late_move_divisor) / 100.0;
        let late = (0..64)
            .map(|depth: i32| {
                core::array::from_fn(|number| {
                    if depth < 2 || number < 2 {
                        return 0;
                    }
                    let logs = f64::from(depth).ln() * (number as f64).ln();
                    ((constant + logs / divisor).max(0.0) * f64::from(PLY)) as i16
                })
            })
            .collect();
        let costs = category::DEFAULT.map(|probability| realization_cost(params, probability));
        Reductions { late, costs }
    }

    /// What a late move loses, in parts of a ply.
    #[inline]
    pub fn late(&self, depth: i32, number: i32) -> i32 {
        let plies = (depth / PLY).clamp(0, 63) as usize;
        i32::from(self.late[plies][(number.clamp(0, 63)) as usize])
    }
}

/// What a move spends whose category is played with a probability in millionths.
fn realization_cost(params: &SearchParams, probability: u32) -> i32 {
    let halvings = -(f64::from(probability.max(1)) / 1e6).log2();
    let hundredths = (halvings * f64::from(params.realization_scale))
        .clamp(f64::from(params.realization_least), f64::from(params.realization_most));
    (hundredths * f64::from(PLY) / 100.0) as i32
}

impl<E: Evaluation> Searcher<E> {
    /// How much depth the move spends, in parts of a ply.
    #[inline]
    pub(super) fn spent(&self, node: &Local, played: Move, quiet: bool, number: i32) -> i32 {
        match self.params.reduction {
            Reduction::None => PLY,
            Reduction::Realization => {
                self.reductions.costs[category::of(&self.position, played).index()]
            }
            Reduction::LateMove => PLY + self.late_reduction(node, played, quiet, number),
        }
    }

    /// How quiet moves like this one fared, by the histories that count.
    #[inline]
    fn standing(&self, ply: usize, played: Move) -> i32 {
        if !self.params.history {
            return 0;
        }
        let quiet = self.histories.quiet(&self.position, played);
        if !self.params.continuation_history {
            return quiet;
        }
        let now = piece_to(&self.position, played);
        let [last, second, _] = self.before(ply);
        quiet + self.histories.continuation(last, now) + self.histories.continuation(second, now)
    }

    fn late_reduction(&self, node: &Local, played: Move, quiet: bool, number: i32) -> i32 {
        if number < 2 || node.depth < 2 * PLY {
            return 0;
        }
        let mut reduction = self.reductions.late(node.depth, number);
        if quiet {
            reduction -= self.standing(node.ply, played) * PLY / self.params.late_move_history;
            if node.cut {
                reduction += PLY;
            }
        } else {
            reduction = reduction / 2 - PLY / 2;
        }
        if node.pv {
            reduction -= PLY;
        } else if node.table_pv {
            reduction -= self.params.late_move_table_pv * PLY / 100;
        }
        if !node.improving {
            reduction += PLY / 2;
        }
        if node.in_check || self.position.gives_check(played) {
            reduction -= PLY;
        }
        reduction.clamp(0, (node.depth - 2 * PLY).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::material::Material;
    use crate::search::limits::Control;
    use crate::tt::Table;
    use std::sync::Arc;
    use yomikiri_shogi::Position;

    #[test]
    fn histories_that_are_switched_off_do_not_reduce() {
        let (table, control) = (Arc::new(Table::new(1)), Arc::new(Control::default()));
        let mut searcher = Searcher::new(Material::default(), table, control, 0);
        searcher.set_position(&Position::start());
        let [before, played]: [Move; 2] = ["2g2f", "7g7f"].map(|text| text.parse().unwrap());
        searcher.frame_mut(0).arrival = piece_to(&searcher.position, before);
        let earlier = searcher.before(1);
        searcher.histories.update_quiet(&searcher.position, earlier, played, 1_000);
        let mut standing = |history, continuation_history| {
            searcher.params.history = history;
            searcher.params.continuation_history = continuation_history;
            searcher.standing(1, played)
        };
        assert_eq!(standing(true, true), 2_000);
        assert_eq!(standing(true, false), 1_000);
        assert_eq!(standing(false, true), 0);
    }
}
