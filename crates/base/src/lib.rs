//! What every other crate may use and what knows none of them: stopping, time, progress, the log of
//! finished units, files, packed input, checksums and memory.
//!
//! Nothing here links C, and everything compiles for `wasm32-unknown-unknown`: there the system
//! clock is missing (a front end hands in its own), and [`Progress`] is always silent.

#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod abort;
pub mod append;
pub mod checksum;
pub mod clock;
pub mod files;
pub mod large_pages;
pub mod output_files;
pub mod packed;
pub mod prefetch;
pub mod process;
pub mod processor;
pub mod progress;
pub mod stages;
pub mod stop;
pub mod unit_log;

pub use clock::{Clock, ManualClock, Stopwatch};
pub use progress::Progress;
pub use stages::{LocalStages, Stages};
pub use stop::StopToken;
pub use unit_log::{Identity, Provenance, Shard, UnitLog, UnitLogError};
