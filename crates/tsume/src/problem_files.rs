//! Mate problems from whatever people have: positions as they are typed, sets, records of problems
//! and of games, folders of all of them.

use std::path::{Path, PathBuf};

use thiserror::Error;
use yomikiri_base::packed::{Input, PackedError, is_standard, stem};
use yomikiri_shogi::record::files::format_of;
use yomikiri_shogi::record::{self, Format, Record, RecordError};
use yomikiri_shogi::{Handicap, Move, ParseError, Position};

use crate::problems::{MateProblem, ProblemSetError, read_set};

/// Why there are no problems.
#[derive(Debug, Error)]
pub enum ProblemFileError {
    /// A file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        error: PackedError,
    },
    /// No text.
    #[error("{}: no UTF-8 text", .0.display())]
    NoText(PathBuf),
    /// No record.
    #[error("{} (as {format}): {error}", path.display())]
    Record {
        /// Which file.
        path: PathBuf,
        /// What its name says.
        format: Format,
        /// What is wrong.
        error: RecordError,
    },
    /// No set.
    #[error("{}: {error}", path.display())]
    Set {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        error: ProblemSetError,
    },
    /// A ply of something that has none.
    #[error("{}: --ply is for records of games, and this is a set of positions", .0.display())]
    PlyOfSet(PathBuf),
    /// A ply that does not exist.
    #[error("{name}: --ply {ply}, but there are {moves} moves")]
    NoPly {
        /// What it was to be found in.
        name: String,
        /// The ply.
        ply: usize,
        /// Moves that there are.
        moves: usize,
    },
    /// Neither a file nor a position.
    #[error("'{text}' is neither a file nor a position: {error}")]
    NoPosition {
        /// What was given.
        text: String,
        /// What is wrong with it as a position.
        error: ParseError,
    },
    /// A move that cannot be played.
    #[error("{mv} is not legal in {sfen}")]
    Illegal {
        /// The move.
        mv: String,
        /// Where.
        sfen: String,
    },
    /// Nothing.
    #[error("no problems in {0}")]
    Empty(String),
}

/// Whether what was given names files or folders rather than a position.
#[must_use]
pub fn are_files(given: &[String]) -> bool {
    given.first().is_some_and(|first| {
        let first = Path::new(first);
        is_standard(first) || first.exists()
    })
}

/// Problems, and what is wrong with files that have none.
pub type ReadProblems = (Vec<MateProblem>, Vec<ProblemFileError>);

/// The problems of files and folders, or the one position that the words make together. `ply` is
/// the move of a game after which to solve. A bad file leaves the others as they are.
///
/// # Errors
/// If there is no problem at all; see [`ProblemFileError`].
pub fn read(
    given: &[String],
    ply: Option<usize>,
    input: Input<'_>,
) -> Result<ReadProblems, ProblemFileError> {
    if are_files(given) {
        let paths: Vec<PathBuf> = given.iter().map(PathBuf::from).collect();
        return read_good_files(&paths, ply, input);
    }
    let text = given.join(" ");
    let position = read_position(&text, ply)?;
    let mut problem = problem("1".to_owned(), position, Vec::new());
    let given = text.trim().trim_start_matches("position ").trim_start_matches("sfen ").trim();
    if Position::from_problem_sfen(given).is_ok() {
        given.clone_into(&mut problem.sfen);
    }
    Ok((vec![problem], Vec::new()))
}

fn read_good_files(
    paths: &[PathBuf],
    ply: Option<usize>,
    input: Input<'_>,
) -> Result<ReadProblems, ProblemFileError> {
    let (mut problems, mut bad) = (Vec::new(), Vec::new());
    for path in paths {
        for file in files_of(path)? {
            let mut own = Vec::new();
            match read_path(&file, ply, input, &mut own) {
                Ok(()) => problems.append(&mut own),
                Err(error) => bad.push(error),
            }
        }
    }
    match (problems.is_empty(), bad.len()) {
        (true, 1) => Err(bad.remove(0)),
        (true, 0) => Err(no_problems(paths)),
        _ => Ok((problems, bad)),
    }
}

/// The problems of files and folders, all of which must be good: a run that is kept or divided
/// has the same problems everywhere.
///
/// # Errors
/// See [`ProblemFileError`].
pub fn read_files(
    paths: &[PathBuf],
    ply: Option<usize>,
    input: Input<'_>,
) -> Result<Vec<MateProblem>, ProblemFileError> {
    let mut problems = Vec::new();
    for path in paths {
        for file in files_of(path)? {
            read_path(&file, ply, input, &mut problems)?;
        }
    }
    if problems.is_empty() {
        return Err(no_problems(paths));
    }
    Ok(problems)
}

