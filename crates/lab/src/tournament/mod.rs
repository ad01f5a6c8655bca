//! Tournaments of USI engines.
//!
//! * [`player`]: an engine and how much it may think, from one line of text.
//! * [`openings`]: where games begin; [`schedule`]: who plays whom, from where, with which colour.
//! * [`game`]: one game; [`adjudicate`]: when it is over although nobody is mated.
//! * [`record`]: a finished game as one line; [`kifu`]: as CSA and KIF; [`store`]: the folder of a
//!   match, resumable.
//! * [`runner`]: many games at once; [`standings`]: the table.
//!
//! A match is a list of numbered games, made from its settings alone. Each game is saved when it
//! ends, so a match that was killed goes on with the numbers that are missing.

pub mod adjudicate;
mod affinity;
pub mod game;
pub mod kifu;
pub mod openings;
pub mod player;
pub mod record;
pub mod runner;
pub mod schedule;
pub mod standings;
pub mod store;
