//! Reading files, packed or not.

use anyhow::Context;
use std::path::Path;
use std::sync::OnceLock;
use yomikiri_base::packed::{Limits, read_file};
use yomikiri_shogi::record::{Format, Record, read};

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

/// The bytes of a file, unpacked.
pub fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.display();
    read_file(path, limits()).with_context(|| format!("cannot read {name}"))
}

/// The text of a file, unpacked.
pub fn read_text(path: &Path) -> anyhow::Result<String> {
    let bytes = read_bytes(path)?;
    String::from_utf8(bytes).with_context(|| format!("{}: no UTF-8 text", path.display()))
}

/// The records of a file, in the format that its name tells.
pub fn read_records(path: &Path) -> anyhow::Result<Vec<Record>> {
    let name = path.display();
    let format = Format::of_file_name(&path.to_string_lossy())
        .with_context(|| format!("{name}: the ending tells no format of records"))?;
    read(&read_bytes(path)?, format).with_context(|| format!("{name} (as {format})"))
}

/// The name of a file without its folder and endings: `game` of `games/game.kif.zst`.
pub fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.strip_suffix(".zst").unwrap_or(&name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_named_without_endings() {
        for (path, name) in [("a/game.kif.zst", "game"), ("x.y.csa", "x.y"), ("bare", "bare")] {
            assert_eq!(stem(Path::new(path)), name);
        }
    }
}
