//! One bounded streaming reader for everything that may be packed.
//!
//! The first bytes decide: zstd and gzip by their magic numbers, anything else is plain. Memory
//! stays flat while streaming: a zstd frame needs its window (bounded by [`UnpackLimits::window`]),
//! gzip 32 KiB. A few kilobytes can unpack to terabytes, so the unpacked size has an upper bound
//! ([`UnpackLimits::size`]), and [`unpack`] and [`read_file`], which keep everything in memory,
//! count before they take more than a little. Plain input is as large as it looks and is not
//! bounded.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use thiserror::Error;
use zstd_frames::Frames;

mod zstd_frames;

/// Upper bounds that guard against decompression bombs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnpackLimits {
    /// The largest unpacked size in bytes; by default [`UnpackLimits::SIZE`].
    pub size: u64,
    /// The largest window of a zstd frame in bytes; by default [`UnpackLimits::WINDOW`].
    pub window: u64,
}

impl UnpackLimits {
    /// The default bound of the unpacked size: 1 GiB, some 3,000,000 games.
    pub const SIZE: u64 = 1 << 30;
    /// The default bound of the window: 128 MiB, what the zstd tool accepts without `--long`.
    pub const WINDOW: u64 = 128 << 20;

    /// A bound of the unpacked size, with the default window.
    #[must_use]
    pub const fn size(size: u64) -> UnpackLimits {
        UnpackLimits { size, window: UnpackLimits::WINDOW }
    }
}

impl Default for UnpackLimits {
    fn default() -> UnpackLimits {
        UnpackLimits::size(UnpackLimits::SIZE)
    }
}

/// Why packed input cannot be read. Comes as the inner error of an [`io::Error`] where the reader
/// is used as a [`Read`].
#[derive(Debug, Error)]
pub enum PackedError {
    /// The unpacked size is beyond the bound.
    #[error("unpacked it is larger than the limit of {limit} bytes")]
    TooLarge {
        /// The bound.
        limit: u64,
    },
    /// A zstd frame needs a larger window than the bound.
    #[error("its zstd window of {window} bytes is larger than the limit of {limit} bytes")]
    WindowTooLarge {
        /// What the frame needs.
        window: u64,
        /// The bound.
        limit: u64,
    },
    /// The packed data are damaged or cut off.
    #[error("the packed data are damaged: {0}")]
    Damaged(String),
    /// There is less memory than the unpacked size.
    #[error("there is no memory for {0} bytes")]
    Memory(u64),
    /// Reading failed.
    #[error(transparent)]
    Io(io::Error),
}

impl From<PackedError> for io::Error {
    fn from(error: PackedError) -> io::Error {
        match error {
            PackedError::Io(error) => error,
            PackedError::Damaged(_) => io::Error::new(io::ErrorKind::InvalidData, error),
            other => io::Error::other(other),
        }
    }
}

impl From<io::Error> for PackedError {
    fn from(error: io::Error) -> PackedError {
        match error.downcast::<PackedError>() {
            Ok(own) => own,
            Err(error) => PackedError::Io(error),
        }
    }
}

/// How some bytes are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// By zstd.
    Zstd,
    /// By gzip.
    Gzip,
}

impl Packing {
    /// Detected by the first bytes; four are enough.
    #[must_use]
    pub fn of(start: &[u8]) -> Packing {
        const SKIPPABLE: &[u8] = &[0x2a, 0x4d, 0x18];
        match start {
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
            [0x50..=0x5f, rest @ ..] if rest.starts_with(SKIPPABLE) => Packing::Zstd,
            // The third byte is the method; only deflate exists.
            [0x1f, 0x8b, 8, ..] => Packing::Gzip,
            _ => Packing::Plain,
        }
    }
}

/// A reader of the unpacked bytes.
pub struct PackedReader<R: BufRead> {
    source: Source<R>,
    packing: Packing,
    limits: UnpackLimits,
    unpacked: u64,
}

enum Source<R: BufRead> {
    Plain(Opening<R>),
    Zstd(Box<Frames<Opening<R>>>),
    Gzip(Box<MultiGzDecoder<Opening<R>>>),
}

/// The bytes that were read to recognise the packing, then the rest.
type Opening<R> = io::Chain<io::Cursor<Vec<u8>>, R>;

impl<R: BufRead> PackedReader<R> {
    /// Detects how the input is packed and makes ready to read it.
    ///
    /// # Errors
    /// If reading fails.
    pub fn new(mut input: R, limits: UnpackLimits) -> io::Result<PackedReader<R>> {
        let mut start = Vec::with_capacity(4);
        input.by_ref().take(4).read_to_end(&mut start)?;
        let packing = Packing::of(&start);
        let input = io::Cursor::new(start).chain(input);
        let source = match packing {
            Packing::Plain => Source::Plain(input),
            Packing::Zstd => Source::Zstd(Box::new(Frames::new(input, limits))),
            Packing::Gzip => Source::Gzip(Box::new(MultiGzDecoder::new(input))),
        };
        Ok(PackedReader { source, packing, limits, unpacked: 0 })
    }

