//! The attacker's hand as a stock: dominance, proof pieces and disproof pieces (Nagai 2002).
//!
//! All pieces that are neither on the board nor in the attacker's hand are in the defender's, so
//! the board and the attacker's hand make the position. A mate with fewer pieces is a mate with
//! more: the attacker has every move he had, and the defender has fewer pieces to interpose. (A
//! pawn dropped for mate stays what it is: nothing can be interposed against it, so no hand changes
//! whether it is mate.)

use yomikiri_proof::game::Stock;
use yomikiri_shogi::{Bitboard, Color, Hand, Kind, Move, Origin, Piece, Position, attacks};

/// The attacker's hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held(pub Hand);

impl Stock for Held {
    #[inline]
    fn to_bits(self) -> u32 {
        self.0.bits()
    }
    #[inline]
    fn from_bits(bits: u32) -> Self {
        Self(Hand::from_bits(bits))
    }
    #[inline]
    fn covers(self, other: Self) -> bool {
        self.0.dominates(other.0)
    }
    #[inline]
    fn join(self, other: Self) -> Self {
        if self.0.dominates(other.0) {
            self
        } else if other.0.dominates(self.0) {
            other
        } else {
            Self(self.0.join(other.0))
        }
    }
    #[inline]
    fn meet(self, other: Self) -> Self {
        if self.0.dominates(other.0) {
            other
        } else if other.0.dominates(self.0) {
            self
        } else {
            Self(self.0.meet(other.0))
        }
    }
}

/// `hand` with the count of `kind` set to `count`.
fn set(hand: Hand, kind: Kind, count: u8) -> Hand {
    hand.with_count(kind, count).unwrap_or(hand)
}

/// The unpromoted kind of the piece that `mv` takes.
#[must_use]
pub fn captured(position: &Position, mv: Move) -> Option<Kind> {
    if mv.is_drop() {
        return None;
    }
    position.piece_on(mv.to()).map(|piece| piece.kind().unpromoted())
}

/// Proof pieces before an attacker's move that needs `after`, and disproof pieces before one that
/// leads to `after` at most. A capture that gains nothing is none.
#[must_use]
pub fn before_attack(position: &Position, mv: Move, gains: bool, after: Hand) -> Hand {
    match mv.origin() {
        Origin::Hand(kind) => after.with_count(kind, after.count(kind) + 1).unwrap_or(after),
        Origin::Board(_) => match captured(position, mv) {
            Some(kind) if gains => set(after, kind, after.count(kind).saturating_sub(1)),
            _ => after,
        },
    }
}

/// Disproof pieces before a defender's move: a piece he drops, the attacker must not hold.
#[must_use]
pub fn before_defence(position: &Position, attacker: Color, mv: Move, after: Hand) -> Hand {
    let Origin::Hand(kind) = mv.origin() else { return after };
    let all = position.hand(attacker).count(kind) + position.hand(!attacker).count(kind);
    set(after, kind, after.count(kind).min(all - 1))
}

/// Adds to the proof pieces what the attacker must hold lest the defender have it to interpose.
#[must_use]
pub fn close_proof(position: &Position, attacker: Color, needed: Hand) -> Hand {
    let mut needed = needed;
    if !could_interpose(position, attacker) {
        return needed;
    }
    let (own, others) = (position.hand(attacker), position.hand(!attacker));
    for (kind, count) in own.iter() {
        if !others.has(kind) {
            needed = set(needed, kind, count);
        }
    }
    needed
}

/// Whether the check on the defender's king leaves an empty square in between. Without a check any
/// piece may be dropped anywhere.
fn could_interpose(position: &Position, attacker: Color) -> bool {
    let checkers = position.checkers();
    match (checkers.first(), position.king(!attacker)) {
        (Some(checker), Some(king)) => {
            !checkers.is_several() && attacks::between(king, checker).is_any()
        }
        _ => true,
    }
}

/// The pieces of both hands in one.
#[must_use]
pub fn all_in_hand(position: &Position) -> Hand {
    let [black, white] = Color::ALL.map(|color| position.hand(color));
    let both = |kind| black.count(kind) + white.count(kind);
    Kind::HAND.iter().fold(Hand::EMPTY, |all, &kind| set(all, kind, both(kind)))
}

/// Takes from the disproof pieces every kind of which the attacker has none and with which he could
/// give check.
#[must_use]
pub fn close_disproof(position: &Position, attacker: Color, allowed: Option<Hand>) -> Hand {
    let own = position.hand(attacker);
    let mut allowed = allowed.unwrap_or_else(|| all_in_hand(position));
    let Some(king) = position.king(!attacker) else { return own };
    let empty = !position.occupied();
    for (kind, _) in allowed.iter() {
        if own.has(kind) {
            continue;
        }
        let from = attacks::attacks(Piece::new(kind, !attacker), king, position.occupied());
        if (from & empty) != Bitboard::EMPTY {
            allowed = set(allowed, kind, 0);
        }
    }
    allowed
}
