//! Where a visit ends: thresholds of df-pn, and those of [`crate::pds`] in their place.

use crate::game::Role;
use crate::number::{INFINITE, Number};
use crate::solver::{Driver, Options};
use crate::widening::Combined;

/// Thresholds for the child to be searched: where the search would turn away from it.
fn child_threshold(role: Role, combined: &Combined, limit: Number, options: &Options) -> Number {
    let second = u64::from(combined.second);
    let run_on = second + 1 + second * u64::from(options.epsilon_percent) / 100;
    let mover = u64::from(limit.of(role)).min(run_on).min(u64::from(INFINITE)) as u32;
    let opponent = limit.of(role.other());
    let opponent =
        if opponent >= INFINITE { INFINITE } else { opponent.saturating_sub(combined.rest).max(1) };
    Number::from_mover(role, mover, opponent)
}

impl Driver {
    /// Whether a visit with this limit is over.
    #[inline]
    pub(crate) fn exhausted(self, number: Number, limit: Number) -> bool {
        match self {
            Self::DfPn => number.reaches(limit),
            Self::Pds | Self::PdsByParent => crate::pds::exhausted(number, limit),
        }
    }

    /// The thresholds of the child that is searched next.
    #[inline]
    pub(crate) fn child_threshold(
        self,
        role: Role,
        child: Number,
        combined: &Combined,
        limit: Number,
        options: &Options,
    ) -> Number {
        match self {
            Self::DfPn => child_threshold(role, combined, limit, options),
            Self::Pds => crate::pds::raised(child),
            Self::PdsByParent => crate::pds::raised_for(role, child, combined.number, limit),
        }
    }

    /// The root's thresholds at first.
    pub(crate) fn first_threshold(self) -> Number {
        match self {
            Self::DfPn => Number::UNLIMITED,
            Self::Pds | Self::PdsByParent => crate::pds::raised(Number::UNIT),
        }
    }

    /// The root's thresholds after a visit that ended with `number`.
    pub(crate) fn next_threshold(self, number: Number) -> Number {
        match self {
            Self::DfPn => Number::UNLIMITED,
            Self::Pds | Self::PdsByParent => crate::pds::raised(number),
        }
    }
}
