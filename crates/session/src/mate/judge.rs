//! The composer's verdict on a problem.

use super::{TIME, limits, progress_view};
use crate::protocol::{
    CompositionView, Event, FactsView, Fault, FaultView, JudgeAsk, MoveView, OpenView,
};
use crate::task::{Context, TaskOutcome};
use crate::view::{line_view, move_view};
use crate::{SessionResources, place};
use serde::Serialize;
use std::time::Duration;
use yomikiri_shogi::{Move, Position};
use yomikiri_tsume::judge::{self, Facts, JudgeSettings, Judged};
use yomikiri_tsume::{MateSettings, Tsume, attacker_of};

/// The work of judging a problem.
pub fn judge(
    ask: &JudgeAsk,
    resources: &SessionResources,
) -> Result<impl FnOnce(&Context) -> TaskOutcome + Send + use<>, Fault> {
    let position = place::position(ask.at.as_ref())?;
    let attacker = ask.attacker.map_or_else(|| attacker_of(&position), Into::into);
    let game = Tsume::new(position, attacker);
    let time = ask.time.map_or(TIME, Duration::from_millis);
    let nodes = ask.nodes.unwrap_or(u64::MAX);
    let (useless, resources) = (ask.useless.unwrap_or(false), resources.clone());
    Ok(move |context: &Context| {
        let mut solve = MateSettings {
            limits: limits(context, &resources, nodes, time),
            shortest: true,
            raw: true,
            refute: true,
            ..MateSettings::default()
        };
        solve.options.threads = resources.threads;
        let settings = JudgeSettings { solve, useless, ..JudgeSettings::default() };
        let throttle = context.throttle();
        let judged = judge::judge(&game, None, &settings, &mut |progress| {
            if throttle.is_due() {
                (context.emit)(Event::MateProgress(progress_view(progress)));
            }
        });
        if context.stop.is_stopped() {
            return TaskOutcome::Stopped;
        }
        TaskOutcome::Event(Box::new(Event::Judgement(view(&game, &judged))))
    })
}

fn view(game: &Tsume, Judged { solution, judgement }: &Judged) -> CompositionView {
    let line: Vec<Move> = judgement.main_line.iter().filter_map(|mv| mv.parse().ok()).collect();
    let faults = judgement.faults.iter().map(|fault| FaultView {
        kind: fault.kind.id().to_string(),
        minor: fault.minor,
        ply: fault.ply as u32,
        sfen: fault.sfen.clone(),
        mv: move_in(&fault.sfen, fault.play.as_deref()),
        length: fault.length.map(u32::from),
        proof: fault.proof.as_ref().map(|proof| proof.positions() as u32),
    });
    let open = judgement.open.iter().map(|open| OpenView {
        what: name(&open.what),
        ply: open.ply as u32,
        sfen: open.sfen.clone(),
        mv: move_in(&open.sfen, open.play.as_deref()),
    });
    CompositionView {
        sfen: game.position().to_sfen(),
        ruling: judgement.verdict.id().to_string(),
        line: line_view(game.position(), &line),
        faults: faults.collect(),
        open: open.collect(),
        facts: facts_view(&judgement.facts),
        nodes: solution.nodes,
        time: solution.elapsed.as_millis() as u64,
    }
}

fn facts_view(facts: &Facts) -> FactsView {
    let plies = |plies: &[usize]| plies.iter().map(|&ply| ply as u32).collect();
    FactsView {
        plies: facts.plies as u32,
        pieces: facts.pieces as u32,
        both_kings: facts.both_kings,
        pawn_drop_mates: plies(&facts.pawn_drop_mates),
        declined_promotions: plies(&facts.declined_promotions),
        forms: facts.forms.iter().map(name).collect(),
    }
}

fn move_in(sfen: &str, mv: Option<&str>) -> Option<MoveView> {
    let position = Position::from_problem_sfen(sfen).ok()?;
    Some(move_view(&position, mv?.parse().ok()?))
}

/// The name that a plain variant has in JSON.
fn name(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}
