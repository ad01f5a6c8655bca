//! Which moves a search of captures tries.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Which moves are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Moves {
    /// All legal moves: answers are exact.
    All,
    /// The candidates of [`crate::candidates`]: answers can be wrong.
    Heuristic,
    /// All legal moves, but only those searched that no refutation of another answers
    /// (`docs/decisions/0006-relevance-zones.md`): answers are exact. Under superko, where results
    /// belong to a history, this is [`Moves::All`].
    Zones,
}

/// A word that names no choice of moves.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no choice of moves: say all, zones or heuristic")]
pub struct UnknownMoves(pub String);

impl FromStr for Moves {
    type Err = UnknownMoves;

    fn from_str(text: &str) -> Result<Moves, UnknownMoves> {
        let all = [Moves::All, Moves::Zones, Moves::Heuristic];
        let found = all.into_iter().find(|moves| moves.to_string() == text);
        found.ok_or_else(|| UnknownMoves(text.to_string()))
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Moves::All => "all",
            Moves::Heuristic => "heuristic",
            Moves::Zones => "zones",
        })
    }
}
