//! What every evaluation must keep to, as one test that each of them runs.
//!
//! Along seeded random games, with looks ahead as a search makes them: following the board gives
//! the same value as looking at the position anew, taking back restores the value, a null move
//! and its taking back change nothing on the board, the turned board with colours swapped has the
//! same value for the side to move, and values stay within the limit.

use crate::Evaluation;
use crate::value::EVAL_LIMIT;
use fastrand::Rng;
use yomikiri_shogi::{Color, Piece, Position, Square};

/// Games that are played, and the most plies of each.
const GAMES: usize = 30;
const PLIES: usize = 250;

/// Runs all checks.
///
/// # Panics
/// If the evaluation breaks a rule; the message says which, and where.
pub fn check<E: Evaluation>(eval: &E) {
    let mut random = Rng::with_seed(0x5EED);
    for _ in 0..GAMES {
        check_game(eval, &mut random);
    }
}

fn fresh<E: Evaluation>(eval: &E, position: &Position) -> i32 {
    let mut eval = eval.clone();
    eval.reset(position);
    eval.evaluate(position)
}

fn check_game<E: Evaluation>(eval: &E, random: &mut Rng) {
    let mut position = Position::start();
    let mut followed = eval.clone();
    followed.reset(&position);
    for _ in 0..PLIES {
        let Some(mv) = random.choice(position.legal_moves()) else { break };
        // With or without a value in between, lazy updates must come to the same.
        if random.bool() {
            check_value(eval, &mut followed, &position);
        }
        look_ahead(eval, &mut followed, &mut position, random, 3);
        let change = position.play(mv);
        followed.push(&position, &change);
    }
    check_value(eval, &mut followed, &position);
}

fn check_value<E: Evaluation>(eval: &E, followed: &mut E, position: &Position) {
    let value = fresh(eval, position);
    assert_eq!(followed.evaluate(position), value, "followed differs from fresh: {position:?}");
    assert!(value.abs() <= EVAL_LIMIT, "beyond the limit: {position:?}");
    assert_eq!(fresh(eval, &turned(position)), value, "not symmetric: {position:?}");
}

/// Plays some moves or null moves and takes them back.
fn look_ahead<E: Evaluation>(
    eval: &E,
    followed: &mut E,
    position: &mut Position,
    random: &mut Rng,
    depth: usize,
) {
    if depth == 0 {
        return;
    }
    if !position.in_check() && random.u8(..4) == 0 {
        position.pass();
        followed.push_null(position);
        look_ahead(eval, followed, position, random, depth - 1);
        followed.pop();
        position.undo_pass();
    } else if let Some(mv) = random.choice(position.legal_moves()) {
        let change = position.play(mv);
        followed.push(position, &change);
        if random.bool() {
            check_value(eval, followed, position);
        }
        look_ahead(eval, followed, position, random, depth - 1);
        followed.pop();
        position.undo();
    }
    if random.u8(..4) == 0 {
        check_value(eval, followed, position);
    }
}

/// The position with the board turned by half and all colours swapped.
fn turned(position: &Position) -> Position {
    let mut other = Position::empty();
    for square in Square::all() {
        let piece = position.piece_on(square);
        other.put(square.rotated(), piece.map(|it| Piece::new(it.kind(), !it.color())));
    }
    for color in Color::ALL {
        other.set_hand(!color, position.hand(color));
    }
    other.set_side_to_move(!position.side_to_move());
    other.set_move_number(position.move_number());
    other
}