    /// How the input is packed.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    fn read_source(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.source {
            Source::Plain(input) => input.read(buffer),
            Source::Zstd(frames) => frames.read(buffer),
            Source::Gzip(decoder) => decoder.read(buffer).map_err(|error| match error.kind() {
                io::ErrorKind::InvalidInput
                | io::ErrorKind::InvalidData
                | io::ErrorKind::UnexpectedEof => PackedError::Damaged(error.to_string()).into(),
                _ => error,
            }),
        }
    }
}

impl<R: BufRead> Read for PackedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.read_source(buffer)?;
        self.unpacked += count as u64;
        if self.packing != Packing::Plain && self.unpacked > self.limits.size {
            return Err(PackedError::TooLarge { limit: self.limits.size }.into());
        }
        Ok(count)
    }
}

/// Opens a file that may be packed.
///
/// # Errors
/// If it cannot be opened or read.
pub fn open_file(
    path: &Path,
    limits: UnpackLimits,
) -> io::Result<BufReader<PackedReader<BufReader<File>>>> {
    let file = BufReader::with_capacity(1 << 16, File::open(path)?);
    Ok(BufReader::with_capacity(1 << 16, PackedReader::new(file, limits)?))
}

/// The unpacked bytes of a file.
///
/// # Errors
/// If it cannot be read, is damaged, or is larger than the limit when unpacked.
pub fn read_file(path: &Path, limits: UnpackLimits) -> Result<Vec<u8>, PackedError> {
    unpacked(std::fs::read(path).map_err(PackedError::Io)?, limits)
}

/// The unpacked form of some bytes.
///
/// # Errors
/// If they are damaged, or larger than the limit when unpacked.
pub fn unpack(bytes: &[u8], limits: UnpackLimits) -> Result<Vec<u8>, PackedError> {
    /// What is unpacked without counting first: one pass for most files.
    const SMALL: u64 = 16 << 20;
    let mut reader = PackedReader::new(bytes, limits)?;
    let mut content = Vec::new();
    reader.by_ref().take(SMALL).read_to_end(&mut content)?;
    let more = io::copy(&mut reader, &mut io::sink())?;
    if more == 0 {
        return Ok(content);
    }
    let size = content.len() as u64 + more;
    drop(content);
    let mut content = Vec::new();
    let room = usize::try_from(size).map_err(|_| PackedError::Memory(size))?;
    content.try_reserve_exact(room).map_err(|_| PackedError::Memory(size))?;
    PackedReader::new(bytes, limits)?.read_to_end(&mut content)?;
    Ok(content)
}

/// The unpacked form of bytes that are not needed packed any more; plain ones are not copied.
///
/// # Errors
/// As [`unpack`].
pub fn unpacked(bytes: Vec<u8>, limits: UnpackLimits) -> Result<Vec<u8>, PackedError> {
    match Packing::of(&bytes) {
        Packing::Plain => Ok(bytes),
        _ => unpack(&bytes, limits),
    }
}

/// Whether a name stands for standard input or output.
#[must_use]
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of a file without its folder and endings: `game` of `games/game.kif.zst`.
#[must_use]
pub fn stem(path: &Path) -> String {
    if is_standard(path) {
        return "stdin".to_string();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = [".zst", ".gz"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_string()
}

/// Where input comes from: files, and what was read from standard input under the name `-`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    /// Bounds of packed input.
    pub limits: UnpackLimits,
    /// The unpacked bytes of standard input, where somebody has read it.
    pub standard: Option<&'a [u8]>,
}

impl Input<'_> {
    /// The unpacked bytes of a file.
    ///
    /// # Errors
    /// As [`read_file`]; standard input that nobody has read is not found.
    pub fn read(self, path: &Path) -> Result<Vec<u8>, PackedError> {
        match (is_standard(path), self.standard) {
            (false, _) => read_file(path, self.limits),
            (true, Some(bytes)) => Ok(bytes.to_vec()),
            (true, None) => Err(PackedError::Io(io::ErrorKind::NotFound.into())),
        }
    }
}

/// Reads a size as people write it: a number of bytes, or with K, M, G or T (of 1024; `KiB` and
/// `KB` mean the same).
///
/// # Errors
/// Says what is wrong with the text.
pub fn parse_size(text: &str) -> Result<u64, SizeError> {
    let wrong = || SizeError(text.to_string());
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
    let shift = match text[digits..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(wrong()),
    };
    number.checked_mul(1 << shift).filter(|&size| size > 0).ok_or_else(wrong)
}

/// A text that is no size.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is no size: give bytes above 0, or a number with K, M, G or T")]
pub struct SizeError(String);

#[cfg(test)]
mod tests;
