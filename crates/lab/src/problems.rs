//! Next-move problems: a position and the moves that are right there.
//!
//! A set is a tab-separated file: the position (SFEN, or `startpos moves ...`), the right moves
//! as USI with spaces or commas between them, and columns that nobody reads here. `#` begins a
//! comment line. Or it is a file of JSON lines with `sfen`, `answers` (lines of moves, the first of
//! which is right) and `ends_in_mate`; problems that end in mate are passed over.

use crate::run::{LabError, Run, fault};
use serde::{Deserialize, Serialize};
use std::path::Path;
use yomikiri_shogi::{Move, ParseError, Position};
use yomikiri_usi::client::Analysis;
use yomikiri_usi::{BestMove, Setup, SetupError};

/// A problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NextMoveProblem {
    /// Its line in the file, from 1.
    pub line: usize,
    /// Where it stands.
    pub setup: Setup,
    /// What is right there.
    pub right: Vec<Move>,
}

/// A line that is no problem.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ProblemError {
    /// Its number, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: ProblemFault,
}

/// What is wrong with a line of a set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProblemFault {
    /// The first column is no position.
    #[error("{0}")]
    Setup(#[from] SetupError),
    /// A line that begins like JSON and is none.
    #[error("{0}")]
    Json(String),
    /// The position cannot be, or a move in it.
    #[error("{0}")]
    Position(String),
    /// A right move that is none.
    #[error("{0}")]
    Move(String),
    /// No right move.
    #[error("no right move in the second column")]
    NoMove,
    /// A right move that is not legal.
    #[error("{0} is not legal there")]
    Illegal(Move),
}

/// A set of problems of an experiment.
#[derive(Clone, Debug)]
pub(crate) struct LoadedSet {
    /// The name of its file.
    pub name: String,
    /// Whether it was named on the command line: a set that people made, as the paper's.
    pub by_people: bool,
    /// The problems.
    pub problems: Vec<NextMoveProblem>,
}

/// Reads the sets of an experiment, with a limit on the problems of each: first the one that was
/// named on the command line, then the one that the program carries, which its engine chose.
pub(crate) fn load_sets(
    run: &mut Run<'_>,
    carried: &Path,
    most: usize,
) -> Result<Vec<LoadedSet>, LabError> {
    let mut sets = Vec::new();
    let files = run.problems().into_iter().map(|file| (file, true));
    for (file, by_people) in files.chain([(carried.to_path_buf(), false)]) {
        let name = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        let bytes = run.read_data(&file)?;
        let text = String::from_utf8(bytes).map_err(|error| fault(&name, &error))?;
        let mut problems = read(&text).map_err(|error| fault(&name, &error))?;
        problems.truncate(most);
        sets.push(LoadedSet { name, by_people, problems });
    }
    Ok(sets)
}

/// A problem of a file of JSON lines, as far as it is read here.
#[derive(Deserialize)]
struct JsonProblem {
    sfen: String,
    /// Lines of moves; the first move of each is right.
    answers: Vec<String>,
    #[serde(default)]
    ends_in_mate: Vec<bool>,
}

impl JsonProblem {
    /// Whether it is about the next move of a game: mates are for the solver, and a side without a
    /// king plays no game.
    fn is_next_move(&self) -> bool {
        let board = self.sfen.split(' ').next().unwrap_or_default();
        let kings = board.contains('k') && board.contains('K');
        kings && !self.answers.is_empty() && !self.ends_in_mate.contains(&true)
    }

    /// As a line of the other form.
    fn line(&self) -> String {
        let first = |line: &String| line.split(' ').next().unwrap_or_default().to_string();
        let moves: Vec<String> = self.answers.iter().map(first).collect();
        format!("{}\t{}", self.sfen, moves.join(" "))
    }
}

/// Reads a set. Positions must be sound and the right moves legal. Of JSON lines those are taken
/// that ask for the next move of a game.
///
/// # Errors
/// The first line that is wrong.
pub fn read(text: &str) -> Result<Vec<NextMoveProblem>, ProblemError> {
    (1..)
        .zip(text.lines())
        .filter(|(_, content)| !content.trim().is_empty() && !content.starts_with('#'))
        .filter_map(|(line, content)| {
            let problem = match content.starts_with('{') {
                true => read_json(line, content).transpose()?,
                false => read_line(line, content),
            };
            Some(problem.map_err(|reason| ProblemError { line, reason }))
        })
        .collect()
}

/// A JSON line; nothing if it does not ask for the next move of a game.
fn read_json(line: usize, content: &str) -> Result<Option<NextMoveProblem>, ProblemFault> {
    let problem: JsonProblem =
        serde_json::from_str(content).map_err(|error| ProblemFault::Json(error.to_string()))?;
    problem.is_next_move().then(|| read_line(line, &problem.line())).transpose()
}

fn read_line(line: usize, content: &str) -> Result<NextMoveProblem, ProblemFault> {
    let mut columns = content.split('\t');
    let setup: Setup = columns.next().unwrap_or_default().parse()?;
    let position = setup.position().map_err(|error| ProblemFault::Position(error.to_string()))?;
    let right: Vec<Move> = columns
        .next()
        .unwrap_or_default()
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|error: ParseError| ProblemFault::Move(error.message)))
        .collect::<Result<_, _>>()?;
    if right.is_empty() {
        return Err(ProblemFault::NoMove);
    }
    if let Some(&wrong) = right.iter().find(|&&played| !position.is_legal(played)) {
        return Err(ProblemFault::Illegal(wrong));
    }
    Ok(NextMoveProblem { line, setup, right })
}

