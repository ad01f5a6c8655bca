//! Reading files, packed by zstd or not.

use anyhow::{Context, bail};
use std::fs;
use std::io::Read;
use std::path::Path;
use yomikiri_shogi::record::{Format, Record, read};

/// The most that a compressed file may grow to.
const LARGEST: u64 = 4 << 30;

/// The bytes of a file, unpacked.
pub fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read {name}"))?;
    unpacked(bytes, LARGEST).with_context(|| format!("cannot unpack {name}"))
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

/// The bytes of a file that may be compressed; an error if they are more than `most`.
fn unpacked(bytes: Vec<u8>, most: u64) -> anyhow::Result<Vec<u8>> {
    if !bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Ok(bytes);
    }
    let mut text = Vec::new();
    zstd::Decoder::new(bytes.as_slice())?.take(most + 1).read_to_end(&mut text)?;
    if text.len() as u64 > most {
        bail!("it holds more than {most} bytes; take it apart first");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_grows_too_large_is_refused_not_cut() {
        let packed = zstd::encode_all(&b"startpos moves 7g7f\n"[..], 0).unwrap();
        assert_eq!(unpacked(packed.clone(), 20).unwrap(), b"startpos moves 7g7f\n");
        assert!(unpacked(packed, 19).unwrap_err().to_string().contains("19 bytes"));
        assert_eq!(unpacked(b"plain".to_vec(), 1).unwrap(), b"plain");
    }

    #[test]
    fn results_are_named_without_endings() {
        for (path, name) in [("a/game.kif.zst", "game"), ("x.y.csa", "x.y"), ("bare", "bare")] {
            assert_eq!(stem(Path::new(path)), name);
        }
    }
}
