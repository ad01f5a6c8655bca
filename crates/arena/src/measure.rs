//! What a change of the engine's settings is worth at several controls, and the file that keeps it.
//!
//! A technique is measured at a short and at a long control: the engine with the change against the
//! engine without it, from openings that no earlier measurement of the same technique used. Every
//! match becomes a row of one results file, from which the table of `docs/algorithms.md` is made.
//! The file holds counts; Elo and intervals are computed from them.

use crate::contest::plan::{own_contest, read_openings};
use crate::contest::{ContestPlan, PlanError};
use crate::rating::{PairCounts, RatingEstimate};
use crate::store::StoreError;
use crate::{signatures, store};
use core::fmt::Write;
use core::ops::Range;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::packed::UnpackLimits;

/// The openings of a match: a range of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Openings {
    /// The name of the file.
    pub file: String,
    /// Its checksum.
    pub checksum: String,
    /// The first opening that was used.
    pub first: usize,
    /// How many were, from there on.
    pub count: usize,
}

impl Openings {
    fn range(&self) -> Range<usize> {
        self.first..self.first + self.count
    }
}

/// One match: a change against none at a control.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Measurement {
    /// What is measured, in a few words.
    pub technique: String,
    /// The settings that are changed, as `name=value`.
    pub changed: Vec<String>,
    /// The settings that both sides have beside the defaults, as `name=value`; files by their name.
    pub common: Vec<String>,
    /// Nodes a move.
    pub nodes: u64,
    /// Where the games began.
    pub openings: Openings,
    /// Games that the changed engine won, drew and lost.
    pub games: [u64; 3],
    /// Pairs in which it made 0, 1/2, 1, 3/2 and 2 points.
    pub pairs: [u64; 5],
    /// Games that ended by a fault of either side.
    pub faults: u64,
    /// The node sum of `bench` of the program that played.
    pub search: String,
}

impl Measurement {
    /// The Elo that the change is worth.
    pub fn elo(&self) -> Option<RatingEstimate> {
        PairCounts(self.pairs).strength().map(|strength| strength.elo)
    }
}

/// All that was measured.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MeasureResults {
    /// In the order of measuring.
    pub rows: Vec<Measurement>,
}

/// Why a text is no results file, or cannot take a row.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The text is no results file.
    #[error("no results file: {0}")]
    Format(#[from] serde_json::Error),
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The document has no place for the table.
    #[error("no line '{BEGIN}' with a later line '{END}'")]
    NoPlace,
}

/// The line before the table in a document.
pub const BEGIN: &str = "<!-- measured techniques: begin -->";
/// The line after it.
pub const END: &str = "<!-- measured techniques: end -->";

impl MeasureResults {
    /// Reads a results file; one that does not exist has no rows yet.
    ///
    /// # Errors
    /// If it cannot be read or is none.
    pub fn read(path: &Path) -> Result<MeasureResults, ResultsError> {
        match path.exists() {
            true => MeasureResults::parse(&std::fs::read_to_string(path)?),
            false => Ok(MeasureResults::default()),
        }
    }

    /// Reads the text of a results file.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(text: &str) -> Result<MeasureResults, ResultsError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The file's text.
    ///
    /// # Errors
    /// Never for what was read or measured.
    pub fn to_text(&self) -> Result<String, ResultsError> {
        let rows: Result<Vec<String>, _> = self.rows.iter().map(serde_json::to_string).collect();
        Ok(format!("{{\"rows\": [\n{}\n]}}\n", rows?.join(",\n")))
    }

    /// The first opening of a file from which this many were never used for the technique.
    pub fn free_opening(&self, technique: &str, checksum: &str, count: usize) -> usize {
        let mut used: Vec<Range<usize>> = self
            .rows
            .iter()
            .filter(|row| row.technique == technique && row.openings.checksum == checksum)
            .map(|row| row.openings.range())
            .collect();
        used.sort_by_key(|range| range.start);
        let mut first = 0;
        for range in used {
            if first + count <= range.start {
                break;
            }
            first = first.max(range.end);
        }
        first
    }

