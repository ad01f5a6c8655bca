//! The folder of a match.
//!
//! `log.jsonl` holds the finished games and decides what is left to play. Everything else is made
//! from it and from `manifest.json`: `settings.txt`; `games.tsv` with a row for every game and
//! `times.tsv` with what its moves took; `table.txt`, and with times `times.txt`; and with records
//! a CSA and a KIF file of each game. Opening the folder makes again what is missing or was cut
//! short, so that a kill or a full disk leaves no damage behind.

use crate::kifu::to_record;
use crate::record::{GameRecord, GameRecordError, HEADER, TIMES_HEADER};
use crate::standings::Standings;
use serde::{Deserialize, Serialize};
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
    /// A table cannot be written.
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
        reason: GameRecordError,
    },
    /// The manifest is none.
    #[error("{path}: {reason}")]
    Manifest {
        /// Where it is.
        path: String,
        /// What is wrong.
        reason: serde_json::Error,
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
pub(crate) const STAGE: &str = "games";

/// The name of the log in the folder.
pub const LOG: &str = "log.jsonl";

const MANIFEST: &str = "manifest.json";

/// What a folder says about itself, so that its tables can be made from it alone.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchManifest {
    /// What makes this match the one it is.
    pub identity: Identity,
    /// The players' names.
    pub players: Vec<String>,
    /// How many games the match has.
    pub games: usize,
    /// Which part of them this folder is for.
    pub shard: String,
    /// Whether each game is also written as CSA and KIF.
    pub records: bool,
    /// Who played them.
    pub provenance: Provenance,
}

impl MatchManifest {
    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// If there is none, or something else in its place.
    pub fn read(folder: &Path) -> Result<MatchManifest, StoreError> {
        let path = folder.join(MANIFEST);
        let text = fs::read_to_string(&path).map_err(failed(&path))?;
        serde_json::from_str(&text).map_err(|reason| wrong_manifest(&path, reason))
    }

    fn write(&self, folder: &Path) -> Result<(), StoreError> {
        let path = folder.join(MANIFEST);
        let text = serde_json::to_string_pretty(self);
        let text = text.map_err(|reason| wrong_manifest(&path, reason))?;
        write(&path, (text + "\n").as_bytes())
    }
}

fn wrong_manifest(path: &Path, reason: serde_json::Error) -> StoreError {
    StoreError::Manifest { path: path.display().to_string(), reason }
}

/// What makes a match with these lines of settings the one it is.
pub fn identity(settings: &str) -> Identity {
    let lines: Vec<&str> = settings.lines().collect();
    Identity::new("match", 1, serde_json::json!(lines))
}

/// The lines of settings of a match.
fn settings_text(identity: &Identity) -> String {
    let lines = identity.settings.as_array().map_or(&[][..], Vec::as_slice);
    lines.iter().filter_map(|line| line.as_str()).map(|line| format!("{line}\n")).collect()
}

/// An open match folder.
pub struct MatchStore {
    folder: PathBuf,
    /// The log, unless somebody else sees to it.
    log: Option<UnitLog>,
    games: Vec<GameRecord>,
    rows: AppendFile,
    times: AppendFile,
    records: bool,
}

impl MatchStore {
    /// Opens or makes the folder, and returns the games that are finished already, by number.
    /// Another match's folder is refused.
    ///
    /// # Errors
    /// If the folder cannot be used; a refused one is not changed.
    pub fn open(
        folder: &Path,
        manifest: &MatchManifest,
    ) -> Result<(MatchStore, Vec<GameRecord>), StoreError> {
        let log = open_log(folder, manifest)?;
        let games = games_of(&log)?;
        let store = MatchStore::beside_log(folder, manifest, games.clone())?;
        Ok((MatchStore { log: Some(log), ..store }, games))
    }

