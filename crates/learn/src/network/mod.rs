//! A trainer of networks for the CPU.
//!
//! Positions with a score and a result ([`data`]) are read as a stream, shuffled block by block
//! ([`stream`]), turned into the inputs of a [`model`] in single precision and followed forward and
//! back ([`gradient`]). What is learned is written as a classic file ([`quantise`]).
//!
//! The result is the same bit for bit for any number of threads and on any machine: a batch is cut
//! into chunks of fixed size, every sum runs in a fixed order, lanes are fixed arrays that the
//! compiler may put into registers of any width, and nothing is fused.

pub mod adam;
pub mod checkpoint;
pub mod config;
pub mod data;
pub mod example;
pub mod gradient;
mod kernels;
pub mod lineage;
pub mod loss;
pub mod model;
pub(crate) mod parallel;
pub mod parts;
pub mod quantise;
mod run;
pub mod stream;
#[cfg(test)]
mod tests;
pub mod trainer;
pub mod validation;

pub use config::NetworkConfig;
pub use run::NetworkPlan;
pub use trainer::{NetworkReport, TrainError, Trainer};
