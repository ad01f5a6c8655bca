//! The answers to a check as sets of squares, for callers that count them and make no moves.

use super::{Generator, Kinds, MoveSink, NonPromotions};
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Square};
use core::ops::ControlFlow;

/// The answers to a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evasions {
    /// Where the king can go.
    pub flights: Bitboard,
    /// The other pieces that can take the checker.
    pub takers: Bitboard,
    /// Squares between the checker and the king to which a piece can move.
    pub blocks: Bitboard,
    /// Squares between them on which a piece can be dropped.
    pub drops: Bitboard,
    /// Squares between them that some piece reaches, be it pinned or the king.
    pub guarded: Bitboard,
    /// Every piece that reaches the only checker, be it pinned or the king.
    pub facing: Bitboard,
}

/// Gathers the squares of drops.
struct DropSquares(Bitboard);

impl MoveSink for DropSquares {
    fn moves(&mut self, _: Square, _: Bitboard, _: Bitboard) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn pawns(&mut self, _: Color, _: Bitboard, _: Bitboard) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[inline]
    fn drops(&mut self, kinds: Kinds, to: Bitboard) -> ControlFlow<()> {
        if !kinds.is_empty() {
            self.0 |= to;
        }
        ControlFlow::Continue(())
    }
}

impl Position {
    /// The answers to the check that the side to move is in. A piece reaches an empty square if and
    /// only if it attacks it, so only the squares that matter are asked, not every piece.
    pub fn evasions(&self) -> Evasions {
        debug_assert!(self.in_check());
        let us = self.side_to_move();
        let Some(king) = self.king(us) else { return Evasions::default() };
        let flights = attacks::king_attacks(king)
            .without(self.color(us))
            .without(self.attacks_near_king(us, king));
        let checkers = self.checkers();
        let alone = Evasions { flights, ..Evasions::default() };
        let Some(checker) = checkers.first().filter(|_| !checkers.is_several()) else {
            return alone;
        };
        // In check a pinned piece can neither capture the checker nor step in between.
        let bound = self.pinned(us) | Bitboard::of(king);
        let reaching = |square| self.attackers(square, us, self.occupied());
        let facing = reaching(checker);
        let takers = facing.without(bound);
        let line = attacks::between(king, checker);
        if line.is_empty() {
            return Evasions { takers, facing, ..alone };
        }
        let (mut blocks, mut guarded) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for square in line {
            let reaching = reaching(square);
            if reaching.is_any() {
                guarded |= Bitboard::of(square);
            }
            if reaching.without(bound).is_any() {
                blocks |= Bitboard::of(square);
            }
        }
        let mut dropped = DropSquares(Bitboard::EMPTY);
        let _ = Generator::before_pins(self, NonPromotions::All).drops(line, &mut dropped);
        Evasions { flights, takers, blocks, drops: dropped.0, guarded, facing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Move;

    /// The same sets from the list of legal moves.
    fn slowly(position: &Position) -> Evasions {
        let king = position.king(position.side_to_move());
        let side = position.side_to_move();
        let mut found = Evasions::default();
        if let (Some(king), Some(checker), false) =
            (king, position.checkers().first(), position.checkers().is_several())
        {
            let line = attacks::between(king, checker).iter();
            found.guarded = line.filter(|&square| position.is_attacked(square, side)).collect();
            found.facing = position.attackers(checker, side, position.occupied());
        }
        for mv in position.legal_moves() {
            let to = Bitboard::of(mv.to());
            match mv.from() {
                None => found.drops |= to,
                from if from == king => found.flights |= to,
                Some(from) if position.checkers().has(mv.to()) => {
                    found.takers |= Bitboard::of(from);
                }
                Some(_) => found.blocks |= to,
            }
        }
        found
    }

    #[test]
    fn the_sets_are_those_of_the_legal_moves() {
        let mut random = fastrand::Rng::with_seed(4);
        let mut compared = 0;
        for _ in 0..300 {
            let mut position = Position::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                let checks: Vec<Move> =
                    moves.iter().copied().filter(|&mv| position.gives_check(mv)).collect();
                let choice: &[Move] = if checks.is_empty() { &moves } else { &checks };
                if choice.is_empty() {
                    break;
                }
                position.play(choice[random.usize(..choice.len())]);
                if position.in_check() {
                    assert_eq!(position.evasions(), slowly(&position), "{}", position.to_sfen());
                    compared += 1;
                }
            }
        }
        assert!(compared > 2000, "{compared}");
    }
}
