//! The laboratory: tournaments, ratings and experiments that can be interrupted, repeated and
//! cited.
//!
//! An experiment is one file or folder under [`papers`]: the question, its data, the variants, what
//! is measured, the report, and beside them the published figures and the claims. The frame does
//! the rest:
//!
//! * [`run`]: settings (a config file with an unknown key is an error), data with checksums, stages
//!   of units of work with a line in the log after each, so that a run can be killed at any moment
//!   and goes on where it was, or be shared out; [`LabPlan`] is a run as it is written to a file.
//! * [`data`]: what experiments read: files that are named, and those that the program carries.
//! * [`games`], [`searcher`], [`selfplay`]: positions of games, searches with any settings, matches
//!   between two settings.
//! * [`manifest`]: what a result file must say about itself to be made again.
//! * [`stored`]: typed results on disk; an experiment's `measure` writes them, its `report` makes
//!   the page of them and of nothing else. [`compare`] shows two of them beside each other.
//! * [`claims`]: what was claimed before the run, and the verdicts.
//! * [`plot`]: SVG and PNG; [`table`]: CSV and HTML; [`page`]: one self-contained HTML page per
//!   experiment and an index.

pub mod data;
pub mod frame;
pub mod games;
pub mod papers;
pub mod problem_runs;
pub mod problems;
pub mod searcher;
pub mod selfplay;

pub use frame::compare::Comparison;
pub use frame::plan::LabPlan;
pub use frame::run::{Experiment, LabError, Run, RunOptions};
pub use frame::stored::{Results, Stored};
pub use frame::summary::write_index;
pub use frame::{claims, compare, manifest, page, run, stored, table};
pub use yomikiri_base::stages::{NoProgress, StageProgress as Progress};
pub use yomikiri_render::{heat, plot};

/// The examples of the book are run as those of this crate, which knows the others.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/engine-author.md")]
pub struct BookExamples;
