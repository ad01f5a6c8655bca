//! SHA-256, in the hexadecimal form that manifests and weight files show.

use std::io::{self, Read};

use sha2::{Digest, Sha256};

/// The raw SHA-256 of some bytes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The SHA-256 of some bytes in hexadecimal.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&sha256(bytes))
}

/// The SHA-256 of everything that a reader gives, in hexadecimal.
///
/// # Errors
/// If reading fails.
pub fn sha256_of(mut reader: impl Read) -> io::Result<String> {
    let mut hasher = Hasher::default();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(hasher.finish()),
            Ok(count) => hasher.update(&buffer[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A SHA-256 over several pieces.
#[derive(Clone, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// Adds a piece. Pieces are not separated: use [`Hasher::field`] where that matters.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Adds a piece with its length before it, so that no two lists of fields hash alike.
    pub fn field(&mut self, bytes: &[u8]) {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// The checksum in hexadecimal.
    #[must_use]
    pub fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|&byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_hex(b""), empty);
        assert_eq!(sha256_hex(b"abc"), abc);
        assert_eq!(sha256_of(&b"abc"[..]).expect("a slice"), abc);
    }

    #[test]
    fn fields_do_not_run_into_each_other() {
        let of = |fields: &[&str]| {
            let mut hasher = Hasher::default();
            fields.iter().for_each(|field| hasher.field(field.as_bytes()));
            hasher.finish()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_eq!(of(&["ab", "c"]), of(&["ab", "c"]));
    }
}
