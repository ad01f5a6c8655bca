//! Mates in shogi, on top of the generic proof-number search.

pub mod bench;
pub mod cook;
pub mod dominance;
pub mod estimate;
pub mod guide;
pub mod hisshi;
pub mod interpose;
pub mod japanese;
pub mod length;
pub mod moves;
pub mod node;
pub mod problems;
mod shorten;
pub mod solve;
mod strict;
pub mod variations;
pub mod verify;

pub use guide::Guide;
pub use node::{Ply, Tsume};
pub use solve::{MateSolver, Settings, Solution, Verdict, attacker_of};
