//! A small quiescence search for measuring and learning: captures and promotions that do not
//! lose material, and every move out of check, until nothing is hanging.

use yomikiri_engine::eval::Evaluation;
use yomikiri_engine::value::{INFINITE, Value, mated_in};
use yomikiri_shogi::{Move, MoveList, Position};

/// Plies after which a position is taken as it stands.
pub const DEPTH: usize = 8;

/// The value for the side to move, exact within the window (fail-soft). The evaluation has
/// followed the position.
pub fn quiescence<E: Evaluation>(
    position: &mut Position,
    eval: &mut E,
    alpha: Value,
    beta: Value,
    ply: usize,
) -> Value {
    let in_check = position.in_check();
    let (mut best, mut alpha) = (-INFINITE, alpha);
    if !in_check || ply >= DEPTH {
        best = eval.evaluate(position);
        if best >= beta || ply >= DEPTH {
            let mated = in_check && !position.has_legal_move();
            return if mated { mated_in(ply) } else { best };
        }
        alpha = alpha.max(best);
    }
    let moves = position.legal_moves();
    if moves.is_empty() {
        return mated_in(ply);
    }
    for played in worthwhile(position, moves, in_check) {
        position.play_observed(played, eval);
        let value = -quiescence(position, eval, -beta, -alpha, ply + 1);
        position.undo_observed(eval);
        if value > best {
            best = value;
            alpha = alpha.max(value);
            if value >= beta {
                break;
            }
        }
    }
    best
}

/// The moves to try, those that win most first.
fn worthwhile(position: &Position, moves: MoveList, in_check: bool) -> Vec<Move> {
    let mut list: Vec<(i32, Move)> = moves
        .into_iter()
        .filter(|&played| {
            in_check || position.piece_on(played.to()).is_some() || played.is_promotion()
        })
        .map(|played| (position.exchange_value(played), played))
        .filter(|&(gain, _)| in_check || gain > 0)
        .collect();
    list.sort_by_key(|&(gain, _)| core::cmp::Reverse(gain));
    list.into_iter().map(|(_, played)| played).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_engine::eval::material::Material;

    /// The same search without a window.
    fn plain(position: &mut Position, eval: &mut Material, ply: usize) -> Value {
        let in_check = position.in_check();
        if ply >= DEPTH {
            let mated = in_check && !position.has_legal_move();
            return if mated { mated_in(ply) } else { eval.evaluate(position) };
        }
        let mut best = if in_check { mated_in(ply) } else { eval.evaluate(position) };
        if position.legal_moves().is_empty() {
            return mated_in(ply);
        }
        for played in worthwhile(position, position.legal_moves(), in_check) {
            position.play_observed(played, eval);
            best = best.max(-plain(position, eval, ply + 1));
            position.undo_observed(eval);
        }
        best
    }

    #[test]
    fn the_window_does_not_change_the_value() {
        let mut random = fastrand::Rng::with_seed(31);
        let mut compared = 0;
        for _ in 0..6 {
            let mut position = Position::start();
            for ply in 0..60 {
                let Some(played) = random.choice(position.legal_moves()) else { break };
                position.play(played);
                if ply % 10 == 9 {
                    let mut eval = Material::default();
                    eval.refresh(&position);
                    let slow = plain(&mut position, &mut eval, 0);
                    let fast = quiescence(&mut position, &mut eval, -INFINITE, INFINITE, 0);
                    assert_eq!(fast, slow, "{}", position.to_sfen());
                    compared += 1;
                }
            }
        }
        assert!(compared > 20);
    }
}
