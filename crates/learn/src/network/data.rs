//! Positions to learn from, read as a stream: packed positions and scored games.

use super::config::{Beyond, DataConfig, ValidationConfig};
use std::fs::File;
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;
use yomikiri_base::checksum::sha256_of;
use yomikiri_base::packed::{UnpackLimits, open_file};
use yomikiri_shogi::notation::packed::{
    Code, POSITION_BYTES, PSV_BYTES, PackedEntry, PackedFormat, encode,
};
use yomikiri_shogi::record::RecordError;
use yomikiri_shogi::record::games::{self, GameLine, GameResult};
use yomikiri_shogi::{Color, ParseError, Position};

/// How a game ended for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SampleOutcome {
    /// It lost.
    Loss,
    /// Neither side won.
    Draw,
    /// It won.
    Win,
}

impl SampleOutcome {
    /// As a winning rate.
    pub const fn rate(self) -> f64 {
        match self {
            SampleOutcome::Loss => 0.0,
            SampleOutcome::Draw => 0.5,
            SampleOutcome::Win => 1.0,
        }
    }

    const fn of(winner: Option<Color>, side: Color) -> SampleOutcome {
        match winner {
            None => SampleOutcome::Draw,
            Some(winner) if winner as u8 == side as u8 => SampleOutcome::Win,
            Some(_) => SampleOutcome::Loss,
        }
    }
}

/// A position to learn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The position, in the code of PSV files.
    pub packed: [u8; POSITION_BYTES],
    /// Score in the file's units, good for the side to move if positive.
    pub score: i16,
    /// How the game ended, if that is known.
    pub outcome: Option<SampleOutcome>,
    /// Whether the position's mirror image is meant.
    pub mirrored: bool,
}

/// Why positions cannot be read.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file cannot be read.
    #[error("cannot read {}: {error}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line is no game.
    #[error("{}: {error}", path.display())]
    Record {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        error: RecordError,
    },
    /// An entry is no position.
    #[error("{}, entry {number}: {error}", path.display())]
    Entry {
        /// Which file.
        path: PathBuf,
        /// Which entry, from 1.
        number: u64,
        /// What is wrong with it.
        error: ParseError,
    },
    /// The file ends within an entry.
    #[error("{} ends within entry {number}", path.display())]
    Truncated {
        /// Which file.
        path: PathBuf,
        /// Which entry, from 1.
        number: u64,
    },
    /// A packed position turned out to be none when it was needed.
    #[error("a packed position is none: {0}")]
    Packed(#[from] ParseError),
    /// There is nothing to learn from.
    #[error("the files hold no position to learn from")]
    Empty,
}

/// Which positions of a file are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataPart {
    /// Those to learn from.
    Training,
    /// Those that are kept aside.
    Validation,
}

/// The positions of one file that belong to one part.
pub type Samples = Box<dyn Iterator<Item = Result<Sample, DataError>> + Send>;

/// Opens a file. What it holds is decided by its name, without an ending `.zst`.
///
/// # Errors
/// If it cannot be read.
pub fn open(
    path: &Path,
    data: &DataConfig,
    validation: &ValidationConfig,
    part: DataPart,
) -> Result<Samples, DataError> {
    let failed = |error| DataError::Read { path: path.to_path_buf(), error };
    let reader = open_unpacked(path).map_err(failed)?;
    let choice = Choice { data: data.clone(), validation: validation.clone(), part };
    let path = path.to_path_buf();
    Ok(match packed_format(&path) {
        Some(format) => Box::new(PackedSamples { reader, path, format, choice, number: 0 }),
        None => {
            let games = games::Games::new(reader);
            Box::new(GameSamples { games, path, choice, ready: Vec::new() })
        }
    })
}

/// The SHA-256 of a file's bytes.
///
/// # Errors
/// If it cannot be read.
pub fn checksum(path: &Path) -> Result<String, DataError> {
    File::open(path)
        .and_then(sha256_of)
        .map_err(|error| DataError::Read { path: path.to_path_buf(), error })
}

/// Training data may be of any size: it is streamed, so that its size needs no limit.
fn open_unpacked(path: &Path) -> std::io::Result<Box<dyn BufRead + Send>> {
    Ok(Box::new(open_file(path, UnpackLimits::size(u64::MAX))?))
}

fn packed_format(path: &Path) -> Option<PackedFormat> {
    let name = path.file_name()?.to_string_lossy().to_lowercase();
    let name = name.strip_suffix(".zst").unwrap_or(&name);
    match name.rsplit_once('.')?.1 {
        "psv" | "bin" => Some(PackedFormat::Psv),
        "hcpe" => Some(PackedFormat::Hcpe),
        _ => None,
    }
}

/// What of a file is taken.
struct Choice {
    data: DataConfig,
    validation: ValidationConfig,
    part: DataPart,
}

impl Choice {
    /// Whether a game or block with this hash belongs to the part.
    fn takes(&self, hash: u64) -> bool {
        hash.is_multiple_of(self.validation.share) == (self.part == DataPart::Validation)
    }

    /// The score as it is learned, if it is.
    fn score(&self, score: i32) -> Option<i16> {
        let limit = i32::from(self.data.score_limit);
        let within = score.clamp(-limit, limit);
        (within == score || self.data.beyond == Beyond::Clip).then_some(within as i16)
    }

    /// The same for a score of a game.
    fn game_score(&self, score: i32) -> Option<i16> {
        self.score((f64::from(score) * self.data.game_score_scale).round_ties_even() as i32)
    }
}

