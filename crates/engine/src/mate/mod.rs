//! Mates beside the search: the mate solver asked, and mates at the root played to the end.

pub mod bridge;
pub(crate) mod root;

pub use bridge::{Mate, MateAnswer, ask, time_limit};
