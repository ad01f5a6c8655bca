//! Reading files, packed by zstd or gzip or not, and standard input under the name `-`.

use anyhow::{Context, anyhow};
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;
use yomikiri_base::packed::{Input, PackedReader, UnpackLimits, is_standard, read_file};
use yomikiri_play::file_words::{game_at, record_file_error};
use yomikiri_shogi::record::{Record, files, usi};
use yomikiri_text::Files;

fn words() -> Files {
    Files(crate::language::get())
}

/// What `--max-input` says.
static LARGEST: OnceLock<u64> = OnceLock::new();

/// Standard input, once it was read.
static STANDARD: OnceLock<Vec<u8>> = OnceLock::new();

/// Sets the largest unpacked size of an input file, once for the whole process.
pub fn set_largest(size: u64) {
    LARGEST.get_or_init(|| size);
}

/// Bounds of packed input.
pub fn limits() -> UnpackLimits {
    LARGEST.get().map_or_else(UnpackLimits::default, |&size| UnpackLimits::size(size))
}

/// Where these files come from; standard input is read if one of them is it.
pub fn source<'p>(paths: impl IntoIterator<Item = &'p Path>) -> anyhow::Result<Input<'static>> {
    if paths.into_iter().any(is_standard) && STANDARD.get().is_none() {
        let bytes = read_standard()?;
        STANDARD.get_or_init(|| bytes);
    }
    Ok(Input { limits: limits(), standard: STANDARD.get().map(Vec::as_slice) })
}

/// How a file is called in messages.
pub fn name(path: &Path) -> String {
    path.display().to_string()
}

/// The bytes of a file, unpacked.
pub fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    match is_standard(path) {
        true => read_standard(),
        false => read_file(path, limits()).with_context(|| words().cannot_read(path.display())),
    }
}

/// The text of a file, unpacked.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = read_bytes(path)?;
    String::from_utf8(bytes).with_context(|| words().not_utf8(path.display()))
}

/// The bytes of standard input, unpacked.
fn read_standard() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    PackedReader::new(std::io::stdin().lock(), limits())
        .and_then(|mut reader| reader.read_to_end(&mut bytes))
        .with_context(|| words().cannot_read(words().standard_input()))?;
    Ok(bytes)
}

/// The records of a file, in the format given by its name.
pub fn read_records(path: &Path) -> anyhow::Result<Vec<Record>> {
    let read = files::read_records(path, source([path])?);
    read.map_err(|error| anyhow!(record_file_error(&error, words())))
}

/// A game of a file, counted from 1, and the ply that is wanted of it, which it has.
pub fn read_game(path: &Path, wanted: (usize, Option<usize>)) -> anyhow::Result<(Record, usize)> {
    game_at(read_records(path)?, wanted).map_err(|error| anyhow!(error.text(path, words())))
}

/// A position as SFEN or USI has it, with its moves.
pub fn parse_position(text: &str) -> anyhow::Result<Record> {
    let read = usi::read_line(text, 1);
    read.map_err(|error| anyhow!("{}: {}", words().bad_position(), error.message))
}
