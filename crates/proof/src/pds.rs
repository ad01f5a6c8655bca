//! PDS: proof-number and disproof-number search (Nagai 1998).
//!
//! The forerunner of df-pn, and the mate solver behind the speculative play of Kajihara et al.
//! (2002). Every node is deepened step by step: the threshold of the number that lags behind is
//! raised by one, and a visit ends only when
//! *both* numbers have reached their thresholds. Expansion, table and the treatment of repetitions
//! are those of [`crate::dfpn`]; this file is all that differs.
//!
//! Which number lags behind is asked of the child alone ([`crate::solver::Driver::Pds`]), or of the
//! parent first ([`crate::solver::Driver::PdsByParent`]), as the rule is known to us from later
//! accounts of PDS (Winands et al. 2003): where the parent has reached one of its thresholds, the
//! child's number of the other kind is raised.

use crate::game::Role;
use crate::number::Number;

/// A visit ends when both numbers have reached their thresholds.
#[inline]
pub(crate) fn exhausted(number: Number, limit: Number) -> bool {
    number.pn >= limit.pn && number.dn >= limit.dn
}

/// One step further for the smaller of the two numbers.
#[inline]
pub(crate) fn raised(number: Number) -> Number {
    if number.pn <= number.dn {
        Number { pn: number.pn + 1, dn: number.dn }
    } else {
        Number { pn: number.pn, dn: number.dn + 1 }
    }
}

/// One step further for the smaller of the two numbers of a child, unless that is of the kind
/// whose threshold the parent, where `role` is to move, has reached.
#[inline]
pub(crate) fn raised_for(role: Role, child: Number, parent: Number, limit: Number) -> Number {
    let reached = |role: Role| parent.of(role) >= limit.of(role);
    let other = role.other();
    let smaller = child.of(other) <= child.of(role);
    if !reached(other) && (smaller || reached(role)) {
        Number::from_mover(other, child.of(other) + 1, child.of(role))
    } else {
        Number::from_mover(role, child.of(role) + 1, child.of(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_that_the_parent_lacks_is_raised() {
        let (child, limit) = (Number { pn: 2, dn: 5 }, Number { pn: 4, dn: 9 });
        let raised = |parent| raised_for(Role::Attacker, child, parent, limit);
        // Both are lacking: the child's smaller one.
        assert_eq!(raised(Number { pn: 2, dn: 5 }), Number { pn: 3, dn: 5 });
        // The parent's pn has reached its threshold: dn, though it is the greater.
        assert_eq!(raised(Number { pn: 4, dn: 5 }), Number { pn: 2, dn: 6 });
        // Its dn has: pn.
        assert_eq!(raised(Number { pn: 2, dn: 9 }), Number { pn: 3, dn: 5 });
    }

    #[test]
    fn the_smaller_number_is_raised() {
        assert_eq!(raised(Number { pn: 2, dn: 5 }), Number { pn: 3, dn: 5 });
        assert_eq!(raised(Number { pn: 7, dn: 5 }), Number { pn: 7, dn: 6 });
        assert!(!exhausted(Number { pn: 2, dn: 5 }, raised(Number { pn: 2, dn: 5 })));
    }
}
