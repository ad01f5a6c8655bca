//! The search: one tree walk in numbered steps in `negamax`, with each technique in a
//! file of its own that makes one decision.

mod check_extension;
mod child;
mod correction;
pub mod driver;
mod futility;
mod game_end;
mod hindsight;
pub mod history;
mod history_pruning;
mod internal_reduction;
mod late_move_pruning;
mod late_move_reduction;
mod learning;
pub mod limits;
mod mate_in_one;
mod move_pruning;
mod mtdf;
mod negamax;
mod null_move;
pub mod ordering;
pub mod probcut;
pub mod probes;
mod quiescence;
mod razoring;
pub mod reduction;
mod research;
mod reverse_futility;
mod root;
mod searcher;
mod see_pruning;
mod singular;
mod table_cuts;

use crate::tt::Bound;
use crate::value::Value;
use yomikiri_shogi::Move;

pub use game_end::EndRules;
pub use root::RootMove;
pub use searcher::{Counters, Searcher};

/// One ply of depth. Depth is counted in parts of a ply, since moves may spend fractions.
pub const PLY: i32 = 16;

/// What kind of node is searched; a type, so that each kind gets code of its own.
trait NodeType {
    /// Whether the window is open: the node may lie on the principal variation.
    const PV: bool;

    /// What the best value of a node and the move that gave it say about the true value.
    #[inline]
    fn bound(best: Value, beta: Value, mv: Option<Move>) -> Bound {
        match best >= beta {
            true => Bound::Lower,
            false if Self::PV && mv.is_some() => Bound::Exact,
            false => Bound::Upper,
        }
    }
}

/// A node with an open window.
struct Pv;

/// A node with a null window.
struct NonPv;

impl NodeType for Pv {
    const PV: bool = true;
}

impl NodeType for NonPv {
    const PV: bool = false;
}
