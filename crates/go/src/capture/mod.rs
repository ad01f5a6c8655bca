//! The capture problem: the game for the solvers, and the questions one can ask.

mod game;
mod signature;
mod solve;
mod verify;

pub use game::{CaptureGame, Counts, Ko, Moves, Rules, Totals};
pub use signature::signature;
pub use solve::{GIVE_UP, Listener, NODE_LIMIT, Search, Settings, Solution, search, solve};
pub use verify::Doubt;
