//! The lines of the protocol.

use crate::ending::End;
use std::time::Duration;
use yomikiri_shogi::notation::csa::{sign, write_move};
use yomikiri_shogi::{Move, Position};

/// Why a game ended, as the server puts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ServerVerdict {
    /// A player gave up, or has gone.
    Resign,
    /// The fourth occurrence of a position.
    Repetition,
    /// The same by checks of one side alone.
    PerpetualCheck,
    /// A move that the rules do not allow.
    IllegalMove,
    /// Something that was not allowed at that moment.
    IllegalAction,
    /// The time ran out.
    TimeUp,
    /// A declaration that holds.
    Declaration,
    /// Too many moves.
    MaximumMoves,
}

impl ServerVerdict {
    const WORDS: [(ServerVerdict, &'static str, End); 8] = [
        (ServerVerdict::Resign, "RESIGN", End::Resignation),
        (ServerVerdict::Repetition, "SENNICHITE", End::Repetition),
        (ServerVerdict::PerpetualCheck, "OUTE_SENNICHITE", End::PerpetualCheck),
        (ServerVerdict::IllegalMove, "ILLEGAL_MOVE", End::Illegal),
        (ServerVerdict::IllegalAction, "ILLEGAL_ACTION", End::Illegal),
        (ServerVerdict::TimeUp, "TIME_UP", End::Time),
        (ServerVerdict::Declaration, "JISHOGI", End::Declaration),
        (ServerVerdict::MaximumMoves, "MAX_MOVES", End::MaximumMoves),
    ];

    /// What the game machine calls it.
    pub fn end(self) -> End {
        ServerVerdict::WORDS.iter().find(|row| row.0 == self).map_or(End::Resignation, |row| row.2)
    }
}

/// What a game brought us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CsaResult {
    /// We won.
    Win,
    /// We lost.
    Lose,
    /// Nobody won.
    Draw,
    /// The server called it off without a result, as after too many moves.
    Censored,
    /// The game was broken off.
    Interrupted,
}

/// What a server says in one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServerLine {
    /// The login is taken.
    LoggedIn(String),
    /// The login is refused.
    LoginRefused,
    /// The logout is taken.
    LoggedOut,
    /// The conditions of a game begin.
    BeginSummary,
    /// Both have agreed: the clock runs.
    Start(String),
    /// One side rejected the game.
    Rejected {
        /// The game.
        game: String,
        /// Whoever it was.
        by: String,
    },
    /// A move, with the number behind `T`.
    Move {
        /// The move, such as `+7776FU`.
        text: String,
        /// The number.
        consumed: Option<u64>,
    },
    /// What a player said instead of a move, such as `TORYO`.
    Special {
        /// The word behind the sign.
        word: String,
        /// The number behind `T`.
        consumed: Option<u64>,
    },
    /// Why the game ended.
    Verdict(ServerVerdict),
    /// The result.
    Result(CsaResult),
    /// A sign of life.
    Blank,
    /// Anything else: chat, remarks of the server.
    Other,
}

impl ServerLine {
    /// Understands a line; there is none that cannot be.
    pub fn parse(line: &str) -> ServerLine {
        let line = line.trim_end();
        match line.as_bytes().first() {
            None => ServerLine::Blank,
            Some(b'+' | b'-') => {
                let (text, consumed) = timed(line);
                ServerLine::Move { text, consumed }
            }
            Some(b'%') if !line.starts_with("%%") => {
                let (word, consumed) = timed(&line[1..]);
                ServerLine::Special { word, consumed }
            }
            Some(b'#') => hashed(&line[1..]),
            _ => phrase(line),
        }
    }
}

/// A statement and the number behind its `,T`.
fn timed(line: &str) -> (String, Option<u64>) {
    let mut parts = line.split(',').map(str::trim);
    let text = parts.next().unwrap_or_default().to_string();
    let number = parts.find_map(|part| part.strip_prefix('T')?.parse().ok());
    (text, number)
}

fn hashed(word: &str) -> ServerLine {
    let result = match word {
        "WIN" => CsaResult::Win,
        "LOSE" => CsaResult::Lose,
        "DRAW" => CsaResult::Draw,
        "CENSORED" => CsaResult::Censored,
        "CHUDAN" => CsaResult::Interrupted,
        _ => {
            let known = ServerVerdict::WORDS.iter().find(|row| row.1 == word);
            return known.map_or(ServerLine::Other, |row| ServerLine::Verdict(row.0));
        }
    };
    ServerLine::Result(result)
}

fn phrase(line: &str) -> ServerLine {
    if line == "BEGIN Game_Summary" {
        return ServerLine::BeginSummary;
    }
    match line.split_once(':') {
        Some(("LOGIN", "incorrect")) => ServerLine::LoginRefused,
        Some(("LOGIN", rest)) => match rest.strip_suffix(" OK") {
            Some(name) => ServerLine::LoggedIn(name.to_string()),
            None => ServerLine::Other,
        },
        Some(("LOGOUT", _)) => ServerLine::LoggedOut,
        Some(("START", game)) => ServerLine::Start(game.to_string()),
        Some(("REJECT", rest)) => {
            let (game, by) = rest.split_once(" by ").unwrap_or((rest, ""));
            ServerLine::Rejected { game: game.to_string(), by: by.to_string() }
        }
        _ => ServerLine::Other,
    }
}

