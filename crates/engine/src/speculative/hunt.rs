//! Whether checks save a game in which everything else loses.
//!
//! A side without defence may still give checks. It has lost all the same if, whatever it plays,
//! the opponent answers the checks and mates as soon as there is none. The mate search looks only
//! at unbroken checks by the mating side; this game also lets that side parry checks: in check
//! it may play anything, otherwise it must give check. Solved by the same proof-number search, and
//! a proof is walked through under the rules before it is believed.
//!
//! Not in the paper, which leaves open how a program knows that every move loses.

use super::ProofBudget;
use std::collections::HashMap;
use yomikiri_proof::game::{Candidate, ProofGame, Role, Settled};
use yomikiri_proof::proof_tree::{ProofTree, extract};
use yomikiri_proof::solver::Solver;
use yomikiri_shogi::movegen::NonPromotions;
use yomikiri_shogi::{Color, Move, MoveList, Position};
use yomikiri_tsume::solve::default_options;

/// One side mates, the other plays what it likes.
#[derive(Clone)]
struct Hunt {
    position: Position,
    hunter: Color,
}

impl ProofGame for Hunt {
    type Move = Move;
    type Stock = ();

    fn role(&self) -> Role {
        if self.position.side_to_move() == self.hunter { Role::Attacker } else { Role::Defender }
    }

    fn board_key(&self) -> u64 {
        self.position.key()
    }

    fn stock(&self) {}

    fn moves(&mut self, out: &mut Vec<Candidate<Move>>) {
        let mut list = MoveList::new();
        if self.role() == Role::Defender || self.position.in_check() {
            list = self.position.legal_moves();
        } else {
            self.position.generate_checks(NonPromotions::Useful, &mut list);
        }
        out.extend(list.iter().map(|&mv| Candidate::plain(mv)));
    }

    fn play(&mut self, mv: Move) {
        self.position.play(mv);
    }

    fn undo(&mut self, _: Move) {
        self.position.undo();
    }

    fn settle(&mut self) -> Option<Settled<()>> {
        let free = self.role() == Role::Attacker && !self.position.in_check();
        let mate = free.then(|| self.position.mate_in_one()).flatten();
        mate.map(|_| Settled::proven((), 1))
    }
}

/// Nodes of a proof at most.
const LARGEST_PROOF: usize = 1_000_000;

/// Whether the side to move is proven to lose whatever it plays, checks included; pays for it.
pub fn is_lost(position: &Position, budget: &mut ProofBudget) -> bool {
    let Some(limits) = budget.limits() else { return false };
    let hunt = Hunt { position: position.clone(), hunter: !position.side_to_move() };
    let solver = Solver::new(default_options(), limits);
    let outcome = solver.solve(&hunt);
    budget.charge(outcome.nodes);
    outcome.number.is_proven()
        && extract(&solver, &hunt, &solver.query().within(outcome.length), LARGEST_PROOF, |_| {})
            .is_ok_and(|tree| stands(&tree, position))
}

/// Whether a proof answers every move of the side to move with a legal one until there is no move.
fn stands(tree: &ProofTree<Move, ()>, position: &Position) -> bool {
    let mut walk = Walk { tree, position: position.clone(), good: HashMap::new() };
    walk.answers_all(tree.root())
}

struct Walk<'t> {
    tree: &'t ProofTree<Move, ()>,
    position: Position,
    /// Nodes that stand, and the position that each stands for.
    good: HashMap<usize, u64>,
}

impl Walk<'_> {
    /// The hunted side is to move.
    fn answers_all(&mut self, at: usize) -> bool {
        if let Some(&key) = self.good.get(&at) {
            return key == self.position.key();
        }
        let moves = &self.tree.nodes[at].moves;
        for mv in self.position.legal_moves() {
            let Some(&(_, to)) = moves.iter().find(|(listed, _)| *listed == mv) else {
                return false;
            };
            self.position.play(mv);
            let stands = (to as usize) < at && self.hunts(to as usize);
            self.position.undo();
            if !stands {
                return false;
            }
        }
        self.good.insert(at, self.position.key());
        true
    }

    /// The hunter is to move.
    fn hunts(&mut self, at: usize) -> bool {
        let Some(&(mv, to)) = self.tree.nodes[at].moves.first() else { return false };
        if !self.position.is_legal(mv) {
            return false;
        }
        self.position.play(mv);
        let stands = (to as usize) < at && self.answers_all(to as usize);
        self.position.undo();
        stands
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_base::StopToken;

    fn lost(sfen: &str, nodes: u64) -> bool {
        let position = Position::from_sfen(sfen).unwrap();
        is_lost(&position, &mut ProofBudget::new(nodes, None, StopToken::new(), false))
    }

    #[test]
    fn a_check_that_only_delays_does_not_save() {
        // White threatens a gold on 2h or 1h; black has one check with the lance.
        assert!(lost("4k4/9/9/9/9/9/7+p1/9/8K b L2g 1", 200_000));
        assert!(!lost("4k4/9/9/9/9/9/7+p1/9/8K b L2g 1", 1));
    }

    #[test]
    fn a_check_that_takes_the_threat_away_saves() {
        // The horse gives check and takes the promoted pawn that the mate needs.
        assert!(!lost("2k6/9/9/9/9/9/7+p1/9/5+B2K b 2g 1", 50_000));
        assert!(!lost("4k4/9/9/9/9/9/9/9/4K4 b - 1", 10_000));
    }

    #[test]
    fn a_proof_with_a_hole_does_not_stand() {
        let position = Position::from_sfen("4k4/9/9/9/9/9/7+p1/9/8K b L2g 1").unwrap();
        let hunt = Hunt { position: position.clone(), hunter: Color::White };
        let solver =
            Solver::new(default_options(), yomikiri_proof::limits::ProofLimits::nodes(200_000));
        let outcome = solver.solve(&hunt);
        let mut tree =
            extract(&solver, &hunt, &solver.query().within(outcome.length), LARGEST_PROOF, |_| {})
                .unwrap();
        assert!(stands(&tree, &position));
        let root = tree.root();
        tree.nodes[root].moves.pop();
        assert!(!stands(&tree, &position));
    }
}
