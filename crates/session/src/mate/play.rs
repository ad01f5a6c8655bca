//! The user moves in a problem, as the attacker or as the defender, and is answered.

use super::{ProvenMate, RULE, limits};
use crate::Resources;
use crate::illegal;
use crate::protocol::{Event, Fault, FaultCode, MatePlayAsk, MateReply, ReplyVerdict};
use crate::task::{Context, TaskOutcome};
use crate::view::{move_view, position_view};
use std::sync::Arc;
use std::time::Duration;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::{MateSettings, MateSolver, Solution, Tsume, Verdict};

/// What one search may use where the user has left the proof.
const NODES: u64 = 300_000;
/// The longest of one search.
const TIME: Duration = Duration::from_secs(3);

/// The work of answering a move of the user.
pub fn reply(
    proven: Arc<ProvenMate>,
    ask: &MatePlayAsk,
    resources: &Resources,
) -> Result<impl FnOnce(&Context) -> TaskOutcome + Send + use<>, Fault> {
    let (position, mut moves) = proven.position(&ask.moves)?;
    let mv = illegal::check(&position, &ask.mv).map_err(|illegal| Fault {
        illegal: Some(illegal),
        ..Fault::new(FaultCode::IllegalMove, format!("{} is illegal", ask.mv))
    })?;
    moves.push(mv);
    let resources = resources.clone();
    Ok(move |context: &Context| {
        let answerer = Answerer { proven: &proven, context, resources: &resources };
        let attacks = position.side_to_move() == proven.game.attacker();
        let checks = position.gives_check(mv);
        let mut after = position;
        after.play(mv);
        let answer = match (attacks, checks) {
            (true, false) => ProofReply::without(ReplyVerdict::NoCheck),
            (true, true) => answerer.defend(&after),
            (false, _) => answerer.attack(&after),
        };
        if context.stop.is_stopped() {
            return TaskOutcome::Stopped;
        }
        TaskOutcome::Event(Box::new(Event::MateReply(answer.view(after, moves))))
    })
}

struct ProofReply {
    verdict: ReplyVerdict,
    reply: Option<Move>,
    left: Option<u32>,
}

impl ProofReply {
    fn without(verdict: ReplyVerdict) -> ProofReply {
        ProofReply { verdict, reply: None, left: None }
    }

    fn view(self, mut position: Position, mut moves: Vec<Move>) -> MateReply {
        let reply = self.reply.map(|mv| {
            let view = move_view(&position, mv);
            position.play(mv);
            moves.push(mv);
            view
        });
        MateReply {
            verdict: self.verdict,
            reply,
            moves: moves.iter().map(ToString::to_string).collect(),
            position: position_view(&position, RULE),
            left: self.left,
        }
    }
}

struct Answerer<'a> {
    proven: &'a ProvenMate,
    context: &'a Context,
    resources: &'a Resources,
}

impl Answerer<'_> {
    fn solve(&self, position: &Position) -> Solution {
        let settings = MateSettings {
            limits: limits(self.context, self.resources, NODES, TIME),
            shortest: false,
            checking: Some(TIME),
            ..MateSettings::default()
        };
        let game = Tsume::new(position.clone(), self.proven.game.attacker());
        MateSolver::new(settings).solve(&game, &mut |_| {})
    }

    /// The user attacks: the defence that refutes the move, or the one that lasts longest.
    fn defend(&self, position: &Position) -> ProofReply {
        let mut position = position.clone();
        let defences = position.legal_moves();
        if defences.is_empty() {
            return ProofReply { left: Some(0), ..ProofReply::without(ReplyVerdict::Solved) };
        }
        let (mut longest, mut open) = (None, None);
        for mv in defences {
            position.play(mv);
            let known = self.proven.guide.step(&position).map(|(_, plies)| plies);
            let left = known.map_or_else(|| self.plies(&position), |plies| Ok(Some(plies)));
            position.undo();
            match left {
                Ok(Some(plies)) if longest.is_none_or(|(_, most)| plies > most) => {
                    longest = Some((mv, plies));
                }
                Ok(Some(_)) => {}
                Ok(None) => open = Some(mv),
                Err(NoMate) => {
                    return ProofReply {
                        reply: Some(mv),
                        ..ProofReply::without(ReplyVerdict::Refuted)
                    };
                }
            }
            if self.context.stop.is_stopped() {
                break;
            }
        }
        match (open, longest) {
            (Some(mv), _) => {
                ProofReply { reply: Some(mv), ..ProofReply::without(ReplyVerdict::Unknown) }
            }
            (None, Some((mv, plies))) => {
                ProofReply { verdict: ReplyVerdict::MateGoesOn, reply: Some(mv), left: Some(plies) }
            }
            (None, None) => ProofReply::without(ReplyVerdict::Unknown),
        }
    }

    /// Plies to mate with the attacker to move, if they are known.
    fn plies(&self, position: &Position) -> Result<Option<u32>, NoMate> {
        let solution = self.solve(position);
        match solution.verdict {
            Verdict::Mate => Ok(Some(solution.raw_length)),
            Verdict::NoMate => Err(NoMate),
            Verdict::Unknown(_) => Ok(None),
        }
    }

    /// The user defends: the attacker's next move.
    fn attack(&self, position: &Position) -> ProofReply {
        let known = self.proven.guide.step(position).or_else(|| {
            let solution = self.solve(position);
            Some((*solution.line.first()?, solution.raw_length))
        });
        let Some((mv, plies)) = known else { return ProofReply::without(ReplyVerdict::Unknown) };
        let mut after = position.clone();
        after.play(mv);
        let verdict = match after.is_mate() {
            true => ReplyVerdict::Solved,
            false => ReplyVerdict::MateGoesOn,
        };
        ProofReply { verdict, reply: Some(mv), left: Some(plies.saturating_sub(1)) }
    }
}

struct NoMate;
