//! Whole games with speculative play and without, at fixed nodes and one thread: they are the same
//! up to the first move that it chooses, it chooses only where the loss is proven, and no game that
//! was won without it changes its result.
//!
//! A few games by default; all of them by
//! `YOMIKIRI_SPECULATIVE_GAMES=500 YOMIKIRI_SPECULATIVE_NODES=2000 cargo test --release -p
//! yomikiri-engine
//! --test speculative_games -- --nocapture`.

mod common;

use common::Listener;
use std::path::Path;
use yomikiri_base::StopToken;
use yomikiri_engine::speculative::{Mode, ProofBudget, defender, hunt};
use yomikiri_engine::{Engine, Limits, Settings};
use yomikiri_shogi::{Color, Move, Position};

/// A finished game.
struct Game {
    moves: Vec<Move>,
    winner: Option<Color>,
    triggers: Vec<Trigger>,
}

/// A move that was chosen speculatively.
struct Trigger {
    /// The moves before it.
    ply: usize,
    position: Position,
    /// Whether it was chosen where only checks are left.
    attacks: bool,
}

/// Moves after which a game is drawn.
const MOST: usize = 320;

fn engine(mode: Mode) -> Engine {
    let mut settings = Settings::with_hash(1);
    settings.game.speculation.mode = mode;
    Engine::new(settings).unwrap()
}

/// Plays `side` with the first engine, the other with the second.
fn play(opening: &str, side: Color, engines: &mut [Engine; 2], nodes: u64) -> Game {
    let mut position = Position::from_usi(opening).unwrap();
    engines.iter_mut().for_each(Engine::new_game);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut game = Game { moves: Vec::new(), winner: None, triggers: Vec::new() };
    while game.moves.len() < MOST {
        let mut listener = Listener::default();
        let mover = position.side_to_move();
        let thought = engines[usize::from(mover != side)].think(&position, &limits, &mut listener);
        if thought.declares {
            game.winner = Some(mover);
            break;
        }
        let Some(best) = thought.best else {
            game.winner = Some(!mover);
            break;
        };
        if !listener.0.is_empty() {
            assert_eq!(mover, side, "{:?}", listener.0);
            let attacks = listener.0.iter().any(|one| one.to_string().contains("no defence"));
            let (ply, position) = (game.moves.len(), position.clone());
            game.triggers.push(Trigger { ply, position, attacks });
        }
        position.play(best);
        game.moves.push(best);
    }
    game
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Whether a loss can be proven again, by a budget of its own.
fn is_proven_lost(position: &Position) -> bool {
    let budget = || ProofBudget::new(3_000_000, None, StopToken::new(), true);
    defender::candidates(position, &mut budget()).is_some()
        || hunt::is_lost(position, &mut budget())
}

#[test]
fn games_differ_only_from_a_proven_loss_on() {
    let games = number("YOMIKIRI_SPECULATIVE_GAMES", 4);
    let nodes = number("YOMIKIRI_SPECULATIVE_NODES", 300);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/openings.sfen");
    let text = std::fs::read_to_string(path).unwrap();
    let openings: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut with = [engine(Mode::Both), engine(Mode::Off)];
    let mut without = [engine(Mode::Off), engine(Mode::Off)];
    let (mut triggered, mut moves, mut checks, mut won, mut changed) = (0, 0, 0, 0, 0);
    for number in 0..games {
        let opening = openings[number as usize / 2 % openings.len()];
        let side = if number % 2 == 0 { Color::Black } else { Color::White };
        let off = play(opening, side, &mut without, nodes);
        let on = play(opening, side, &mut with, nodes);
        let same = on.triggers.first().map_or(off.moves.len().max(on.moves.len()), |one| one.ply);
        let first = |game: &Game| game.moves.iter().take(same).copied().collect::<Vec<_>>();
        assert_eq!(first(&off), first(&on), "game {number}: {opening}");
        for Trigger { position, attacks, .. } in &on.triggers {
            checks += u64::from(*attacks);
            assert!(is_proven_lost(position), "game {number}: {}", position.to_sfen());
        }
        triggered += u64::from(!on.triggers.is_empty());
        moves += on.triggers.len();
        if on.triggers.is_empty() {
            assert_eq!(off.winner, on.winner, "game {number}");
        }
        changed += u64::from(off.winner != on.winner);
        if off.winner == Some(side) {
            won += 1;
            assert_eq!(on.winner, Some(side), "game {number}: {opening}");
        }
        println!(
            "{} games at {nodes} nodes: {triggered} triggered, {moves} moves chosen, {checks} of them where only checks are \
             left; {won} won without, {changed} other results",
            number + 1
        );
    }
}
