//! One file for each kind of run: its plan, unless the crate that does the work has it, and how it
//! is run.

pub mod analyse;
mod answers;
pub mod contest;
pub mod go_solve;
pub mod lab;
pub mod learn;
pub mod openings;
pub mod positions;
pub mod problems;
pub mod solve;
pub mod tune;

pub use answers::TIMES_FILE;
