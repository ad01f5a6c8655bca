//! Contests of USI engines.
//!
//! * [`contestant`]: an engine and how much it may think, from one line of text; [`pool`]: several
//!   of it at work on a list of questions.
//! * [`openings`]: where games begin; [`schedule`]: who plays whom, from where, with which colour.
//! * [`runner`]: many games at once; [`record`]: a finished game as one line; [`kifu`]: as CSA and
//!   KIF; [`store`]: the folder of a match, resumable; [`standings`]: the table.
//! * [`contest`]: all of this as one call that resumes, shares the work and stops by a test.
//! * [`measure`]: what a change of settings is worth at several controls, kept in a results file;
//!   [`tune`]: parameters moved by the outcomes of many games.
//! * [`rating`], [`sprt`], [`stats`]: what results say, as pure functions.
//! * [`usi_check`]: whether an engine keeps to the protocol.
//!
//! A match is a list of numbered games, made from its settings alone. Each game is saved when it
//! ends, so a match that was killed goes on with the numbers that are missing.

mod affinity;
pub mod contest;
pub mod contestant;
pub mod kifu;
pub mod measure;
pub mod opening_maker;
pub mod openings;
pub mod pool;
pub mod rating;
pub mod record;
pub mod runner;
pub mod schedule;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod store;
pub mod tune;
pub mod usi_check;

pub use affinity::stay_on_one_core;
pub use yomikiri_engine::signatures;
