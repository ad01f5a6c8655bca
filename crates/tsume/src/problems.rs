//! Problem sets: reading them, and one line of JSON for each answer.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use yomikiri_shogi::{Color, Move, ParseError, Position};

use crate::game::node::Tsume;
use crate::solve::{Solution, Verdict, attacker_of};

/// A problem with its name.
#[derive(Clone, Debug)]
pub struct MateProblem {
    /// Name, unique in its set.
    pub id: String,
    /// The position as it was written.
    pub sfen: String,
    /// The position.
    pub position: Position,
    /// The solution that is written with it, if there is one.
    pub recorded: Vec<Move>,
}

impl MateProblem {
    /// The problem as a game; `attacker` overrides who mates whom.
    #[must_use]
    pub fn game(&self, attacker: Option<Color>) -> Tsume {
        let attacker = attacker.unwrap_or_else(|| attacker_of(&self.position));
        Tsume::new(self.position.clone(), attacker)
    }
}

/// A line of a set that is no problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct ProblemSetError {
    /// Its number from 1.
    pub line: usize,
    /// What is wrong.
    pub error: ParseError,
}

/// Reads a set: one problem a line, SFEN first, further columns after tabs. The first further
/// column that looks like a name (letters or digits joined by `-`, without a space) names the
/// problem, else its line number does. A name that was there before gets the line number too, so
/// that names are unique in the set. Lines that begin with `#` are comments.
///
/// # Errors
/// Says which line is wrong and why.
pub fn read_set(text: &str) -> Result<Vec<MateProblem>, ProblemSetError> {
    let mut problems = Vec::new();
    let mut names = HashSet::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut columns = line.split('\t');
        let mut others = columns.clone().skip(1);
        let sfen = columns.next().unwrap_or_default().trim().trim_start_matches("sfen ").to_owned();
        let position = Position::from_problem_sfen(&sfen)
            .map_err(|error| ProblemSetError { line: number + 1, error })?;
        let mut id = columns.find(is_name).map_or_else(|| (number + 1).to_string(), str::to_owned);
        while !names.insert(id.clone()) {
            id = format!("{id}:{}", number + 1);
        }
        let recorded = others.find_map(|text| read_line(&position, text)).unwrap_or_default();
        problems.push(MateProblem { id, sfen, position, recorded });
    }
    Ok(problems)
}

/// A column as moves in USI that can be played from the position.
fn read_line(position: &Position, text: &str) -> Option<Vec<Move>> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for word in text.split_whitespace() {
        let mv: Move = word.parse().ok().filter(|&mv| position.is_legal(mv))?;
        position.play(mv);
        line.push(mv);
    }
    (!line.is_empty()).then_some(line)
}

/// Whether a column names a problem. A lone `-` says that there is nothing to say, and `-5` is a
/// number.
fn is_name(column: &&str) -> bool {
    let has_part = |part: &str| part.chars().any(char::is_alphanumeric);
    !column.contains(' ')
        && column.split_once('-').is_some_and(|(before, after)| has_part(before) && has_part(after))
}

/// An answer as one line of JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProblemAnswer {
    /// Name of the problem.
    pub id: String,
    /// The position.
    pub sfen: String,
    /// `mate`, `nomate` or `unknown`.
    pub result: String,
    /// Why it is unknown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// Length by convention; the best known where it is not known to be the shortest.
    pub length: Option<u16>,
    /// Whether `length` is the shortest.
    pub exact: bool,
    /// Plies at most by a verified proof when everything counts; the least if there was time to
    /// find it.
    pub raw_length: Option<u32>,
    /// The line in USI.
    pub moves: Vec<String>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// Largest memory in MiB.
    pub peak_mib: u64,
    /// Whether the proof or the refutation was checked.
    pub verified: bool,
}

impl ProblemAnswer {
    /// The line of a solution. `peak_mib` is the caller's measure of memory.
    #[must_use]
    pub fn new(id: &str, sfen: &str, solution: &Solution, peak_mib: u64) -> Self {
        let mate = solution.verdict == Verdict::Mate;
        let (result, reason) = match solution.verdict {
            Verdict::Mate => ("mate", None),
            Verdict::NoMate => ("nomate", None),
            Verdict::Unknown(why) => ("unknown", Some(why.to_string())),
        };
        Self {
            id: id.to_owned(),
            sfen: sfen.to_owned(),
            result: result.to_owned(),
            reason,
            length: mate.then_some(solution.high),
            exact: solution.is_exact(),
            raw_length: mate.then_some(solution.raw_length),
            moves: solution.line.iter().map(ToString::to_string).collect(),
            nodes: solution.nodes,
            seconds: (solution.elapsed.as_secs_f64() * 1e6).round() / 1e6,
            peak_mib,
            verified: solution.verified,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_name_their_problems() {
        let text = "# a comment\n4k4/9/4P4/9/9/9/9/9/9 b G 1\t1\tG*5b\tfirst-1\n4k4/9/4P4/9/9/9/9/9/9 b G 1\n";
        let set = read_set(text).unwrap();
        assert_eq!(set.iter().map(|p| p.id.as_str()).collect::<Vec<_>>(), ["first-1", "3"]);
        let lines: Vec<usize> = set.iter().map(|p| p.recorded.len()).collect();
        assert_eq!(lines, [1, 0], "the moves that are written with a problem");
    }

    #[test]
    fn names_are_unique_in_a_set_whatever_its_columns_say() {
        let problem = "4k4/9/4P4/9/9/9/9/9/9 b G 1";
        let columns =
            ["-", "-", "a-1", "7\ta-1", "-\tG*5b 5a4a\tb-1", "-5", "a-1:4", "", "a-1", "a-1"];
        let text: String = columns.iter().map(|more| format!("{problem}\t{more}\n")).collect();
        let set = read_set(&text).unwrap();
        let names: Vec<&str> = set.iter().map(|problem| problem.id.as_str()).collect();
        assert_eq!(
            names,
            ["1", "2", "a-1", "a-1:4", "b-1", "6", "a-1:4:7", "8", "a-1:9", "a-1:10"]
        );
    }

    #[test]
    fn a_line_that_is_no_problem_is_named() {
        assert!(read_set("4k4/9/9/9/9/9/9/9/9 b 19P 1").unwrap_err().line == 1);
    }
}
