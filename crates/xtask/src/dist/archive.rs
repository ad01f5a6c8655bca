//! A `.tar.gz` whose bytes depend on its files alone.

use anyhow::Result;
use flate2::{Compression, GzBuilder};
use std::io::Write;

/// A file of an archive.
pub struct Entry {
    name: String,
    bytes: Vec<u8>,
    mode: u32,
}

impl Entry {
    /// A file to read.
    pub fn file(name: impl AsRef<str>, bytes: Vec<u8>) -> Entry {
        Entry { name: name.as_ref().to_string(), bytes, mode: 0o644 }
    }

    /// A file to run.
    pub fn program(name: impl AsRef<str>, bytes: Vec<u8>) -> Entry {
        Entry { name: name.as_ref().to_string(), bytes, mode: 0o755 }
    }
}

/// Packs files into a folder of that name. Owners and times are left out.
pub fn pack(folder: &str, files: &[Entry]) -> Result<Vec<u8>> {
    let packer = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut archive = tar::Builder::new(packer);
    for Entry { name, bytes, mode } in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(*mode);
        header.set_mtime(0);
        archive.append_data(&mut header, format!("{folder}/{name}"), bytes.as_slice())?;
    }
    let mut packer = archive.into_inner()?;
    packer.flush()?;
    Ok(packer.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn what_is_packed_is_unpacked_and_nothing_else_counts() {
        let files = || [Entry::program("run", vec![1, 2]), Entry::file("read", vec![3; 2000])];
        let packed = pack("folder", &files()).unwrap();
        assert_eq!(packed, pack("folder", &files()).unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let mut found = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            let path = entry.path().unwrap().display().to_string();
            found.push((path, entry.header().mode().unwrap(), bytes.len()));
        }
        let expected = [("folder/run", 0o755, 2), ("folder/read", 0o644, 2000)];
        assert_eq!(found, expected.map(|(path, mode, size)| (path.to_string(), mode, size)));
    }
}
