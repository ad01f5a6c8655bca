//! Refutations that answer more than one move.
//!
//! Where a game knows what its refutations rest on ([`ProofGame::carries_refutations`]), one
//! refutation can answer moves that were never searched: what a move far away does not touch, it
//! does not change. The solver keeps the books; which move is answered by what is the game's to
//! say.

use super::Worker;
use crate::game::{Candidate, Coverage, NodeIdentity, ProofGame, Role};
use crate::number::Number;
use crate::path::INDEPENDENT;
use crate::table::UNBOUNDED;

impl<G: ProofGame> Worker<'_, '_, G> {
    /// Asks the game which open moves the refutations so far answer, and adds the moves that they
    /// leave and that are not children yet.
    pub(super) fn carry(&mut self, role: Role, first: usize, budget: u16, depth: u16) {
        if !self.game.carries_refutations() {
            return;
        }
        let lost = Number::won_by(role.other());
        loop {
            let all = first..self.children.len();
            if all.clone().any(|at| self.siblings.number(at).of(role) == 0) {
                return;
            }
            let refuted: Vec<(G::Move, NodeIdentity<G::Stock>)> = all
                .filter(|&at| self.siblings.number(at) == lost)
                .map(|at| (self.children[at].play, self.children[at].node))
                .collect();
            let mut left: Vec<Candidate<G::Move>> = Vec::new();
            let coverage = self.game.unanswered(&refuted, &mut left);
            if coverage == Coverage::BySome {
                self.answer(role, first, |_, _| true);
            }
            if coverage != Coverage::Open {
                return;
            }
            let answered = self.answer(role, first, |game, play| game.answers(play));
            let known = &self.children[first..];
            left.retain(|candidate| known.iter().all(|child| child.play != candidate.play));
            let added = self.children.len();
            self.add_children(role, &left, budget, depth);
            let now_lost = |at| self.siblings.number(at) == lost;
            if answered == 0 && !(added..self.children.len()).any(now_lost) {
                return;
            }
        }
    }

    /// Enters the children for which `is_answered` as lost, as a fact; returns how many were open.
    fn answer(
        &mut self,
        role: Role,
        first: usize,
        is_answered: impl Fn(&G, G::Move) -> bool,
    ) -> usize {
        let lost = Number::won_by(role.other());
        let mut opened = 0;
        for at in first..self.children.len() {
            let open = self.siblings.number(at) != lost;
            let child = &mut self.children[at];
            if (!open && child.path_dependency == INDEPENDENT)
                || !is_answered(&self.game, child.play)
            {
                continue;
            }
            opened += usize::from(open);
            // Of an open child the length is that of the refutation that answers it, which another
            // child has; of one that leaned on the path, its own.
            if open {
                child.length = if lost.is_proven() { 0 } else { UNBOUNDED };
            }
            (child.path_dependency, child.fresh) = (INDEPENDENT, false);
            self.siblings.set(at, lost);
        }
        opened
    }

    /// Informs the game of the move that wins the present node, if that is a fact.
    pub(super) fn note_win(&mut self, role: Role, first: usize, visit: &super::Visit<G::Stock>) {
        if visit.number.of(role) != 0 || !self.game.carries_refutations() {
            return;
        }
        if let Some(child) =
            self.winner(role, first).filter(|child| child.path_dependency == INDEPENDENT)
        {
            let play = child.play;
            self.game.note_win(play);
        }
    }
}
