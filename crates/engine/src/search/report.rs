//! What a search tells while it runs.

use crate::speculative::Choice;
use crate::tt::Bound;
use crate::value::Value;
use std::time::Duration;
use yomikiri_shogi::Move;

/// The state of one line of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Plies searched.
    pub depth: i32,
    /// The farthest ply reached.
    pub selective_depth: usize,
    /// The number of the line, from 1.
    pub line: usize,
    /// The value for the side to move at the root.
    pub value: Value,
    /// Whether the value is exact or one of the window's ends.
    pub bound: Bound,
    /// Whether the search of this depth was not broken off.
    pub whole: bool,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the transposition table is, per mille.
    pub fullness: u32,
    /// The principal variation.
    pub pv: Vec<Move>,
}

/// Hears of the search's progress.
pub trait Report {
    /// A line has a new value.
    fn info(&mut self, info: &Info);

    /// A message for people.
    fn say(&mut self, _message: &str) {}

    /// Every move is proven to lose, and this one was chosen.
    fn speculates(&mut self, choice: &Choice) {
        self.say(&choice.to_string());
    }
}

impl<F: FnMut(&Info)> Report for F {
    fn info(&mut self, info: &Info) {
        self(info);
    }
}

/// Passes on the first lines only: a level looks at more than the user asked for.
pub(crate) struct FirstLines<'a> {
    /// How many.
    pub most: usize,
    /// Who hears of them.
    pub report: &'a mut dyn Report,
}

impl Report for FirstLines<'_> {
    fn info(&mut self, info: &Info) {
        if info.line <= self.most {
            self.report.info(info);
        }
    }

    fn say(&mut self, message: &str) {
        self.report.say(message);
    }

    fn speculates(&mut self, choice: &Choice) {
        self.report.speculates(choice);
    }
}
