//! What a search reports while it runs.

use crate::speculative::Choice;
use crate::tt::Bound;
use crate::value::Value;
use std::time::Duration;
use yomikiri_shogi::Move;

/// The state of one line of the search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineInfo {
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

/// Something that happened in a search.
#[derive(Clone, PartialEq, Debug)]
pub enum SearchEvent {
    /// A line has a new value.
    Line(LineInfo),
    /// The mate solver proved a mate at the root, which is played.
    Mate(LineInfo),
    /// The move comes from the opening book.
    Book {
        /// The move.
        mv: Move,
        /// The answer that the book expects.
        answer: Option<Move>,
        /// The value of the book.
        value: Value,
    },
    /// Every move is proven to lose: another one than the search found is played.
    Speculation(Choice),
}

impl SearchEvent {
    /// The line of a search or of a mate.
    pub fn info(&self) -> Option<&LineInfo> {
        match self {
            SearchEvent::Line(info) | SearchEvent::Mate(info) => Some(info),
            SearchEvent::Book { .. } | SearchEvent::Speculation(_) => None,
        }
    }
}

/// Receives events where they happen.
pub type OnEvent<'a> = dyn FnMut(&SearchEvent) + 'a;

/// Receives a search's events; any function of an [`LineInfo`] does.
pub trait Report {
    /// Something happened.
    fn event(&mut self, event: &SearchEvent);
}

impl<F: FnMut(&LineInfo)> Report for F {
    fn event(&mut self, event: &SearchEvent) {
        if let Some(info) = event.info() {
            self(info);
        }
    }
}
