//! Trainers: everything that Yomikiri learns from game records.
//!
//! - [`bonanza`] fits the linear evaluation so that it prefers the moves that were played.
//! - [`stage`] fits how far a game has come.
//! - [`policy`] fits which moves people play, [`move_probability`] counts categories of moves.
//! - [`network`] trains networks from positions with scores.
//! - [`mining`] finds frequent three-piece patterns.
//! - [`book`] collects openings.
//! - [`agreement`] measures how often an evaluation agrees with the records.
//!
//! Nothing here prints; long work reports through callbacks and can be stopped by them.

pub mod agreement;
pub mod bonanza;
pub mod book;
pub mod checkpoint;
mod checkpoint_file;
pub mod config;
pub mod constraints;
pub mod dataset;
pub mod eval_run;
mod eval_steps;
pub mod learner;
pub mod mining;
pub mod move_probability;
pub mod network;
pub mod optimizer;
pub mod policy;
pub mod positions;
pub mod quiescence;
pub mod stage;
pub mod trainer;

pub use config::Config;
pub use dataset::{Dataset, TrainingGame};
