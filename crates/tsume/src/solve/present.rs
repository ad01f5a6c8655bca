//! The last stage: the line to show, the attacker's shortest, the defender's longest, useless
//! interpositions left out.
//!
//! In a proof only the bound at the root is as short as it claims; in side lines the attacker may
//! take longer than he needs. Where the length is exact, some defence holds out for all of it. The
//! search that ruled out a shorter mate knows one such defence, but that may be an interposition
//! which is not counted, so the others are asked about first.
//!
//! Where an interposition is not counted, the game of the proof gives the piece back to the
//! defender; the board does not. A line is one of moves on the board, so only defences that can be
//! made there have a place in it.

use yomikiri_proof::game::{Candidate, ProofGame, Role};
use yomikiri_proof::proof_tree::{self, ProofNode, ProofTree};
use yomikiri_proof::solver::Query;
use yomikiri_shogi::{Hand, Move, Position};

use super::count::{Counted, decide};
use super::prove::Proven;
use super::run::Run;
use super::{Solution, Verdict, without_mate};
use crate::game::dominance::Held;
use crate::game::node::{Ply, Sort, Tsume};

/// Nodes for one question about a defence, and for all of them.
const NODES_A_QUESTION: u64 = 50_000;
const NODES_IN_ALL: u64 = 1_000_000;

type Tree = ProofTree<Ply, Held>;

struct Walk<'r> {
    run: &'r Run<'r>,
    checking: &'r Query,
    game: Tsume,
    /// The position on the board, in which nothing is given back.
    real: Position,
    nodes_left: u64,
}

/// The solution of a mate.
pub(crate) fn solution(
    run: &Run<'_>,
    game: &Tsume,
    mut proven: Proven,
    counted: Counted,
) -> Solution {
    let Counted { low, high, by_the_rule, line } = counted;
    proven.proof.length = (low == high).then_some(high);
    proven.proof = proven.proof.sealed();
    Solution {
        low,
        high,
        by_the_rule,
        raw_length: proven.proof.raw_length,
        left_in_hand: hand_after(game, &line),
        line,
        verified: true,
        proven: Some(Box::new(proven)),
        ..without_mate(run, Verdict::Mate)
    }
}

pub(crate) fn hand_after(game: &Tsume, line: &[Move]) -> Hand {
    let mut position = game.position().clone();
    for &played in line {
        // A hand is not worth a panic.
        if !position.is_legal(played) {
            break;
        }
        position.play(played);
    }
    position.hand(game.attacker())
}

/// The line of a proof. `exact` says that the root's length is the shortest.
pub(super) fn line(
    run: &Run<'_>,
    checking: &Query,
    game: &Tsume,
    tree: &Tree,
    exact: bool,
) -> Vec<Move> {
    let real = game.position().clone();
    let mut walk = Walk { run, checking, game: game.clone(), real, nodes_left: NODES_IN_ALL };
    // Where an interposition counts, the proof goes on with another answer to it.
    let mut other: Option<Tree> = None;
    let mut line = Vec::new();
    let mut at = tree.root();
    let mut left = tree.nodes[at].length;
    loop {
        let here = other.as_ref().unwrap_or(tree);
        let node = &here.nodes[at];
        // At length 0 only useless interpositions are left: mate by convention.
        if node.moves.is_empty() || (node.role == Role::Defender && left == 0) {
            break;
        }
        let next = match node.role {
            Role::Attacker => {
                if exact
                    && node.moves[0].0.sort == Sort::NotCounted
                    && let Some(counted) = walk.counted_answer(left)
                {
                    at = counted.root();
                    other = Some(counted);
                    continue;
                }
                Some(node.moves[0])
            }
            Role::Defender => {
                let lasting = if exact { walk.stubborn(node, left) } else { None };
                lasting.or_else(|| longest(here, &walk.playable(node)))
            }
        };
        let Some((ply, to)) = next else { break };
        let plies = plies_of(&mut walk.game, ply);
        left = left.saturating_sub(plies).min(here.nodes[to as usize].length);
        walk.game.play(ply);
        walk.real.play(ply.played);
        line.push(ply.played);
        at = to as usize;
    }
    line
}

