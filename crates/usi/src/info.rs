//! `info`: what the engine thinks while it thinks.

use crate::words::{OneLine, count, each, field, small_count, split_first};
use core::fmt;
use yomikiri_shogi::Move;

/// A mate for one of the sides.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MateScore {
    /// Whether the side to move gives it.
    pub winning: bool,
    /// Its length in plies, if it is known.
    pub plies: Option<u32>,
}

/// A score, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UsiValue {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// A mate.
    Mate(MateScore),
}

/// What a score says about the true value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Bound {
    /// It is the value.
    #[default]
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// A score with what it says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UsiScore {
    /// The number.
    pub value: UsiValue,
    /// Whether it is exact.
    pub bound: Bound,
}

impl UsiScore {
    /// An exact score in hundredths of a pawn.
    pub fn centipawns(centipawns: i32) -> UsiScore {
        UsiScore { value: UsiValue::Centipawns(centipawns), bound: Bound::Exact }
    }

    /// An exact mate score; `plies` is `None` where the length is not known.
    pub fn mate(winning: bool, plies: Option<u32>) -> UsiScore {
        UsiScore { value: UsiValue::Mate(MateScore { winning, plies }), bound: Bound::Exact }
    }
}

/// One `info` line; what the engine did not say is `None` or empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Plies of depth.
    pub depth: Option<u32>,
    /// Plies of the deepest line.
    pub seldepth: Option<u32>,
    /// Which of the best lines this is, from 1.
    pub multipv: Option<u32>,
    /// The score.
    pub score: Option<UsiScore>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub nps: Option<u64>,
    /// How full the table is, in thousandths.
    pub hashfull: Option<u32>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// The root move that is being searched.
    pub currmove: Option<Move>,
    /// Its number, from 1.
    pub currmovenumber: Option<u32>,
    /// The best line.
    pub pv: Vec<Move>,
    /// Free text for the user.
    pub string: Option<String>,
}

impl Info {
    /// A line of free text.
    pub fn string(text: impl Into<String>) -> Info {
        Info { string: Some(text.into()), ..Info::default() }
    }

    /// Reads what follows `info`, passing over what it does not know.
    pub(crate) fn read(text: &str) -> Info {
        let mut info = Info::default();
        let mut rest = text;
        loop {
            let (word, after) = split_first(rest);
            let (value, after_value) = split_first(after);
            let used = match word {
                "" => return info,
                "string" => {
                    info.string = Some(after.to_string());
                    return info;
                }
                "depth" => set(&mut info.depth, small_count(value)),
                "seldepth" => set(&mut info.seldepth, small_count(value)),
                "multipv" => set(&mut info.multipv, small_count(value)),
                "nodes" => set(&mut info.nodes, count(value)),
                "nps" => set(&mut info.nps, count(value)),
                "hashfull" => set(&mut info.hashfull, small_count(value)),
                "time" => set(&mut info.time, count(value)),
                "currmove" => set(&mut info.currmove, value.parse().ok()),
                "currmovenumber" => set(&mut info.currmovenumber, small_count(value)),
                "score" => {
                    rest = read_score(after, &mut info.score);
                    continue;
                }
                "pv" => {
                    rest = read_moves(after, &mut info.pv);
                    continue;
                }
                _ => false,
            };
            rest = if used { after_value } else { after };
        }
    }
}

fn set<T>(slot: &mut Option<T>, value: Option<T>) -> bool {
    let found = value.is_some();
    if found {
        *slot = value;
    }
    found
}

/// Reads moves up to the first word that is none, and returns the rest.
fn read_moves<'a>(text: &'a str, moves: &mut Vec<Move>) -> &'a str {
    moves.clear();
    let mut rest = text;
    loop {
        let (word, after) = split_first(rest);
        match word.parse() {
            Ok(played) => moves.push(played),
            Err(_) => return rest,
        }
        rest = after;
    }
}

fn read_score<'a>(text: &'a str, slot: &mut Option<UsiScore>) -> &'a str {
    let (kind, after) = split_first(text);
    let (number, mut rest) = split_first(after);
    let value = match kind {
        "cp" => read_centipawns(number).map(UsiValue::Centipawns),
        "mate" => read_mate(number).map(UsiValue::Mate),
        _ => return text,
    };
    let Some(value) = value else { return after };
    let mut bound = Bound::Exact;
    match split_first(rest) {
        ("lowerbound", after) => (bound, rest) = (Bound::Lower, after),
        ("upperbound", after) => (bound, rest) = (Bound::Upper, after),
        _ => {}
    }
    *slot = Some(UsiScore { value, bound });
    rest
}

fn read_centipawns(word: &str) -> Option<i32> {
    let number: f64 = word.parse().ok()?;
    number.is_finite().then_some(number as i32)
}

/// `5`, `+5`, `-4`, or `+` and `-` alone. `0` is said by a side that is mated already.
fn read_mate(word: &str) -> Option<MateScore> {
    let (winning, digits) = match word.as_bytes().first()? {
        b'-' => (false, &word[1..]),
        b'+' => (true, &word[1..]),
        _ => (word != "0", word),
    };
    let plies = if digits.is_empty() { None } else { Some(small_count(digits)?) };
    Some(MateScore { winning, plies })
}

impl fmt::Display for UsiScore {
    /// `cp 25`, `mate -4`, `mate +`, then perhaps the bound.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            UsiValue::Centipawns(number) => write!(f, "cp {number}")?,
            UsiValue::Mate(MateScore { winning, plies }) => {
                let sign = match (winning, plies) {
                    (true, Some(1..)) => "",
                    (true, _) => "+",
                    (false, _) => "-",
                };
                write!(f, "mate {sign}")?;
                if let Some(plies) = plies {
                    write!(f, "{plies}")?;
                }
            }
        }
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        })
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        field(f, "depth", self.depth)?;
        field(f, "seldepth", self.seldepth)?;
        field(f, "multipv", self.multipv)?;
        field(f, "score", self.score)?;
        field(f, "nodes", self.nodes)?;
        field(f, "nps", self.nps)?;
        field(f, "hashfull", self.hashfull)?;
        field(f, "time", self.time)?;
        field(f, "currmove", self.currmove)?;
        field(f, "currmovenumber", self.currmovenumber)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            each(f, &self.pv)?;
        }
        field(f, "string", self.string.as_deref().map(OneLine))
    }
}
