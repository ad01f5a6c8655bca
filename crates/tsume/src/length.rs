//! The line to show: the attacker's shortest, the defender's longest, useless interpositions left out.
//!
//! In a proof only the bound at the root is as short as it claims; in side lines the attacker may take longer than he
//! needs. Where the length is exact, the search that ruled out a shorter mate has left in the table which defence it was
//! that held out, and the line follows that one.

use yomikiri_proof::game::{Candidate, Game, Role};
use yomikiri_proof::proof_tree::{ProofNode, ProofTree};
use yomikiri_proof::solver::Solver;
use yomikiri_shogi::Move;

use crate::dominance::Held;
use crate::node::{Ply, Sort, Tsume};
use crate::solve;

/// The line of a proof. `exact` says that the root's length is the shortest.
pub(crate) fn line(
    solver: &Solver,
    game: &Tsume,
    tree: &ProofTree<Ply, Held>,
    exact: bool,
) -> Vec<Move> {
    let mut game = game.clone();
    let mut line = Vec::new();
    let mut at = tree.root();
    let mut left = tree.nodes[at].length;
    loop {
        let node = &tree.nodes[at];
        // At length 0 only useless interpositions are left: mate by convention.
        if node.moves.is_empty() || (node.role == Role::Defender && left == 0) {
            break;
        }
        let next = match node.role {
            Role::Attacker => Some(node.moves[0]),
            Role::Defender if exact => {
                stubborn(solver, &mut game, node, left).or_else(|| longest(tree, node))
            }
            Role::Defender => longest(tree, node),
        };
        let Some((ply, to)) = next else { break };
        let plies = plies_of(&mut game, ply);
        left = left.saturating_sub(plies).min(tree.nodes[to as usize].length);
        game.play(ply);
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

/// The defence that is known to hold out for all of `left` plies.
fn stubborn(
    solver: &Solver,
    game: &mut Tsume,
    node: &ProofNode<Ply, Held>,
    left: u16,
) -> Option<(Ply, u32)> {
    let mut found = None;
    for &(ply, to) in &node.moves {
        let plies = plies_of(game, ply);
        let Some(shorter) = left.checked_sub(plies + 2) else { continue };
        game.play(ply);
        let holds = solve::known_disproven(solver, game, shorter);
        game.undo(ply);
        if holds && (found.is_none() || ply.sort == Sort::Plain) {
            found = Some((ply, to));
            if ply.sort == Sort::Plain {
                break;
            }
        }
    }
    found
}

/// The defence that lasts longest in the proof; an interposition that may not count comes last.
fn longest(tree: &ProofTree<Ply, Held>, node: &ProofNode<Ply, Held>) -> Option<(Ply, u32)> {
    node.moves.iter().copied().max_by_key(|&(ply, to)| {
        let plain = ply.sort == Sort::Plain;
        (tree.nodes[to as usize].length + u16::from(plain), plain)
    })
}
