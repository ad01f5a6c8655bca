//! Mate problems: solving, walking the proof, playing against it, checking it.

use crate::SessionResources;
use crate::protocol::{
    EndedReason, Event, Fault, FaultCode, MateChild, MateEvent, MateHintView, MateNodeView,
    MateVerdict, MateVerified, ProofProgress, SolveMateAsk, TaskEnded, UnknownReason,
};
use crate::task::{Context, TaskOutcome};
use crate::view::{hand_view, line_view, move_view, position_view};
use crate::{illegal, place};
use std::sync::Arc;
use std::time::Duration;
use yomikiri_proof::limits::{ProofLimits, Reason};
use yomikiri_proof::proof_tree::{ProofNode, ProofTree};
use yomikiri_proof::solver::SolverProgress;
use yomikiri_shogi::{EnteringKingRule, Hand, Move, Position};
use yomikiri_tsume::dominance::Held;
use yomikiri_tsume::solve::Why;
use yomikiri_tsume::verify::{self, Proof};
use yomikiri_tsume::{
    Guide, MateSettings, MateSolver, Ply, Proven, Solution, Tsume, Verdict, attacker_of, variations,
};

mod judge;
mod kept;
mod play;
pub use judge::judge;
pub use kept::KeptProof;
pub use play::reply;

/// Most nodes of a proof that is kept to be walked.
const LARGEST_PROOF: usize = 300_000;
/// How long the proof may be checked.
const CHECKING: Duration = Duration::from_secs(20);
/// How long a problem is tried, unless it is said.
const TIME: Duration = Duration::from_secs(60);

/// The rule does not matter in problems; the views want one.
const RULE: EnteringKingRule = EnteringKingRule::NoEnteringKing;

/// A mate with its proof.
pub struct ProvenMate {
    game: Tsume,
    tree: ProofTree<Ply, Held>,
    proof: Proof,
    guide: Guide,
    line: Vec<Move>,
}

fn unknown(reason: Reason) -> UnknownReason {
    match reason {
        Reason::Nodes => UnknownReason::Nodes,
        Reason::Time => UnknownReason::Time,
        Reason::Stopped => UnknownReason::Stopped,
        // A line that does not fit into the stack is a lack of memory as well.
        Reason::Memory | Reason::Depth => UnknownReason::Memory,
        Reason::Numbers => UnknownReason::Numbers,
    }
}

/// Why a search was given up, for the page.
pub fn unknown_view(reason: Option<Reason>) -> Option<UnknownReason> {
    reason.map(unknown)
}

/// How a proof-number search stands.
pub fn progress_view(progress: &SolverProgress) -> ProofProgress {
    let seconds = progress.elapsed.as_secs_f64().max(1e-3);
    ProofProgress {
        nodes: progress.nodes,
        nps: (progress.nodes as f64 / seconds) as u64,
        time: progress.elapsed.as_millis() as u64,
        depth: progress.depth as u32,
        pn: progress.number.pn,
        dn: progress.number.dn,
    }
}

fn limits(
    context: &Context,
    resources: &SessionResources,
    nodes: u64,
    time: Duration,
) -> ProofLimits {
    let time = resources.longest.map_or(time, |longest| time.min(longest));
    ProofLimits {
        nodes,
        time: Some(time),
        memory: resources.mate_megabytes << 20,
        stop: context.stop.token().flag(),
        time_source: context.clock.clone(),
        ..ProofLimits::default()
    }
}

/// The work of solving a problem.
pub fn solve(
    ask: &SolveMateAsk,
    resources: &SessionResources,
) -> Result<impl FnOnce(&Context) -> TaskOutcome + Send + use<>, Fault> {
    let position = place::position(ask.at.as_ref())?;
    let attacker = ask.attacker.map_or_else(|| attacker_of(&position), Into::into);
    let game = Tsume::new(position, attacker);
    let time = ask.time.map_or(TIME, Duration::from_millis);
    let nodes = ask.nodes.unwrap_or(u64::MAX);
    let (any, resources) = (ask.any.unwrap_or(false), resources.clone());
    Ok(move |context: &Context| {
        let mut settings = MateSettings {
            limits: limits(context, &resources, nodes, time),
            shortest: !any,
            raw: !any,
            largest_proof: LARGEST_PROOF,
            checking: Some(CHECKING),
            refute: true,
            ..MateSettings::default()
        };
        settings.options.threads = resources.threads;
        let mut solver = MateSolver::new(settings);
        let throttle = context.throttle();
        let solution = solver.solve(&game, &mut |progress| {
            if throttle.is_due() {
                (context.emit)(Event::MateProgress(progress_view(progress)));
            }
        });
        let proven = match solution.verdict {
            Verdict::Mate => keep_proof(&game, &solution),
            _ => None,
        };
        let event = mate_event(&game, &solution, proven.as_ref());
        TaskOutcome::Mate(Box::new(event), proven.map(Arc::new))
    })
}

/// The proof of what was just solved.
fn keep_proof(game: &Tsume, solution: &Solution) -> Option<ProvenMate> {
    let Proven { tree, proof, guide } = *solution.proven.clone()?;
    Some(ProvenMate { game: game.clone(), tree, proof, guide, line: solution.line.clone() })
}

