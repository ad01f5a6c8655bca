//! The table of the policy and the file that keeps it.
//!
//! A header (magic, version, SHA-256 of the content) and the content, compressed: lineage, then
//! one signed byte for every place of the table. Whatever does not fit is refused.

use std::fmt;
use yomikiri_base::checksum::sha256;
use yomikiri_base::packed::{UnpackLimits, unpack};

/// Units of a weight in one unit of a logit.
pub const UNIT: i32 = 32;

const MAGIC: &[u8; 16] = b"YomikiriPolicy\r\n";
/// Other features or another hash: another version.
const VERSION: u32 = 1;
const HEADER: usize = 16 + 4 + 32;
/// Upper bound on the decompressed size (guards against decompression bombs).
const LARGEST: u64 = 16 << 20;
/// The table has two to the power of this many places.
const BITS: core::ops::RangeInclusive<u32> = 8..=22;

/// Everything that the policy knows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PolicyWeights {
    /// Where the weights come from, in words: data, settings, commit, result.
    pub lineage: String,
    bits: u32,
    table: Vec<i8>,
}

/// Why a policy file is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PolicyError {
    /// It is another kind of file.
    Foreign,
    /// It is of a version that this program does not know.
    Version(u32),
    /// Its content is not what was written.
    Damaged(String),
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyError::Foreign => f.write_str("not a file of the move policy"),
            PolicyError::Version(version) => {
                write!(f, "a policy of version {version}; this program reads version {VERSION}")
            }
            PolicyError::Damaged(how) => write!(f, "damaged policy file: {how}"),
        }
    }
}

impl std::error::Error for PolicyError {}

/// Learned from professional games; see the file's lineage.
const EMBEDDED: &[u8] = include_bytes!("../../weights/policy.bin");

/// The place of a hashed feature in a table of two to the power of `bits` places.
#[inline]
pub(super) fn place(hash: u32, bits: u32) -> usize {
    (hash >> (32 - bits)) as usize
}

impl PolicyWeights {
    /// A table of weights, in units of 1 / [`UNIT`]; `None` if its length is no power of two that a
    /// table may have.
    pub fn new(lineage: String, table: Vec<i8>) -> Option<PolicyWeights> {
        let bits = table.len().checked_ilog2()?;
        let fits = table.len().is_power_of_two() && BITS.contains(&bits);
        fits.then_some(PolicyWeights { lineage, bits, table })
    }

    /// The weights in the program.
    pub fn embedded() -> PolicyWeights {
        match PolicyWeights::from_bytes(EMBEDDED) {
            Ok(weights) => weights,
            Err(error) => unreachable!("the embedded policy is checked by a test: {error}"),
        }
    }

    /// The sum of the weights of some features.
    #[inline]
    pub fn sum(&self, hashes: &[u32]) -> i32 {
        hashes.iter().map(|&hash| i32::from(self.table[place(hash, self.bits)])).sum()
    }

    /// The weights as a file. Not in the browser: the compressor is written in C.
    ///
    /// # Errors
    /// If compressing fails, which needs memory only.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut content = Vec::new();
        content.extend((self.lineage.len() as u32).to_le_bytes());
        content.extend(self.lineage.as_bytes());
        content.extend(self.table.iter().map(|&weight| weight as u8));
        let mut bytes = Vec::from(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(sha256(&content));
        bytes.extend(zstd::encode_all(&content[..], 19)?);
        Ok(bytes)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is another kind of file, of another version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<PolicyWeights, PolicyError> {
        if bytes.len() < HEADER || bytes[..16] != MAGIC[..] {
            return Err(PolicyError::Foreign);
        }
        let damaged = |how: &str| PolicyError::Damaged(how.to_string());
        let (head, packed) = bytes.split_at(HEADER);
        let version = head[16..20].iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte));
        if version != VERSION {
            return Err(PolicyError::Version(version));
        }
        let content = unpack(packed, UnpackLimits::size(LARGEST))
            .map_err(|error| PolicyError::Damaged(error.to_string()))?;
        if sha256(&content)[..] != head[20..] {
            return Err(damaged("its checksum is wrong"));
        }
        let (length, rest) = content.split_at_checked(4).ok_or_else(|| damaged("it is cut off"))?;
        let length = length.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
        let (lineage, table) =
            rest.split_at_checked(length).ok_or_else(|| damaged("it is cut off"))?;
        let lineage = String::from_utf8_lossy(lineage).into_owned();
        let table = table.iter().map(|&byte| byte as i8).collect();
        PolicyWeights::new(lineage, table).ok_or_else(|| damaged("its table has another size"))
    }
}
