//! The engine at work: moves and hints in a game, and what they are worth.

use crate::game::{EngineDecision, SessionGame, Terms};
use crate::protocol::{BoundView, Event, HintEvent, ShareView, SpeculativeView, ValueView};
use crate::task::{Context, TaskOutcome};
use crate::view::line_view;
use crate::{SessionResources, protocol};
use std::time::Duration;
use yomikiri_engine::eval::value::{MATE, Value, is_mate};
use yomikiri_engine::speculative::formula::Share;
use yomikiri_engine::speculative::{Choice, Mode, SpeculationReason};
use yomikiri_engine::strength::Level;
use yomikiri_engine::tt::Bound;
use yomikiri_engine::{Control, Engine, Limits, SearchEvent, SearchOutcome, Settings};
use yomikiri_shogi::{Color, Position};

/// Centipawns of a mate, as viewers expect it.
const MATE_VALUE: i32 = 30_000;
/// Centipawns that make the odds e to 1: a winning rate of 0.73.
const SCALE: f64 = 600.0;
/// Below this the game is given up; beginners play on to the end.
const RESIGN_VALUE: i32 = 3_000;
const FIRST_TO_RESIGN: u8 = 7;
/// A hint needs no more than this, however long the engine may think about its own moves.
const HINT_NODES: u64 = 1_000_000;

/// A value of the side to move, as black sees it.
pub fn value_view(value: Value, bound: Bound, side: Color) -> ValueView {
    let mate = is_mate(value).then(|| (MATE - value.abs()) as u32);
    let centipawns = match mate {
        Some(_) => MATE_VALUE * value.signum(),
        None => value.clamp(1 - MATE_VALUE, MATE_VALUE - 1),
    };
    let (sign, bound) = match (side, bound) {
        (Color::Black, bound) => (1, bound),
        (Color::White, Bound::Upper) => (-1, Bound::Lower),
        (Color::White, Bound::Lower) => (-1, Bound::Upper),
        (Color::White, bound) => (-1, bound),
    };
    let centipawns = sign * centipawns;
    ValueView {
        centipawns,
        mate,
        winning_rate: winning_rate(centipawns),
        bound: match bound {
            Bound::Upper => BoundView::AtMost,
            Bound::Lower => BoundView::AtLeast,
            Bound::Exact | Bound::None => BoundView::Exact,
        },
    }
}

/// The chance to win by a logistic curve; a mate is certain.
fn winning_rate(centipawns: i32) -> f64 {
    match centipawns {
        MATE_VALUE => 1.0,
        value if value == -MATE_VALUE => 0.0,
        value => 1.0 / (1.0 + libm::exp(-f64::from(value) / SCALE)),
    }
}

/// The engine's settings for a person at the same machine.
pub fn settings(resources: &SessionResources) -> Settings {
    let mut settings = Settings::with_hash(resources.hash_megabytes);
    settings.resources.threads = resources.threads;
    // Nobody waits for a network.
    settings.game.time.network_delay = Duration::ZERO;
    settings.game.time.network_delay2 = Duration::from_millis(50);
    settings
}

/// Thinks until the limits are met or the task is stopped.
pub fn think(
    engine: &mut Engine,
    context: &Context,
    position: &Position,
    limits: &Limits,
    on_event: &mut (dyn FnMut(&SearchEvent) + Send),
) -> SearchOutcome {
    let control = Control::new(&context.clock, false, context.stop.token().child());
    let control = std::sync::Arc::new(control);
    yomikiri_engine::on_deep_stack(|stack| {
        engine.set_stack(stack);
        engine.run_controlled(position, limits, &control, on_event)
    })
}

fn share(share: Share) -> ShareView {
    ShareView { mated: share.mated, all: share.all }
}

fn speculative_view(choice: &Choice) -> SpeculativeView {
    match &choice.reason {
        SpeculationReason::HardestMate { moves, nodes, length }
        | SpeculationReason::HiddenMate { moves, nodes, length, .. } => {
            SpeculativeView::HardestMate { moves: *moves as u32, nodes: *nodes, length: *length }
        }
        SpeculationReason::HardestCheck { checks, formula, answers } => {
            SpeculativeView::HardestCheck {
                checks: *checks as u32,
                formula: formula.to_string(),
                escapes: share(answers.escapes),
                recaptures: share(answers.recaptures),
                blocks: share(answers.blocks),
            }
        }
        SpeculationReason::Parry { nodes, threatened } => {
            SpeculativeView::Quiet { threatens: false, nodes: *nodes, threatened: *threatened }
        }
        SpeculationReason::CounterThreat { nodes, threatened } => {
            SpeculativeView::Quiet { threatens: true, nodes: *nodes, threatened: *threatened }
        }
    }
}

