//! The pieces a player holds.

use super::Kind;
use core::fmt;

/// A hand, packed into one word: each kind has a field with one spare bit above it, so that
/// comparing two hands kind by kind is one subtraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

/// Where each kind's field begins; index by kind. Pawns need five bits, the small pieces three,
/// bishop and rook two, each with a spare bit above.
const SHIFT: [u32; 8] = [31, 0, 6, 10, 14, 22, 25, 18];
const WIDTH: [u32; 8] = [0, 5, 3, 3, 3, 2, 2, 3];

/// The spare bits: a borrow out of a field shows here.
const SPARE: u32 = {
    let mut bits = 0;
    let mut kind = 1;
    while kind < 8 {
        bits |= 1 << (SHIFT[kind] + WIDTH[kind]);
        kind += 1;
    }
    bits
};

impl Hand {
    /// No pieces.
    pub const EMPTY: Hand = Hand(0);

    /// How many pieces of the kind are held; 0 for kinds that cannot be held.
    #[inline]
    pub const fn count(self, kind: Kind) -> u8 {
        if !kind.is_hand() {
            return 0;
        }
        let field = kind.index() & 7;
        ((self.0 >> SHIFT[field]) & ((1 << WIDTH[field]) - 1)) as u8
    }

    /// Whether at least one piece of the kind is held.
    #[inline]
    pub const fn has(self, kind: Kind) -> bool {
        self.count(kind) != 0
    }

    /// Whether the hand is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The hand with one more piece of an unpromoted kind.
    #[inline]
    pub const fn with(self, kind: Kind) -> Hand {
        debug_assert!(kind.is_hand() && self.count(kind) < kind.set_size());
        Hand(self.0 + (1 << SHIFT[kind.index() & 7]))
    }

    /// The hand with one piece of the kind less.
    #[inline]
    pub const fn without(self, kind: Kind) -> Hand {
        debug_assert!(self.has(kind));
        Hand(self.0 - (1 << SHIFT[kind.index() & 7]))
    }

    /// The hand with the count of one kind set, or `None` if a full set has fewer.
    pub const fn with_count(self, kind: Kind, count: u8) -> Option<Hand> {
        if !kind.is_hand() || count > kind.set_size() {
            return None;
        }
        let field = kind.index() & 7;
        let cleared = self.0 & !(((1 << WIDTH[field]) - 1) << SHIFT[field]);
        Some(Hand(cleared | (count as u32) << SHIFT[field]))
    }

    /// Whether this hand has at least as many of every kind as the other.
    #[inline]
    pub const fn dominates(self, other: Hand) -> bool {
        ((self.0 | SPARE).wrapping_sub(other.0)) & SPARE == SPARE
    }

    /// The larger count of each kind: the smallest hand that dominates both.
    #[inline]
    pub fn join(self, other: Hand) -> Hand {
        self.choose(other, u8::max)
    }

    /// The smaller count of each kind: the largest hand that both dominate.
    #[inline]
    pub fn meet(self, other: Hand) -> Hand {
        self.choose(other, u8::min)
    }

    fn choose(self, other: Hand, pick: fn(u8, u8) -> u8) -> Hand {
        Kind::HAND.iter().fold(Hand::EMPTY, |hand, &kind| {
            let count = pick(self.count(kind), other.count(kind)) as u32;
            Hand(hand.0 | count << SHIFT[kind.index() & 7])
        })
    }

    /// How many pieces are held in all.
    pub fn total(self) -> u8 {
        Kind::HAND.iter().map(|&kind| self.count(kind)).sum()
    }

    /// The packed word, for hashing and for tables.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The hand of a packed word that [`bits`](Self::bits) gave.
    #[inline]
    pub const fn from_bits(bits: u32) -> Hand {
        Hand(bits)
    }

    /// The kinds held and how many of each, smallest first.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (Kind, u8)> {
        Kind::HAND.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, n)| n != 0)
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hand(")?;
        for (kind, count) in self.iter() {
            write!(f, "{count}{kind}")?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_hand() -> impl FnMut() -> Hand {
        let mut random = fastrand::Rng::with_seed(7);
        move || {
            Kind::HAND.iter().fold(Hand::EMPTY, |hand, &kind| {
                hand.with_count(kind, random.u8(0..=kind.set_size())).unwrap()
            })
        }
    }

    #[test]
    fn fields_do_not_touch_each_other() {
        let mut full = Hand::EMPTY;
        for kind in Kind::HAND {
            full = full.with_count(kind, kind.set_size()).unwrap();
        }
        for kind in Kind::HAND {
            assert_eq!(full.count(kind), kind.set_size());
            assert_eq!(full.without(kind).with(kind), full);
            assert_eq!(Hand::EMPTY.with_count(kind, kind.set_size() + 1), None);
        }
        assert_eq!(full.total(), 38);
    }

    #[test]
    fn dominance_join_and_meet_go_kind_by_kind() {
        let mut next = random_hand();
        for _ in 0..10_000 {
            let (a, b) = (next(), next());
            let slow = Kind::HAND.iter().all(|&kind| a.count(kind) >= b.count(kind));
            assert_eq!(a.dominates(b), slow, "{a:?} {b:?}");
            let (join, meet) = (a.join(b), a.meet(b));
            assert!(
                join.dominates(a) && join.dominates(b) && a.dominates(meet) && b.dominates(meet)
            );
            for kind in Kind::HAND {
                assert_eq!(join.count(kind) + meet.count(kind), a.count(kind) + b.count(kind));
            }
        }
    }
}
