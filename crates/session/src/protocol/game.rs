//! Games against the engine.

use super::board::{BySide, EndView, MoveView, Place, PositionView, Side};
use serde::{Deserialize, Serialize};

/// What the players agree on, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(default)]
pub struct ClockAsk {
    /// For the whole game.
    pub main: u64,
    /// For each move after that.
    pub byoyomi: u64,
    /// Added before each move.
    pub increment: u64,
}

/// Begins a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields = nullable))]
pub struct NewGameAsk {
    /// 1, a beginner, to 15, everything the engine can.
    pub level: u8,
    /// The user's side.
    pub side: Side,
    /// The Japanese name of a handicap; even if absent.
    #[serde(default)]
    pub handicap: Option<String>,
    /// The position to begin from instead.
    #[serde(default)]
    pub from: Option<Place>,
    /// The clocks; none if absent.
    #[serde(default)]
    pub clock: Option<ClockAsk>,
    /// The entering-king rule; `CSARule27` if absent.
    #[serde(default)]
    pub rule: Option<String>,
    /// Whether the engine sets problems in lost endgames; it does if absent.
    #[serde(default)]
    pub speculative: Option<bool>,
    /// Milliseconds that the highest level thinks without a clock, and that a hint takes.
    #[serde(default)]
    pub think: Option<u32>,
    /// Another number, other games.
    #[serde(default)]
    pub seed: Option<u32>,
}

/// Plays a move.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MoveAsk {
    /// The move in USI.
    #[serde(rename = "move")]
    pub mv: String,
    /// How many moves were played before, so that a move that was sent twice is played once.
    #[serde(default)]
    #[cfg_attr(test, ts(optional = nullable))]
    pub ply: Option<u32>,
}

/// Writes the game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WriteGameAsk {
    /// As in `write-record`.
    pub format: String,
}

/// A move of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlayedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: MoveView,
    /// Milliseconds that it took.
    pub spent: u64,
    /// The position after it.
    pub sfen: String,
    /// Why the engine played it, if every move was proven to lose.
    pub speculative: Option<SpeculativeView>,
}

/// A clock as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct ClockSide {
    /// Milliseconds of main time that are left, the increment of the present move included.
    pub main: u64,
    /// Milliseconds of byoyomi that are left for the present move.
    pub byoyomi: u64,
}

/// The clocks as they stand when the message is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClockView {
    /// What was agreed on.
    pub agreed: ClockAsk,
    /// What is left.
    pub left: BySide<ClockSide>,
    /// Whose clock runs; null after the end.
    pub running: Option<Side>,
}

/// The game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct GameView {
    /// The engine's level.
    pub level: u8,
    /// The user's side.
    pub side: Side,
    /// The handicap's Japanese name, if the start is one.
    pub handicap: Option<String>,
    /// The entering-king rule.
    pub rule: String,
    /// The starting position in SFEN.
    pub start: String,
    /// The moves so far.
    pub moves: Vec<PlayedMove>,
    /// The position.
    pub position: PositionView,
    /// The clocks; null without.
    pub clock: Option<ClockView>,
    /// The task in which the engine thinks about its move.
    pub thinking: Option<u32>,
    /// How it ended; null while it goes on.
    pub end: Option<EndView>,
    /// Whether there is a move of the user to take back.
    pub can_take_back: bool,
}

/// The engine has moved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GameEvent {
    /// The game after it.
    pub game: GameView,
}

/// Why the engine chose a move where every move was proven to lose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum SpeculativeView {
    /// All moves are mated; after this one the mate is hardest to find.
    HardestMate {
        /// Moves that were proven to lose.
        moves: u32,
        /// Nodes that the solver takes for the mate after this move.
        nodes: u64,
        /// Plies of that mate at most.
        length: u32,
    },
    /// There is neither a defence nor a mate; after this check most answers lose.
    HardestCheck {
        /// Checks that were compared.
        checks: u32,
        /// The formula: A, B, C or D.
        formula: String,
        /// The king's escapes: how many lose, of how many.
        escapes: ShareView,
        /// Captures of the piece that gives check.
        recaptures: ShareView,
        /// Interpositions.
        blocks: ShareView,
    },
    /// A quiet move that makes the threatened mate harder, or threatens mate itself.
    Quiet {
        /// Whether it threatens mate (it parries otherwise).
        threatens: bool,
        /// Nodes that the solver takes for the mate after it.
        nodes: u64,
        /// Nodes for the mate that is threatened.
        threatened: u64,
    },
}

/// Done out of a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShareView {
    /// Answers that lose.
    pub mated: u32,
    /// All answers.
    pub all: u32,
}