    /// The table: a line a technique and setting, with all its controls.
    pub fn table(&self) -> String {
        let mut text = String::from(
            "| technique | changed | beside | nodes | games won, drawn, lost | Elo of the change \
             | verdict |\n|---|---|---|---|---|---|---|\n",
        );
        for row in &self.rows {
            let [won, drawn, lost] = row.games;
            let code = |words: &[String]| {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                if words.is_empty() { "-".to_string() } else { words.join(" ") }
            };
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {won}, {drawn}, {lost} | {} | {} |",
                row.technique,
                code(&row.changed),
                code(&row.common),
                grouped(row.nodes),
                row.elo().map_or("-".to_string(), |elo| interval(&elo)),
                verdict(row.elo()),
            );
        }
        text
    }

    /// The document with the table of today between its two marks.
    ///
    /// # Errors
    /// If it has no such marks.
    pub fn into_document(&self, document: &str) -> Result<String, ResultsError> {
        let (before, rest) = document.split_once(BEGIN).ok_or(ResultsError::NoPlace)?;
        let (_, after) = rest.split_once(END).ok_or(ResultsError::NoPlace)?;
        Ok(format!("{before}{BEGIN}\n{}{END}{after}", self.table()))
    }
}

/// A control: nodes a move and pairs of games, written `10000x500`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MeasureControl {
    /// Nodes a move.
    pub nodes: u64,
    /// Pairs of games.
    pub pairs: usize,
}

/// A text that is no control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is not NODESxPAIRS, as 10000x500")]
pub struct NoControl(String);

impl FromStr for MeasureControl {
    type Err = NoControl;

    fn from_str(text: &str) -> Result<MeasureControl, NoControl> {
        let numbers = text
            .split_once('x')
            .and_then(|(nodes, pairs)| Some((nodes.parse().ok()?, pairs.parse().ok()?)));
        match numbers {
            Some((nodes, pairs)) if nodes > 0 && pairs > 0 => Ok(MeasureControl { nodes, pairs }),
            _ => Err(NoControl(text.to_string())),
        }
    }
}

/// What a change is to be measured for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// What is measured, in a few words.
    pub technique: String,
    /// The settings that are changed, each as `NAME=VALUE`.
    pub changed: Vec<String>,
    /// The settings that both sides have beside the defaults.
    pub common: Vec<String>,
    /// A file of openings; without one, those in the program.
    pub openings: Option<PathBuf>,
    /// A game is given up when both sides see it lost by this many centipawns; 0 for never.
    pub resign: i64,
}

