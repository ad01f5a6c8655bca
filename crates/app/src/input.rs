//! Reading files, packed by zstd or gzip or not, and standard input under the name `-`.

use anyhow::Context;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;
use yomikiri_base::packed::{Limits, Reader, read_file};
use yomikiri_shogi::record::{Format, Record, read};
use yomikiri_text::Files;

fn words() -> Files {
    Files(crate::language::get())
}

/// What `--max-input` says.
static LARGEST: OnceLock<u64> = OnceLock::new();

/// Sets the largest unpacked size of an input file, once for the whole process.
pub fn set_largest(size: u64) {
    LARGEST.get_or_init(|| size);
}

/// Bounds of packed input.
pub fn limits() -> Limits {
    LARGEST.get().map_or_else(Limits::default, |&size| Limits::size(size))
}

/// Whether a name stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file, unpacked.
pub fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.display();
    let bytes = match is_standard(path) {
        true => return read_standard(),
        false => read_file(path, limits()),
    };
    bytes.with_context(|| words().cannot_read(&name))
}

/// The bytes of standard input, unpacked.
fn read_standard() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    Reader::new(std::io::stdin().lock(), limits())
        .and_then(|mut reader| reader.read_to_end(&mut bytes))
        .with_context(|| words().cannot_read(words().standard_input()))?;
    Ok(bytes)
}

/// The text of a file, unpacked.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = read_bytes(path)?;
    String::from_utf8(bytes).with_context(|| words().not_utf8(path.display()))
}

/// The format of a file, told by its name; of standard input by how it begins.
pub fn format_of(path: &Path, bytes: &[u8]) -> Option<Format> {
    match is_standard(path) {
        true => Format::of_content(bytes),
        false => Format::of_file_name(&path.to_string_lossy()),
    }
}

/// The records of a file, in the format that its name tells.
pub fn read_records(path: &Path) -> anyhow::Result<Vec<Record>> {
    let name = path.display();
    let unknown = || match is_standard(path) {
        true => words().unknown_beginning(),
        false => words().unknown_format(&name),
    };
    if !is_standard(path) {
        // Not worth unpacking.
        format_of(path, &[]).with_context(unknown)?;
    }
    let bytes = read_bytes(path)?;
    let format = format_of(path, &bytes).with_context(unknown)?;
    read(&bytes, format).with_context(|| words().as_format(&name, format))
}

/// What tells the format, for messages.
pub fn teller(path: &Path) -> &'static str {
    if is_standard(path) { "its beginning" } else { "the ending" }
}

/// The name of a file without its folder and endings: `game` of `games/game.kif.zst`.
pub fn stem(path: &Path) -> String {
    if is_standard(path) {
        return "stdin".to_string();
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = [".zst", ".gz"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_named_without_endings() {
        for (path, name) in
            [("a/game.kif.zst", "game"), ("a/b.csa.gz", "b"), ("x.y.csa", "x.y"), ("bare", "bare")]
        {
            assert_eq!(stem(Path::new(path)), name);
        }
    }
}
