//! Speculative play inside the engine: it acts only where the loss is proven.

mod common;

use common::Listener;
use yomikiri_engine::eval::EvaluationKind;
use yomikiri_engine::speculative::{Choice, Mode, SpeculationReason};
use yomikiri_engine::{Engine, Limits, SearchOutcome, Settings};
use yomikiri_shogi::Position;

fn engine(mode: Mode) -> Engine {
    let mut settings = Settings::with_hash(1);
    settings.game.speculation.mode = mode;
    Engine::new(settings).unwrap()
}

fn think(engine: &mut Engine, position: &Position, nodes: u64) -> (SearchOutcome, Vec<Choice>) {
    let mut listener = Listener::default();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    (engine.think(position, &limits, &mut listener), listener.0)
}

#[test]
fn games_are_the_same_until_a_loss_is_proven() {
    for start in ["startpos", "startpos moves 7g7f 8c8d", "startpos moves 2g2f 3c3d"] {
        let mut position = Position::from_usi(start).unwrap();
        let (mut on, mut off) = (engine(Mode::Both), engine(Mode::Off));
        for _ in 0..30 {
            let (with, said) = think(&mut on, &position, 200);
            let (without, _) = think(&mut off, &position, 200);
            if !said.is_empty() {
                assert!(with.value < -2_000, "{said:?}");
                break;
            }
            assert_eq!((with.best, with.value), (without.best, without.value));
            match without.best {
                Some(best) => {
                    position.play(best);
                }
                None => break,
            }
        }
    }
}

#[test]
fn the_defender_says_what_it_does() {
    let lost = Position::from_sfen("l7k/9/p6+P1/9/9/9/9/9/8K w 2G 1").unwrap();
    let (thought, said) = think(&mut engine(Mode::Defender), &lost, 20_000);
    assert!(thought.best.is_some_and(|best| lost.is_legal(best)));
    assert!(
        said.iter().any(|one| matches!(one.reason, SpeculationReason::HardestMate { .. })),
        "{said:?}"
    );
    let (_, silent) = think(&mut engine(Mode::Attacker), &lost, 20_000);
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn a_weak_level_proves_with_what_the_caller_allows() {
    let lost = Position::from_sfen("4k4/9/9/9/9/9/7+p1/9/8K b Lr2g 1").unwrap();
    let mut settings = Settings::with_hash(1);
    settings.game.speculation.mode = Mode::Both;
    settings.game.level.number = 5;
    // With so few pieces on the board a network knows less.
    settings.resources.evaluation.kind = EvaluationKind::Linear;
    let (thought, said) = think(&mut Engine::new(settings.clone()).unwrap(), &lost, 3_000_000);
    assert!(said.iter().any(|one| one.to_string().contains("no defence")), "{thought:?} {said:?}");
    // The user's own limit binds it.
    settings.game.nodes_limit = 80;
    let (_, silent) = think(&mut Engine::new(settings).unwrap(), &lost, 3_000_000);
    assert!(silent.is_empty(), "{silent:?}");
}

#[test]
fn the_attacker_gives_a_check() {
    let lost = Position::from_sfen("4k4/9/9/9/9/9/7+p1/9/8K b L2g 1").unwrap();
    let (thought, said) = think(&mut engine(Mode::Both), &lost, 200_000);
    assert!(thought.best.is_some_and(|best| lost.gives_check(best)), "{thought:?}");
    assert!(said.iter().any(|one| one.to_string().contains("no defence")), "{said:?}");
}

#[test]
fn moves_that_were_asked_for_are_kept() {
    let lost = Position::from_sfen("l7k/9/p6+P1/9/9/9/9/9/8K w 2G 1").unwrap();
    let moves = lost.legal_moves();
    assert!(moves.len() > 1);
    for &asked in moves.iter() {
        let mut listener = Listener::default();
        let limits = Limits { nodes: Some(20_000), search_moves: vec![asked], ..Limits::default() };
        let thought = engine(Mode::Both).think(&lost, &limits, &mut listener);
        assert_eq!(thought.best, Some(asked));
        assert!(listener.0.is_empty(), "{:?}", listener.0);
    }
}