/// Why a change cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The openings.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Too few openings that were not used before.
    #[error(
        "{left} openings of {all} are left that '{technique}' was not measured from: name another file"
    )]
    NoOpenings {
        /// How many are left.
        left: usize,
        /// How many there are.
        all: usize,
        /// What was measured.
        technique: String,
    },
    /// The games that were played.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Question {
    /// The match at a control from openings that no row of the results used, and which these are.
    ///
    /// # Errors
    /// See [`MeasureError`].
    pub fn next_match(
        &self,
        results: &MeasureResults,
        control: MeasureControl,
        input: UnpackLimits,
    ) -> Result<(ContestPlan, Openings), MeasureError> {
        let all = read_openings(self.openings.as_deref(), input)?;
        let text: Vec<String> = all.iter().map(ToString::to_string).collect();
        let checksum = sha256_hex(text.join("\n").as_bytes());
        let count = control.pairs;
        let first = results.free_opening(&self.technique, &checksum, count);
        if first + count > all.len() {
            let (left, all) = (all.len().saturating_sub(first), all.len());
            return Err(MeasureError::NoOpenings { left, all, technique: self.technique.clone() });
        }
        let sides = [("changed", &self.changed[..]), ("default", &[])];
        let plan = ContestPlan {
            pairs: count,
            openings: self.openings.clone(),
            opening_range: Some([first, count]),
            ..own_contest(sides, &self.common, control.nodes, self.resign)
        };
        let file = self.openings.as_deref().map_or("built in".to_string(), name_of);
        Ok((plan, Openings { file, checksum, first, count }))
    }

    /// The row of a match that was played in a folder.
    ///
    /// # Errors
    /// If no match was.
    pub fn row(
        &self,
        folder: &Path,
        control: MeasureControl,
        openings: Openings,
    ) -> Result<Measurement, MeasureError> {
        let standings = store::standings(folder)?;
        let games = standings.rows.first().map_or([0; 3], |row| [row.wins, row.draws, row.losses]);
        Ok(Measurement {
            technique: self.technique.clone(),
            changed: self.changed.clone(),
            common: self.common.iter().map(|pair| without_folder(pair)).collect(),
            nodes: control.nodes,
            openings,
            games,
            pairs: standings.pairs.0,
            faults: standings.faults(),
            search: signatures::of("search"),
        })
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// A setting whose value is a file, by the file's name alone.
fn without_folder(pair: &str) -> String {
    match pair.split_once('=') {
        Some((name, value)) if value.contains('/') => {
            format!("{name}={}", name_of(Path::new(value)))
        }
        _ => pair.to_string(),
    }
}

fn interval(elo: &RatingEstimate) -> String {
    format!("{:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high)
}

/// What the 95 % interval says.
fn verdict(elo: Option<RatingEstimate>) -> &'static str {
    match elo {
        Some(elo) if elo.low > 0.0 => "gains",
        Some(elo) if elo.high < 0.0 => "loses",
        _ => "open",
    }
}

/// A number with commas between the thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_and_settings_are_read() {
        assert_eq!("10000x500".parse(), Ok(MeasureControl { nodes: 10_000, pairs: 500 }));
        for wrong in ["", "10000", "x", "0x5", "5x0", "ax5"] {
            assert!(wrong.parse::<MeasureControl>().is_err(), "{wrong}");
        }
        assert_eq!(without_folder("EvalFile=/a/b/c.nn"), "EvalFile=c.nn");
        assert_eq!(without_folder("lmr.terms=true"), "lmr.terms=true");
    }

    fn row(technique: &str, first: usize, count: usize, pairs: [u64; 5]) -> Measurement {
        Measurement {
            technique: technique.to_string(),
            changed: vec!["null_move.enabled=true".to_string()],
            common: Vec::new(),
            nodes: 100_000,
            openings: Openings { file: "o".into(), checksum: "ab".into(), first, count },
            games: [3, 2, 1],
            pairs,
            faults: 0,
            search: "1".to_string(),
        }
    }

    #[test]
    fn a_results_file_is_read_back_as_it_was_written() {
        let results = MeasureResults {
            rows: vec![row("a", 0, 10, [1, 2, 3, 2, 2]), row("b", 0, 5, [0, 0, 5, 0, 0])],
        };
        assert_eq!(MeasureResults::parse(&results.to_text().unwrap()).unwrap(), results);
        let empty = MeasureResults::default();
        assert_eq!(MeasureResults::parse(&empty.to_text().unwrap()).unwrap(), empty);
        assert!(MeasureResults::parse("{\"rows\": 3}").is_err());
    }

    #[test]
    fn openings_of_a_technique_are_used_once() {
        let results =
            MeasureResults { rows: vec![row("a", 20, 10, [1; 5]), row("a", 0, 10, [1; 5])] };
        assert_eq!(results.free_opening("a", "ab", 10), 10);
        assert_eq!(results.free_opening("a", "ab", 11), 30);
        assert_eq!(results.free_opening("a", "other", 11), 0);
        assert_eq!(results.free_opening("b", "ab", 11), 0);
    }

    #[test]
    fn the_table_says_what_the_counts_say() {
        let rows = vec![
            row("a", 0, 100, [5, 10, 20, 30, 60]),
            row("b", 0, 100, [60, 30, 20, 10, 5]),
            row("c", 0, 100, [10, 20, 40, 20, 10]),
        ];
        let table = MeasureResults { rows }.table();
        let lines: Vec<&str> = table.lines().skip(2).collect();
        for (line, verdict) in lines.iter().zip(["gains", "loses", "open"]) {
            assert!(line.contains(verdict) && line.contains("| 100,000 | 3, 2, 1 |"), "{line}");
        }
        assert!(lines[2].contains("+0 ["), "{}", lines[2]);
    }

    #[test]
    fn a_document_takes_the_table_between_its_marks() {
        let results = MeasureResults { rows: vec![row("a", 0, 10, [1; 5])] };
        let document = format!("above\n{BEGIN}\nold\n{END}\nbelow\n");
        let fresh = results.into_document(&document).unwrap();
        assert!(fresh.starts_with("above\n") && fresh.ends_with("\nbelow\n"));
        assert!(fresh.contains(&results.table()) && !fresh.contains("old"));
        assert_eq!(results.into_document(&fresh).unwrap(), fresh);
        assert!(results.into_document("nothing").is_err());
    }
}
