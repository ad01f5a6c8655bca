//! The user moves in a problem, as the attacker or as the defender, and is answered.

use super::{ProvenMate, RULE, limits};
use crate::SessionResources;
use crate::illegal;
use crate::protocol::{Event, Fault, FaultCode, MatePlayAsk, MateReply, ReplyVerdict};
use crate::task::{Context, TaskOutcome};
use crate::view::{move_view, position_view};
use std::sync::Arc;
use std::time::Duration;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::MateSettings;
use yomikiri_tsume::practice::{Practice, PracticeReply, PracticeVerdict};

/// What one search may use where the user has left the proof.
const NODES: u64 = 300_000;
/// The longest of one search.
const TIME: Duration = Duration::from_secs(3);

/// The work of answering a move of the user.
pub fn reply(
    proven: Arc<ProvenMate>,
    ask: &MatePlayAsk,
    resources: &SessionResources,
) -> Result<impl FnOnce(&Context) -> TaskOutcome + Send + use<>, Fault> {
    let (position, mut moves) = proven.position(&ask.moves)?;
    let mv = illegal::check(&position, &ask.mv).map_err(|illegal| Fault {
        illegal: Some(illegal),
        ..Fault::new(FaultCode::IllegalMove, format!("{} is illegal", ask.mv))
    })?;
    moves.push(mv);
    let resources = resources.clone();
    Ok(move |context: &Context| {
        let settings = MateSettings {
            limits: limits(context, &resources, NODES, TIME),
            shortest: false,
            checking: Some(TIME),
            ..MateSettings::default()
        };
        let practice = Practice { game: &proven.game, guide: &proven.guide, settings };
        let answer = practice.answer(&position, mv);
        if context.stop.is_stopped() {
            return TaskOutcome::Stopped;
        }
        let mut after = position;
        after.play(mv);
        TaskOutcome::Event(Box::new(Event::MateReply(view(answer, after, moves))))
    })
}

impl From<PracticeVerdict> for ReplyVerdict {
    fn from(verdict: PracticeVerdict) -> ReplyVerdict {
        match verdict {
            PracticeVerdict::Solved => ReplyVerdict::Solved,
            PracticeVerdict::MateGoesOn => ReplyVerdict::MateGoesOn,
            PracticeVerdict::Refuted => ReplyVerdict::Refuted,
            PracticeVerdict::NoCheck => ReplyVerdict::NoCheck,
            PracticeVerdict::Unknown => ReplyVerdict::Unknown,
        }
    }
}

fn view(answer: PracticeReply, mut position: Position, mut moves: Vec<Move>) -> MateReply {
    let reply = answer.reply.map(|mv| {
        let view = move_view(&position, mv);
        position.play(mv);
        moves.push(mv);
        view
    });
    MateReply {
        verdict: answer.verdict.into(),
        reply,
        moves: moves.iter().map(ToString::to_string).collect(),
        position: position_view(&position, RULE),
        left: answer.left,
    }
}
