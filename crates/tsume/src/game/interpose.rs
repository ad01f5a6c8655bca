//! Interpositions that convention does not count (無駄合). The rule is in `docs/decisions/0003`.
//!
//! After an interposition that looks useless the attacker gets one more choice: to take it with the
//! checking piece, give the captured piece back, and have neither ply counted.

use yomikiri_shogi::{Color, Kind, Move, Position, Square, attacks};

/// The sliding piece that alone checks the side to move from a distance.
#[must_use]
pub fn distant_checker(position: &Position) -> Option<Square> {
    let checkers = position.checkers();
    let checker = checkers.first()?;
    let king = position.king(position.side_to_move())?;
    (!checkers.is_several() && attacks::between(king, checker).is_any()).then_some(checker)
}

/// Whether `played`, a legal answer to the check from `checker`, interposes and looks useless: once
/// the checker has taken it, nothing can take back. What is pinned cannot.
#[must_use]
pub fn looks_useless(position: &Position, checker: Square, played: Move) -> bool {
    let defender = position.side_to_move();
    let Some(king) = position.king(defender) else { return false };
    if !attacks::between(king, checker).has(played.to()) {
        return false;
    }
    if played.from() == Some(king) {
        return false;
    }
    !can_take_back(position, defender, king, checker, played)
}

fn can_take_back(
    position: &Position,
    defender: Color,
    king: Square,
    checker: Square,
    played: Move,
) -> bool {
    use yomikiri_shogi::Bitboard;
    let to = played.to();
    let mut occupied = position.occupied().without(Bitboard::of(checker)) | Bitboard::of(to);
    let mut gone = Bitboard::of(checker);
    if let Some(from) = played.from() {
        occupied = occupied.without(Bitboard::of(from));
        gone |= Bitboard::of(from);
    }
    let takers = position.attackers(to, defender, occupied).without(gone);
    // Who takes leaves his square; what stands on `to` is gone then.
    let exposes = |taker: Square| {
        let without_taker = occupied.without(Bitboard::of(taker));
        let attackers = position.attackers(king, !defender, without_taker);
        attackers.without(gone | Bitboard::of(to)).is_any()
    };
    if takers.without(Bitboard::of(king)).into_iter().any(|taker| !exposes(taker)) {
        return true;
    }
    takers.has(king) && position.attackers(to, !defender, occupied).without(gone).is_empty()
}

/// The kind that goes back to the defender when `played` is not counted.
#[must_use]
pub fn given_back(position: &Position, played: Move) -> Option<Kind> {
    crate::game::dominance::captured(position, played)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the defender can take back by the laws; `None` if the checker cannot take at all.
    fn slow(position: &Position, checker: Square, mv: Move) -> Option<bool> {
        let mut position = position.clone();
        position.play(mv);
        let takes = position.legal_moves();
        let take = takes.into_iter().find(|t| t.from() == Some(checker) && t.to() == mv.to())?;
        position.play(take);
        Some(position.legal_moves().into_iter().any(|back| back.to() == mv.to()))
    }

    #[test]
    fn what_looks_useless_cannot_be_taken_back_by_the_laws() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut useless, mut real) = (0, 0);
        for _ in 0..400 {
            let mut position = Position::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                // Checks and long moves are worth more here.
                let checks: Vec<Move> =
                    moves.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
                let mv = match checks.is_empty() {
                    false => checks[random.usize(..checks.len())],
                    true => moves[random.usize(..moves.len())],
                };
                position.play(mv);
                let Some(checker) = distant_checker(&position) else { continue };
                let king = position.king(position.side_to_move()).expect("in check");
                for mv in position.legal_moves() {
                    let between = attacks::between(king, checker).has(mv.to());
                    if !between || mv.from() == Some(king) {
                        continue;
                    }
                    if let Some(back) = slow(&position, checker, mv) {
                        let said = looks_useless(&position, checker, mv);
                        assert_eq!(said, !back, "{} {mv}", position.to_sfen());
                        useless += usize::from(said);
                        real += usize::from(!said);
                    }
                }
            }
        }
        assert!(useless > 100 && real > 100, "{useless} useless, {real} real");
    }
}
