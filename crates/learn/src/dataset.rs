//! Games to learn from: one a line, tab-separated, the moves in USI first; plain or compressed.

use std::path::{Path, PathBuf};
use thiserror::Error;
use yomikiri_base::checksum::{sha256, sha256_hex};
use yomikiri_base::packed::{UnpackLimits, unpacked};
use yomikiri_shogi::notation::ParseError;
use yomikiri_shogi::{Move, Position};

/// The name of the games that the program carries: where they lie in the source tree.
pub const CARRIED_NAME: &str = "data/games_engine.tsv.zst";

/// Those games, packed.
pub const CARRIED: &[u8] = yomikiri_data::GAMES;

/// One game.
#[derive(Clone, Debug)]
pub struct TrainingGame {
    /// Where it began.
    pub start: Position,
    /// What was played.
    pub moves: Vec<Move>,
    /// A hash of the record, the same wherever and whenever it is read.
    pub hash: u64,
    /// The result column: `B`, `W`, `D`, or something else if it is not known.
    pub result: String,
}

impl TrainingGame {
    /// Whether the game belongs to the 5 % that are never trained on.
    pub fn is_test(&self) -> bool {
        self.hash % 100 < 5
    }
}

/// A line that is no game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Its number in the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: ParseError,
}

/// The games of some files.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    /// All games, in the order of the files.
    pub games: Vec<TrainingGame>,
    /// Lines that hold no game.
    pub skipped: Vec<Skipped>,
    /// Each file and the SHA-256 of its bytes.
    pub sources: Vec<(String, String)>,
}

/// Why games cannot be read.
#[derive(Debug, Error)]
pub enum DatasetError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file holds no game at all.
    #[error("{} holds no game ({reason})", path.display())]
    Empty {
        /// Which file.
        path: PathBuf,
        /// What is wrong with its first line.
        reason: String,
    },
}

impl Dataset {
    /// Reads files of games, which may be packed; `limits` bound their unpacked size.
    ///
    /// # Errors
    /// If a file cannot be read or holds no game; single bad lines are skipped and counted.
    pub fn read<P: AsRef<Path>>(
        paths: &[P],
        limits: UnpackLimits,
    ) -> Result<Dataset, DatasetError> {
        let mut dataset = Dataset::default();
        for path in paths {
            dataset.add_file(path.as_ref(), limits)?;
        }
        Ok(dataset)
    }

    /// How many lines are no games, in words; nothing where all are.
    #[must_use]
    pub fn skipped_note(&self) -> Option<String> {
        let first = self.skipped.first()?;
        let (count, line, why) = (self.skipped.len(), first.line, &first.reason);
        Some(format!("{count} lines are no games and are skipped (line {line}: {why})"))
    }

    /// The games that the program carries.
    ///
    /// # Errors
    /// If the bounds of packed input are too narrow for them.
    pub fn carried(limits: UnpackLimits) -> Result<Dataset, DatasetError> {
        let mut dataset = Dataset::default();
        dataset.add_bytes(Path::new(CARRIED_NAME), CARRIED.to_vec(), limits)?;
        Ok(dataset)
    }

    fn add_file(&mut self, path: &Path, limits: UnpackLimits) -> Result<(), DatasetError> {
        let failed = |error| DatasetError::Read { path: path.to_path_buf(), error };
        let bytes = std::fs::read(path).map_err(failed)?;
        self.add_bytes(path, bytes, limits)
    }

