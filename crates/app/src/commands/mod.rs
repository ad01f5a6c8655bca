//! One file per command; each has its `Args` and a `run`.

pub mod analyse;
pub mod bench;
pub mod cluster;
pub mod completions;
mod contest;
pub mod convert;
pub mod csa;
pub mod eval;
pub mod go;
mod go_read;
pub mod lab;
pub mod learn;
mod long_run;
pub mod match_;
pub mod measure;
pub mod merge;
pub mod openings;
pub mod perft;
pub mod play;
mod pool;
pub mod problems;
pub mod rate;
pub mod run;
pub mod serve;
pub mod show;
pub mod solve;
pub mod tune;
pub mod usi;
pub mod usi_check;
pub mod verify;

/// How many processors there are to work with.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
