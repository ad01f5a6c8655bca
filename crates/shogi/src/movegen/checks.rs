//! Moves that give check: directly, by discovery, and by drops.

use super::{Generator, Kinds, Sink, Targets, Which};
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Kind, Piece, Square};
use core::ops::ControlFlow;

/// From where each kind of piece would give check to a king.
struct CheckSquares {
    king: Square,
    by_kind: [Bitboard; 16],
    /// The attacker's pieces that discover a check by leaving their line.
    discoverers: Bitboard,
}

impl CheckSquares {
    #[inline]
    fn new(position: &Position, attacker: Color, king: Square) -> CheckSquares {
        let occupied = position.occupied();
        let defender = !attacker;
        // A piece hits the king from where the king's own piece of that kind would hit it.
        let steps = |kind| attacks::step_attacks(Piece::new(kind, defender), king);
        let diagonal = attacks::bishop_attacks(king, occupied);
        let orthogonal = attacks::rook_attacks(king, occupied);
        let ray = attacks::empty_board_attacks(Piece::new(Kind::Lance, defender), king);
        let gold = steps(Kind::Gold);
        let mut by_kind = [Bitboard::EMPTY; 16];
        by_kind[Kind::Pawn.index()] = steps(Kind::Pawn);
        by_kind[Kind::Lance.index()] = orthogonal & ray;
        by_kind[Kind::Knight.index()] = steps(Kind::Knight);
        by_kind[Kind::Silver.index()] = steps(Kind::Silver);
        by_kind[Kind::Bishop.index()] = diagonal;
        by_kind[Kind::Rook.index()] = orthogonal;
        by_kind[Kind::Gold.index()] = gold;
        by_kind[Kind::ProPawn.index()] = gold;
        by_kind[Kind::ProLance.index()] = gold;
        by_kind[Kind::ProKnight.index()] = gold;
        by_kind[Kind::ProSilver.index()] = gold;
        by_kind[Kind::Horse.index()] = diagonal | steps(Kind::King);
        by_kind[Kind::Dragon.index()] = orthogonal | steps(Kind::King);
        let discoverers = position.shields(defender) & position.color(attacker);
        CheckSquares { king, by_kind, discoverers }
    }

    /// Where a piece of the kind gives check directly, by staying and by promoting.
    #[inline]
    fn direct(&self, kind: Kind) -> (Bitboard, Bitboard) {
        let promoted = kind.promoted().map_or(Bitboard::EMPTY, |kind| self.by_kind[kind.index()]);
        (self.by_kind[kind.index()], promoted)
    }
}

impl Generator<'_> {
    pub(super) fn check_moves<S: Sink>(&self, sink: &mut S) -> ControlFlow<()> {
        let Some(enemy_king) = self.position.king(!self.us) else {
            return ControlFlow::Continue(());
        };
        let squares = CheckSquares::new(self.position, self.us, enemy_king);
        let (king_targets, targets) = self.targets(Which::All);
        if let Some(targets) = targets {
            let direct = self.own.without(self.pinned).without(squares.discoverers);
            for kind in
                [Kind::Pawn, Kind::Lance, Kind::Knight, Kind::Silver, Kind::Bishop, Kind::Rook]
            {
                self.direct_checks(kind, direct, &squares, &targets, sink)?;
            }
            self.gold_checks(direct, &squares, &targets, sink)?;
            for kind in [Kind::Horse, Kind::Dragon] {
                self.direct_checks(kind, direct, &squares, &targets, sink)?;
            }
            let special =
                (self.pinned | squares.discoverers).without(self.position.kind(Kind::King));
            for from in special {
                self.special_checks(from, &squares, &targets, sink)?;
            }
            self.drop_checks(&squares, targets.drops, sink)?;
        }
        if let Some(king) = self.king.filter(|&king| squares.discoverers.has(king)) {
            let off = king_targets.without(attacks::line_through(enemy_king, king));
            self.king_moves(off, sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Checks by the arrival of pieces that are neither pinned nor shield the enemy's king.
    #[inline]
    fn direct_checks<S: Sink>(
        &self,
        kind: Kind,
        free: Bitboard,
        squares: &CheckSquares,
        targets: &Targets,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let piece = Piece::new(kind, self.us);
        // Most pieces stand too far away, and need no closer look.
        let near = self.position.kind(kind) & free & attacks::check_origins(piece, squares.king);
        if near.is_empty() {
            return ControlFlow::Continue(());
        }
        let (stay_checks, promote_checks) = squares.direct(kind);
        let narrowed = Targets {
            stay: targets.stay & stay_checks,
            promote: targets.promote & promote_checks,
            ..*targets
        };
        for from in near {
            let reached = attacks::attacks(piece, from, self.occupied);
            let (stay, promote) = self.split(kind, from, reached, &narrowed);
            if (stay | promote).is_any() {
                sink.moves(from, stay, promote)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The same of all that move as a gold, kind by kind if there is any.
    #[inline]
    fn gold_checks<S: Sink>(
        &self,
        free: Bitboard,
        squares: &CheckSquares,
        targets: &Targets,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let gold = Piece::new(Kind::Gold, self.us);
        let free = free & attacks::check_origins(gold, squares.king);
        if (self.position.gold_movers() & free).is_any() {
            for kind in
                [Kind::Gold, Kind::ProPawn, Kind::ProLance, Kind::ProKnight, Kind::ProSilver]
            {
                self.direct_checks(kind, free, squares, targets, sink)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Checks by a piece that is pinned, shields the enemy's king, or both.
    fn special_checks<S: Sink>(
        &self,
        from: Square,
        squares: &CheckSquares,
        targets: &Targets,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let Some(piece) = self.position.piece_on(from) else {
            return ControlFlow::Continue(());
        };
        let mut reached = attacks::attacks(piece, from, self.occupied);
        if let Some(king) = self.king.filter(|_| self.pinned.has(from)) {
            if self.position.in_check() {
                return ControlFlow::Continue(());
            }
            reached &= attacks::line_through(king, from);
        }
        let discovering = if squares.discoverers.has(from) {
            reached.without(attacks::line_through(squares.king, from))
        } else {
            Bitboard::EMPTY
        };
        let (stay_checks, promote_checks) = squares.direct(piece.kind());
        let narrowed = Targets {
            stay: targets.stay & (stay_checks | discovering),
            promote: targets.promote & (promote_checks | discovering),
            ..*targets
        };
        let (stay, promote) = self.split(piece.kind(), from, reached, &narrowed);
        sink.moves(from, stay, promote)
    }

    #[inline]
    fn drop_checks<S: Sink>(
        &self,
        squares: &CheckSquares,
        to: Bitboard,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let hand = self.position.hand(self.us);
        for (kind, _) in hand.iter() {
            let on = to & squares.by_kind[kind.index()];
            if on.is_empty() {
                continue;
            }
            let on = match kind {
                Kind::Pawn => self.pawn_drops(on),
                // A lance or knight that gives check can move on: to the king.
                _ => on,
            };
            sink.drops(Kinds::held(hand, &[kind]), on)?;
        }
        ControlFlow::Continue(())
    }
}