fn no_problems(paths: &[PathBuf]) -> ProblemFileError {
    let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
    ProblemFileError::Empty(names.join(" "))
}

/// The file, or those of a folder in the order of their names.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, ProblemFileError> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let entries = std::fs::read_dir(path).and_then(|entries| entries.collect());
    let entries: Vec<std::fs::DirEntry> = entries.map_err(|error| ProblemFileError::Read {
        path: path.to_path_buf(),
        error: error.into(),
    })?;
    let paths = entries.iter().map(std::fs::DirEntry::path);
    let mut files: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

fn problem(id: String, position: Position, recorded: Vec<Move>) -> MateProblem {
    MateProblem { id, sfen: position.to_sfen(), position, recorded }
}

/// A position in SFEN, or as USI writes it: `startpos moves 7g7f ..`, `sfen .. moves ..`.
fn read_position(given: &str, ply: Option<usize>) -> Result<Position, ProblemFileError> {
    let wrong = |error| ProblemFileError::NoPosition { text: given.to_owned(), error };
    let text = given.trim().trim_start_matches("position ").trim();
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let start = start.trim_end_matches(" moves").trim();
    let mut position = match start {
        "startpos" => Position::start(),
        sfen => {
            let sfen = sfen.trim_start_matches("sfen ").trim();
            Position::from_problem_sfen(sfen).map_err(wrong)?
        }
    };
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let most = ply.unwrap_or(moves.len());
    if most > moves.len() {
        let (name, moves) = ("the position".to_owned(), moves.len());
        return Err(ProblemFileError::NoPly { name, ply: most, moves });
    }
    for word in &moves[..most] {
        let mv: Move = word.parse().map_err(wrong)?;
        if !position.is_legal(mv) {
            let (mv, sfen) = ((*word).to_owned(), position.to_sfen());
            return Err(ProblemFileError::Illegal { mv, sfen });
        }
        position.play(mv);
    }
    Ok(position)
}

fn read_path(
    path: &Path,
    ply: Option<usize>,
    input: Input<'_>,
    problems: &mut Vec<MateProblem>,
) -> Result<(), ProblemFileError> {
    let failed = |error: PackedError| ProblemFileError::Read { path: path.to_path_buf(), error };
    use Format::{Bod, Csa, Jkf, Ki2, Ki2u, Kif, Kifu};
    let bytes = input.read(path).map_err(failed)?;
    let games = [Kif, Kifu, Ki2, Ki2u, Csa, Jkf, Bod];
    if let Some(format) = format_of(path, &bytes).filter(|format| games.contains(format)) {
        let records = record::read(&bytes, format).map_err(|error| ProblemFileError::Record {
            path: path.to_path_buf(),
            format,
            error,
        })?;
        return of_records(&stem(path), &records, ply, problems);
    }
    let text =
        String::from_utf8(bytes).map_err(|_| ProblemFileError::NoText(path.to_path_buf()))?;
    if ply.is_some() {
        return Err(ProblemFileError::PlyOfSet(path.to_path_buf()));
    }
    let begins = |word: &str| text.trim_start().starts_with(word);
    if is_standard(path) && begins("position ") || begins("startpos") {
        problems.push(problem(stem(path), read_position(&text, ply)?, Vec::new()));
        return Ok(());
    }
    let wrong = |error| ProblemFileError::Set { path: path.to_path_buf(), error };
    problems.extend(read_set(&text).map_err(wrong)?);
    Ok(())
}

/// A record of a problem gives its starting position, with one king or two, and its moves; a record
/// of a game its last one. A game is what begins as games do. `ply` takes the position after so
/// many moves of either.
fn of_records(
    name: &str,
    records: &[Record],
    ply: Option<usize>,
    problems: &mut Vec<MateProblem>,
) -> Result<(), ProblemFileError> {
    for (number, record) in records.iter().enumerate() {
        let id = if records.len() > 1 { format!("{name}-{}", number + 1) } else { name.to_owned() };
        let moves: Vec<Move> =
            record.main_line().filter_map(|node| record.node(node).played()).collect();
        let mut position = record.start().clone();
        let is_game = position.move_number() == 1 && Handicap::of(&position).is_some();
        let plies = ply.unwrap_or(if is_game { moves.len() } else { 0 });
        if plies > moves.len() {
            return Err(ProblemFileError::NoPly { name: id, ply: plies, moves: moves.len() });
        }
        for &mv in &moves[..plies] {
            position.play(mv);
        }
        problems.push(problem(id, position, moves[plies..].to_vec()));
    }
    Ok(())
}
