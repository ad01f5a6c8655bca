//! What an engine thinks of a game: a view of every position, what each move lost by it in winning
//! rate, and the record with comments that viewers show.
//!
//! [`views`] calls the engine, and is all that takes time. What follows from the views is made from
//! them alone: [`judge()`] grades the moves, [`annotate`] writes comments, [`summary()`] sums up
//! the game in a few lines of either language.

mod comments;
mod judge;
mod summary;
mod view;

pub use comments::annotate;
pub use judge::{
    AnalysedGame, Grade, Grading, JudgedMove, MateRemark, NoGrades, SideSummary, judge,
    winning_rate,
};
pub use summary::{grade_name, mate_remark, remark, summary};
pub use view::{Hardest, MATE, PROOF_NODES, View, views};

#[cfg(test)]
mod tests;
