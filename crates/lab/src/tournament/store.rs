//! The folder of a match.
//!
//! `log.jsonl` holds the finished games and decides what is left to play. Everything else is made
//! from it: `settings.txt`, `games.tsv` with a line for every game, and with records a CSA and a
//! KIF file of each. Opening the folder makes again what is missing or was cut short, so that a
//! kill or a full disk leaves no damage behind.

use super::kifu::to_record;
use super::record::{Game, HEADER};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use yomikiri_base::append::{AppendError, AppendFile};
use yomikiri_base::files::write_derived;
use yomikiri_base::{Identity, Provenance, UnitLog, UnitLogError};
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
    /// The log cannot be used.
    #[error(transparent)]
    Log(UnitLogError),
    /// `games.tsv` cannot be written.
    #[error(transparent)]
    Append(#[from] AppendError),
    /// The folder belongs to a match with other settings.
    #[error("{path} holds another match: there '{theirs}', here '{ours}'")]
    OtherMatch {
        /// Where the settings are.
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

impl From<UnitLogError> for StoreError {
    fn from(error: UnitLogError) -> StoreError {
        let UnitLogError::OtherRun { path, difference } = error else {
            return StoreError::Log(error);
        };
        // The settings are lines: show them as they are.
        let line = |json: &str| serde_json::from_str(json).unwrap_or_else(|_| json.to_string());
        let (theirs, ours) = (line(&difference.theirs), line(&difference.ours));
        StoreError::OtherMatch { path: path.display().to_string(), theirs, ours }
    }
}

/// The folder, the ending and the format of each record file.
const RECORDS: [(&str, &str, Format); 2] =
    [("csa", "csa", Format::Csa), ("kif", "kifu", Format::Kifu)];

/// The stage of the log that holds the games.
const STAGE: &str = "games";

/// An open match folder.
pub struct Store {
    folder: PathBuf,
    log: UnitLog,
    table: AppendFile,
    records: bool,
}

impl Store {
    /// Opens or makes the folder, and returns the games that are finished already, by number.
    /// `settings` are lines that say what makes this match the one it is: another match's folder is
    /// refused. With `records`, each game is also written as CSA and KIF.
    ///
    /// # Errors
    /// If the folder cannot be used; a refused one is not changed.
    pub fn open(
        folder: &Path,
        settings: &str,
        records: bool,
    ) -> Result<(Store, Vec<Game>), StoreError> {
        let log_path = folder.join("log.jsonl");
        let earlier = if log_path.exists() { Vec::new() } else { before_logs(folder, settings)? };
        let lines: Vec<&str> = settings.lines().collect();
        let identity = Identity::new("match", 1, serde_json::json!(lines));
        let log = UnitLog::open(&log_path, &identity, &Provenance::default())?;
        for game in &earlier {
            put(&log, game)?;
        }
        let games = games_of(&log)?;
        write(&folder.join("settings.txt"), settings.as_bytes())?;
        let table_path = folder.join("games.tsv");
        let rows = games.iter().map(|game| format!("{game}\n"));
        let text: String = std::iter::once(format!("{HEADER}\n")).chain(rows).collect();
        write(&table_path, text.as_bytes())?;
        let (table, _) = AppendFile::open(&table_path)?;
        let store = Store { folder: folder.to_path_buf(), log, table, records };
        if records {
            games.iter().try_for_each(|game| store.write_records(game))?;
        }
        Ok((store, games))
    }

    /// Saves a finished game: in the log, which makes it count, then in the files made from it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&mut self, game: &Game) -> Result<(), StoreError> {
        put(&self.log, game)?;
        self.table.append(&format!("{game}\n"))?;
        if self.records { self.write_records(game) } else { Ok(()) }
    }

    /// Writes the record files of a game that are not there as they should be.
    fn write_records(&self, game: &Game) -> Result<(), StoreError> {
        let record = to_record(game, "yomikiri match");
        for (name, ending, format) in RECORDS {
            let path = self.folder.join(name).join(format!("{:06}.{ending}", game.number));
            let bytes = format
                .write(std::slice::from_ref(&record))
                .map_err(|error| failed(&path)(io::Error::other(error.to_string())))?;
            write(&path, &bytes)?;
        }
        Ok(())
    }
}

fn failed(path: &Path) -> impl Fn(io::Error) -> StoreError {
    let path = path.display().to_string();
    move |reason| StoreError::Io { path: path.clone(), reason }
}

/// Writes a file whole or not at all, unless it is there already as it should be.
fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    match fs::read(path) {
        Ok(there) if there == bytes => Ok(()),
        _ => write_derived(path, bytes).map_err(failed(path)),
    }
}

fn put(log: &UnitLog, game: &Game) -> Result<(), UnitLogError> {
    // The number of games may grow from run to run: the stage reaches as far as this one.
    let stage = log.numbered_stage(STAGE, game.number.saturating_add(1))?;
    stage.put(game.number, &game.to_string(), 0.0).map(|_| ())
}

/// The games of a log, by number.
fn games_of(log: &UnitLog) -> Result<Vec<Game>, StoreError> {
    let units = log.numbered_units::<String>(STAGE)?;
    let read = |(_, line): (usize, String)| line.parse().map_err(UnitLogError::Value);
    Ok(units.into_iter().map(read).collect::<Result<_, _>>()?)
}

/// The games of a folder from before there was a log, if they are of the same match.
fn before_logs(folder: &Path, settings: &str) -> Result<Vec<Game>, StoreError> {
    let path = folder.join("settings.txt");
    match fs::read_to_string(&path) {
        Ok(theirs) => same_settings(&path, &theirs, settings)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(&path)(error)),
    }
    if !folder.join("games.tsv").exists() {
        return Ok(Vec::new());
    }
    // A game that was played twice counts once.
    let games = read(folder)?.into_iter().map(|game| (game.number, game));
    Ok(games.collect::<BTreeMap<_, _>>().into_values().collect())
}

fn same_settings(path: &Path, theirs: &str, ours: &str) -> Result<(), StoreError> {
    let (mut left, mut right) = (theirs.lines(), ours.lines());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return Ok(()),
            (theirs, ours) if theirs == ours => {}
            (theirs, ours) => {
                return Err(StoreError::OtherMatch {
                    path: path.display().to_string(),
                    theirs: theirs.unwrap_or("nothing").to_string(),
                    ours: ours.unwrap_or("nothing").to_string(),
                });
            }
        }
    }
}

/// Reads the games of a match folder, for tables of matches that are over.
///
/// # Errors
/// If there is no such folder or its games are damaged.
pub fn read(folder: &Path) -> Result<Vec<Game>, StoreError> {
    let path = folder.join("games.tsv");
    let text = fs::read_to_string(&path).map_err(failed(&path))?;
    // A last line without its end was being written when the match was killed.
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let read = |(content, line): (&str, usize)| {
        let path = path.display().to_string();
        content.parse().map_err(|reason| StoreError::Damaged { path, line, reason })
    };
    text[..whole].lines().zip(1..).skip(1).map(read).collect()
}
