//! Reading files, packed by zstd or gzip or not, and standard input under the name `-`.

use anyhow::{Context, bail};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use yomikiri_shogi::record::{Format, Record, read};

/// The most that an input may have, unpacked if it is compressed.
const LARGEST: u64 = 4 << 30;

/// Whether a name stands for standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file, unpacked.
pub fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let name = path.display();
    let (name, bytes) = match is_standard(path) {
        true => ("standard input".to_string(), bounded(std::io::stdin().lock(), LARGEST)),
        false => {
            let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
            (name.to_string(), bounded(file, LARGEST))
        }
    };
    let bytes = bytes.with_context(|| format!("cannot read {name}"))?;
    unpacked(bytes, LARGEST).with_context(|| format!("cannot unpack {name}"))
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
    let unknown = || format!("{name}: {} tells no format of records", teller(path));
    if !is_standard(path) {
        // Not worth unpacking.
        format_of(path, &[]).with_context(unknown)?;
    }
    let bytes = read_bytes(path)?;
    let format = format_of(path, &bytes).with_context(unknown)?;
    read(&bytes, format).with_context(|| format!("{name} (as {format})"))
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

/// The bytes of a file that may be compressed; an error if they are more than `most`.
fn unpacked(bytes: Vec<u8>, most: u64) -> anyhow::Result<Vec<u8>> {
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        bounded(zstd::Decoder::new(bytes.as_slice())?, most)
    } else if bytes.starts_with(&[0x1f, 0x8b]) {
        bounded(flate2::read::MultiGzDecoder::new(bytes.as_slice()), most)
    } else {
        Ok(bytes)
    }
}

fn bounded(reader: impl Read, most: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        bail!("it holds more than {most} bytes; take it apart first");
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_that_grows_too_large_is_refused_not_cut() {
        let text = b"startpos moves 7g7f\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gzip.write_all(text).unwrap();
        for packed in [zstd::encode_all(&text[..], 0).unwrap(), gzip.finish().unwrap()] {
            assert_eq!(unpacked(packed.clone(), 20).unwrap(), text);
            assert!(unpacked(packed, 19).unwrap_err().to_string().contains("19 bytes"));
        }
        assert_eq!(unpacked(b"plain".to_vec(), 1).unwrap(), b"plain");
    }

    #[test]
    fn results_are_named_without_endings() {
        for (path, name) in
            [("a/game.kif.zst", "game"), ("a/b.csa.gz", "b"), ("x.y.csa", "x.y"), ("bare", "bare")]
        {
            assert_eq!(stem(Path::new(path)), name);
        }
    }
}