    /// The files that are made from the games, for a folder whose log somebody else sees to.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn beside_log(
        folder: &Path,
        manifest: &MatchManifest,
        games: Vec<GameRecord>,
    ) -> Result<MatchStore, StoreError> {
        manifest.write(folder)?;
        write(&folder.join("settings.txt"), settings_text(&manifest.identity).as_bytes())?;
        let [rows, times] = write_tables(folder, &games)?;
        let (rows, times) = (AppendFile::open(&rows)?.0, AppendFile::open(&times)?.0);
        let folder = folder.to_path_buf();
        let store = MatchStore { folder, log: None, games, rows, times, records: manifest.records };
        if manifest.records {
            store.games.iter().try_for_each(|game| store.write_records(game))?;
        }
        Ok(store)
    }

    /// Saves a finished game: in the log, which makes it count, then in the files made from it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&mut self, game: &GameRecord) -> Result<(), StoreError> {
        if let Some(log) = &self.log {
            put(log, game)?;
        }
        self.games.push(game.clone());
        self.rows.append(&format!("{}\n", game.row()))?;
        self.times.append(&format!("{}\n", game.times_row()))?;
        if self.records { self.write_records(game) } else { Ok(()) }
    }

    /// The games so far, in the order in which they ended.
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// Puts the games in the order of their numbers and writes the tables that were made of them,
    /// each a name and its text.
    ///
    /// # Errors
    /// If something cannot be written.
    pub fn close(self, tables: &[(&str, String)]) -> Result<(), StoreError> {
        let MatchStore { folder, mut games, rows, times, .. } = self;
        games.sort_by_key(|game| game.number);
        drop((rows, times));
        write_tables(&folder, &games)?;
        tables.iter().try_for_each(|(name, text)| write(&folder.join(name), text.as_bytes()))
    }

    /// Writes the record files of a game that are not there as they should be.
    fn write_records(&self, game: &GameRecord) -> Result<(), StoreError> {
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

/// Opens the log of a folder. A folder from before there was one gets it from its games.
fn open_log(folder: &Path, manifest: &MatchManifest) -> Result<UnitLog, StoreError> {
    let settings = settings_text(&manifest.identity);
    let path = folder.join(LOG);
    let earlier = if path.exists() { Vec::new() } else { before_logs(folder, &settings)? };
    let log = UnitLog::open(&path, &manifest.identity, &manifest.provenance)?;
    for game in &earlier {
        put(&log, game)?;
    }
    Ok(log)
}

/// Gives a folder from before there was a log one of its games.
///
/// # Errors
/// If the folder is of another match, or something cannot be written.
pub fn convert(folder: &Path, manifest: &MatchManifest) -> Result<(), StoreError> {
    match folder.join("games.tsv").exists() && !folder.join(LOG).exists() {
        true => open_log(folder, manifest).map(drop),
        false => Ok(()),
    }
}

/// The standings of a contest that was played in a folder, from its games.
///
/// # Errors
/// If it holds no contest.
pub fn standings(folder: &Path) -> Result<Standings, StoreError> {
    let manifest = MatchManifest::read(folder)?;
    let mut games = read(folder)?;
    games.sort_by_key(|game| game.number);
    Ok(Standings::of(&manifest.players, &games))
}

/// Writes the table of games and the table of times; returns where they are.
fn write_tables(folder: &Path, games: &[GameRecord]) -> Result<[PathBuf; 2], StoreError> {
    let table = |header: &str, row: &dyn Fn(&GameRecord) -> String| -> String {
        let rows = games.iter().map(|game| row(game) + "\n");
        std::iter::once(format!("{header}\n")).chain(rows).collect()
    };
    let (rows, times) = (folder.join("games.tsv"), folder.join("times.tsv"));
    write(&rows, table(HEADER, &GameRecord::row).as_bytes())?;
    write(&times, table(TIMES_HEADER, &GameRecord::times_row).as_bytes())?;
    Ok([rows, times])
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

fn put(log: &UnitLog, game: &GameRecord) -> Result<(), UnitLogError> {
    // The number of games may grow from run to run: the stage reaches as far as this one.
    let stage = log.numbered_stage(STAGE, game.number.saturating_add(1))?;
    stage.put(game.number, &game.to_string(), 0.0).map(|_| ())
}

/// The games of a log, by number.
fn games_of(log: &UnitLog) -> Result<Vec<GameRecord>, StoreError> {
    let units = log.units_of::<String>(STAGE)?;
    let read = |(_, line): (usize, String)| {
        line.parse().map_err(|error: GameRecordError| UnitLogError::Value(error.to_string()))
    };
    Ok(units.into_iter().map(read).collect::<Result<_, _>>()?)
}

/// The games of a folder from before there was a log, if they are of the same match.
fn before_logs(folder: &Path, settings: &str) -> Result<Vec<GameRecord>, StoreError> {
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

/// Reads the table of games of a match folder, which has no times.
///
/// # Errors
/// If there is no such folder or its games are damaged.
pub fn read(folder: &Path) -> Result<Vec<GameRecord>, StoreError> {
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