/// How long a number behind `T` is. Servers that count in seconds mean seconds. Where another unit
/// was agreed on, some mean that unit and others seconds all the same: it is whichever is nearer
/// to the time that we measured.
pub fn consumed(number: u64, unit: Duration, measured: Duration) -> Duration {
    let seconds = Duration::from_secs(number.min(LONGEST));
    let units = unit.saturating_mul(u32::try_from(number).unwrap_or(u32::MAX));
    if unit == Duration::from_secs(1) || seconds.abs_diff(measured) <= units.abs_diff(measured) {
        seconds
    } else {
        units.min(Duration::from_secs(LONGEST))
    }
}

/// No move takes longer than a year.
const LONGEST: u64 = 366 * 86_400;

/// A move as it is sent. Floodgate takes a value and a line with it: the value in centipawns, good
/// for black if positive, and the moves that are expected after this one.
///
/// # Panics
/// If the move is not legal there.
pub fn move_line(position: &Position, mv: Move, remark: Option<&str>) -> String {
    let mv = write_move(position, mv);
    match remark {
        Some(remark) => format!("{mv},'{remark}"),
        None => mv,
    }
}

/// What floodgate takes beside a move: `* 30 -3334FU +2726FU`. The record keeps it behind `'*`.
pub fn remark(position: &Position, value: i32, line: &[Move]) -> String {
    let for_black = if sign(position.side_to_move()) == '+' { value } else { -value };
    let mut text = format!("* {for_black}");
    let mut after = position.clone();
    for (at, &mv) in line.iter().enumerate() {
        if !after.is_legal(mv) {
            break;
        }
        // The first one is the move itself.
        if at > 0 {
            text.push(' ');
            text.push_str(&write_move(&after, mv));
        }
        after.play(mv);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let parse = ServerLine::parse;
        assert_eq!(parse("LOGIN:me OK"), ServerLine::LoggedIn("me".into()));
        assert_eq!(parse("LOGIN:incorrect"), ServerLine::LoginRefused);
        assert_eq!(parse("START:a+b"), ServerLine::Start("a+b".into()));
        let by = ServerLine::Rejected { game: "a".into(), by: "you".into() };
        assert_eq!(parse("REJECT:a by you"), by);
        let mv = ServerLine::Move { text: "+7776FU".into(), consumed: Some(12) };
        assert_eq!(parse("+7776FU,T12"), mv);
        let special = ServerLine::Special { word: "TORYO".into(), consumed: None };
        assert_eq!(parse("%TORYO"), special);
        assert_eq!(parse("#OUTE_SENNICHITE"), ServerLine::Verdict(ServerVerdict::PerpetualCheck));
        assert_eq!(parse("#CHUDAN"), ServerLine::Result(CsaResult::Interrupted));
        assert_eq!(parse(""), ServerLine::Blank);
        for other in ["##[CHAT] hello", "%%LIST", "LOGIN", "nonsense", "#WINS", "LOGIN:me"] {
            assert_eq!(parse(other), ServerLine::Other, "{other}");
        }
    }

    #[test]
    fn times_are_seconds_unless_the_unit_fits_what_was_measured() {
        let [second, milli, minute] = [1_000, 1, 60_000].map(Duration::from_millis);
        let of = |number, unit, millis| consumed(number, unit, Duration::from_millis(millis));
        assert_eq!(of(3, second, 100), Duration::from_secs(3));
        assert_eq!(of(2_345, milli, 2_400), Duration::from_millis(2_345));
        assert_eq!(of(2, milli, 2_400), Duration::from_secs(2));
        assert_eq!(of(75, minute, 75_300), Duration::from_secs(75));
        assert_eq!(of(u64::MAX, milli, 0), Duration::from_millis(u32::MAX.into()));
    }

    #[test]
    fn remarks_have_the_value_for_black_and_the_moves_that_follow() {
        let mut position = Position::start();
        let line: Vec<Move> = ["7g7f", "3c3d", "2g2f"].map(|mv| mv.parse().unwrap()).into();
        let text = remark(&position, 30, &line);
        assert_eq!(text, "* 30 -3334FU +2726FU");
        assert_eq!(move_line(&position, line[0], Some(&text)), format!("+7776FU,'{text}"));
        position.play(line[0]);
        assert_eq!(remark(&position, 30, &line[1..]), "* -30 +2726FU");
        assert_eq!(move_line(&position, line[1], None), "-3334FU");
        // A line that goes wrong is cut there.
        assert_eq!(remark(&position, 5, &[line[1], line[0]]), "* -5");
    }
}
