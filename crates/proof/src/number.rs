//! Proof and disproof number as one value.
//!
//! The proof number is the least number of leaves that have to turn out well for the attacker
//! before the node is proven, the disproof number the same for the defender (Allis, van der Meulen,
//! van den Herik 1994). Both are kept as physical numbers, never flipped with the side to move:
//! code that treats OR and AND nodes alike asks for the number of the *mover* and that of the
//! *opponent* instead.

use crate::game::Role;

/// Larger than every number of an unsolved node.
pub const INFINITE: u32 = 1 << 30;

/// The proof and disproof number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    /// Proof number.
    pub pn: u32,
    /// Disproof number.
    pub dn: u32,
}

impl Number {
    /// The attacker reaches the goal.
    pub const PROVEN: Self = Self { pn: 0, dn: INFINITE };
    /// The defender prevents it.
    pub const DISPROVEN: Self = Self { pn: INFINITE, dn: 0 };
    /// A leaf about which nothing is known.
    pub const UNIT: Self = Self { pn: 1, dn: 1 };
    /// Thresholds that only a solved node reaches.
    pub const UNLIMITED: Self = Self { pn: INFINITE, dn: INFINITE };

    /// An unsolved pair: both numbers are brought into `1..INFINITE`.
    #[inline]
    #[must_use]
    pub fn open(pn: u32, dn: u32) -> Self {
        Self { pn: pn.clamp(1, INFINITE - 1), dn: dn.clamp(1, INFINITE - 1) }
    }

    /// From the numbers of the player to move and of the opponent.
    #[inline]
    #[must_use]
    pub const fn from_mover(role: Role, mover: u32, opponent: u32) -> Self {
        match role {
            Role::Attacker => Self { pn: mover, dn: opponent },
            Role::Defender => Self { pn: opponent, dn: mover },
        }
    }

    /// What the player `role` still has to win: pn for the attacker, dn for the defender.
    #[inline]
    #[must_use]
    pub const fn of(self, role: Role) -> u32 {
        match role {
            Role::Attacker => self.pn,
            Role::Defender => self.dn,
        }
    }

    /// Whether the attacker is known to reach the goal.
    #[inline]
    #[must_use]
    pub const fn is_proven(self) -> bool {
        self.pn == 0
    }

    /// Whether the defender is known to prevent it.
    #[inline]
    #[must_use]
    pub const fn is_disproven(self) -> bool {
        self.dn == 0
    }

    /// Proven or disproven.
    #[inline]
    #[must_use]
    pub const fn is_solved(self) -> bool {
        self.is_proven() || self.is_disproven()
    }

    /// The solved number of a node that `role` wins.
    #[inline]
    #[must_use]
    pub const fn won_by(role: Role) -> Self {
        match role {
            Role::Attacker => Self::PROVEN,
            Role::Defender => Self::DISPROVEN,
        }
    }

    /// Whether one of the two numbers has reached its threshold.
    #[inline]
    #[must_use]
    pub const fn reaches(self, threshold: Self) -> bool {
        self.pn >= threshold.pn || self.dn >= threshold.dn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solved_numbers_are_won_by_one_side() {
        assert!(Number::won_by(Role::Attacker).is_proven());
        assert!(Number::won_by(Role::Defender).is_disproven());
        assert_eq!(Number::PROVEN.of(Role::Attacker), 0);
        assert_eq!(Number::DISPROVEN.of(Role::Defender), 0);
        assert!(!Number::UNIT.is_solved());
    }

    #[test]
    fn open_numbers_stay_between_the_solved_ones() {
        let n = Number::open(0, u32::MAX);
        assert_eq!((n.pn, n.dn), (1, INFINITE - 1));
        assert!(!n.reaches(Number::UNLIMITED));
        assert!(Number::PROVEN.reaches(Number::UNLIMITED));
    }

    #[test]
    fn roles_see_their_own_number() {
        let n = Number::from_mover(Role::Defender, 3, 8);
        assert_eq!((n.pn, n.dn), (8, 3));
        assert_eq!(n.of(Role::Defender), 3);
    }
}