/// What an engine made of a problem.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Attempt {
    /// The move it would play.
    #[serde(with = "as_usi")]
    pub played: Option<Move>,
    /// Whether that is right.
    pub solved: bool,
    /// The place of the first right move among its best lines, from 1; none if it is not there.
    pub rank: Option<usize>,
    /// The nodes it says it searched.
    pub nodes: Option<u64>,
    /// Milliseconds from the question to the answer.
    pub millis: u64,
}

impl Attempt {
    /// Judges a search.
    pub fn of(problem: &NextMoveProblem, analysis: &Analysis) -> Attempt {
        let played = match analysis.best {
            BestMove::Move { best, .. } => Some(best),
            BestMove::Resign | BestMove::Win => None,
        };
        let solved = played.is_some_and(|played| problem.right.contains(&played));
        let among = analysis
            .lines
            .iter()
            .position(|info| info.pv.first().is_some_and(|first| problem.right.contains(first)));
        Attempt {
            played,
            solved,
            rank: if solved { Some(1) } else { among.map(|place| place + 1) },
            nodes: analysis.lines.iter().filter_map(|info| info.nodes).max(),
            millis: u64::try_from(analysis.elapsed.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

/// A move as its USI text.
mod as_usi {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use yomikiri_shogi::Move;

    pub fn serialize<S: Serializer>(mv: &Option<Move>, to: S) -> Result<S::Ok, S::Error> {
        mv.map(|mv| mv.to_string()).serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Move>, D::Error> {
        let text: Option<String> = Option::deserialize(from)?;
        let read = |text: String| text.parse().map_err(|_| serde::de::Error::custom("no move"));
        text.map(read).transpose()
    }
}

/// Whether a position is worth a problem: it has a choice, and is not decided by a check.
pub fn is_interesting(position: &Position) -> bool {
    !position.in_check() && position.count_legal_moves() >= 20
}

#[cfg(test)]
mod tests {
    use super::{Attempt, read};
    use std::time::Duration;
    use yomikiri_usi::client::Analysis;
    use yomikiri_usi::{BestMove, Info};

    #[test]
    fn sets_are_read() {
        let text = "# a set\nstartpos moves 7g7f\t3c3d,8c8d\tsource\n\n\
                    4k4/9/4P4/9/9/9/9/9/4K4 b G 1\tG*5b\n";
        let problems = read(text).unwrap();
        assert_eq!(problems.len(), 2);
        assert_eq!((problems[1].line, problems[1].right.len()), (4, 1));
        assert_eq!(read("startpos\t7g7f\nstartpos\t7g7e").unwrap_err().line, 2);
        assert!(read("startpos").is_err());
    }

    #[test]
    fn json_lines_give_their_first_moves_and_no_mates() {
        let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
        let line = |sfen: &str, mate: bool| {
            format!(
                "{{\"sfen\":\"{sfen}\",\"answers\":[\"G*5b 5a4a\",\"G*4b\"],\"ends_in_mate\":[{mate}]}}\n"
            )
        };
        let text =
            line(sfen, false) + &line(sfen, true) + &line("4k4/9/9/9/9/9/9/9/9 b G 1", false);
        let problems = read(&text).unwrap();
        assert_eq!(problems.len(), 1);
        assert_eq!(
            problems[0].right.iter().map(ToString::to_string).collect::<Vec<_>>(),
            ["G*5b", "G*4b"]
        );
        assert_eq!(read("{\"sfen\":").unwrap_err().line, 1);
    }

    #[test]
    fn the_set_that_ships_can_be_read() {
        let problems = read(yomikiri_data::NEXT_MOVES).unwrap();
        assert_eq!(problems.len(), 300);
        let positions: std::collections::HashSet<_> =
            problems.iter().map(|problem| &problem.setup).collect();
        assert_eq!(positions.len(), problems.len());
    }

    #[test]
    fn attempts_are_judged() {
        let problem = &read("startpos\t2g2f").unwrap()[0];
        let line = |text: &str| Info {
            pv: vec![text.parse().unwrap()],
            nodes: Some(5),
            ..Info::default()
        };
        let best = |text: &str| BestMove::Move { best: text.parse().unwrap(), ponder: None };
        let mut analysis = Analysis {
            best: best("7g7f"),
            lines: vec![line("7g7f"), line("9g9f"), line("2g2f")],
            elapsed: Duration::from_millis(3),
        };
        let attempt = Attempt::of(problem, &analysis);
        assert_eq!((attempt.solved, attempt.rank, attempt.nodes), (false, Some(3), Some(5)));
        analysis.best = best("2g2f");
        assert_eq!(Attempt::of(problem, &analysis).rank, Some(1));
        analysis.best = BestMove::Resign;
        analysis.lines.clear();
        assert_eq!(Attempt::of(problem, &analysis).rank, None);
    }
}
