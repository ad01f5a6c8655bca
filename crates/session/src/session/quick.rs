//! What is answered at once.

use super::Session;
use crate::protocol::{
    Answer, Ask, Fault, FaultCode, LineView, MateNodeAsk, PictureView, Tried, WriteMateAsk,
};
use crate::view::{line_view, move_view, position_view};
use crate::{analysis, capture, collections, illegal, place, records};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use yomikiri_render::{Picture, draw};
use yomikiri_shogi::{Color, EnteringKingRule, Move};

/// Most moves of a line.
const LONGEST_LINE: usize = 2_000;

impl Session {
    pub(super) fn quick(&self, ask: &Ask) -> Result<Answer, Fault> {
        Ok(match ask {
            Ask::Position(ask) => {
                let position = place::position(ask.at.as_ref())?;
                Answer::Position(position_view(&position, place::rule(ask.rule.as_deref())?))
            }
            Ask::TryMove(ask) => try_move(ask)?,
            Ask::Edit(ask) => {
                let position = place::edited(ask)?;
                Answer::Position(position_view(&position, EnteringKingRule::CsaRule27))
            }
            Ask::Line(ask) => line(ask)?,
            Ask::Picture(ask) => {
                let position = &place::position(ask.at.as_ref())?;
                let flipped = ask.flipped.unwrap_or(false);
                Answer::Picture(PictureView { svg: draw(&Picture { position, flipped }) })
            }
            Ask::ReadRecord(ask) => Answer::Records(records::read_records(ask)?),
            Ask::WriteRecord(ask) => Answer::File(records::write_record(ask)?),
            Ask::Explain(ask) => {
                let position = place::position(ask.at.as_ref())?;
                if Color::ALL.iter().any(|&side| position.king(side).is_none()) {
                    let message = "the evaluation needs both kings";
                    return Err(Fault::new(FaultCode::BadPosition, message));
                }
                Answer::Explanation(analysis::explain(&position))
            }
            Ask::MateNode(MateNodeAsk { moves }) => Answer::MateNode(self.proof()?.node(moves)?),
            Ask::MateHint(MateNodeAsk { moves }) => Answer::MateHint(self.proof()?.hint(moves)?),
            Ask::WriteMate(ask) => self.write_mate(ask)?,
            Ask::Collections => Answer::Collections(collections::list()),
            Ask::Problem(ask) => Answer::Problem(collections::problem(ask)?),
            Ask::ReadGo(ask) => Answer::GoBoard(capture::read(ask)?),
            Ask::PlayGo(ask) => Answer::GoBoard(capture::play(ask)?),
            Ask::GoCandidates(ask) => Answer::GoCandidates(capture::candidates(ask)?),
            Ask::Laboratory => Answer::Laboratory(self.laboratory()?.view()),
            _ => return Err(Fault::new(FaultCode::Internal, "nobody answers this")),
        })
    }

    fn write_mate(&self, ask: &WriteMateAsk) -> Result<Answer, Fault> {
        let proven = self.proof()?;
        if ask.format != "proof" {
            return Ok(Answer::File(records::write(&proven.record(), &ask.format, "mate")?));
        }
        let text = proven.proof_text()?;
        Ok(Answer::File(crate::protocol::FileView {
            name: "proof.json".into(),
            mime: "application/json".into(),
            base64: STANDARD.encode(&text),
            text,
        }))
    }
}

fn try_move(ask: &crate::protocol::TryMoveAsk) -> Result<Answer, Fault> {
    let mut position = place::position(ask.at.as_ref())?;
    Ok(Answer::Tried(match illegal::check(&position, &ask.mv) {
        Err(illegal) => Tried { mv: None, after: None, illegal: Some(illegal) },
        Ok(mv) => {
            let view = move_view(&position, mv);
            position.play(mv);
            let after = position_view(&position, EnteringKingRule::CsaRule27);
            Tried { mv: Some(view), after: Some(after), illegal: None }
        }
    }))
}

fn line(ask: &crate::protocol::LineAsk) -> Result<Answer, Fault> {
    let mut position = place::position(ask.at.as_ref())?;
    if ask.moves.len() > LONGEST_LINE {
        return Err(Fault::new(FaultCode::TooLarge, format!("more than {LONGEST_LINE} moves")));
    }
    let moves: Vec<Move> = ask.moves.iter().map_while(|text| text.parse().ok()).collect();
    let views = line_view(&position, &moves);
    let sfens = moves.iter().take(views.len()).map(|&mv| {
        position.play(mv);
        position.to_sfen()
    });
    let sfens = sfens.collect();
    Ok(Answer::Line(LineView { moves: views, sfens }))
}
