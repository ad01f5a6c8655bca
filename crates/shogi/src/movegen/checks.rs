//! Moves that give check: directly, by discovery, and by drops.

use super::{Generator, Kinds, MoveSink, Targets, Which};
use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Kind, Piece, Square};
use core::ops::ControlFlow;

/// From where each kind of piece would give check to a king.
struct CheckSquares {
    king: Square,
    pawn: Bitboard,
    lance: Bitboard,
    knight: Bitboard,
    silver: Bitboard,
    gold: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
    /// The king's neighbours, for horse and dragon.
    near: Bitboard,
    /// The attacker's pieces that discover a check by leaving their line.
    discoverers: Bitboard,
}

impl CheckSquares {
    #[inline]
    fn new(
        position: &Position,
        attacker: Color,
        king: Square,
        discoverers: Bitboard,
    ) -> CheckSquares {
        let occupied = position.occupied();
        let defender = !attacker;
        // A piece hits the king from where the king's own piece of that kind would hit it.
        let steps = |kind| attacks::step_attacks(Piece::new(kind, defender), king);
        let orthogonal = attacks::rook_attacks(king, occupied);
        let ray = attacks::empty_board_attacks(Piece::new(Kind::Lance, defender), king);
        CheckSquares {
            king,
            pawn: steps(Kind::Pawn),
            lance: orthogonal & ray,
            knight: steps(Kind::Knight),
            silver: steps(Kind::Silver),
            gold: steps(Kind::Gold),
            diagonal: attacks::bishop_attacks(king, occupied),
            orthogonal,
            near: steps(Kind::King),
            discoverers,
        }
    }

    /// Where a piece of the kind gives check by standing there.
    #[inline]
    fn by(&self, kind: Kind) -> Bitboard {
        match kind {
            Kind::Pawn => self.pawn,
            Kind::Lance => self.lance,
            Kind::Knight => self.knight,
            Kind::Silver => self.silver,
            Kind::Bishop => self.diagonal,
            Kind::Rook => self.orthogonal,
            Kind::King => Bitboard::EMPTY,
            Kind::Horse => self.diagonal | self.near,
            Kind::Dragon => self.orthogonal | self.near,
            _ => self.gold,
        }
    }

    /// Where a piece of the kind gives check directly, by staying and by promoting.
    #[inline]
    fn direct(&self, kind: Kind) -> (Bitboard, Bitboard) {
        let promoted = kind.promoted().map_or(Bitboard::EMPTY, |kind| self.by(kind));
        (self.by(kind), promoted)
    }
}

impl Generator<'_> {
    pub(super) fn check_moves<S: MoveSink>(mut self, sink: &mut S) -> ControlFlow<()> {
        let Some(enemy_king) = self.position.king(!self.us) else {
            return ControlFlow::Continue(());
        };
        let near = self.may_check(enemy_king);
        let discoverers = self.position.shields(!self.us) & self.own;
        if (near | discoverers).is_empty() && self.position.hand(self.us).is_empty() {
            return ControlFlow::Continue(());
        }
        self.pinned = self.position.pinned(self.us);
        let squares = CheckSquares::new(self.position, self.us, enemy_king, discoverers);
        let (king_targets, targets) = self.targets(Which::All);
        if let Some(targets) = targets {
            let direct = near.without(self.pinned | discoverers);
            let mut kinds = self.kinds_on(direct);
            while let Some(kind) = Kind::from_index(kinds.trailing_zeros() as usize) {
                kinds &= kinds - 1;
                self.direct_checks(kind, direct, &squares, &targets, sink)?;
            }
            let special =
                ((self.pinned & near) | discoverers).without(self.position.kind(Kind::King));
            for from in special {
                self.special_checks(from, &squares, &targets, sink)?;
            }
            self.drop_checks(&squares, targets.drops, sink)?;
        }
        if let Some(king) = self.king.filter(|&king| discoverers.has(king)) {
            let off = king_targets.without(attacks::line_through(enemy_king, king));
            self.king_moves(off, sink)?;
        }
        ControlFlow::Continue(())
    }

    /// Our pieces that stand where they could give check by their own next move on an empty board.
    /// Most stand too far away, and need no closer look.
    #[inline]
    fn may_check(&self, enemy_king: Square) -> Bitboard {
        let from = |kind| attacks::check_origins(Piece::new(kind, self.us), enemy_king);
        let of = |kind| self.position.kind(kind) & from(kind);
        let steppers = of(Kind::Pawn) | of(Kind::Lance) | of(Kind::Knight) | of(Kind::Silver);
        let sliders = of(Kind::Bishop) | of(Kind::Rook) | of(Kind::Horse) | of(Kind::Dragon);
        let golds = self.position.gold_movers() & from(Kind::Gold);
        (steppers | sliders | golds) & self.own
    }

    /// The kinds of the pieces on the squares, as a set of their indices.
    #[inline]
    fn kinds_on(&self, squares: Bitboard) -> u32 {
        let of =
            |square| self.position.piece_on(square).map_or(0, |piece| 1 << piece.kind().index());
        squares.iter().fold(0, |kinds, square| kinds | of(square))
    }

    /// Checks by the arrival of pieces that are neither pinned nor shield the enemy's king.
    #[inline]
    fn direct_checks<S: MoveSink>(
        &self,
        kind: Kind,
        near: Bitboard,
        squares: &CheckSquares,
        targets: &Targets,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let near = self.position.kind(kind) & near;
        let (stay_checks, promote_checks) = squares.direct(kind);
        let narrowed = Targets {
            stay: targets.stay & stay_checks,
            promote: targets.promote & promote_checks,
            ..*targets
        };
        for from in near {
            let reached = attacks::attacks(Piece::new(kind, self.us), from, self.occupied);
            let (stay, promote) = self.split(kind, from, reached, &narrowed);
            if (stay | promote).is_any() {
                sink.moves(from, stay, promote)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Checks by a piece that is pinned, shields the enemy's king, or both.
    fn special_checks<S: MoveSink>(
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
    fn drop_checks<S: MoveSink>(
        &self,
        squares: &CheckSquares,
        to: Bitboard,
        sink: &mut S,
    ) -> ControlFlow<()> {
        let hand = self.position.hand(self.us);
        if hand.is_empty() {
            return ControlFlow::Continue(());
        }
        let pawns = to & squares.pawn;
        if hand.has(Kind::Pawn) && pawns.is_any() {
            sink.drops(Kinds::held(hand, &[Kind::Pawn]), self.pawn_drops(pawns))?;
        }
        // A lance or knight that gives check can move on: to the king.
        self.drop_check(Kind::Lance, to & squares.lance, sink)?;
        self.drop_check(Kind::Knight, to & squares.knight, sink)?;
        self.drop_check(Kind::Silver, to & squares.silver, sink)?;
        self.drop_check(Kind::Gold, to & squares.gold, sink)?;
        self.drop_check(Kind::Bishop, to & squares.diagonal, sink)?;
        self.drop_check(Kind::Rook, to & squares.orthogonal, sink)
    }

    /// Drops of one kind; where it is named, asking the hand costs next to nothing.
    #[inline(always)]
    fn drop_check<S: MoveSink>(&self, kind: Kind, to: Bitboard, sink: &mut S) -> ControlFlow<()> {
        let hand = self.position.hand(self.us);
        if hand.has(kind) && to.is_any() {
            sink.drops(Kinds::held(hand, &[kind]), to)?;
        }
        ControlFlow::Continue(())
    }
}
