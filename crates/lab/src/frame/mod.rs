//! The frame of an experiment: its run, what a result says about itself, claims and their verdicts,
//! tables and pages.

pub mod claims;
pub mod compare;
pub mod config;
pub mod manifest;
mod markup;
pub mod page;
pub mod plan;
pub mod run;
pub mod stored;
mod style;
pub mod summary;
pub mod table;
pub mod words;
