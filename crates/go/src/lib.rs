//! Go: a fast board with a slow twin, SGF and problem files, and the capture
//! problem ("can this block be taken?") on the solvers of `yomikiri-proof`.

pub mod board;
pub mod candidates;
pub mod capture;
pub mod problem;
pub mod questions;
pub mod read;
pub mod sgf;
pub mod sgf_write;
