//! A proven mate as data, for another instance of the program.

use super::ProvenMate;
use crate::RestoreError;
use serde::{Deserialize, Serialize};
use yomikiri_proof::game::{NodeIdentity, Role};
use yomikiri_proof::limits::Stack;
use yomikiri_proof::proof_tree::{ProofNode, ProofTree};
use yomikiri_shogi::{Color, Hand, Move, Position};
use yomikiri_tsume::dominance::Held;
use yomikiri_tsume::node::Sort;
use yomikiri_tsume::verify::{self, Proof};
use yomikiri_tsume::{Ply, Tsume};

/// A proven mate: the proof that can be checked, and the tree that can be walked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptProof {
    proof: Proof,
    nodes: Vec<KeptNode>,
    line: Vec<String>,
}

/// A node: whether the attacker is to move, the length, and the moves in USI with their sort and
/// the node behind each.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptNode(bool, u16, Vec<(String, u8, u32)>);

const SORTS: [Sort; 3] = [Sort::Plain, Sort::Interposition, Sort::NotCounted];

impl ProvenMate {
    /// The mate as data.
    pub fn keep(&self) -> KeptProof {
        let ply = |&(ply, to): &(Ply, u32)| {
            let sort = SORTS.iter().position(|&sort| sort == ply.sort).unwrap_or(0);
            (ply.played.to_string(), sort as u8, to)
        };
        let nodes = self.tree.nodes.iter().map(|node| {
            let moves = node.moves.iter().map(ply).collect();
            KeptNode(node.role == Role::Attacker, node.length, moves)
        });
        KeptProof {
            proof: self.proof.clone(),
            nodes: nodes.collect(),
            line: self.line.iter().map(ToString::to_string).collect(),
        }
    }

    /// Takes up what [`ProvenMate::keep`] gave, if the proof stands the check here as well.
    pub fn restore(kept: KeptProof) -> Result<ProvenMate, RestoreError> {
        let position = Position::from_problem_sfen(&kept.proof.sfen)?;
        let attacker = if kept.proof.attacker == "b" { Color::Black } else { Color::White };
        let (_, guide) = verify::verify_for_play(&kept.proof, Stack::default())?;
        let nodes: Result<Vec<_>, RestoreError> = (0..).zip(kept.nodes).map(node).collect();
        let nodes = nodes?;
        if nodes.is_empty() {
            return Err(RestoreError::Tree);
        }
        let line: Result<Vec<Move>, RestoreError> =
            kept.line.iter().map(|text| parse(text)).collect();
        Ok(ProvenMate {
            game: Tsume::new(position, attacker),
            tree: ProofTree { nodes },
            proof: kept.proof,
            guide,
            line: line?,
        })
    }
}

fn parse(text: &str) -> Result<Move, RestoreError> {
    text.parse().map_err(|_| RestoreError::Move(text.into()))
}

fn node((number, kept): (u32, KeptNode)) -> Result<ProofNode<Ply, Held>, RestoreError> {
    let KeptNode(attacks, length, moves) = kept;
    let moves = moves.into_iter().map(|(text, sort, to)| {
        let sort = SORTS.get(usize::from(sort)).ok_or(RestoreError::Tree)?;
        // Children come before their parents, so that no walk goes in a circle.
        let child = (to < number).then_some(to).ok_or(RestoreError::Tree)?;
        Ok((Ply::new(parse(&text)?, *sort), child))
    });
    let moves: Result<Vec<_>, RestoreError> = moves.collect();
    Ok(ProofNode {
        role: if attacks { Role::Attacker } else { Role::Defender },
        // Whoever walks a finished tree never asks which node of the search it was.
        identity: NodeIdentity { board: 0, stock: Held(Hand::EMPTY) },
        length,
        moves: moves?,
    })
}
