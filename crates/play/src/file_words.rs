//! Files that cannot be read or written, in the language of the user.

use std::path::Path;
use yomikiri_base::output_files::OutputError;
use yomikiri_base::packed::is_standard;
use yomikiri_shogi::record::Record;
use yomikiri_shogi::record::files::RecordFileError;
use yomikiri_text::Files;

/// Why a file is not written.
#[must_use]
pub fn output_error(error: &OutputError, words: Files) -> String {
    match error {
        OutputError::Exists(path) => words.exists(path.display()),
        OutputError::NoFolder(path, folder) => words.no_folder(path.display(), folder.display()),
        OutputError::MakeFolder(path, error) => {
            format!("{}: {error}", words.cannot_make_folder(path.display()))
        }
        OutputError::IntoFolder(path, error) => {
            format!("{}: {error}", words.cannot_write_into(path.display()))
        }
        OutputError::Write(path, error) => {
            format!("{}: {error}", words.cannot_write(path.display()))
        }
    }
}

/// Why the records of a file cannot be read.
#[must_use]
pub fn record_file_error(error: &RecordFileError, words: Files) -> String {
    match error {
        RecordFileError::UnknownFormat(path) if is_standard(path) => words.unknown_beginning(),
        RecordFileError::UnknownFormat(path) => words.unknown_format(path.display()),
        RecordFileError::Read(path, error) => {
            format!("{}: {error}", words.cannot_read(path.display()))
        }
        RecordFileError::Record(path, format, error) => {
            format!("{}: {error}", words.as_format(path.display(), format))
        }
    }
}

/// A game of a file, counted from 1, and the ply after which it is wanted, which it must have; the
/// last one if none is.
///
/// # Errors
/// If there is no such game or ply.
pub fn game_at(
    records: Vec<Record>,
    (number, ply): (usize, Option<usize>),
) -> Result<(Record, usize), NoSuchGame> {
    let count = records.len();
    let found = number.checked_sub(1).and_then(|index| records.into_iter().nth(index));
    let record = found.ok_or(NoSuchGame::Game { count, number })?;
    let moves = record.main_moves().count();
    match ply.unwrap_or(moves) {
        ply if ply > moves => Err(NoSuchGame::Ply { moves, ply }),
        ply => Ok((record, ply)),
    }
}

/// A file has not the game or the ply that is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSuchGame {
    /// It has other games, or none.
    Game {
        /// How many there are.
        count: usize,
        /// The one that is wanted.
        number: usize,
    },
    /// The game is shorter.
    Ply {
        /// How many moves it has.
        moves: usize,
        /// The ply that is wanted.
        ply: usize,
    },
}

impl NoSuchGame {
    /// The reason in words.
    #[must_use]
    pub fn text(self, path: &Path, words: Files) -> String {
        match self {
            NoSuchGame::Game { count: 0, .. } => words.no_game(path.display()),
            NoSuchGame::Game { count, number } => words.no_such_game(path.display(), count, number),
            NoSuchGame::Ply { moves, ply } => words.no_such_ply(moves, ply),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use yomikiri_shogi::record::usi;
    use yomikiri_text::Language;

    #[test]
    fn a_game_and_a_ply_must_be_there() {
        let record = usi::read_line("startpos moves 7g7f 3c3d", 1).expect("a game");
        let (path, words) = (Path::new("a.kif"), Files(Language::En));
        let at = |wanted| game_at(vec![record.clone()], wanted).map(|found| found.1);
        assert_eq!((at((1, None)), at((1, Some(1)))), (Ok(2), Ok(1)));
        let text = |wanted| at(wanted).unwrap_err().text(path, words);
        assert!(text((1, Some(3))).contains("2 moves"));
        assert!(text((2, None)).contains("no game 2"));
        assert!(at((0, None)).is_err());
        let none = game_at(Vec::new(), (1, None)).unwrap_err();
        assert_eq!(none.text(path, words), "a.kif: no game in it");
    }
}
