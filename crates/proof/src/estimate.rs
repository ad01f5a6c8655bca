//! Initial numbers of leaves: df-pn+ (Nagai 2002) against plain df-pn.
//!
//! The game writes its estimates into every [`Candidate`]; whether a solver believes them is
//! an option, so that the two can be compared on one game.

use crate::game::{Candidate, Role};
use crate::number::Number;

/// Where the numbers of a new leaf come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Initial {
    /// Every leaf is 1/1.
    Unit,
    /// The game's estimates (df-pn+).
    #[default]
    Game,
}

impl Initial {
    /// The first numbers of the child behind `candidate`.
    #[inline]
    #[must_use]
    pub fn number<M>(self, candidate: &Candidate<M>) -> Number {
        match self {
            Self::Unit => Number::UNIT,
            Self::Game => Number::open(candidate.pn, candidate.dn),
        }
    }
}

/// Numbers for a move whose promise has been sorted into levels, 1 the best: the child counts
/// `2^(level - 1)` for the player who moves there and 1 for the other.
#[must_use]
pub fn by_level(mover: Role, level: u32) -> Number {
    let weight = 1 << level.clamp(1, 24).saturating_sub(1);
    Number::from_mover(mover, weight, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_double_the_movers_number() {
        assert_eq!(by_level(Role::Attacker, 1), Number::UNIT);
        assert_eq!(by_level(Role::Attacker, 4), Number { pn: 8, dn: 1 });
        assert_eq!(by_level(Role::Defender, 3), Number { pn: 1, dn: 4 });
    }

    #[test]
    fn plain_search_ignores_estimates() {
        let candidate = Candidate::estimated((), 7, 9);
        assert_eq!(Initial::Unit.number(&candidate), Number::UNIT);
        assert_eq!(Initial::Game.number(&candidate), Number { pn: 7, dn: 9 });
    }
}