fn plies_of(game: &mut Tsume, ply: Ply) -> u16 {
    let mut candidates: Vec<Candidate<Ply>> = Vec::new();
    game.moves(&mut candidates);
    candidates.iter().find(|c| c.play == ply).map_or(1, |c| u16::from(c.plies))
}

impl Walk<'_> {
    /// The defences of a node that can be made on the board.
    fn playable(&self, node: &ProofNode<Ply, Held>) -> Vec<(Ply, u32)> {
        node.moves.iter().filter(|(ply, _)| self.real.is_legal(ply.played)).copied().collect()
    }

    /// Whether the node behind `ply` is mate within `length`, as far as the nodes reach.
    fn decide(&mut self, ply: Ply, length: u16) -> Option<bool> {
        let nodes = self.nodes_left.clamp(1, NODES_A_QUESTION);
        self.game.play(ply);
        let (answer, used) = decide(self.run, self.checking, &self.game, length, nodes);
        self.game.undo(ply);
        self.nodes_left = self.nodes_left.saturating_sub(used);
        answer
    }

    /// The defence that holds out for all of `left` plies; one that surely counts if there is one.
    fn stubborn(&mut self, node: &ProofNode<Ply, Held>, left: u16) -> Option<(Ply, u32)> {
        let playable = self.playable(node);
        for counts in [true, false] {
            for &(ply, to) in &playable {
                if (ply.sort == Sort::Plain) != counts {
                    continue;
                }
                let Some(shorter) = left.checked_sub(plies_of(&mut self.game, ply) + 2) else {
                    continue;
                };
                if self.decide(ply, shorter) == Some(false) {
                    return Some((ply, to));
                }
            }
        }
        None
    }

    /// The proof from the present node with an answer to the interposition that counts, if it is as
    /// short.
    fn counted_answer(&mut self, left: u16) -> Option<Tree> {
        let mut candidates = Vec::new();
        self.game.moves(&mut candidates);
        for candidate in candidates.iter().filter(|c| c.play.sort != Sort::NotCounted) {
            let Some(within) = left.checked_sub(u16::from(candidate.plies)) else { continue };
            if self.decide(candidate.play, within) != Some(true) {
                continue;
            }
            self.game.play(candidate.play);
            let below = self.tree(within);
            self.game.undo(candidate.play);
            return below.map(|tree| behind(&mut self.game, tree, candidate));
        }
        None
    }

    fn tree(&self, length: u16) -> Option<Tree> {
        let most = self.run.settings.largest_proof;
        let query = self.checking.clone().within(length);
        proof_tree::extract(self.run.solver, &self.game, &query, most, |_| {}).ok()
    }
}

/// The proof with one move of the attacker put before it.
fn behind(game: &mut Tsume, mut tree: Tree, first: &Candidate<Ply>) -> Tree {
    let below = tree.root();
    let identity =
        yomikiri_proof::game::NodeIdentity { board: game.board_key(), stock: game.stock() };
    tree.nodes.push(ProofNode {
        role: Role::Attacker,
        identity,
        length: tree.nodes[below].length + u16::from(first.plies),
        moves: vec![(first.play, below as u32)],
    });
    tree
}

/// The defence that lasts longest in the proof; an interposition that may not count comes last.
fn longest(tree: &Tree, defences: &[(Ply, u32)]) -> Option<(Ply, u32)> {
    defences.iter().copied().max_by_key(|&defence| duration(tree, defence))
}

/// How long a defence lasts in the proof, to compare it with others; one that surely counts lasts
/// longer.
pub(crate) fn duration(tree: &Tree, (ply, to): (Ply, u32)) -> (u16, bool) {
    let plain = ply.sort == Sort::Plain;
    (tree.nodes[to as usize].length + u16::from(plain), plain)
}
