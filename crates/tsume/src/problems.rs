//! Problem sets: reading them, and one line of JSON for each answer.

use serde::{Deserialize, Serialize};
use yomikiri_shogi::{Color, Position};

use crate::node::Tsume;
use crate::solve::{Solution, Verdict, attacker_of};

/// A problem with its name.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Name, unique in its set.
    pub id: String,
    /// The position as it was written.
    pub sfen: String,
    /// The position.
    pub position: Position,
}

impl Problem {
    /// The problem as a game; `attacker` overrides who mates whom.
    #[must_use]
    pub fn game(&self, attacker: Option<Color>) -> Tsume {
        let attacker = attacker.unwrap_or_else(|| attacker_of(&self.position));
        Tsume::new(self.position.clone(), attacker)
    }
}

/// Reads a set: one problem a line, SFEN first, further columns after tabs. The first further column that is neither a
/// number nor a list of moves names the problem, else its line number does. Lines that begin with `#` are comments.
///
/// # Errors
/// Says which line is wrong and why.
pub fn read_set(text: &str) -> Result<Vec<Problem>, String> {
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut columns = line.split('\t');
        let sfen = columns.next().unwrap_or_default().trim().trim_start_matches("sfen ").to_owned();
        let position = Position::from_problem_sfen(&sfen)
            .map_err(|error| format!("line {}: {error}", number + 1))?;
        let is_id = |c: &&str| c.contains('-') && !c.contains(' ');
        let id = columns.find(is_id).map_or_else(|| (number + 1).to_string(), str::to_owned);
        problems.push(Problem { id, sfen, position });
    }
    Ok(problems)
}

/// An answer as one line of JSON.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Line {
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
    /// Plies at most by a verified proof when everything counts; the least if there was time to find it.
    pub raw_length: Option<u32>,
    /// The line in USI.
    pub moves: Vec<String>,
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// Largest memory in MiB.
    pub peak_mib: u64,
    /// Mate: whether the proof was checked. No mate: whether a second search of another kind agrees.
    pub verified: bool,
}

impl Line {
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
        assert!(read_set("4k4/9/9/9/9/9/9/9/9 b 19P 1").unwrap_err().starts_with("line 1: "));
    }
}
