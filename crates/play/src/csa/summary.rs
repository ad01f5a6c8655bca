//! The conditions of a game, which the server sends before it.

use crate::clock::{ClockSettings, GameClock};
use std::collections::BTreeMap;
use std::time::Duration;
use yomikiri_shogi::Color;
use yomikiri_shogi::record::{Record, RecordError, csa};

/// Why the conditions of a game cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum SummaryError {
    /// Something that a game needs is not said.
    #[error("the server does not say {0}")]
    Missing(&'static str),
    /// A value that makes no sense.
    #[error("{key}:{value} makes no sense")]
    BadValue {
        /// The name.
        key: String,
        /// The value.
        value: String,
    },
    /// The position cannot be set up.
    #[error("the position: {0}")]
    Position(#[from] RecordError),
    /// More lines than any game needs.
    #[error("the conditions of the game have no end")]
    Endless,
}

/// How a side's clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServerTime {
    /// What times are counted in.
    pub unit: Duration,
    /// For the whole game.
    pub total: Duration,
    /// For each move once that is used up.
    pub byoyomi: Duration,
    /// The part of each move that is not charged.
    pub delay: Duration,
    /// Added for each move.
    pub increment: Duration,
    /// A move is charged at least this.
    pub least: Duration,
    /// Whether begun units are charged in full.
    pub rounds_up: bool,
}

impl ServerTime {
    /// Whether there is a clock at all.
    pub fn is_limited(&self) -> bool {
        !(self.total + self.byoyomi + self.delay + self.increment).is_zero()
    }

    /// The clock as we keep it. The server alone calls the time up.
    pub fn clock(&self) -> Option<ClockSettings> {
        self.is_limited().then(|| ClockSettings {
            main: self.total,
            byoyomi: self.byoyomi + self.delay,
            increment: self.increment,
            grace: Duration::MAX,
            unit: Duration::ZERO,
        })
    }

    /// What must stay on the clock so that the next move can be made: servers that charge every
    /// move with a unit end the game of a player who has no more than that.
    pub fn held_back(&self) -> Duration {
        match self.least.is_zero() {
            true => Duration::ZERO,
            false => (self.least + self.unit).saturating_sub(self.byoyomi + self.increment),
        }
    }
}

/// The conditions of a game.
#[derive(Clone, Debug)]
pub struct GameSummary {
    /// The server's name of the game.
    pub id: String,
    /// The players, by colour.
    pub names: [String; 2],
    /// Our side.
    pub own: Color,
    /// The clocks, by colour.
    pub times: [ServerTime; 2],
    /// After this many moves nobody has won; 0 for never.
    pub max_moves: u32,
    /// Whether wins by the entering-king rule can be declared.
    pub declarations: bool,
    /// The position, and the moves that are played already.
    pub start: Record,
}

impl GameSummary {
    /// The other player.
    pub fn opponent(&self) -> &str {
        &self.names[(!self.own).index()]
    }

    /// Both clocks. What the moves before took is off the main times. Some servers give all of it
    /// all the same; to believe in less is safe.
    pub fn clock(&self) -> GameClock {
        let mut settings = self.times.map(|time| time.clock());
        let mut side = self.start.start().side_to_move();
        for id in self.start.main_line() {
            let spent = self.start.node(id).spent.unwrap_or_default();
            if let Some(clock) = &mut settings[side.index()] {
                clock.main = clock.main.saturating_sub(spent);
            }
            side = !side;
        }
        GameClock::new(settings)
    }

    /// How our clock runs.
    pub fn own_time(&self) -> &ServerTime {
        &self.times[self.own.index()]
    }
}

/// More lines than this are no conditions of a game.
const MOST_LINES: usize = 3_000;

/// Times beyond this are taken for it: 100 days.
const LONGEST: Duration = Duration::from_secs(100 * 86_400);

/// Where in the conditions a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    General,
    /// Of black, of white.
    Time([bool; 2]),
    Position,
    Unknown,
}

/// Reads the lines from `BEGIN Game_Summary` on.
pub struct SummaryReader {
    lines: usize,
    sections: Vec<Section>,
    general: BTreeMap<String, String>,
    times: [BTreeMap<String, String>; 2],
    position: String,
}

