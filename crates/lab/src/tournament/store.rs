//! The folder of a match: its settings, and a line for every finished game, written when it ends.

use super::kifu::to_record;
use super::record::{Game, HEADER};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use yomikiri_shogi::record::Format;

/// Why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("{path}: {reason}")]
    Io {
        /// What was to be read or written.
        path: String,
        /// What the system says.
        reason: io::Error,
    },
    /// The folder belongs to a match with other settings.
    #[error("{path} holds another match: there '{theirs}', here '{ours}'")]
    OtherMatch {
        /// The settings file.
        path: String,
        /// The line that differs, as it is there.
        theirs: String,
        /// The line that differs, as it would be.
        ours: String,
    },
    /// A line in the middle of the games file is damaged.
    #[error("{path}, line {line}: {reason}")]
    Damaged {
        /// The games file.
        path: String,
        /// The line's number, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// The folder, the ending and the format of each record file.
const RECORDS: [(&str, &str, Format); 2] =
    [("csa", "csa", Format::Csa), ("kif", "kifu", Format::Kifu)];

/// An open match folder.
pub struct Store {
    folder: PathBuf,
    games: File,
    records: bool,
}

impl Store {
    /// Opens or makes the folder, and returns the games that are finished already. `settings` are
    /// lines that say what makes this match the one it is: another match's folder is refused.
    /// With `records`, each game is also written as CSA and KIF.
    ///
    /// # Errors
    /// If the folder cannot be used; nothing in it is changed then.
    pub fn open(
        folder: &Path,
        settings: &str,
        records: bool,
    ) -> Result<(Store, Vec<Game>), StoreError> {
        let failed = |path: &Path| {
            let path = path.display().to_string();
            move |reason| StoreError::Io { path, reason }
        };
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let settings_path = folder.join("settings.txt");
        match fs::read_to_string(&settings_path) {
            Ok(theirs) => same_settings(&settings_path, &theirs, settings)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::write(&settings_path, settings).map_err(failed(&settings_path))?;
            }
            Err(error) => return Err(failed(&settings_path)(error)),
        }
        let path = folder.join("games.tsv");
        let mut games = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed(&path))?;
        let mut text = String::new();
        games.read_to_string(&mut text).map_err(failed(&path))?;
        let (finished, whole) = read_games(&path, &text)?;
        // A line that was being written when the match was killed is no game: cut it off.
        games.set_len(whole as u64).map_err(failed(&path))?;
        games.seek(SeekFrom::End(0)).map_err(failed(&path))?;
        if whole == 0 {
            writeln!(games, "{HEADER}").map_err(failed(&path))?;
        }
        if records {
            for kind in RECORDS {
                let folder = folder.join(kind.0);
                fs::create_dir_all(&folder).map_err(failed(&folder))?;
            }
        }
        Ok((Store { folder: folder.to_path_buf(), games, records }, finished))
    }

    fn save_records(&self, game: &Game) -> Result<(), StoreError> {
        let record = to_record(game, "yomikiri match");
        for (name, ending, format) in RECORDS {
            let path = self.folder.join(name).join(format!("{:06}.{ending}", game.number));
            let failed = |reason| StoreError::Io { path: path.display().to_string(), reason };
            let bytes = format
                .write(std::slice::from_ref(&record))
                .map_err(|error| failed(io::Error::other(error.to_string())))?;
            fs::write(&path, bytes).map_err(failed)?;
        }
        Ok(())
    }

    /// Saves a finished game: as CSA and KIF files of its own, then as the line that makes it
    /// count, so that no game counts whose files are not there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&mut self, game: &Game) -> Result<(), StoreError> {
        if self.records {
            self.save_records(game)?;
        }
        // One write, so that a line is there as a whole or not at all.
        self.games.write_all(format!("{game}\n").as_bytes()).map_err(|reason| StoreError::Io {
            path: self.folder.join("games.tsv").display().to_string(),
            reason,
        })
    }
}

fn same_settings(path: &Path, theirs: &str, ours: &str) -> Result<(), StoreError> {
    if theirs == ours {
        return Ok(());
    }
    let (mut left, mut right) = (theirs.lines(), ours.lines());
    loop {
        let (theirs, ours) = (left.next(), right.next());
        if theirs != ours || (theirs.is_none() && ours.is_none()) {
            return Err(StoreError::OtherMatch {
                path: path.display().to_string(),
                theirs: theirs.unwrap_or("nothing").to_string(),
                ours: ours.unwrap_or("nothing").to_string(),
            });
        }
    }
}

/// The games, and how many bytes of the text hold whole lines.
fn read_games(path: &Path, text: &str) -> Result<(Vec<Game>, usize), StoreError> {
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let games = text[..whole]
        .lines()
        .zip(1..)
        .skip(1)
        .map(|(content, line)| {
            content.parse().map_err(|reason| StoreError::Damaged {
                path: path.display().to_string(),
                line,
                reason,
            })
        })
        .collect::<Result<_, _>>()?;
    Ok((games, whole))
}

/// Reads the games of a match folder, for tables of matches that are over.
///
/// # Errors
/// If there is no such folder or its games are damaged.
pub fn read(folder: &Path) -> Result<Vec<Game>, StoreError> {
    let path = folder.join("games.tsv");
    let text = fs::read_to_string(&path)
        .map_err(|reason| StoreError::Io { path: path.display().to_string(), reason })?;
    read_games(&path, &text).map(|(games, _)| games)
}