/// A step of splitmix64: numbers that follow each other become unlike.
pub(super) fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

struct PackedSamples {
    reader: Box<dyn BufRead + Send>,
    path: PathBuf,
    format: PackedFormat,
    choice: Choice,
    /// Entries read.
    number: u64,
}

impl PackedSamples {
    /// The next entry's bytes; `None` at the end.
    fn next_entry(&mut self) -> Result<Option<[u8; PSV_BYTES]>, DataError> {
        let failed = |error| DataError::Read { path: self.path.clone(), error };
        let mut bytes = [0; PSV_BYTES];
        let wanted = self.format.entry_bytes();
        let mut length = 0;
        while length < wanted {
            match self.reader.read(&mut bytes[length..wanted]) {
                Ok(0) if length == 0 => return Ok(None),
                Ok(0) => {
                    let number = self.number + 1;
                    return Err(DataError::Truncated { path: self.path.clone(), number });
                }
                Ok(more) => length += more,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(failed(error)),
            }
        }
        self.number += 1;
        Ok(Some(bytes))
    }

    /// An entry as a sample. The position of a PSV entry is looked at only when it is used.
    fn sample(&self, bytes: &[u8; PSV_BYTES]) -> Result<Option<Sample>, ParseError> {
        let score = i16::from_le_bytes([bytes[32], bytes[33]]);
        let Some(score) = self.choice.score(i32::from(score)) else { return Ok(None) };
        let (packed, outcome) = match self.format {
            PackedFormat::Psv => {
                let mut packed = [0; POSITION_BYTES];
                packed.copy_from_slice(&bytes[..POSITION_BYTES]);
                let outcome = match bytes[38] as i8 {
                    1 => SampleOutcome::Win,
                    0 => SampleOutcome::Draw,
                    _ => SampleOutcome::Loss,
                };
                (packed, outcome)
            }
            PackedFormat::Hcpe => {
                let entry = PackedEntry::read(&bytes[..self.format.entry_bytes()], self.format)?;
                let outcome = SampleOutcome::of(entry.winner, entry.position.side_to_move());
                (encode(&entry.position, Code::PackedSfen)?, outcome)
            }
        };
        Ok(Some(Sample { packed, score, outcome: Some(outcome), mirrored: false }))
    }
}

impl Iterator for PackedSamples {
    type Item = Result<Sample, DataError>;

    fn next(&mut self) -> Option<Result<Sample, DataError>> {
        loop {
            let block = self.number / self.choice.validation.block as u64;
            let bytes = match self.next_entry() {
                Ok(bytes) => bytes?,
                Err(error) => return Some(Err(error)),
            };
            if !self.choice.takes(mix(block)) {
                continue;
            }
            match self.sample(&bytes) {
                Ok(None) => {}
                Ok(Some(sample)) => return Some(Ok(sample)),
                Err(error) => {
                    let (path, number) = (self.path.clone(), self.number);
                    return Some(Err(DataError::Entry { path, number, error }));
                }
            }
        }
    }
}

struct GameSamples {
    games: games::Games<Box<dyn BufRead + Send>>,
    path: PathBuf,
    choice: Choice,
    /// Positions of the game read last, the next one at the end.
    ready: Vec<Sample>,
}

impl GameSamples {
    fn read_game(&mut self, game: &GameLine) -> Result<(), ParseError> {
        let hash =
            game.moves.iter().fold(game.start.key(), |hash, mv| mix(hash ^ u64::from(mv.bits())));
        if !self.choice.takes(mix(hash)) {
            return Ok(());
        }
        let opening = game.opening_plies.unwrap_or(game.moves.len());
        let mut position = game.start.clone();
        for (ply, &mv) in game.moves.iter().enumerate() {
            let score = ply.checked_sub(opening).and_then(|at| game.scores.get(at));
            let quiet = !self.choice.data.quiet || is_quiet(&position, mv);
            if let Some(score) = score.and_then(|&it| self.choice.game_score(it)).filter(|_| quiet)
            {
                let side = position.side_to_move();
                let outcome = match game.result {
                    GameResult::Win(winner) => Some(SampleOutcome::of(Some(winner), side)),
                    GameResult::Draw => Some(SampleOutcome::Draw),
                    GameResult::Unknown => None,
                };
                let packed = encode(&position, Code::PackedSfen)?;
                self.ready.push(Sample { packed, score, outcome, mirrored: false });
            }
            position.play(mv);
        }
        self.ready.reverse();
        Ok(())
    }
}

/// Whether nothing hangs in the balance: no check, and the move played is neither a capture nor a
/// promotion.
fn is_quiet(position: &Position, mv: yomikiri_shogi::Move) -> bool {
    !position.in_check() && !mv.is_promotion() && position.piece_on(mv.to()).is_none()
}

impl Iterator for GameSamples {
    type Item = Result<Sample, DataError>;

    fn next(&mut self) -> Option<Result<Sample, DataError>> {
        loop {
            if let Some(sample) = self.ready.pop() {
                return Some(Ok(sample));
            }
            let path = || self.path.clone();
            let game = match self.games.next()? {
                Ok(game) => game,
                Err(error) => return Some(Err(DataError::Record { path: path(), error })),
            };
            if let Err(error) = self.read_game(&game) {
                let number = self.games.line_number() as u64;
                return Some(Err(DataError::Entry { path: self.path.clone(), number, error }));
            }
        }
    }
}
