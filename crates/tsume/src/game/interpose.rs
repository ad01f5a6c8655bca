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
/// the checker has taken it, nothing can take back.
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
    if takers.without(Bitboard::of(king)).is_any() {
        return true;
    }
    takers.has(king) && position.attackers(to, !defender, occupied).without(gone).is_empty()
}

/// The kind that goes back to the defender when `played` is not counted.
#[must_use]
pub fn given_back(position: &Position, played: Move) -> Option<Kind> {
    crate::game::dominance::captured(position, played)
}
