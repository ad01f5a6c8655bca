//! Interpositions that look useless, found by the laws alone (`docs/decisions/0003`).
//!
//! This is the rule of [`crate::game::interpose`] written a second time for the check of
//! certificates: rays are walked square by square, and who can take back is asked of the legal
//! moves.

use yomikiri_shogi::{Color, Kind, Move, Piece, Square};

use super::walk::Rules;

/// The eight directions from a king.
const DIRECTIONS: [(i8, i8); 8] =
    [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

fn king<R: Rules>(rules: &R, color: Color) -> Option<Square> {
    Square::all().find(|&square| rules.piece(square) == Some(Piece::new(Kind::King, color)))
}

/// Whether a piece slides on a line that leads from the king to it, `(files, ranks)` a step.
fn slides_against(piece: Piece, (files, ranks): (i8, i8)) -> bool {
    let orthogonal = files == 0 || ranks == 0;
    match piece.kind() {
        Kind::Rook | Kind::Dragon => orthogonal,
        Kind::Bishop | Kind::Horse => !orthogonal,
        // A lance moves towards lower ranks if it is black, so it stands below the king.
        Kind::Lance => files == 0 && ranks == if piece.color() == Color::Black { 1 } else { -1 },
        _ => false,
    }
}

/// The first piece from a square in a direction, and the empty squares before it.
fn ray<R: Rules>(
    rules: &R,
    from: Square,
    (files, ranks): (i8, i8),
) -> (Vec<Square>, Option<Square>) {
    let (mut empty, mut at) = (Vec::new(), from);
    while let Some(next) = at.offset(files, ranks) {
        if rules.piece(next).is_some() {
            return (empty, Some(next));
        }
        empty.push(next);
        at = next;
    }
    (empty, None)
}

/// The sliding piece of the other side whose open line to the king of the side to move `answer`, a
/// legal move, closes.
fn interposes<R: Rules>(rules: &R, answer: Move) -> Option<Square> {
    let side = rules.side();
    let king = king(rules, side)?;
    if answer.from() == Some(king) {
        return None;
    }
    DIRECTIONS.into_iter().find_map(|direction| {
        let (empty, first) = ray(rules, king, direction);
        let first = first.filter(|_| empty.contains(&answer.to()))?;
        let piece = rules.piece(first).filter(|piece| piece.color() != side)?;
        slides_against(piece, direction).then_some(first)
    })
}

/// The square of the piece that alone stands between `checker` and the king of `side`.
pub(super) fn blocker<R: Rules>(rules: &R, side: Color, checker: Square) -> Option<Square> {
    let king = king(rules, side)?;
    DIRECTIONS.into_iter().find_map(|direction| {
        let blocker = ray(rules, king, direction).1?;
        (ray(rules, blocker, direction).1 == Some(checker)).then_some(blocker)
    })
}

/// The checker against which `answer`, a legal move, interposes, if that looks useless: the checker
/// can take, and nothing can take back.
pub(super) fn looks_useless<R: Rules>(rules: &mut R, answer: Move) -> Option<Square> {
    let checker = interposes(rules, answer)?;
    let to = answer.to();
    rules.play(answer);
    let takes = rules.legal_moves();
    let take = takes.into_iter().find(|mv| mv.from() == Some(checker) && mv.to() == to);
    let useless = take.is_some_and(|take| {
        rules.play(take);
        let taken_back = rules.legal_moves().iter().any(|mv| mv.to() == to);
        rules.undo();
        !taken_back
    });
    rules.undo();
    useless.then_some(checker)
}

#[cfg(test)]
mod tests {
    use super::super::walk::Reference;
    use super::*;
    use crate::game::interpose;
    use yomikiri_shogi::Position;

    #[test]
    fn both_forms_of_the_rule_agree_along_random_games() {
        let mut random = fastrand::Rng::with_seed(11);
        let (mut useless, mut real) = (0, 0);
        for _ in 0..60 {
            let mut position = Position::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                let checks: Vec<Move> =
                    moves.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
                let choice: &[Move] = if checks.is_empty() { &moves } else { &checks };
                if choice.is_empty() {
                    break;
                }
                position.play(choice[random.usize(..choice.len())]);
                let Some(checker) = interpose::distant_checker(&position) else { continue };
                let mut rules = Reference::new(&position);
                for mv in position.legal_moves() {
                    let slow = looks_useless(&mut rules, mv);
                    let mut after = position.clone();
                    after.play(mv);
                    let can_take = after
                        .legal_moves()
                        .into_iter()
                        .any(|take| take.from() == Some(checker) && take.to() == mv.to());
                    let fast = can_take && interpose::looks_useless(&position, checker, mv);
                    assert_eq!(slow, fast.then_some(checker), "{} {mv}", position.to_sfen());
                    useless += usize::from(fast);
                    real += usize::from(!fast);
                    if fast {
                        let between = blocker(&after, position.side_to_move(), checker);
                        assert_eq!(between, Some(mv.to()));
                    }
                }
            }
        }
        assert!(useless > 30 && real > 100, "{useless} useless, {real} real");
    }
}
