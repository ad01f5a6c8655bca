//! The proof itself: which move the attacker plays everywhere, and an answer to every defence.
//!
//! The table remembers *that* a node is proven and how long it takes, not by which move. Extraction
//! walks the proven nodes again, picks the shortest proven move at every OR node, and searches anew
//! where the table has forgotten. Nodes reached on several ways are shared, so the "tree" is a
//! graph without cycles. The lengths found go back to the table: a second extraction chooses among
//! them and may be shorter.

use std::collections::HashMap;

use crate::game::{Candidate, NodeIdentity, ProofGame, Role, Stock};
use crate::limits::Reason;
use crate::number::Number;
use crate::solver::{Query, Solver};
use crate::table::TableAnswer;

/// A proven node.
#[derive(Clone, Debug)]
pub struct ProofNode<M, S> {
    /// Who is to move.
    pub role: Role,
    /// What it is.
    pub identity: NodeIdentity<S>,
    /// Length of the solution from here, as the game counts it.
    pub length: u16,
    /// The attacker's one move, or all moves of the defender, with the number of the node behind
    /// each.
    pub moves: Vec<(M, u32)>,
}

/// A proof as a graph. Children come before their parents; the root is the last node.
#[derive(Clone, Debug)]
pub struct ProofTree<M, S> {
    /// The nodes.
    pub nodes: Vec<ProofNode<M, S>>,
}

impl<M: Copy, S: Copy> ProofTree<M, S> {
    /// Number of the root.
    #[must_use]
    pub fn root(&self) -> usize {
        self.nodes.len() - 1
    }

    /// A line: the attacker's moves, and the defence that lasts longest in this proof. It ends
    /// where nothing is left but moves that do not count.
    #[must_use]
    pub fn longest_line(&self) -> Vec<M> {
        let mut line = Vec::new();
        let mut at = self.root();
        while let Some(&(first, _)) = self.nodes[at].moves.first() {
            let node = &self.nodes[at];
            if node.role == Role::Defender && node.length == 0 {
                break;
            }
            let mut best = (first, node.moves[0].1 as usize);
            for &(m, to) in &node.moves[1..] {
                if self.nodes[to as usize].length > self.nodes[best.1].length {
                    best = (m, to as usize);
                }
            }
            line.push(best.0);
            at = best.1;
        }
        line
    }
}

/// Why there is no proof to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtractionFailure {
    /// The node is not proven within the length asked for.
    NotProven,
    /// A limit was met while searching anew.
    GaveUp(Reason),
    /// The proof has more nodes than allowed.
    TooLarge,
}

/// Moves with the nodes behind them, and the length.
type Answers<G> = (Vec<(<G as ProofGame>::Move, u32)>, u16);

struct Extraction<'s, G: ProofGame, F> {
    solver: &'s Solver,
    /// How to ask for what the table has forgotten.
    query: &'s Query,
    game: G,
    seen: F,
    tree: ProofTree<G::Move, G::Stock>,
    known: HashMap<(u64, u32), u32>,
    most: usize,
    /// Plies that the stack has room for.
    left: usize,
}

/// Extracts a proof that `game` is won within the length of `query`, of no more than `most` nodes.
/// What the table has forgotten is asked again in the way of `query`, each time with all of its
/// limits. `seen` receives every node in the order of the list, with the game standing there.
///
/// # Errors
/// If the node is not proven, or a limit of the query is met on the way.
pub fn extract<G: ProofGame + Sync>(
    solver: &Solver,
    game: &G,
    query: &Query,
    most: usize,
    mut seen: impl FnMut(&G) + Send,
) -> Result<ProofTree<G::Move, G::Stock>, ExtractionFailure> {
    let goes_on = move |game: &G| {
        seen(game);
        Ok(())
    };
    extract_while(solver, game, query, most, goes_on)
}