impl Default for SummaryReader {
    fn default() -> SummaryReader {
        SummaryReader {
            lines: 0,
            sections: vec![Section::General],
            general: BTreeMap::new(),
            times: [BTreeMap::new(), BTreeMap::new()],
            position: String::new(),
        }
    }
}

impl SummaryReader {
    /// Takes the next line; the conditions once they are whole.
    ///
    /// # Errors
    /// If a game cannot be played by them.
    pub fn line(&mut self, line: &str) -> Result<Option<GameSummary>, SummaryError> {
        self.lines += 1;
        if self.lines > MOST_LINES {
            return Err(SummaryError::Endless);
        }
        if let Some(name) = line.strip_prefix("BEGIN ") {
            self.sections.push(match name.trim() {
                "Time" => Section::Time([true, true]),
                "Time+" => Section::Time([true, false]),
                "Time-" => Section::Time([false, true]),
                "Position" => Section::Position,
                _ => Section::Unknown,
            });
        } else if line.starts_with("END ") {
            self.sections.pop();
            if self.sections.is_empty() {
                return self.summary().map(Some);
            }
        } else {
            self.content(line);
        }
        Ok(None)
    }

    fn content(&mut self, line: &str) {
        let pair = line.split_once(':').map(|(key, value)| (key.trim(), value.trim()));
        match (self.sections.last(), pair) {
            (Some(Section::Position), _) => {
                self.position.push_str(line);
                self.position.push('\n');
            }
            (Some(Section::General), Some((key, value))) => {
                self.general.insert(key.to_string(), value.to_string());
            }
            (Some(Section::Time(sides)), Some((key, value))) => {
                for (times, concerned) in self.times.iter_mut().zip(*sides) {
                    if concerned {
                        times.insert(key.to_string(), value.to_string());
                    }
                }
            }
            _ => {}
        }
    }

    fn summary(&self) -> Result<GameSummary, SummaryError> {
        let said = |key: &'static str| {
            let value = self.general.get(key).cloned();
            value.filter(|value| !value.is_empty()).ok_or(SummaryError::Missing(key))
        };
        let own = match said("Your_Turn")?.as_str() {
            "+" => Color::Black,
            "-" => Color::White,
            other => return Err(bad("Your_Turn", other)),
        };
        let max_moves = match self.general.get("Max_Moves") {
            Some(text) => text.parse().map_err(|_| bad("Max_Moves", text))?,
            None => 0,
        };
        Ok(GameSummary {
            id: said("Game_ID")?,
            names: [said("Name+")?, said("Name-")?],
            own,
            times: [read_time(&self.times[0])?, read_time(&self.times[1])?],
            max_moves,
            declarations: self.general.get("Declaration").is_some_and(|how| !how.is_empty()),
            start: self.start()?,
        })
    }

    fn start(&self) -> Result<Record, SummaryError> {
        let records = csa::read(&self.position)?;
        let start = records.into_iter().next().ok_or(SummaryError::Missing("the position"))?;
        // The side to move is part of the position; where both are said, they must agree.
        let side = start.start().side_to_move();
        match self.general.get("To_Move").map(String::as_str) {
            Some("-") if start.main_moves().count() == 0 && side == Color::Black => {
                Err(bad("To_Move", "-"))
            }
            _ => Ok(start),
        }
    }
}

fn bad(key: &str, value: &str) -> SummaryError {
    SummaryError::BadValue { key: key.to_string(), value: value.to_string() }
}

fn read_time(said: &BTreeMap<String, String>) -> Result<ServerTime, SummaryError> {
    let unit = match said.get("Time_Unit") {
        Some(text) => read_unit(text).ok_or_else(|| bad("Time_Unit", text))?,
        None => Duration::from_secs(1),
    };
    let time = |key: &str| match said.get(key) {
        None => Ok(Duration::ZERO),
        Some(text) => match text.parse::<u32>() {
            Ok(count) => Ok(unit.saturating_mul(count).min(LONGEST)),
            Err(_) => Err(bad(key, text)),
        },
    };
    Ok(ServerTime {
        unit,
        total: time("Total_Time")?,
        byoyomi: time("Byoyomi")?,
        delay: time("Delay")?,
        increment: time("Increment")?,
        least: time("Least_Time_Per_Move")?,
        rounds_up: said.get("Time_Roundup").is_some_and(|answer| answer == "YES"),
    })
}

