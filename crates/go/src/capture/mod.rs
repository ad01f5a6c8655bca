//! The capture problem: the game for the solvers, and the questions one can ask.

mod ahead;
mod estimate;
mod game;
mod ladder;
mod moves;
mod rests;
mod signature;
mod solve;
mod variants;
mod verify;
mod zone;
mod zone_table;

pub use estimate::FirstNumbers;
pub use game::{CaptureCounts, CaptureGame, CaptureRules, Ko, Totals};
pub use moves::{Moves, UnknownMoves};
pub use signature::signature;
pub use solve::{
    CaptureListener, CaptureSearch, CaptureSettings, CaptureSolution, GIVE_UP, NODE_LIMIT, search,
    solve,
};
pub use variants::{PAPER_VARIANTS, SearchVariant};
pub use verify::CheckFailure;
