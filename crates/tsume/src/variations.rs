//! A proof as a game record: the line, and every other defence along it as a variation, for KIF and the other formats.

use yomikiri_proof::game::{Game, Role};
use yomikiri_proof::proof_tree::ProofTree;
use yomikiri_shogi::Move;
use yomikiri_shogi::record::{NodeId, Record, Step};

use crate::dominance::Held;
use crate::node::{Ply, Tsume};

/// The record of a proof along `line`. At every move of the defender the other defences follow as variations, each with
/// the attacker's answers and the longest resistance.
#[must_use]
pub fn record(game: &Tsume, tree: &ProofTree<Ply, Held>, line: &[Move]) -> Record {
    let mut record = Record::new(game.position().clone());
    let mut game = game.clone();
    let mut at = tree.root();
    let mut node = NodeId::ROOT;
    let mut branches = Vec::new();
    for &played in line {
        let here = &tree.nodes[at];
        let Some(&(ply, to)) = here.moves.iter().find(|(ply, _)| ply.played == played) else {
            break;
        };
        if here.role == Role::Defender {
            branches.extend(
                here.moves
                    .iter()
                    .filter(|(ply, _)| ply.played != played)
                    .map(|&(ply, to)| (node, ply, to)),
            );
        }
        node = record.add(node, Step::Move(played));
        game.play(ply);
        at = to as usize;
    }
    for (parent, ply, to) in branches {
        let first = record.add(parent, Step::Move(ply.played));
        record.node_mut(first).comments.push(format!("{}", tree.nodes[to as usize].length));
        follow(&mut record, tree, first, to as usize);
    }
    record
}

/// Appends the longest line of the proof below a node.
fn follow(record: &mut Record, tree: &ProofTree<Ply, Held>, parent: NodeId, start: usize) {
    let (mut at, mut node) = (start, parent);
    loop {
        let here = &tree.nodes[at];
        let longest = here.moves.iter().max_by_key(|(_, to)| tree.nodes[*to as usize].length);
        let Some(&(ply, to)) = longest.filter(|_| here.role == Role::Attacker || here.length > 0)
        else {
            return;
        };
        node = record.add(node, Step::Move(ply.played));
        at = to as usize;
    }
}
