//! The third stage: the proof of a mate, read out of the table and walked through by the checker.

use std::sync::Arc;
use std::time::Duration;

use yomikiri_proof::game::Role;
use yomikiri_proof::limits::{LimitClock, ProofLimits};
use yomikiri_proof::proof_tree::{self, ExtractionFailure, ProofTree};
use yomikiri_proof::solver::Query;
use yomikiri_shogi::Color;

use super::run::Run;
use super::{MateSettings, Why};
use crate::game::dominance::Held;
use crate::game::node::{Ply, Tsume};
use crate::guide::Guide;
use crate::verify::{self, Proof, ProofStep};

/// A proven mate.
#[derive(Clone, Debug)]
pub struct Proven {
    /// The moves of the proof as the search counts them.
    pub tree: ProofTree<Ply, Held>,
    /// The proof under the laws of shogi, checked.
    pub proof: Proof,
    /// What to play in every position that it reaches.
    pub guide: Guide,
}

/// A question that is part of the checking and not of the search. Checking has its own time and,
/// unless it is in a hurry, goes on after a stop: an answer that is there is not lost to the check.
pub(crate) fn checking(settings: &MateSettings, epoch: u16) -> Query {
    let mut limits = ProofLimits { nodes: u64::MAX, ..settings.limits.clone() };
    if settings.checking.is_some() {
        limits.time = settings.checking;
    } else {
        limits.stop = Arc::default();
        limits.time = settings.limits.time.map(|time| time.max(Duration::from_secs(5)));
    }
    Query::new(settings.options, limits).in_epoch(epoch)
}

/// The proof of a mate within the length of `query` that was found before.
///
/// # Errors
/// If it does not stand the check, is too large, or a limit is met while it is checked or parts of
/// it are searched anew.
pub(crate) fn prove(run: &Run<'_>, game: &Tsume, query: &Query) -> Result<Proven, Why> {
    let (tree, mut proof) = extract(run, game, query).map_err(|failure| match failure {
        ExtractionFailure::GaveUp(reason) => Why::Limit(reason),
        ExtractionFailure::TooLarge => Why::TooLarge,
        ExtractionFailure::NotProven => Why::NotVerified,
    })?;
    let guide = verify::complete(&mut proof, query.limits.stack).map_err(|_| Why::NotVerified)?;
    Ok(Proven { tree, proof, guide })
}

/// The proof before the check. Its numbers are those of the tree, in which a position reached in
/// several ways may take longer than it has to.
fn extract(
    run: &Run<'_>,
    game: &Tsume,
    query: &Query,
) -> Result<(ProofTree<Ply, Held>, Proof), ExtractionFailure> {
    let mut boards = Vec::new();
    let attacker = game.attacker();
    let settings = run.settings;
    let hurry = settings.checking.map(|time| ProofLimits {
        time: Some(time),
        nodes: u64::MAX,
        ..settings.limits.clone()
    });
    let clock = hurry.map(LimitClock::start);
    let seen = |node: &Tsume| {
        let text = if node.position().side_to_move() == attacker {
            verify::board_text(node.position())
        } else {
            String::new()
        };
        boards.push(text);
        clock
            .as_ref()
            .and_then(|clock| clock.tick(0))
            .map_or(Ok(()), |reason| Err(ExtractionFailure::GaveUp(reason)))
    };
    let tree = proof_tree::extract_while(run.solver, game, query, settings.largest_proof, seen)?;
    let proof = written(game, &tree, &boards);
    Ok((tree, proof))
}

/// The proof as steps under the laws of shogi.
fn written(game: &Tsume, tree: &ProofTree<Ply, Held>, boards: &[String]) -> Proof {
    let mut raw = vec![0_u32; tree.nodes.len()];
    let mut steps = Vec::new();
    for (at, node) in tree.nodes.iter().enumerate() {
        raw[at] = node.moves.iter().map(|&(_, to)| raw[to as usize] + 1).max().unwrap_or(0);
        if let (Role::Attacker, Some((ply, _))) = (node.role, node.moves.first()) {
            steps.push(ProofStep {
                board: boards[at].clone(),
                hand: verify::hand_text(node.identity.stock.0),
                play: ply.played.to_string(),
                plies: raw[at],
            });
        }
    }
    // Of the steps that fit a position the first is played: the shortest.
    steps.sort_by_key(|step| step.plies);
    Proof {
        format: verify::FORMAT.to_owned(),
        sfen: verify::position_text(game.position()),
        attacker: if game.attacker() == Color::Black { "b" } else { "w" }.to_owned(),
        length: None,
        raw_length: raw[tree.root()],
        steps,
        bound: None,
        digest: String::new(),
    }
}
