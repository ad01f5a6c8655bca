//! What is known of the children of a node before it is searched.

use super::{Branching, SOON, Worker, remaining};
use crate::estimate::Initial;
use crate::game::{Ahead, Candidate, ProofGame, Repetition, Role};
use crate::number::Number;
use crate::path::INDEPENDENT;
use crate::table::UNBOUNDED;

impl<G: ProofGame> Worker<'_, '_, G> {
    /// Puts the children of the present node on the stack of children, with all that is known about
    /// them. Returns whether an unsolved one was met before at a smaller depth, and so may lead
    /// back.
    pub(super) fn expand(&mut self, role: Role, budget: u16, depth: u16) -> bool {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        self.game.moves(&mut candidates);
        let may_lead_back = self.add_children(role, &candidates, budget, depth);
        self.candidates = candidates;
        may_lead_back
    }

    /// The same for moves of the present node that are at hand.
    pub(super) fn add_children(
        &mut self,
        role: Role,
        candidates: &[Candidate<G::Move>],
        budget: u16,
        depth: u16,
    ) -> bool {
        self.identities.clear();
        for candidate in candidates {
            let identity = self.identify(candidate.play);
            self.table.prefetch_mark(identity.0.board);
            self.identities.push(identity);
        }
        let first = self.children.len();
        let pairs = candidates.iter().zip(&self.identities);
        self.children.extend(pairs.map(|(candidate, &(node, _))| Branching {
            play: candidate.play,
            node,
            stock: node.stock,
            length: 0,
            path_dependency: INDEPENDENT,
            plies: candidate.plies,
            fresh: true,
        }));
        self.siblings.extend(candidates, self.options.initial);
        self.perhaps_known.clear();
        for at in 0..self.identities.len() {
            let (node, path_key) = self.identities[at];
            if self.may_be_known(node.board) {
                self.judge(role, first + at, path_key, budget);
            } else if self.judge_new(role, first + at, budget) {
                self.truncate_children(first + at + 1);
                return false;
            }
        }
        let mut may_lead_back = false;
        for next in 0..self.perhaps_known.len() {
            let at = self.perhaps_known[next];
            may_lead_back |= self.recall(at, budget, depth);
            let is_fact = self.children[at].path_dependency == INDEPENDENT && budget == UNBOUNDED;
            if self.siblings.number(at).of(role) == 0 && is_fact {
                self.truncate_children(at + 1);
                break;
            }
        }
        may_lead_back
    }

    /// Whether a child may be on the path or in the table. Under superko the path has keys of its
    /// own, which are not marked.
    #[inline]
    fn may_be_known(&self, board: u64) -> bool {
        self.game.repetition() == Repetition::MoverFails || self.table.is_marked(board)
    }

    /// Answers a child never met before if it exceeds the budget, else asks the game for its first
    /// numbers. Returns whether the mover wins there and no other move can be better.
    #[inline]
    fn judge_new(&mut self, role: Role, at: usize, budget: u16) -> bool {
        let child = &mut self.children[at];
        let Some(left) = remaining(budget, child.plies) else {
            (child.plies, child.length, child.fresh) = (0, budget, false);
            self.siblings.set(at, Number::DISPROVEN);
            return false;
        };
        let (play, plies) = (child.play, child.plies);
        if left < SOON && self.is_too_long(play, left) {
            self.children[at].length = left;
            self.siblings.set(at, Number::DISPROVEN);
            return false;
        }
        let Some(ahead) = self.look_ahead(play, left) else { return false };
        self.siblings.set(at, ahead.number);
        self.enter_answer(at, &ahead);
        ahead.number.of(role) == 0 && (budget == UNBOUNDED || ahead.least + u16::from(plies) <= 1)
    }

    /// Takes over what a look ahead has answered.
    #[inline]
    fn enter_answer(&mut self, at: usize, ahead: &Ahead<G::Stock>) {
        if ahead.number.is_solved() {
            let child = &mut self.children[at];
            child.stock = ahead.stock;
            child.length = if ahead.number.is_proven() { ahead.least } else { UNBOUNDED };
            child.fresh = false;
        }
    }

    /// Answers a child if it repeats a node of the path or exceeds the budget; notes it as perhaps
    /// known if not.
    fn judge(&mut self, role: Role, at: usize, path_key: u64, budget: u16) {
        let child = &mut self.children[at];
        if remaining(budget, child.plies).is_none() {
            // Too long: disproven within the budget of the parent, whatever the move itself counts.
            (child.plies, child.length, child.fresh) = (0, budget, false);
            self.siblings.set(at, Number::DISPROVEN);
        } else if let Some(depth) = self.path.earlier(path_key, child.node.stock) {
            let number = match self.game.repetition() {
                Repetition::AttackerFails => Number::DISPROVEN,
                Repetition::MoverFails => Number::won_by(role.other()),
            };
            child.length = if number.is_proven() { 0 } else { UNBOUNDED };
            (child.path_dependency, child.fresh) = (depth, false);
            self.siblings.set(at, number);
        } else {
            self.perhaps_known.push(at);
            self.table.prefetch(child.node.board);
        }
    }

    /// Adds what the table and this path remember of an unsolved child. Returns whether it stays
    /// unsolved and was met before at a smaller depth.
    pub(super) fn recall(&mut self, at: usize, budget: u16, depth: u16) -> bool {
        let child = self.children[at];
        let left = remaining(budget, child.plies).unwrap_or(0);
        if left < SOON && self.is_too_long(child.play, left) {
            self.children[at].length = left;
            self.siblings.set(at, Number::DISPROVEN);
            return false;
        }
        let found = self.table.look_up(child.node, left, self.siblings.number(at));
        let mut number = found.number;
        if !number.is_solved()
            && !found.numbered
            && let Some(ahead) = self.look_ahead(child.play, left)
        {
            let first = ahead.number;
            if first.is_solved() {
                self.siblings.set(at, first);
                self.enter_answer(at, &ahead);
                return false;
            }
            number = Number::open(number.pn.max(first.pn), number.dn.max(first.dn));
        }
        let mut child =
            Branching { stock: found.stock, length: found.length, fresh: !found.known, ..child };
        if found.path_dependent && !found.number.is_solved() {
            let step = self.step_key(child.play, child.node);
            let key = self.path.key_with(step, child.node.stock);
            if let Some(result) = self.remembered.get(key)
                && (if result.proven { result.length <= left } else { result.length >= left })
            {
                number = if result.proven { Number::PROVEN } else { Number::DISPROVEN };
                child.stock = child.node.stock;
                child.length = result.length;
                child.path_dependency = result.path_dependency;
            }
        }
        self.children[at] = child;
        self.siblings.set(at, number);
        found.depth <= depth && !number.is_solved()
    }

    /// What the game says of the node behind a move if it is to be believed.
    #[inline]
    fn look_ahead(&mut self, play: G::Move, left: u16) -> Option<Ahead<G::Stock>> {
        if self.options.initial == Initial::Game { self.game.look_ahead(play, left) } else { None }
    }

    /// Whether a look at the node behind a move shows that `left` plies are too few there.
    #[inline]
    fn is_too_long(&mut self, play: G::Move, left: u16) -> bool {
        self.game.look_ahead(play, left).is_some_and(|ahead| ahead.least > left)
    }
}
