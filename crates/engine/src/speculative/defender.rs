//! The side that is being mated: the move whose mate is the hardest to find.
//!
//! Paper: Kajihara et al. 2002: V(P) = max over children of the nodes that the mate search (PDS)
//! needed to prove the mate.

use super::formula::earliest_best;
use super::{Choice, LossProof, LossVerdict, ProofBudget, SpeculationReason};
use crate::eval::policy::Policy;
use yomikiri_shogi::{Move, Position};

/// A move that loses, and what the mate after it costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LosingMove {
    /// The move.
    pub mv: Move,
    /// Nodes to prove the mate, from an empty table.
    pub nodes: u64,
    /// Plies of the proof at most.
    pub length: u32,
    /// A line of the mate.
    pub line: Vec<Move>,
}

/// Every legal move with its mate, in the order of generation; `None` as soon as one is not proven
/// to lose.
pub fn candidates(position: &Position, budget: &mut ProofBudget) -> Option<Vec<LosingMove>> {
    let mut position = position.clone();
    let attacker = !position.side_to_move();
    let mut found = Vec::new();
    for mv in position.legal_moves() {
        position.play(mv);
        let proof = budget.ask(&position, attacker);
        position.undo();
        if proof.verdict != LossVerdict::Mate {
            return None;
        }
        let LossProof { nodes, length, line, .. } = proof;
        found.push(LosingMove { mv, nodes, length, line });
    }
    Some(found).filter(|found| !found.is_empty())
}

/// The move that is hardest to answer where all are proven to lose.
pub fn hardest(position: &Position, budget: &mut ProofBudget) -> Option<Choice> {
    let candidates = candidates(position, budget)?;
    let best = &candidates[hardest_of(&candidates)?];
    let moves = candidates.len();
    let reason = SpeculationReason::HardestMate { moves, nodes: best.nodes, length: best.length };
    Some(Choice { mv: best.mv, reason })
}

/// The move whose mate lies where people do not look, where all are proven to lose: of the mate's
/// line, the attacker's moves are together the least likely by the move policy. Beyond the paper,
/// after its finding that not the long mates are missed but the moves that nobody considers.
pub fn best_hidden(position: &Position, budget: &mut ProofBudget) -> Option<Choice> {
    let candidates = candidates(position, budget)?;
    let mut policy = Policy::embedded();
    let hidden: Vec<f64> =
        candidates.iter().map(|one| surprise(position, one, &mut policy)).collect();
    let place = earliest_best(hidden.iter().copied())?;
    let (best, moves) = (&candidates[place], candidates.len());
    let (nodes, length) = (best.nodes, best.length);
    let reason = SpeculationReason::HiddenMate { moves, bits: hidden[place], nodes, length };
    Some(Choice { mv: best.mv, reason })
}

/// How unlikely the attacker's moves of the mate after a candidate are together, in bits.
fn surprise(position: &Position, candidate: &LosingMove, policy: &mut Policy) -> f64 {
    let mut position = position.clone();
    position.play(candidate.mv);
    let mut bits = 0.0;
    for (ply, &mv) in candidate.line.iter().enumerate() {
        if !position.is_legal(mv) {
            break;
        }
        if ply % 2 == 0 {
            let likely = policy.probabilities(&position, 1.0);
            let chance = likely.iter().find(|one| one.0 == mv).map_or(1.0, |one| one.1);
            bits -= libm::log2(chance.max(f64::MIN_POSITIVE));
        }
        position.play(mv);
    }
    bits
}

/// The place of the candidate whose mate took most nodes.
pub fn hardest_of(candidates: &[LosingMove]) -> Option<usize> {
    earliest_best(candidates.iter().map(|one| one.nodes as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_base::StopToken;

    /// Black mates by a gold on 1b or 2b, and nothing helps white.
    const LOST: &str = "l7k/9/p6+P1/9/9/9/9/9/8K w 2G 1";

    fn budget(nodes: u64) -> ProofBudget {
        ProofBudget::new(nodes, None, StopToken::new(), false)
    }

    #[test]
    fn the_longest_way_is_taken_only_where_every_move_loses() {
        let position = Position::from_sfen(LOST).unwrap();
        if let Some(all) = candidates(&position, &mut budget(100_000)) {
            assert_eq!(all.len(), position.legal_moves().len());
            let choice = hardest(&position, &mut budget(100_000)).unwrap();
            let most = all.iter().map(|one| one.nodes).max();
            let chosen = all.iter().find(|one| one.mv == choice.mv).unwrap();
            assert_eq!(Some(chosen.nodes), most);
            assert!(choice.to_string().contains(&choice.mv.to_string()));
        } else {
            panic!("every move should lose");
        }
    }

    #[test]
    fn the_mate_that_is_hidden_best_has_the_most_surprising_line() {
        let position = Position::from_sfen(LOST).unwrap();
        let Some(choice) = best_hidden(&position, &mut budget(100_000)) else {
            panic!("every move should lose");
        };
        let mut policy = Policy::embedded();
        let all = candidates(&position, &mut budget(100_000)).unwrap();
        let most = all.iter().map(|one| surprise(&position, one, &mut policy)).fold(0.0, f64::max);
        let chosen = all.iter().find(|one| one.mv == choice.mv).unwrap();
        assert!((surprise(&position, chosen, &mut policy) - most).abs() < 1e-9);
        assert!(choice.to_string().contains("likely"), "{choice}");
        assert!(best_hidden(&Position::start(), &mut budget(10_000)).is_none());
    }

    #[test]
    fn a_position_that_holds_or_an_empty_purse_gives_nothing() {
        assert!(hardest(&Position::start(), &mut budget(10_000)).is_none());
        let lost = Position::from_sfen(LOST).unwrap();
        assert!(hardest(&lost, &mut budget(1)).is_none());
    }
}
