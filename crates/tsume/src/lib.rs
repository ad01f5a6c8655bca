//! Mates in shogi, on top of the generic proof-number search.

pub mod bench;
pub mod cook;
pub mod game;
pub mod guide;
pub mod helpmate;
pub mod hisshi;
pub mod japanese;
pub mod judge;
pub mod practice;
pub mod problem_files;
pub mod problems;
pub mod sets;
pub mod solve;
pub mod variations;
pub mod verify;

pub use game::node::{Ply, Tsume};
pub use game::{dominance, node};
pub use guide::Guide;
pub use solve::{MateSettings, MateSolver, Proven, Solution, Verdict, attacker_of};
