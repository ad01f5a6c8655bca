//! What a position is worth, from the side to move's view, in hundredths of a pawn.

use core::fmt;

/// A value inside the search.
pub type Value = i32;

/// The greatest distance from the root that a search reaches.
pub const MAX_PLY: usize = 128;

/// Above every value.
pub const INFINITE: Value = 32_001;

/// The side to move mates at once; a mate in `n` plies is worth `n` less.
pub const MATE: Value = 32_000;

/// Values from here on are mates with a known length.
pub const MATE_BOUND: Value = MATE - MAX_PLY as Value;

/// Won by a rule (perpetual check, declaration) inside the search: not a mate, and never shown as
/// one, since the opponent may leave the line.
pub const WON: Value = 30_000;

/// The same board with a better hand: as good as won, but no mate.
pub const SUPERIOR: Value = 28_000;

/// Static evaluations stay below this.
pub const EVAL_LIMIT: Value = 27_000;

/// The side to move is mated, `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> Value {
    -MATE + ply as Value
}

/// The side to move mates, `ply` plies from the root.
#[inline]
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Whether the value is a mate for either side.
#[inline]
pub const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// From the root's distance to mate to the node's own, for the transposition table.
#[inline]
pub const fn to_table(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value + ply as Value
    } else if value <= -MATE_BOUND {
        value - ply as Value
    } else {
        value
    }
}

/// Back from the node's distance to mate to the root's.
#[inline]
pub const fn from_table(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value - ply as Value
    } else if value <= -MATE_BOUND {
        value + ply as Value
    } else {
        value
    }
}

/// A value as it is shown to people and programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many plies; negative when the side to move is mated. The length is at least
    /// one ply for the winner; 0 means that the side to move is mated on the board.
    Mate(i32),
}

impl From<Value> for Score {
    fn from(value: Value) -> Score {
        if value >= MATE_BOUND {
            Score::Mate(MATE - value)
        } else if value <= -MATE_BOUND {
            Score::Mate(-(MATE + value))
        } else {
            Score::Centipawns(value)
        }
    }
}

impl fmt::Display for Score {
    /// As USI writes it: `cp 35`, `mate 7`, `mate -4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Centipawns(value) => write!(f, "cp {value}"),
            Score::Mate(0) => f.write_str("mate -0"),
            Score::Mate(plies) => write!(f, "mate {plies}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_count_from_the_node_in_the_table() {
        for ply in [0, 5, 40] {
            for value in [mate_in(7), mated_in(12), 350, -SUPERIOR] {
                assert_eq!(from_table(to_table(value, ply), ply), value);
            }
            assert_eq!(to_table(mate_in(ply + 3), ply), mate_in(3));
        }
    }

    #[test]
    fn scores_show_plies_to_mate() {
        assert_eq!(Score::from(mate_in(3)).to_string(), "mate 3");
        assert_eq!(Score::from(mated_in(4)).to_string(), "mate -4");
        assert_eq!(Score::from(-120).to_string(), "cp -120");
    }
}
