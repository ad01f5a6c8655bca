//! Mates in shogi, on top of the generic proof-number search.

pub mod dominance;
pub mod estimate;
pub mod interpose;
pub mod moves;
pub mod node;

pub use node::{Ply, Tsume};
