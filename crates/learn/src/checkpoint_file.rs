//! The file of a checkpoint, whatever is trained: magic, checksum of the content, the content
//! compressed. Each trainer has a magic and a content of its own.

use std::path::{Path, PathBuf};
use thiserror::Error;
use yomikiri_base::checksum::sha256;
use yomikiri_base::files::write_atomic;
use yomikiri_base::packed::{PackedError, UnpackLimits, unpack};
use yomikiri_engine::eval::linear::WeightsError;

pub(crate) type Magic = [u8; 16];

/// Bytes before the compressed part: magic and checksum.
const HEADER: usize = size_of::<Magic>() + 32;

/// Checkpoints are written often and read once.
const COMPRESSION: i32 = 1;

/// Why a checkpoint cannot be written or read.
#[derive(Debug, Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It is another kind of file, or damaged.
    #[error("{} is no checkpoint of a training run, or it is damaged ({fault})", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What does not fit.
        fault: CheckpointFault,
    },
    /// It belongs to another run.
    #[error("the checkpoint was made with other {0}")]
    Other(&'static str),
}

/// What is wrong with the content of a checkpoint.
#[derive(Debug, Error)]
pub enum CheckpointFault {
    /// Another magic, or hardly anything.
    #[error("it does not begin like one")]
    Beginning,
    /// The compressed part.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// The content is not what was written.
    #[error("its checksum is wrong")]
    Checksum,
    /// The content ends too early.
    #[error("it is cut off")]
    CutOff,
    /// The weights in it.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

/// Writes a checkpoint; what was there stays until the new one is complete.
pub(crate) fn write(path: &Path, magic: &Magic, content: &[u8]) -> Result<(), CheckpointError> {
    let failed = |error| CheckpointError::File { path: path.to_path_buf(), error };
    let mut bytes = Vec::from(magic);
    bytes.extend(sha256(content));
    bytes.extend(zstd::encode_all(content, COMPRESSION).map_err(failed)?);
    write_atomic(path, &bytes).map_err(failed)
}

/// The content of a checkpoint of at most `largest` bytes, unpacked.
pub(crate) fn read(path: &Path, magic: &Magic, largest: u64) -> Result<Vec<u8>, CheckpointError> {
    let bytes = std::fs::read(path)
        .map_err(|error| CheckpointError::File { path: path.to_path_buf(), error })?;
    content_of(&bytes, magic, largest).map_err(|fault| damaged(path, fault))
}

fn content_of(bytes: &[u8], magic: &Magic, largest: u64) -> Result<Vec<u8>, CheckpointFault> {
    let (header, packed) = bytes.split_at_checked(HEADER).ok_or(CheckpointFault::Beginning)?;
    let checksum = header.strip_prefix(magic).ok_or(CheckpointFault::Beginning)?;
    let content = unpack(packed, UnpackLimits::size(largest))?;
    match sha256(&content)[..] == *checksum {
        true => Ok(content),
        false => Err(CheckpointFault::Checksum),
    }
}

pub(crate) fn damaged(path: &Path, fault: impl Into<CheckpointFault>) -> CheckpointError {
    CheckpointError::Damaged { path: path.to_path_buf(), fault: fault.into() }
}

/// Appends a part of any length to a content.
pub(crate) fn push_part(content: &mut Vec<u8>, part: &[u8]) {
    content.extend((part.len() as u64).to_le_bytes());
    content.extend(part);
}

/// Reads a content in the order in which it was written.
pub(crate) struct ContentReader<'a> {
    path: &'a Path,
    rest: &'a [u8],
}

impl<'a> ContentReader<'a> {
    pub fn new(path: &'a Path, content: &'a [u8]) -> ContentReader<'a> {
        ContentReader { path, rest: content }
    }

    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], CheckpointError> {
        self.rest.split_off(..count).ok_or_else(|| damaged(self.path, CheckpointFault::CutOff))
    }

    pub fn number(&mut self) -> Result<u64, CheckpointError> {
        Ok(self.values(1, u64::from_le_bytes)?[0])
    }

    pub fn float(&mut self) -> Result<f64, CheckpointError> {
        self.number().map(f64::from_bits)
    }

    pub fn part(&mut self) -> Result<&'a [u8], CheckpointError> {
        let length = self.number()?;
        self.take(usize::try_from(length).unwrap_or(usize::MAX))
    }

    /// So long a list of values of `N` bytes each.
    pub fn values<T, const N: usize>(
        &mut self,
        count: usize,
        value: fn([u8; N]) -> T,
    ) -> Result<Vec<T>, CheckpointError> {
        let bytes = self.take(count.saturating_mul(N))?;
        Ok(bytes.as_chunks::<N>().0.iter().map(|&it| value(it)).collect())
    }

    /// The same in pairs.
    pub fn pairs<T: Copy, const N: usize>(
        &mut self,
        count: usize,
        value: fn([u8; N]) -> T,
    ) -> Result<Vec<[T; 2]>, CheckpointError> {
        Ok(self.values(2 * count, value)?.as_chunks::<2>().0.to_vec())
    }
}
