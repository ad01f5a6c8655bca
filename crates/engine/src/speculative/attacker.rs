//! The side whose own king cannot be saved: the check that is hardest to answer.
//!
//! Paper: Kajihara et al. 2002, level Lv0: where every move that gives no check is proven to lose
//! and there is no mate, the checks are compared by what becomes of the answers to them.

use super::formula::{Answers, Formula, Share, earliest_best};
use super::{Choice, Proven, Purse};
use crate::category;
use yomikiri_shogi::movegen::NonPromotions;
use yomikiri_shogi::{Kind, Move, MoveList, Position};

/// A check and the answers to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Candidate {
    /// The check.
    pub played: Move,
    /// What the answers lead to.
    pub answers: Answers,
}

/// The check to give, where nothing but checks is left; `None` where that is not proven.
pub fn best_check(position: &Position, formula: Formula, purse: &mut Purse) -> Option<Choice> {
    let mut checks = MoveList::new();
    position.generate_checks(NonPromotions::Useful, &mut checks);
    if checks.is_empty() || !only_checks_are_left(position, purse) {
        return None;
    }
    let mut candidates = Vec::new();
    for &played in checks.iter() {
        candidates.push(Candidate { played, answers: answers(position, played, purse)? });
    }
    let place = earliest_best(candidates.iter().map(|one| formula.value(&one.answers)))?;
    let Candidate { played, answers } = candidates[place];
    let told = |name: &str, share: Share| format!("{name} {}/{}", share.mated, share.all);
    let reason = format!(
        "speculative: no defence and no mate; of {} checks {played} is best by formula {formula}: answers that lose: {}, {}, {}",
        candidates.len(),
        told("escapes", answers.escapes),
        told("recaptures", answers.recaptures),
        told("blocks", answers.blocks)
    );
    Some(Choice { played, reason })
}

/// Whether the solver proves that every move without a check gets mated, and that there is no mate
/// to be had instead.
fn only_checks_are_left(position: &Position, purse: &mut Purse) -> bool {
    let mut position = position.clone();
    let side = position.side_to_move();
    if purse.ask(&position, side).verdict != Proven::NoMate {
        return false;
    }
    for played in position.legal_moves() {
        if position.gives_check(played) {
            continue;
        }
        position.play(played);
        let verdict = purse.ask(&position, !side).verdict;
        position.undo();
        if verdict != Proven::Mate {
            return false;
        }
    }
    true
}

/// What the answers to a check lead to; `None` if the purse is empty before all are known.
fn answers(position: &Position, check: Move, purse: &mut Purse) -> Option<Answers> {
    let mut position = position.clone();
    let side = position.side_to_move();
    position.play(check);
    let disproof = purse.ask(&position, side);
    if disproof.verdict == Proven::Unknown {
        return None;
    }
    let mut found = Answers { nodes_to_disprove: disproof.nodes, ..Answers::default() };
    let (mut likely, mut likely_mated) = (0.0, 0.0);
    let checkers = position.checkers();
    for answer in position.legal_moves() {
        let probability = f64::from(category::DEFAULT[category::of(&position, answer).index()]);
        let king = answer
            .from()
            .and_then(|from| position.piece_on(from))
            .is_some_and(|piece| piece.kind() == Kind::King);
        let takes = checkers.has(answer.to());
        position.play(answer);
        let proof = purse.ask(&position, side);
        position.undo();
        if proof.verdict == Proven::Unknown {
            return None;
        }
        let mated = proof.verdict == Proven::Mate;
        likely += probability;
        likely_mated += if mated { probability } else { 0.0 };
        match (takes, king) {
            (true, _) => found.recaptures.add(mated),
            (false, true) => found.escapes.add(mated),
            (false, false) => found.blocks.add(mated),
        }
    }
    found.likely_mated = if likely > 0.0 { likely_mated / likely } else { 0.0 };
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn purse(nodes: u64) -> Purse {
        Purse::new(nodes, None, Arc::default(), false)
    }

    #[test]
    fn nothing_is_chosen_where_there_is_a_defence() {
        assert!(best_check(&Position::start(), Formula::A, &mut purse(10_000)).is_none());
        // Black can mate: that is no case for speculation either.
        let mate = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";
        let position = Position::from_sfen(mate).unwrap();
        assert!(best_check(&position, Formula::A, &mut purse(10_000)).is_none());
    }

    #[test]
    fn where_only_checks_are_left_the_check_is_the_formulas_best() {
        // White threatens a gold on 2h or 1h, and no drop meets both; the lance can only give checks.
        let lost = "4k4/9/9/9/9/9/7+p1/9/8K b L2g 1";
        let position = Position::from_sfen(lost).unwrap();
        let choice = best_check(&position, Formula::A, &mut purse(2_000_000));
        if let Some(choice) = choice {
            assert!(position.gives_check(choice.played));
            assert!(choice.reason.contains("formula A"));
        } else {
            panic!("only checks should be left");
        }
    }
}
