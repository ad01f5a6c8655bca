//! Plain best-first proof-number search (Allis, van der Meulen, van den Herik 1994): the readable
//! reference.
//!
//! The whole search tree stays in memory, there is no table and no transposition, and a repetition
//! is looked for by walking up to the root. Slow and large, but each step can be checked by eye;
//! the tests compare the other solvers with it, and both with brute force.

use crate::estimate::Initial;
use crate::game::{ProofGame, Repetition, Role, Stock};
use crate::limits::{LimitClock, ProofLimits, Reason};
use crate::number::Number;
use crate::solver::{Options, ProofOutcome};
use crate::table::UNBOUNDED;
use crate::widening::{Scratch, Siblings};

struct TreeNode<G: ProofGame> {
    parent: usize,
    play: Option<G::Move>,
    role: Role,
    key: u64,
    stock: G::Stock,
    number: Number,
    group: u8,
    children: std::ops::Range<usize>,
    expanded: bool,
}

/// A best-first search in progress.
struct Search<'s, G: ProofGame> {
    game: G,
    options: &'s Options,
    tree: Vec<TreeNode<G>>,
    scratch: Scratch,
    siblings: Siblings,
}

/// Searches until the root is solved or a limit is met.
///
/// The outcome carries no proof pieces and no length: the stock is the root's own.
pub fn search<G: ProofGame>(
    game: &G,
    options: &Options,
    limits: &ProofLimits,
) -> ProofOutcome<G::Stock> {
    let clock = LimitClock::start(limits.clone());
    let mut search = Search {
        game: game.clone(),
        options,
        tree: Vec::new(),
        scratch: Scratch::default(),
        siblings: Siblings::default(),
    };
    search.tree.push(TreeNode {
        parent: 0,
        play: None,
        role: game.role(),
        key: key_of(game),
        stock: game.stock(),
        number: Number::UNIT,
        group: 0,
        children: 0..0,
        expanded: false,
    });
    let most_nodes = limits.memory / std::mem::size_of::<TreeNode<G>>();
    let mut gave_up = None;
    while !search.tree[0].number.is_solved() && gave_up.is_none() {
        let leaf = search.most_proving();
        search.expand(leaf);
        search.update_ancestors(leaf);
        gave_up = clock.tick(1);
        if search.tree.len() > most_nodes {
            gave_up = Some(Reason::Memory);
        }
    }
    let number = search.tree[0].number;
    ProofOutcome {
        number,
        stock: game.stock(),
        length: if number.is_disproven() { UNBOUNDED } else { 0 },
        nodes: clock.nodes(),
        elapsed: clock.elapsed(),
        gave_up: if number.is_solved() { None } else { gave_up },
    }
}

fn key_of<G: ProofGame>(game: &G) -> u64 {
    match game.repetition() {
        Repetition::AttackerFails => game.board_key(),
        Repetition::MoverFails => game.repetition_key(),
    }
}

impl<G: ProofGame> Search<'_, G> {
    /// Walks from the root to the most proving leaf, playing the moves.
    fn most_proving(&mut self) -> usize {
        let mut at = 0;
        while self.tree[at].expanded {
            at = self.tree[at].children.start + self.combine(at).best;
            let play = self.tree[at].play.expect("only the root has no move");
            self.game.play(play);
        }
        at
    }

    fn combine(&mut self, at: usize) -> crate::widening::Combined {
        let node = &self.tree[at];
        self.siblings.truncate(0);
        for child in &self.tree[node.children.clone()] {
            self.siblings.push(child.number, child.group);
        }
        let rule = self.options.widening_at(node.role);
        rule.combine(node.role, &self.siblings, 0, &mut self.scratch)
    }

    fn expand(&mut self, leaf: usize) {
        self.tree[leaf].expanded = true;
        if let Some(settled) = self.game.settle() {
            self.tree[leaf].number =
                if settled.proven { Number::PROVEN } else { Number::DISPROVEN };
            return;
        }
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        let first = self.tree.len();
        for candidate in moves {
            self.game.play(candidate.play);
            let (key, stock) = (key_of(&self.game), self.game.stock());
            let number =
                self.repeated(leaf, key, stock).unwrap_or_else(|| match self.options.initial {
                    Initial::Unit => Number::UNIT,
                    Initial::Game => self.options.initial.number(&candidate),
                });
            self.tree.push(TreeNode {
                parent: leaf,
                play: Some(candidate.play),
                role: self.game.role(),
                key,
                stock,
                number,
                group: candidate.group,
                children: 0..0,
                expanded: false,
            });
            self.game.undo(candidate.play);
        }
        self.tree[leaf].children = first..self.tree.len();
    }

    /// The number of a child of `parent` that repeats a node on the way from the root.
    fn repeated(&self, parent: usize, key: u64, stock: G::Stock) -> Option<Number> {
        let mut at = parent;
        loop {
            let node = &self.tree[at];
            if node.key == key && node.stock.covers(stock) {
                return Some(match self.game.repetition() {
                    Repetition::AttackerFails => Number::DISPROVEN,
                    Repetition::MoverFails => Number::won_by(self.tree[parent].role.other()),
                });
            }
            if at == 0 {
                return None;
            }
            at = node.parent;
        }
    }

    /// Brings the numbers from `leaf` up to the root up to date, taking the moves back.
    fn update_ancestors(&mut self, leaf: usize) {
        let mut at = leaf;
        loop {
            let settled = self.tree[at].number.is_solved() && self.tree[at].children.is_empty();
            if !settled {
                self.tree[at].number = self.combine(at).number;
            }
            match self.tree[at].play {
                Some(play) => self.game.undo(play),
                None => return,
            }
            at = self.tree[at].parent;
        }
    }
}
