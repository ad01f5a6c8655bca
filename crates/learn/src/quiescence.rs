//! A small quiescence search for measuring and learning: captures and promotions that do not
//! lose material, and every move out of check, until nothing is hanging. It gives the line to the
//! position whose value it returns.

use yomikiri_engine::eval::Evaluation;
use yomikiri_engine::value::{INFINITE, Value, mated_in};
use yomikiri_shogi::movegen::{NonPromotions, Which};
use yomikiri_shogi::{Move, MoveList, Position};

/// Plies after which a position is taken as it stands.
pub const DEPTH: usize = 8;

/// The moves from the root to the position that was valued.
#[derive(Clone, Copy, Debug)]
pub struct QuietLine {
    moves: [Option<Move>; DEPTH],
}

impl QuietLine {
    /// No move at all.
    pub const EMPTY: QuietLine = QuietLine { moves: [None; DEPTH] };

    /// The moves in their order.
    pub fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.into_iter().map_while(|mv| mv)
    }

    fn set(&mut self, first: Move, rest: &QuietLine) {
        self.moves[0] = Some(first);
        self.moves[1..].copy_from_slice(&rest.moves[..DEPTH - 1]);
    }
}

/// The value for the side to move, exact within the window (fail-soft). The evaluation has
/// followed the position.
pub fn quiescence<E: Evaluation>(
    position: &mut Position,
    eval: &mut E,
    alpha: Value,
    beta: Value,
    ply: usize,
    line: &mut QuietLine,
) -> Value {
    *line = QuietLine::EMPTY;
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
    if !position.has_legal_move() {
        return mated_in(ply);
    }
    let mut rest = QuietLine::EMPTY;
    for mv in worthwhile(position, in_check) {
        let change = position.play(mv);
        eval.push(position, &change);
        let value = -quiescence(position, eval, -beta, -alpha, ply + 1, &mut rest);
        eval.pop();
        position.undo();
        if value > best {
            best = value;
            line.set(mv, &rest);
            alpha = alpha.max(value);
            if value >= beta {
                break;
            }
        }
    }
    best
}

/// The moves to try, those that win most first.
fn worthwhile(position: &Position, in_check: bool) -> impl Iterator<Item = Move> + use<> {
    let mut moves = MoveList::new();
    let which = if in_check { Which::All } else { Which::Captures };
    position.generate(which, NonPromotions::Useful, &mut moves);
    let mut list: Vec<(i32, Move)> = moves
        .into_iter()
        .map(|mv| (position.exchange_value(mv), mv))
        .filter(|&(gain, _)| in_check || gain > 0)
        .collect();
    list.sort_by_key(|&(gain, _)| core::cmp::Reverse(gain));
    list.into_iter().map(|(_, mv)| mv)
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
        for mv in worthwhile(position, in_check) {
            let change = position.play(mv);
            eval.push(position, &change);
            best = best.max(-plain(position, eval, ply + 1));
            eval.pop();
            position.undo();
        }
        best
    }

    /// The value at the end of a line, for the side to move at its beginning.
    fn at_the_end(position: &Position, line: &QuietLine) -> Value {
        let (mut position, mut plies) = (position.clone(), 0);
        for mv in line.moves() {
            assert!(position.is_legal(mv));
            position.play(mv);
            plies += 1;
        }
        let mut eval = Material::default();
        eval.reset(&position);
        let value = if position.is_mate() { mated_in(plies) } else { eval.evaluate(&position) };
        if plies % 2 == 0 { value } else { -value }
    }

    #[test]
    fn the_window_does_not_change_the_value() {
        let mut random = fastrand::Rng::with_seed(31);
        let mut compared = 0;
        for _ in 0..6 {
            let mut position = Position::start();
            for ply in 0..60 {
                let Some(mv) = random.choice(position.legal_moves()) else { break };
                position.play(mv);
                if ply % 10 == 9 {
                    let mut eval = Material::default();
                    eval.reset(&position);
                    let slow = plain(&mut position, &mut eval, 0);
                    let mut line = QuietLine::EMPTY;
                    let fast =
                        quiescence(&mut position, &mut eval, -INFINITE, INFINITE, 0, &mut line);
                    assert_eq!(fast, slow, "{}", position.to_sfen());
                    assert_eq!(at_the_end(&position, &line), fast, "{}", position.to_sfen());
                    compared += 1;
                }
            }
        }
        assert!(compared > 20);
    }
}
