//! The laboratory: tournaments, ratings and experiments that can be interrupted, repeated and
//! cited.

pub mod rating;
pub mod sprt;
