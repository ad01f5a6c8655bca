//! Moves of the pieces on the board, the king's apart.

use super::{Generator, MoveSink, NonPromotions, Targets};
use crate::attacks;
use crate::types::{Bitboard, Color, Kind, Piece, Square};
use core::ops::ControlFlow;

/// The squares where each kind may stand unpromoted after a move, by colour and by whether the
/// pointless non-promotions are wanted.
static MAY_STAY: [[[Bitboard; 16]; 2]; 2] = {
    let mut table = [[[Bitboard::ALL; 16]; 2]; 2];
    let mut policy = 0;
    while policy < 2 {
        let mut color = 0;
        while color < 2 {
            let us = Color::ALL[color];
            table[policy][color][Kind::Pawn.index()] =
                outside(Bitboard::far_ranks(us, if policy == 0 { 3 } else { 1 }));
            table[policy][color][Kind::Lance.index()] =
                outside(Bitboard::far_ranks(us, if policy == 0 { 2 } else { 1 }));
            table[policy][color][Kind::Knight.index()] = outside(Bitboard::far_ranks(us, 2));
            color += 1;
        }
        policy += 1;
    }
    table
};

const fn outside(set: Bitboard) -> Bitboard {
    Bitboard::ALL.without(set)
}

impl Generator<'_> {
    /// The destinations of a piece, without and with promotion, out of those it attacks.
    #[inline]
    pub(super) fn split(
        &self,
        kind: Kind,
        from: Square,
        reached: Bitboard,
        targets: &Targets,
    ) -> (Bitboard, Bitboard) {
        let stay = reached & targets.stay;
        if kind.promoted().is_none() {
            return (stay, Bitboard::EMPTY);
        }
        let zone = Bitboard::promotion_zone(self.us);
        let promoting = if zone.has(from) { reached } else { reached & zone };
        let stay = match (kind, self.non_promotions) {
            (Kind::Bishop | Kind::Rook, NonPromotions::Useful) => stay.without(promoting),
            _ => stay & MAY_STAY[self.non_promotions as usize][self.us.index()][kind.index()],
        };
        (stay, promoting & targets.promote)
    }

    #[inline]
    pub(super) fn board_moves<S: MoveSink>(
        &self,
        targets: &Targets,
        sink: &mut S,
    ) -> ControlFlow<()> {
        self.pawn_moves(targets, sink)?;
        let free = self.own.without(self.pinned);
        self.moves_of(Kind::Lance, free, targets, sink)?;
        self.moves_of(Kind::Knight, free, targets, sink)?;
        self.moves_of(Kind::Silver, free, targets, sink)?;
        self.moves_of(Kind::Bishop, free, targets, sink)?;
        self.moves_of(Kind::Rook, free, targets, sink)?;
        self.gold_moves(free, targets, sink)?;
        self.moves_of(Kind::Horse, free, targets, sink)?;
        self.moves_of(Kind::Dragon, free, targets, sink)?;
        // In check a pinned piece can neither capture the checker nor step in between.
        if self.pinned.is_any() && !self.position.in_check() {
            self.pinned_moves(targets, sink)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawn_moves<S: MoveSink>(&self, targets: &Targets, sink: &mut S) -> ControlFlow<()> {
        let pawns = (self.position.kind(Kind::Pawn) & self.own).without(self.pinned);
        let reached = pawns.forward(self.us);
        let may_stay = MAY_STAY[self.non_promotions as usize][self.us.index()][Kind::Pawn.index()];
        let promote = reached & targets.promote & Bitboard::promotion_zone(self.us);
        sink.pawns(self.us, reached & targets.stay & may_stay, promote)
    }

    #[inline(always)]
    fn moves_of<S: MoveSink>(
        &self,
        kind: Kind,
        free: Bitboard,
        targets: &Targets,
        sink: &mut S,
    ) -> ControlFlow<()> {
        for from in self.position.kind(kind) & free {
            let reached = attacks::attacks_of(Piece::new(kind, self.us), from, self.occupied);
            let (stay, promote) = self.split(kind, from, reached, targets);
            sink.moves(from, stay, promote)?;
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn gold_moves<S: MoveSink>(
        &self,
        free: Bitboard,
        targets: &Targets,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let gold = Piece::new(Kind::Gold, self.us);
        for from in self.position.gold_movers() & free {
            let reached = attacks::step_attacks(gold, from);
            sink.moves(from, reached & targets.stay, Bitboard::EMPTY)?;
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn pinned_moves<S: MoveSink>(&self, targets: &Targets, sink: &mut S) -> ControlFlow<()> {
        let Some(king) = self.king else { return ControlFlow::Continue(()) };
        for from in self.pinned {
            let Some(piece) = self.position.piece_on(from) else { continue };
            let line = attacks::line_through(king, from);
            let reached = attacks::attacks(piece, from, self.occupied) & line;
            let (stay, promote) = self.split(piece.kind(), from, reached, targets);
            sink.moves(from, stay, promote)?;
        }
        ControlFlow::Continue(())
    }
}