/// `1sec`, `100msec`, `min`.
fn read_unit(text: &str) -> Option<Duration> {
    let digits = text.len() - text.trim_start_matches(|symbol: char| symbol.is_ascii_digit()).len();
    let count: u32 = if digits == 0 { 1 } else { text[..digits].parse().ok()? };
    let unit = match &text[digits..] {
        "msec" => Duration::from_millis(1),
        "sec" => Duration::from_secs(1),
        "min" => Duration::from_secs(60),
        _ => return None,
    };
    Some(unit.saturating_mul(count)).filter(|unit| !unit.is_zero() && *unit <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GENERAL: &str = "Protocol_Version:1.2\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n\
        Game_ID:x+y+1\nName+:me\nName-:you\nYour_Turn:-\nTo_Move:+\nMax_Moves:256\n";

    fn read(text: &str) -> Result<GameSummary, SummaryError> {
        let mut reader = SummaryReader::default();
        for line in text.lines() {
            if let Some(summary) = reader.line(line)? {
                return Ok(summary);
            }
        }
        Err(SummaryError::Missing("the end"))
    }

    fn with_time(time: &str) -> Result<GameSummary, SummaryError> {
        let time = time.replace(' ', "\n");
        let position = "BEGIN Position\nPI\n+\n+7776FU,T12\nEND Position\n";
        read(&format!("{GENERAL}BEGIN Time\n{time}\nEND Time\n{position}END Game_Summary\n"))
    }

    #[test]
    fn conditions_are_read() {
        let summary = with_time(
            "Time_Unit:1sec Total_Time:5 Byoyomi:0 Increment:1 Least_Time_Per_Move:1 Unknown:7",
        )
        .unwrap();
        assert_eq!((summary.id.as_str(), summary.opponent()), ("x+y+1", "me"));
        assert_eq!((summary.own, summary.max_moves), (Color::White, 256));
        assert!(summary.declarations);
        assert_eq!(summary.start.main_moves().count(), 1);
        assert_eq!(summary.clock().remaining(), [Duration::ZERO, Duration::from_secs(5)]);
        let clock = summary.own_time().clock().unwrap();
        assert_eq!((clock.main, clock.increment), (Duration::from_secs(5), Duration::from_secs(1)));
        assert_eq!(summary.own_time().held_back(), Duration::from_secs(1));
    }

    #[test]
    fn units_delays_and_clocks_of_one_side() {
        let time = with_time("Time_Unit:100msec Total_Time:50 Delay:3 Time_Roundup:YES").unwrap();
        let own = time.own_time();
        assert_eq!((own.unit, own.total), (Duration::from_millis(100), Duration::from_secs(5)));
        assert_eq!(own.clock().unwrap().byoyomi, Duration::from_millis(300));
        assert!(own.rounds_up && own.held_back().is_zero());
        let unlimited = with_time("Time_Unit:1min Total_Time:0").unwrap();
        assert_eq!(unlimited.own_time().clock(), None);
        let apart = "BEGIN Time+\nTotal_Time:60\nEND Time+\nBEGIN Time-\nTotal_Time:2\n\
            Time_Unit:1min\nEND Time-\nBEGIN Position\nPI\n+\nEND Position\nEND Game_Summary\n";
        let apart = read(&format!("{GENERAL}{apart}")).unwrap();
        assert_eq!(apart.times.map(|time| time.total.as_secs()), [60, 120]);
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_a_reason() {
        let said = |error: SummaryError| error.to_string();
        assert_eq!(
            said(with_time("Time_Unit:1hour").unwrap_err()),
            "Time_Unit:1hour makes no sense"
        );
        assert_eq!(said(with_time("Byoyomi:-1").unwrap_err()), "Byoyomi:-1 makes no sense");
        let nobody = "BEGIN Position\nPI\n+\nEND Position\nEND Game_Summary\n";
        assert_eq!(said(read(nobody).unwrap_err()), "the server does not say Your_Turn");
        let board = "BEGIN Position\nP9 what\n+\nEND Position\nEND Game_Summary\n";
        assert!(matches!(read(&format!("{GENERAL}{board}")), Err(SummaryError::Position(_))));
        let endless = "Extra:1\n".repeat(MOST_LINES + 1);
        assert!(matches!(read(&endless), Err(SummaryError::Endless)));
    }
}
