//! A proof as a game record: the line, and every other defence along it as a variation, for KIF and
//! the other formats.
//!
//! In the proof a useless interposition goes back to the defender's hand, on the board it does not.
//! The record is one of moves on the board, so a defence that would drop such a piece once more has
//! no place in it.

use yomikiri_proof::game::Role;
use yomikiri_proof::proof_tree::{ProofNode, ProofTree};
use yomikiri_shogi::record::{NodeId, Record, RecordStep};
use yomikiri_shogi::{Move, Position};

use crate::game::dominance::Held;
use crate::game::node::{Ply, Tsume};
use crate::solve::duration;

type Tree = ProofTree<Ply, Held>;

/// The record of a proof along `line`. At every move of the defender the other defences follow as
/// variations, each with the attacker's answers and the longest resistance.
#[must_use]
pub fn record(game: &Tsume, tree: &Tree, line: &[Move]) -> Record {
    let mut position = game.position().clone();
    // Where the problem is the end of a game, its last move is not in this record: 同 must not refer
    // to it.
    position.set_side_to_move(position.side_to_move());
    let mut record = Record::new(position.clone());
    let mut at = Some(tree.root());
    let mut node = NodeId::ROOT;
    for &played in line {
        if !position.is_legal(played) {
            break;
        }
        let next = record.add(node, RecordStep::Move(played));
        // Of two mates the proof may hold the other one: from there on the line has no variations.
        at = at.and_then(|at| {
            let here = &tree.nodes[at];
            let &(_, to) = here.moves.iter().find(|(ply, _)| ply.played == played)?;
            if here.role == Role::Defender {
                add_other_defences(&mut record, tree, node, here, played, &mut position);
            }
            Some(to as usize)
        });
        position.play(played);
        node = next;
    }
    record
}

/// Adds the defences other than `played` after a node, at which `position` stands.
fn add_other_defences(
    record: &mut Record,
    tree: &Tree,
    parent: NodeId,
    here: &ProofNode<Ply, Held>,
    played: Move,
    position: &mut Position,
) {
    for &(ply, to) in here.moves.iter().filter(|(ply, _)| ply.played != played) {
        if !position.is_legal(ply.played) {
            continue;
        }
        let first = record.add(parent, RecordStep::Move(ply.played));
        record.node_mut(first).comments.push(format!("{}", tree.nodes[to as usize].length));
        position.play(ply.played);
        follow(record, tree, first, to as usize, position);
        position.undo();
    }
}

/// Appends the longest line of the proof below a node, at which `position` stands before and after.
fn follow(record: &mut Record, tree: &Tree, parent: NodeId, start: usize, position: &mut Position) {
    let (mut at, mut node) = (start, parent);
    let mut plies = 0;
    loop {
        let here = &tree.nodes[at];
        if here.role == Role::Defender && here.length == 0 {
            break;
        }
        let playable = here.moves.iter().filter(|(ply, _)| position.is_legal(ply.played));
        let Some(&(ply, to)) = playable.max_by_key(|&&play| duration(tree, play)) else { break };
        node = record.add(node, RecordStep::Move(ply.played));
        position.play(ply.played);
        plies += 1;
        at = to as usize;
    }
    (0..plies).for_each(|_| position.undo());
}
