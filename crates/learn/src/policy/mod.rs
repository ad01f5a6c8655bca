//! The move policy, fitted so that the moves that were played are likely.
//!
//! Logarithmic loss of a softmax over hashed features is convex, so that one pass over shuffled
//! positions with a step per weight (AdaGrad, Duchi, Hazan and Singer 2011) is enough. Gradients
//! of a batch are made on any number of threads and added in the order of the positions.

pub mod checkpoint;
mod config;
pub mod levels;
pub mod measure;
mod run;
mod trainer;

pub use config::PolicyConfig;
pub use run::{PolicyPart, PolicyPlan};
pub use trainer::{PolicyReport, PolicyTrainer};
