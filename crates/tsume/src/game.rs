//! Mate as a game for the generic solvers: positions, checks and evasions, hands that dominate,
//! interpositions that convention does not count, and first estimates.

pub mod dominance;
pub mod estimate;
pub mod interpose;
pub mod moves;
pub mod node;
