//! How much a player may think: nodes, depth and time.

use crate::clock::ClockSettings;
use core::fmt;
use std::time::Duration;
use yomikiri_shogi::Color;
use yomikiri_usi::{Go, UsiClock};

/// A value that is no number, or too large.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{key}={value}: '{value}' is not a number")]
pub struct BadValue {
    key: String,
    value: String,
}

/// How much a player may think for a move. Times are in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
    /// Time for each move.
    pub movetime: Option<u64>,
    /// Time for the game.
    pub time: Option<u64>,
    /// Time for each move when the time for the game has run out.
    pub byoyomi: Option<u64>,
    /// Time that is added before each move.
    pub increment: Option<u64>,
}

impl TimeControl {
    /// Whether nothing was given.
    pub fn is_empty(&self) -> bool {
        *self == TimeControl::default()
    }

    /// Whether there is a clock that runs through the game.
    pub fn has_clock(&self) -> bool {
        self.time.is_some() || self.byoyomi.is_some() || self.increment.is_some()
    }

    /// What to say to the player to move, with the time left to black and white; as in USI, the
    /// increment of the move is not part of it.
    pub fn go(&self, left: [u64; 2]) -> Go {
        let mut go =
            Go { nodes: self.nodes, depth: self.depth, movetime: self.movetime, ..Go::default() };
        if self.has_clock() {
            go.clock = UsiClock {
                btime: Some(left[Color::Black.index()]),
                wtime: Some(left[Color::White.index()]),
                byoyomi: self.byoyomi,
                ..UsiClock::default()
            };
            if self.increment.is_some() {
                (go.clock.binc, go.clock.winc) = (self.increment, self.increment);
            } else if self.byoyomi.is_none() {
                go.clock.byoyomi = Some(0);
            }
        }
        go
    }

    /// The clock that runs through the game, if there is one. A time for each move decides alone
    /// whether a move is late.
    pub fn clock(&self, grace: Duration) -> Option<ClockSettings> {
        let time = |millis: Option<u64>| Duration::from_millis(millis.unwrap_or(0));
        self.has_clock().then(|| ClockSettings {
            main: time(self.time),
            byoyomi: time(self.byoyomi),
            increment: time(self.increment),
            grace: if self.movetime.is_some() { Duration::MAX } else { grace },
            unit: Duration::from_millis(1),
        })
    }

    /// The most that a move may take, by the time for each move or else by what the clock allows;
    /// `None` without any time limit.
    pub fn limit(&self, allowance: Option<Duration>) -> Option<Duration> {
        self.movetime.map(Duration::from_millis).or(allowance)
    }

    /// Sets the field of this name from text. Whether there is such a field.
    ///
    /// # Errors
    /// If the value is no number in range.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, BadValue> {
        let wrong = || BadValue { key: key.to_string(), value: value.to_string() };
        let number = || value.parse::<u64>().map_err(|_| wrong());
        match key {
            "nodes" => self.nodes = Some(number()?),
            "depth" => self.depth = Some(value.parse().map_err(|_| wrong())?),
            "movetime" => self.movetime = Some(number()?),
            "time" => self.time = Some(number()?),
            "byoyomi" => self.byoyomi = Some(number()?),
            "increment" => self.increment = Some(number()?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = [
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
            ("movetime", self.movetime),
            ("time", self.time),
            ("byoyomi", self.byoyomi),
            ("increment", self.increment),
        ];
        let mut first = true;
        for (name, value) in fields {
            if let Some(value) = value {
                write!(f, "{}{name}={value}", if first { "" } else { " " })?;
                first = false;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::TimeControl;
    use crate::clock::GameClock;
    use std::time::Duration;
    use yomikiri_shogi::Color;

    fn control(text: &str) -> TimeControl {
        let mut control = TimeControl::default();
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap();
            assert_eq!(control.set(key, value), Ok(true));
        }
        assert_eq!(control.to_string(), text);
        control
    }

    #[test]
    fn controls_say_what_engines_expect() {
        let go = |text: &str| control(text).go([500, 600]).to_string();
        assert_eq!(go("nodes=5 depth=3"), "go nodes 5 depth 3");
        assert_eq!(go("byoyomi=1000"), "go btime 500 wtime 600 byoyomi 1000");
        assert_eq!(go("time=9 increment=7"), "go btime 500 wtime 600 binc 7 winc 7");
        assert_eq!(go("time=9"), "go btime 500 wtime 600 byoyomi 0");
        assert_eq!(go("movetime=10"), "go movetime 10");
    }

    #[test]
    fn the_clock_runs() {
        let limits = |text: &str, used: &[u64]| {
            let control = control(text);
            let mut clock = GameClock::new([control.clock(Duration::ZERO), None]);
            let limit = |clock: &GameClock| control.limit(clock.allowance(Color::Black));
            let mut limits = vec![limit(&clock)];
            for &used in used {
                assert!(clock.charge(Color::Black, Duration::from_millis(used)));
                limits.push(limit(&clock));
            }
            limits.into_iter().map(|limit| limit.map(|l| l.as_millis())).collect::<Vec<_>>()
        };
        assert_eq!(limits("time=100 byoyomi=50", &[120]), [Some(150), Some(50)]);
        // The increment of every move can be used at once.
        let fischer = limits("time=100 increment=10", &[30, 90]);
        assert_eq!(fischer, [Some(110), Some(90), Some(10)]);
        assert_eq!(limits("nodes=5", &[1000]), [None, None]);
        assert_eq!(limits("movetime=5 time=8", &[1000]), [Some(5), Some(5)]);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let mut control = TimeControl::default();
        assert!(control.set("nodes", "x").is_err());
        assert!(control.set("depth", "99999999999").is_err());
        assert_eq!(control.set("speed", "1"), Ok(false));
        assert!(control.is_empty());
    }
}
