//! The side whose own king cannot be saved: the check that is hardest to answer.
//!
//! Paper: Kajihara et al. 2002: where every move that gives no check is proven to lose and there is
//! no mate, the checks are compared by what becomes of the answers to them.

use super::formula::{AnswersToCheck, Formula, earliest_best};
use super::{Choice, LossProof, LossVerdict, ProofBudget, SpeculationReason, defender, hunt};
use crate::category;
use crate::eval::policy::{Policy, entropy};
use yomikiri_shogi::movegen::NonPromotions;
use yomikiri_shogi::{Color, Kind, Move, MoveList, Position, attacks};

/// A check and the answers to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CheckCandidate {
    /// The check.
    pub mv: Move,
    /// What the answers lead to.
    pub answers: AnswersToCheck,
}

/// What is known of a position without defence.
#[derive(Clone, PartialEq, Debug)]
pub struct Study {
    /// The mate that is threatened.
    pub threat: LossProof,
    /// The moves that give no check, and the mate after each.
    pub quiet: Vec<defender::LosingMove>,
    /// The checks.
    pub checks: Vec<CheckCandidate>,
}

/// Looks into a position where nothing but checks is left; `None` where it is not proven that a
/// mate is threatened, that every move without a check gets mated, that there is no mate to be had
/// instead, and that checks do not save the game either.
pub fn study(position: &Position, budget: &mut ProofBudget) -> Option<Study> {
    let (threat, quiet) = only_checks_are_left(position, budget)?;
    if !hunt::is_lost(position, budget) {
        return None;
    }
    let checks = compare(position, budget)?;
    Some(Study { threat, quiet, checks })
}

/// Every check with its answers; `None` if the budget is empty before all are known.
pub fn compare(position: &Position, budget: &mut ProofBudget) -> Option<Vec<CheckCandidate>> {
    let mut checks = MoveList::new();
    position.generate_checks(NonPromotions::Useful, &mut checks);
    let known = |&mv: &Move| Some(CheckCandidate { mv, answers: answers(position, mv, budget)? });
    checks.iter().map(known).collect()
}

/// The check that a formula finds hardest to answer.
pub fn best_of(candidates: &[CheckCandidate], formula: Formula) -> Option<Choice> {
    let place = earliest_best(candidates.iter().map(|one| formula.value(&one.answers)))?;
    let CheckCandidate { mv, answers } = candidates[place];
    let reason = SpeculationReason::HardestCheck { checks: candidates.len(), formula, answers };
    Some(Choice { mv, reason })
}

/// The threat and the mate after every move without a check, where the solver proves that there is
/// a threat, that each of these moves gets mated, and that there is no mate to be had instead.
pub fn only_checks_are_left(
    position: &Position,
    budget: &mut ProofBudget,
) -> Option<(LossProof, Vec<defender::LosingMove>)> {
    let threat = budget.ask_threat(position);
    if !threat.is_mate() {
        return None;
    }
    let mut position = position.clone();
    let side = position.side_to_move();
    let mut quiet = Vec::new();
    for mv in position.legal_moves() {
        if position.gives_check(mv) {
            continue;
        }
        position.play(mv);
        let proof = budget.ask(&position, !side);
        position.undo();
        if !proof.is_mate() {
            return None;
        }
        let LossProof { nodes, length, line, .. } = proof;
        quiet.push(defender::LosingMove { mv, nodes, length, line });
    }
    let mate = budget.ask(&position, side);
    (mate.verdict == LossVerdict::NoMate).then_some((threat, quiet))
}

/// What the answers to a check lead to; `None` if the budget is empty before all are known.
fn answers(position: &Position, check: Move, budget: &mut ProofBudget) -> Option<AnswersToCheck> {
    let mut position = position.clone();
    let side = position.side_to_move();
    position.play(check);
    let disproof = budget.ask(&position, side);
    if disproof.verdict == LossVerdict::Unknown {
        return None;
    }
    let mut found =
        AnswersToCheck { nodes_to_disprove: disproof.nodes, ..AnswersToCheck::default() };
    let (mut likely, mut likely_mated) = (0.0, 0.0);
    let checkers = position.checkers();
    let plausible = Policy::embedded().probabilities(&position, 1.0);
    found.entropy = entropy(plausible.iter().map(|one| one.1));
    for &(answer, chance) in &plausible {
        let probability = f64::from(category::DEFAULT[category::of(&position, answer).index()]);
        let king = answer
            .from()
            .and_then(|from| position.piece_on(from))
            .is_some_and(|piece| piece.kind() == Kind::King);
        let takes = checkers.has(answer.to());
        position.play(answer);
        let proof = budget.ask(&position, side);
        found.king_danger += king_danger(&position, side) / plausible.len() as f64;
        position.undo();
        if proof.verdict == LossVerdict::Unknown {
            return None;
        }
        let mated = proof.verdict == LossVerdict::Mate;
        found.longest_mate = found.longest_mate.max(if mated { proof.length } else { 0 });
        likely += probability;
        likely_mated += if mated { probability } else { 0.0 };
        found.policy_mated += if mated { chance } else { 0.0 };
        match (takes, king) {
            (true, _) => found.recaptures.add(mated),
            (false, true) => found.escapes.add(mated),
            (false, false) => found.blocks.add(mated),
        }
    }
    found.likely_mated = if likely > 0.0 { likely_mated / likely } else { 0.0 };
    Some(found)
}

/// Checks of the side to move that do not lose the checking piece, less the squares that the other
/// king can go to.
fn king_danger(position: &Position, side: Color) -> f64 {
    let mut checks = MoveList::new();
    position.generate_checks(NonPromotions::Useful, &mut checks);
    let effective = checks.iter().filter(|&&mv| position.see_ge(mv, 0)).count();
    let Some(king) = position.king(!side) else { return effective as f64 };
    let steps = attacks::king_attacks(king).without(position.color(!side));
    let free = steps.iter().filter(|&square| !position.is_attacked(square, side)).count();
    effective as f64 - free as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_base::StopToken;

    fn budget(nodes: u64) -> ProofBudget {
        ProofBudget::new(nodes, None, StopToken::new(), false)
    }

    #[test]
    fn nothing_is_chosen_where_there_is_a_defence() {
        assert!(study(&Position::start(), &mut budget(10_000)).is_none());
        // Black can mate: that is no case for speculation either.
        let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
        let position = Position::from_sfen(mate).unwrap();
        assert!(study(&position, &mut budget(10_000)).is_none());
    }

    #[test]
    fn where_only_checks_are_left_the_check_is_the_formulas_best() {
        // White threatens a gold on 2h or 1h, and no drop meets both; the lance can only give
        // checks.
        let lost = "4k4/9/9/9/9/9/7+p1/9/8K b L2g 1";
        let position = Position::from_sfen(lost).unwrap();
        let Some(study) = study(&position, &mut budget(2_000_000)) else {
            panic!("only checks should be left");
        };
        let all = study.quiet.len() + study.checks.len();
        assert_eq!(all, position.legal_moves().len());
        let choice = best_of(&study.checks, Formula::A).unwrap();
        assert!(position.gives_check(choice.mv));
        assert!(choice.to_string().contains("formula A"));
        for check in &study.checks {
            let AnswersToCheck { policy_mated, entropy, .. } = check.answers;
            assert!((0.0..=1.0 + 1e-9).contains(&policy_mated) && entropy >= 0.0);
        }
    }
}
