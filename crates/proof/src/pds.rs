//! PDS: proof-number and disproof-number search (Nagai 1998).
//!
//! The forerunner of df-pn, and the mate solver behind the speculative play of Kajihara et al.
//! (2002). Every node is deepened step by step: the threshold of the number that lags behind is
//! raised by one, and a visit ends only when
//! *both* numbers have reached their thresholds. Expansion, table and the treatment of repetitions
//! are those of [`crate::dfpn`]; this file is all that differs.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_number_is_raised() {
        assert_eq!(raised(Number { pn: 2, dn: 5 }), Number { pn: 3, dn: 5 });
        assert_eq!(raised(Number { pn: 7, dn: 5 }), Number { pn: 7, dn: 6 });
        assert!(!exhausted(Number { pn: 2, dn: 5 }, raised(Number { pn: 2, dn: 5 })));
    }
}
