//! What a change of the engine's settings is worth at several controls, and the file that keeps it.
//!
//! A technique is measured at a short and at a long control: the engine with the change against the
//! engine without it, from openings that no earlier measurement of the same technique used. Every
//! match becomes a row of one results file, from which the table of `docs/algorithms.md` is made.
//! The file holds counts; Elo and intervals are computed from them.

use crate::rating::{Estimate, PairCounts};
use core::fmt::Write;
use core::ops::Range;
use serde::{Deserialize, Serialize};

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
    pub fn elo(&self) -> Option<Estimate> {
        PairCounts(self.pairs).strength().map(|strength| strength.elo)
    }
}

/// All that was measured.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Results {
    /// In the order of measuring.
    pub rows: Vec<Measurement>,
}

/// Why a text is no results file, or cannot take a row.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The file cannot be read.
    #[error("no results file: {0}")]
    Format(#[from] serde_json::Error),
    /// The document has no place for the table.
    #[error("no line '{BEGIN}' with a later line '{END}'")]
    NoPlace,
}

/// The line before the table in a document.
pub const BEGIN: &str = "<!-- measured techniques: begin -->";
/// The line after it.
pub const END: &str = "<!-- measured techniques: end -->";

impl Results {
    /// Reads a results file.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(text: &str) -> Result<Results, ResultsError> {
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

    /// The first opening of a file from which so many were never used for the technique.
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

fn interval(elo: &Estimate) -> String {
    format!("{:+.0} [{:+.0}, {:+.0}]", elo.value, elo.low, elo.high)
}

/// What the 95 % interval says.
fn verdict(elo: Option<Estimate>) -> &'static str {
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
        let results = Results {
            rows: vec![row("a", 0, 10, [1, 2, 3, 2, 2]), row("b", 0, 5, [0, 0, 5, 0, 0])],
        };
        assert_eq!(Results::parse(&results.to_text().unwrap()).unwrap(), results);
        let empty = Results::default();
        assert_eq!(Results::parse(&empty.to_text().unwrap()).unwrap(), empty);
        assert!(Results::parse("{\"rows\": 3}").is_err());
    }

    #[test]
    fn openings_of_a_technique_are_used_once() {
        let results = Results { rows: vec![row("a", 20, 10, [1; 5]), row("a", 0, 10, [1; 5])] };
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
        let table = Results { rows }.table();
        let lines: Vec<&str> = table.lines().skip(2).collect();
        for (line, verdict) in lines.iter().zip(["gains", "loses", "open"]) {
            assert!(line.contains(verdict) && line.contains("| 100,000 | 3, 2, 1 |"), "{line}");
        }
        assert!(lines[2].contains("+0 ["), "{}", lines[2]);
    }

    #[test]
    fn a_document_takes_the_table_between_its_marks() {
        let results = Results { rows: vec![row("a", 0, 10, [1; 5])] };
        let document = format!("above\n{BEGIN}\nold\n{END}\nbelow\n");
        let fresh = results.into_document(&document).unwrap();
        assert!(fresh.starts_with("above\n") && fresh.ends_with("\nbelow\n"));
        assert!(fresh.contains(&results.table()) && !fresh.contains("old"));
        assert_eq!(results.into_document(&fresh).unwrap(), fresh);
        assert!(results.into_document("nothing").is_err());
    }
}