    /// Adds the games of a file's bytes, which may be packed; `path` names it.
    ///
    /// # Errors
    /// If they cannot be unpacked or hold no game.
    pub fn add_bytes(
        &mut self,
        path: &Path,
        bytes: Vec<u8>,
        limits: UnpackLimits,
    ) -> Result<(), DatasetError> {
        let failed = |error| DatasetError::Read { path: path.to_path_buf(), error };
        let digest = sha256_hex(&bytes);
        let text = unpacked(bytes, limits).map_err(|error| failed(error.into()))?;
        let before = (self.games.len(), self.skipped.len());
        self.add_text(&String::from_utf8_lossy(&text));
        if self.games.len() == before.0 {
            let first = self.skipped.get(before.1);
            let reason = first
                .map_or("it is empty".into(), |bad| format!("line {}: {}", bad.line, bad.reason));
            return Err(DatasetError::Empty { path: path.to_path_buf(), reason });
        }
        let name = path.file_name().unwrap_or(path.as_os_str());
        self.sources.push((name.to_string_lossy().into_owned(), digest));
        Ok(())
    }

    /// Adds the games of a text.
    pub fn add_text(&mut self, text: &str) {
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            match parse(line) {
                Ok(game) => self.games.push(game),
                Err(reason) => self.skipped.push(Skipped { line: index + 1, reason }),
            }
        }
    }

    /// The games that may be trained on, and those that may not.
    pub fn split(&self) -> (Vec<&TrainingGame>, Vec<&TrainingGame>) {
        self.games.iter().partition(|game| !game.is_test())
    }
}

fn parse(line: &str) -> Result<TrainingGame, ParseError> {
    let mut columns = line.split('\t');
    let record = columns.next().unwrap_or_default();
    let mut position = Position::from_usi(record)?;
    let moves: Vec<Move> = position.moves_played().collect();
    for _ in &moves {
        position.undo();
    }
    let digest = sha256(record.as_bytes());
    let hash = digest[..8].iter().fold(0, |hash, &byte| hash << 8 | u64::from(byte));
    let result = columns.next().unwrap_or_default().to_string();
    Ok(TrainingGame { start: position, moves, hash, result })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_skipped_with_their_number() {
        let mut dataset = Dataset::default();
        let text = "startpos moves 7g7f 3c3d\tB\nnonsense\n\nstartpos moves 7g7f 7g7f\tW\n\
                    startpos moves 2g2f\t?\n";
        dataset.add_text(text);
        assert_eq!(dataset.games.len(), 2);
        assert_eq!(dataset.games[0].moves.len(), 2);
        assert_eq!(dataset.games[0].start, Position::start());
        assert_eq!(dataset.games[0].result, "B");
        let lines: Vec<usize> = dataset.skipped.iter().map(|bad| bad.line).collect();
        assert_eq!(lines, [2, 4]);
    }

    #[test]
    fn the_split_depends_on_the_record_alone() {
        let mut dataset = Dataset::default();
        let mut random = fastrand::Rng::with_seed(8);
        for _ in 0..1500 {
            let mut position = Position::start();
            for _ in 0..4 {
                if let Some(mv) = random.choice(position.legal_moves()) {
                    position.play(mv);
                }
            }
            let moves: Vec<String> = position.moves_played().map(|one| one.to_string()).collect();
            dataset.add_text(&format!("startpos moves {}\tB\n", moves.join(" ")));
        }
        let (train, test) = dataset.split();
        assert_eq!(train.len() + test.len(), 1500);
        assert!((30..130).contains(&test.len()), "{} of 1500", test.len());
    }

    #[test]
    fn files_that_are_missing_or_hold_no_game_are_refused() {
        let folder = std::env::temp_dir().join(format!("yomikiri-dataset-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("games.tsv");
        assert!(matches!(
            Dataset::read(&[&file], UnpackLimits::default()),
            Err(DatasetError::Read { .. })
        ));
        std::fs::write(&file, "no game\n").unwrap();
        let message = Dataset::read(&[&file], UnpackLimits::default()).unwrap_err().to_string();
        assert!(message.contains("line 1"), "{message}");
        let packed = zstd::encode_all(&b"startpos moves 7g7f\tB\n"[..], 1).unwrap();
        std::fs::write(&file, packed).unwrap();
        assert_eq!(Dataset::read(&[&file], UnpackLimits::default()).unwrap().games.len(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
