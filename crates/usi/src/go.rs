//! `go`: what the engine should search, and for how long.

use crate::words::{count, each, field, small_count};
use core::fmt;
use yomikiri_shogi::Move;

/// The clocks, in milliseconds; what a program leaves out is `None`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct UsiClock {
    /// Black's remaining time.
    pub btime: Option<u64>,
    /// White's remaining time.
    pub wtime: Option<u64>,
    /// The time for each move after the remaining time has run out.
    pub byoyomi: Option<u64>,
    /// What black's clock gains with each move.
    pub binc: Option<u64>,
    /// What white's clock gains with each move.
    pub winc: Option<u64>,
}

impl UsiClock {
    /// Whether no time was given at all.
    pub fn is_empty(&self) -> bool {
        *self == UsiClock::default()
    }

    fn slot(&mut self, word: &str) -> Option<&mut Option<u64>> {
        Some(match word {
            "btime" => &mut self.btime,
            "wtime" => &mut self.wtime,
            "byoyomi" => &mut self.byoyomi,
            "binc" => &mut self.binc,
            "winc" => &mut self.winc,
            _ => return None,
        })
    }

    /// Reads clock fields, passing over every other word.
    pub(crate) fn read(text: &str) -> UsiClock {
        let mut clock = UsiClock::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            if let Some(slot) = clock.slot(word)
                && let Some(number) = words.peek().and_then(|word| count(word))
            {
                *slot = Some(number);
                words.next();
            }
        }
        clock
    }
}

impl fmt::Display for UsiClock {
    /// Each field after a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        field(f, "btime", self.btime)?;
        field(f, "wtime", self.wtime)?;
        field(f, "byoyomi", self.byoyomi)?;
        field(f, "binc", self.binc)?;
        field(f, "winc", self.winc)
    }
}

/// How long `go mate` may take.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MateLimit {
    /// Until it is solved or stopped.
    Infinite,
    /// Milliseconds.
    Milliseconds(u64),
}

impl fmt::Display for MateLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MateLimit::Infinite => f.write_str("infinite"),
            MateLimit::Milliseconds(time) => write!(f, "{time}"),
        }
    }
}

/// The arguments of `go`. Limits may be joined: the first one reached ends the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Go {
    /// Think on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Hold the answer until `stop`.
    pub infinite: bool,
    /// Solve a mate problem, and answer with `checkmate`.
    pub mate: Option<MateLimit>,
    /// The clocks.
    pub clock: UsiClock,
    /// Milliseconds for this move.
    pub movetime: Option<u64>,
    /// Nodes for this move.
    pub nodes: Option<u64>,
    /// Plies of depth for this move.
    pub depth: Option<u32>,
    /// Moves until the next time control.
    pub movestogo: Option<u32>,
    /// Only these moves at the root; all if empty.
    pub searchmoves: Vec<Move>,
}

impl Go {
    /// `go nodes N`.
    pub fn nodes(nodes: u64) -> Go {
        Go { nodes: Some(nodes), ..Go::default() }
    }

    /// `go depth N`.
    pub fn depth(depth: u32) -> Go {
        Go { depth: Some(depth), ..Go::default() }
    }

    /// `go movetime N`.
    pub fn movetime(milliseconds: u64) -> Go {
        Go { movetime: Some(milliseconds), ..Go::default() }
    }

    /// `go btime .. wtime ..` with what the clock has.
    pub fn clock(clock: UsiClock) -> Go {
        Go { clock, ..Go::default() }
    }

    /// `go infinite`.
    pub fn infinite() -> Go {
        Go { infinite: true, ..Go::default() }
    }

    /// `go mate N` or `go mate infinite`.
    pub fn mate(limit: MateLimit) -> Go {
        Go { mate: Some(limit), ..Go::default() }
    }

    /// Reads what follows `go`.
    pub(crate) fn read(text: &str) -> Go {
        let mut go = Go { clock: UsiClock::read(text), ..Go::default() };
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let number = words.peek().and_then(|word| count(word));
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "mate" => {
                    go.mate = Some(number.map_or(MateLimit::Infinite, MateLimit::Milliseconds));
                    words.next_if(|&word| word == "infinite");
                }
                "movetime" => go.movetime = number,
                "nodes" => go.nodes = number,
                "depth" => go.depth = words.peek().and_then(|word| small_count(word)),
                "movestogo" => go.movestogo = words.peek().and_then(|word| small_count(word)),
                "searchmoves" => {
                    while let Some(played) = words.peek().and_then(|word| word.parse().ok()) {
                        go.searchmoves.push(played);
                        words.next();
                    }
                }
                _ => {}
            }
        }
        go
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write!(f, "{}", self.clock)?;
        field(f, "movetime", self.movetime)?;
        field(f, "nodes", self.nodes)?;
        field(f, "depth", self.depth)?;
        field(f, "movestogo", self.movestogo)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        field(f, "mate", self.mate)?;
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
            each(f, &self.searchmoves)?;
        }
        Ok(())
    }
}
