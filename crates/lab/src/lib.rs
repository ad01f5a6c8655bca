//! The laboratory: tournaments, ratings and experiments that can be interrupted, repeated and
//! cited.
//!
//! An experiment is one file or folder under [`experiments`], read top to bottom: the question, its
//! data, the variants, what is measured, the published figures (in a data file beside it) and the
//! verdicts. The frame does the rest:
//!
//! * [`run`]: settings (a config file with an unknown key is an error), data with checksums, units
//!   of work in parallel with a line in the log after each, so that a run can be killed at any
//!   moment and goes on where it was.
//! * [`games`], [`thinker`], [`selfplay`]: positions of games, searches with any settings, matches
//!   between two settings.
//! * [`manifest`]: what a result file must say about itself to be made again.
//! * [`plot`]: SVG and PNG; [`table`]: CSV and HTML; [`page`]: one self-contained HTML page per
//!   experiment and an index.

pub mod experiments;
pub mod games;
pub mod manifest;
pub mod page;
pub mod problems;
pub mod run;
pub mod selfplay;
pub mod table;
pub mod thinker;

pub use run::{Experiment, LabError, NoProgress, Progress, Run, RunOptions};
pub use yomikiri_render::{heat, plot};