/// The same, but a failure returned by `seen` ends the extraction.
///
/// # Errors
/// If the node is not proven, a limit of the query is met on the way, or `seen` fails.
pub fn extract_while<G: ProofGame + Sync>(
    solver: &Solver,
    game: &G,
    query: &Query,
    most: usize,
    seen: impl FnMut(&G) -> Result<(), ExtractionFailure> + Send,
) -> Result<ProofTree<G::Move, G::Stock>, ExtractionFailure> {
    let stack = query.limits.stack;
    let run = move || {
        let tree = ProofTree { nodes: Vec::new() };
        let known = HashMap::new();
        let (game, left) = (game.clone(), stack.deepest());
        let mut work = Extraction { solver, query, game, seen, tree, known, most, left };
        work.prove(query.length).map(|_| work.tree)
    };
    stack.run(crate::solver::STACK_BYTES, run)
}

impl<G: ProofGame, F: FnMut(&G) -> Result<(), ExtractionFailure>> Extraction<'_, G, F> {
    /// Adds the present node, proven within `budget`, and everything below; gives its number.
    fn prove(&mut self, budget: u16) -> Result<u32, ExtractionFailure> {
        let identity = NodeIdentity { board: self.game.board_key(), stock: self.game.stock() };
        let key = (identity.board, identity.stock.to_bits());
        if let Some(&at) = self.known.get(&key)
            && self.tree.nodes[at as usize].length <= budget
        {
            return Ok(at);
        }
        if self.tree.nodes.len() >= self.most {
            return Err(ExtractionFailure::TooLarge);
        }
        let role = self.game.role();
        let mut candidates = Vec::new();
        let settled = self.game.settle();
        if settled.is_none_or(|s| role == Role::Attacker && s.proven) {
            self.game.moves(&mut candidates);
        } else if settled.is_some_and(|s| !s.proven) {
            return Err(ExtractionFailure::NotProven);
        }
        self.left = self.left.checked_sub(1).ok_or(ExtractionFailure::GaveUp(Reason::Depth))?;
        let (moves, length) = match role {
            Role::Attacker => self.attack(&candidates, budget)?,
            Role::Defender => self.defend(&candidates, budget)?,
        };
        self.left += 1;
        let at = self.tree.nodes.len() as u32;
        self.store_length(identity, length);
        self.tree.nodes.push(ProofNode { role, identity, length, moves });
        self.known.insert(key, at);
        (self.seen)(&self.game)?;
        Ok(at)
    }

    /// What lies below may have become shorter since the table first met this node.
    fn store_length(&self, identity: NodeIdentity<G::Stock>, length: u16) {
        let mut table = self.solver.table().handle_in(self.query.epoch);
        if !table.look_up(identity, length, Number::UNIT).number.is_proven() {
            table.upkeep();
            let answer = TableAnswer { number: Number::PROVEN, stock: identity.stock, length };
            table.store(identity, answer, u16::MAX, 1);
        }
    }

    fn defend(
        &mut self,
        candidates: &[Candidate<G::Move>],
        budget: u16,
    ) -> Result<Answers<G>, ExtractionFailure> {
        let mut moves = Vec::with_capacity(candidates.len());
        let mut longest = 0;
        for candidate in candidates {
            let plies = u16::from(candidate.plies);
            let left = budget.checked_sub(plies).ok_or(ExtractionFailure::NotProven)?;
            let node = self.game.peek(candidate.play);
            let found =
                self.solver.table().handle_in(self.query.epoch).look_up(node, left, Number::UNIT);
            let within = if found.number.is_proven() { found.length } else { left };
            self.game.play(candidate.play);
            let to = self.prove(within);
            self.game.undo(candidate.play);
            let to = to?;
            longest = longest.max(self.tree.nodes[to as usize].length + plies);
            moves.push((candidate.play, to));
        }
        Ok((moves, longest))
    }

    fn attack(
        &mut self,
        candidates: &[Candidate<G::Move>],
        budget: u16,
    ) -> Result<Answers<G>, ExtractionFailure> {
        let chosen = match self.proven_move(candidates, budget) {
            Some(chosen) => chosen,
            None => {
                let query = Query { anew: true, ..self.query.clone() }.within(budget);
                let outcome = self.solver.ask(&self.game, &query, None);
                if !outcome.number.is_proven() {
                    return Err(outcome
                        .gave_up
                        .map_or(ExtractionFailure::NotProven, ExtractionFailure::GaveUp));
                }
                self.proven_move(candidates, budget).ok_or(ExtractionFailure::NotProven)?
            }
        };
        let (candidate, within) = chosen;
        self.game.play(candidate.play);
        let to = self.prove(within);
        self.game.undo(candidate.play);
        let to = to?;
        let length = self.tree.nodes[to as usize].length + u16::from(candidate.plies);
        Ok((vec![(candidate.play, to)], length))
    }

    /// The move with the shortest known proof, and the length left for it.
    fn proven_move(
        &mut self,
        candidates: &[Candidate<G::Move>],
        budget: u16,
    ) -> Option<(Candidate<G::Move>, u16)> {
        let mut best: Option<(u16, Candidate<G::Move>, u16)> = None;
        for &candidate in candidates {
            let plies = u16::from(candidate.plies);
            let Some(left) = budget.checked_sub(plies) else { continue };
            if best.as_ref().is_some_and(|b| b.0 <= plies) {
                continue;
            }
            let node = self.game.peek(candidate.play);
            let found =
                self.solver.table().handle_in(self.query.epoch).look_up(node, left, Number::UNIT);
            let length = if found.number.is_proven() {
                Some(found.length)
            } else {
                self.ends_at_once(candidate.play).then_some(0)
            };
            if let Some(length) = length
                && best.as_ref().is_none_or(|b| length + plies < b.0)
            {
                best = Some((length + plies, candidate, length));
            }
        }
        best.map(|(_, candidate, within)| (candidate, within))
    }

    /// Whether the defender has no answer to the move: such nodes need not be in the table.
    fn ends_at_once(&mut self, play: G::Move) -> bool {
        let mut answers = Vec::new();
        self.game.play(play);
        let over = match self.game.settle() {
            Some(settled) => settled.proven && settled.length == 0,
            None => {
                self.game.moves(&mut answers);
                answers.is_empty()
            }
        };
        self.game.undo(play);
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::{self, Puzzle, Shape};
    use crate::limits::ProofLimits;
    use crate::solver::Options;

    /// Follows the proof against every defence.
    fn check(
        tree: &ProofTree<<Puzzle as ProofGame>::Move, <Puzzle as ProofGame>::Stock>,
        at: usize,
        game: &mut Puzzle,
    ) {
        let node = &tree.nodes[at];
        assert_eq!(node.role, game.role());
        let mut legal = Vec::new();
        game.moves(&mut legal);
        if node.role == Role::Attacker {
            assert_eq!(node.moves.len(), 1);
            assert!(legal.iter().any(|c| c.play == node.moves[0].0));
        } else {
            assert_eq!(node.moves.len(), legal.len());
        }
        for &(m, to) in &node.moves {
            assert!((to as usize) < at, "children come first");
            assert!(tree.nodes[to as usize].length < node.length);
            game.play(m);
            check(tree, to as usize, game);
            game.undo(m);
        }
    }

    #[test]
    fn proofs_answer_every_defence() {
        let mut proofs = 0;
        for seed in 0..150 {
            let mut puzzle = Puzzle::random(Shape::Cyclic, 25, seed);
            let Some(shortest) = conformance::brute_force(&puzzle, 100_000).unwrap() else {
                continue;
            };
            let solver = Solver::new(
                Options::default(),
                ProofLimits { memory: 1 << 20, ..ProofLimits::nodes(1_000_000) },
            );
            let query = solver.query().within(shortest);
            assert!(solver.ask(&puzzle, &query, None).number.is_proven());
            let tree = extract(&solver, &puzzle, &query, 10_000, |_| {}).unwrap();
            assert_eq!(tree.nodes[tree.root()].length, shortest, "seed {seed}");
            check(&tree, tree.root(), &mut puzzle);
            assert_eq!(tree.longest_line().len(), shortest as usize);
            let failure = ExtractionFailure::GaveUp(Reason::Time);
            let broken = extract_while(&solver, &puzzle, &query, 10_000, |_| Err(failure));
            assert_eq!(broken.err(), Some(failure));
            let again = extract(&solver, &puzzle, &query, 10_000, |_| {}).unwrap();
            assert_eq!(again.nodes[again.root()].length, shortest, "seed {seed}");
            check(&again, again.root(), &mut puzzle);
            proofs += 1;
        }
        assert!(proofs > 30);
    }
}
