//! The game and how it is played: what counts from one search to the next.

use crate::search::EndRules;
use crate::speculative::Speculation;
use crate::strength::Level;
use crate::time::TimeOptions;
use crate::value::Value;

/// The game and how it is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameSettings {
    /// The rules of the game and what a draw is worth.
    pub rules: EndRules,
    /// Clocks and the way to the server.
    pub time: TimeOptions,
    /// Lines to give.
    pub lines: usize,
    /// Resign below minus this value.
    pub resign_value: Value,
    /// Greatest depth of any search; 0 for none.
    pub depth_limit: i32,
    /// Most nodes of any search; 0 for none.
    pub nodes_limit: u64,
    /// How strong to play.
    pub level: Level,
    /// What to do when every move loses.
    pub speculation: Speculation,
}

impl Default for GameSettings {
    fn default() -> GameSettings {
        GameSettings {
            rules: EndRules::default(),
            time: TimeOptions::default(),
            lines: 1,
            resign_value: 99_999,
            depth_limit: 0,
            nodes_limit: 0,
            level: Level::default(),
            speculation: Speculation::default(),
        }
    }
}