fn opponent(terms: &Terms, resources: &SessionResources) -> Settings {
    let resigns = terms.level >= FIRST_TO_RESIGN;
    let mut settings = settings(resources);
    settings.game.level = Level { number: terms.level, seed: terms.seed };
    // What restrains a level must not depend on the machine.
    if settings.game.level.restraint().is_some() {
        settings.resources.threads = 1;
    }
    if resigns {
        settings.game.resign_value = RESIGN_VALUE;
    }
    settings.game.rules.entering_king = terms.rule;
    if terms.speculative {
        settings.game.speculation.mode = Mode::Both;
    }
    settings
}

/// The work of the engine's move in a game.
pub fn engine_move(
    game: &SessionGame,
    resources: &SessionResources,
) -> impl FnOnce(&Context) -> TaskOutcome + Send + use<> {
    let settings = opponent(game.terms(), resources);
    let position = game.position().clone();
    let clocks = game.clock().map(crate::clock::SessionClock::for_engine);
    let move_time = Some(game.terms().think).filter(|_| clocks.is_none());
    let limits = Limits { clocks, move_time, ..Limits::default() };
    move |context| {
        let Ok(mut engine) = Engine::new(settings) else { return TaskOutcome::Failed };
        let mut choice = None;
        let thought = think(&mut engine, context, &position, &limits, &mut |event| {
            if let SearchEvent::Speculation(found) = event {
                choice = Some(found.clone());
            }
        });
        if context.stop.is_stopped() {
            return TaskOutcome::Stopped;
        }
        TaskOutcome::Engine(match thought.best {
            _ if thought.declares => EngineDecision::Declare,
            Some(mv) => EngineDecision::Move(mv, choice.as_ref().map(speculative_view)),
            None => EngineDecision::Resign,
        })
    }
}

/// The work of a hint.
pub fn hint(
    game: &SessionGame,
    resources: &SessionResources,
) -> impl FnOnce(&Context) -> TaskOutcome + Send + use<> {
    let mut settings = settings(resources);
    settings.game.rules.entering_king = game.terms().rule;
    let position = game.position().clone();
    let limits = Limits {
        move_time: Some(game.terms().think),
        nodes: Some(HINT_NODES),
        ..Limits::default()
    };
    move |context| {
        let Ok(mut engine) = Engine::new(settings) else { return TaskOutcome::Failed };
        let thought = think(&mut engine, context, &position, &limits, &mut |_| {});
        if context.stop.is_stopped() {
            return TaskOutcome::Stopped;
        }
        let line = match (thought.best, thought.lines.first()) {
            (Some(best), Some(line)) if line.line.first() == Some(&best) => line.line.clone(),
            (best, _) => best.into_iter().collect(),
        };
        let event: protocol::HintEvent = HintEvent {
            sfen: position.to_sfen(),
            moves: line_view(&position, &line),
            value: value_view(thought.value, Bound::Exact, position.side_to_move()),
            declare: thought.declares,
        };
        TaskOutcome::Event(Box::new(Event::Hint(event)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_seen_by_black() {
        let black = value_view(300, Bound::Lower, Color::Black);
        let white = value_view(300, Bound::Lower, Color::White);
        assert_eq!((black.centipawns, white.centipawns), (300, -300));
        assert_eq!((black.bound, white.bound), (BoundView::AtLeast, BoundView::AtMost));
        assert!((black.winning_rate + white.winning_rate - 1.0).abs() < 1e-12);
        assert!((black.winning_rate - 0.6225).abs() < 1e-4);
    }

    #[test]
    fn mates_carry_their_plies_and_are_certain() {
        let value = yomikiri_engine::eval::value::mate_in(5);
        let view = value_view(value, Bound::Exact, Color::White);
        assert_eq!((view.centipawns, view.mate, view.winning_rate), (-30_000, Some(5), 0.0));
        let view = value_view(-value, Bound::Exact, Color::White);
        assert_eq!((view.centipawns, view.mate, view.winning_rate), (30_000, Some(5), 1.0));
    }
}
