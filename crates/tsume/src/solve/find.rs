//! The first stage: is there a mate at all?
//!
//! A small problem can be hard for one rule and easy for another, so what the usual one does not
//! solve soon the other tries; each has its own epoch in the table.

use yomikiri_proof::solver::{Options, ProofOutcome};
use yomikiri_proof::table::UNBOUNDED;
use yomikiri_proof::widening::{Groups, Sum, Ties, Widening};

use super::run::{OnMateProgress, Run};
use crate::game::dominance::Held;
use crate::game::node::Tsume;

/// Plain sums; among moves that differ by promotion only the worse counts, interpositions wait for
/// each other, and of equal children the soonest refuted is searched. Every other problem of Shogi
/// Zuko and Muso's odd numbers, 3 M nodes each: 49 solved with 9.6 M nodes; with weak proof numbers
/// at both kinds of node 48 with 11.8 M, with promotions apart and ties by order 49 with 9.6 M.
/// Microcosmos is proven within 33 M nodes. `lab run tsume-widening` compares more rules.
#[must_use]
pub fn default_options() -> Options {
    let rule = Widening { ties: Ties::SoonestRefuted, ..Widening::default() };
    Options {
        attacker_nodes: Widening { groups: Groups::Greatest, ..rule },
        defender_nodes: Widening { groups: Groups::Delayed, ..rule },
        epsilon_percent: 25,
        ..Options::default()
    }
}

/// Nodes that the usual rule has at first, and then the other one. A search that is left and taken
/// up again loses its way, so the usual one comes back only once. Fourteen problems of both books:
/// 30 % fewer nodes than with three turns of both.
const USUAL_TURN: u64 = 1 << 17;
const OTHER_TURN: u64 = 1 << 16;
/// Epoch of the other rule: no budget of plies.
const OTHER_EPOCH: u16 = UNBOUNDED - 1;

/// The other rule: weak proof numbers.
fn other_options(usual: Options) -> Options {
    Options {
        attacker_nodes: Widening { sum: Sum::Weak, ..usual.attacker_nodes },
        defender_nodes: Widening { sum: Sum::Weak, ..usual.defender_nodes },
        ..usual
    }
}

/// Whether there is a mate, with everything that is left of the limits.
pub(crate) fn any_mate(
    run: &mut Run<'_>,
    game: &Tsume,
    report: &mut OnMateProgress<'_>,
) -> ProofOutcome<Held> {
    let usual = run.settings.options;
    let turns = [(0, usual, USUAL_TURN), (OTHER_EPOCH, other_options(usual), OTHER_TURN)];
    for (epoch, options, quota) in turns {
        let mut query = run.query().in_epoch(epoch).at_most(quota);
        query.options = options;
        let outcome = run.ask(game, &query, report);
        if outcome.number.is_solved() || outcome.nodes < quota {
            return outcome;
        }
    }
    run.ask(game, &run.query(), report)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::{MateSettings, MateSolver, attacker_of};
    use yomikiri_proof::limits::ProofLimits;
    use yomikiri_shogi::Position;

    fn game(sfen: &str) -> Tsume {
        let position = Position::from_problem_sfen(sfen).unwrap();
        let attacker = attacker_of(&position);
        Tsume::new(position, attacker)
    }

    fn ask(sfen: &str, nodes: u64) -> ProofOutcome<Held> {
        let limits = ProofLimits { memory: 4 << 20, ..ProofLimits::nodes(nodes) };
        let solver = MateSolver::new(MateSettings { limits, ..MateSettings::default() });
        any_mate(&mut solver.run(), &game(sfen), &mut |_| {})
    }

    #[test]
    fn a_mate_a_refutation_and_a_limit_are_told_apart() {
        assert!(ask("4k4/9/4P4/9/9/9/9/9/9 b G 1", 1_000).number.is_proven());
        assert!(ask("4k4/9/9/9/9/9/9/9/9 b G 1", 1_000).number.is_disproven());
        let given_up = ask("5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1", 2);
        assert!(!given_up.number.is_solved() && given_up.nodes <= 2, "{given_up:?}");
    }

    #[test]
    fn both_rules_know_no_budget_and_have_numbers_of_their_own() {
        assert_ne!(OTHER_EPOCH, UNBOUNDED);
        let usual = default_options();
        let other = other_options(usual);
        assert_eq!(other.attacker_nodes.groups, usual.attacker_nodes.groups);
        assert_eq!((other.attacker_nodes.sum, other.defender_nodes.sum), (Sum::Weak, Sum::Weak));
    }
}
