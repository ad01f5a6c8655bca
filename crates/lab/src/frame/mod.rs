//! The frame of an experiment: its run, what a result says about itself, tables and pages.

pub mod manifest;
pub mod page;
pub mod plan;
pub mod run;
pub mod table;