fn mate_event(game: &Tsume, solution: &Solution, proven: Option<&ProvenMate>) -> MateEvent {
    let mate = solution.verdict == Verdict::Mate;
    let (verdict, why) = match solution.verdict {
        Verdict::Mate => (MateVerdict::Mate, None),
        Verdict::NoMate => (MateVerdict::NoMate, None),
        Verdict::Unknown(why) => (
            MateVerdict::Unknown,
            Some(match why {
                Why::Limit(reason) => unknown(reason),
                Why::NotVerified => UnknownReason::NotVerified,
                Why::TooLarge => UnknownReason::TooLarge,
                Why::NoKing => UnknownReason::NoKing,
            }),
        ),
    };
    MateEvent {
        sfen: game.position().to_sfen(),
        attacker: game.attacker().into(),
        verdict,
        why,
        length: mate.then_some(solution.high.into()),
        exact: solution.is_exact(),
        raw_length: mate.then_some(solution.raw_length),
        verified: solution.verified,
        line: line_view(game.position(), &solution.line),
        left_in_hand: hand_view(if mate { solution.left_in_hand } else { Hand::EMPTY }),
        proof_nodes: proven.map_or(0, |proven| proven.tree.nodes.len() as u32),
        nodes: solution.nodes,
        time: solution.elapsed.as_millis() as u64,
    }
}

/// The answer where the stack was too small for the search.
pub fn too_deep(ask: &SolveMateAsk) -> Event {
    let Ok(position) = place::position(ask.at.as_ref()) else {
        return Event::Ended(TaskEnded { why: EndedReason::Failed });
    };
    let attacker = ask.attacker.map_or_else(|| attacker_of(&position), Into::into);
    Event::Mate(MateEvent {
        sfen: position.to_sfen(),
        attacker: attacker.into(),
        verdict: MateVerdict::Unknown,
        why: Some(UnknownReason::Memory),
        length: None,
        exact: false,
        raw_length: None,
        verified: false,
        line: Vec::new(),
        left_in_hand: Vec::new(),
        proof_nodes: 0,
        nodes: 0,
        time: 0,
    })
}

impl ProvenMate {
    /// The position after moves from the problem.
    fn position(&self, moves: &[String]) -> Result<(Position, Vec<Move>), Fault> {
        let mut position = self.game.position().clone();
        let mut played = Vec::with_capacity(moves.len());
        for text in moves {
            let mv = illegal::check(&position, text).map_err(|illegal| Fault {
                illegal: Some(illegal),
                ..Fault::new(FaultCode::IllegalMove, format!("{text} is illegal"))
            })?;
            position.play(mv);
            played.push(mv);
        }
        Ok((position, played))
    }

    /// A node of the proof, by the moves that lead to it.
    pub fn node(&self, moves: &[String]) -> Result<MateNodeView, Fault> {
        let (position, played) = self.position(moves)?;
        let mut at = self.tree.root();
        for mv in &played {
            let next = self.tree.nodes[at].moves.iter().find(|(ply, _)| ply.played == *mv);
            at = next.ok_or_else(|| Fault::new(FaultCode::NotInProof, "not in the proof"))?.1
                as usize;
        }
        let node: &ProofNode<Ply, Held> = &self.tree.nodes[at];
        // A piece that the proof gives back to the defender is gone on the board.
        let playable = node.moves.iter().filter(|(ply, _)| position.is_legal(ply.played));
        let mut children: Vec<MateChild> = playable
            .map(|&(ply, to)| MateChild {
                mv: move_view(&position, ply.played),
                length: self.tree.nodes[to as usize].length.into(),
            })
            .collect();
        children.sort_by_key(|child| std::cmp::Reverse(child.length));
        Ok(MateNodeView {
            path: line_view(self.game.position(), &played),
            attacker: position.side_to_move() == self.game.attacker(),
            length: node.length.into(),
            position: position_view(&position, RULE),
            children,
        })
    }

    /// The attacker's move.
    pub fn hint(&self, moves: &[String]) -> Result<MateHintView, Fault> {
        let (position, _) = self.position(moves)?;
        let (mv, left) = self
            .guide
            .step(&position)
            .ok_or_else(|| Fault::new(FaultCode::NotInProof, "the proof has no move here"))?;
        Ok(MateHintView { mv: move_view(&position, mv), left })
    }

    /// The proof as JSON.
    pub fn proof_text(&self) -> Result<String, Fault> {
        serde_json::to_string(&self.proof)
            .map_err(|error| Fault::new(FaultCode::Internal, error.to_string()))
    }

    /// The solution with the defences along it as variations.
    pub fn record(&self) -> yomikiri_shogi::record::Record {
        variations::record(&self.game, &self.tree, &self.line)
    }
}

/// The work of checking a proof with the slow generator.
pub fn check(
    proven: Arc<ProvenMate>,
    resources: &SessionResources,
) -> impl FnOnce(&Context) -> TaskOutcome + Send + use<> {
    let resources = resources.clone();
    move |context| {
        let limits = limits(context, &resources, u64::MAX, TIME);
        let found = verify::verify(&proven.proof, &limits);
        if context.stop.is_stopped() {
            return TaskOutcome::Stopped;
        }
        let event = match found {
            Ok(verified) => MateVerified {
                verified: true,
                positions: verified.positions as u32,
                plies: verified.plies,
                flaw: None,
            },
            Err(flaw) => MateVerified {
                verified: false,
                positions: 0,
                plies: 0,
                flaw: Some(flaw.to_string()),
            },
        };
        TaskOutcome::Event(Box::new(Event::MateVerified(event)))
    }
}
