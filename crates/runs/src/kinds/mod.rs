//! One file for each kind of run: its plan, unless the crate that does the work has it, and its run.

pub mod contest;
pub mod go_solve;
pub mod lab;
pub mod positions;
pub mod solve;
