//! The coefficients and the file that keeps them.
//!
//! A weights file is a header (magic, version, SHA-256 of the content) and the content,
//! compressed. The content begins with the layout in words and the lineage: from which data, with
//! which settings, at which commit, with which result. Whatever does not fit is refused.

use super::layout::{self, FEATURES};
use super::patterns::{Pattern, Patterns};
use crate::material;
use crate::stage::{Logistic, ProgressModel};
use std::fmt;
use std::sync::Arc;
use yomikiri_base::checksum::sha256;
use yomikiri_base::packed::{UnpackLimits, unpack};
use yomikiri_shogi::Kind;

/// Units of a coefficient in a centipawn.
pub const SCALE: i32 = 8;

const MAGIC: &[u8; 16] = b"YomikiriLinear\r\n";
const VERSION: u32 = 1;
const HEADER: usize = 16 + 4 + 32;
/// Upper bound on the decompressed size (guards against decompression bombs).
const LARGEST: u64 = 16 << 20;

/// Everything that the linear evaluation knows.
#[derive(Clone, PartialEq, Debug)]
pub struct LinearWeights {
    /// Where the weights come from, in words: data, settings, commit, result.
    pub lineage: String,
    /// How progress is computed.
    pub progress: ProgressModel,
    /// Material values in centipawns, by kind.
    pub material: [i16; 16],
    /// The three-piece patterns.
    pub patterns: Arc<Patterns>,
    /// Opening and endgame coefficient of every feature, side by side, in units of 1 / [`SCALE`].
    pub pairs: Vec<[i16; 2]>,
}

impl Default for LinearWeights {
    /// Material alone.
    fn default() -> LinearWeights {
        LinearWeights {
            lineage: String::new(),
            progress: ProgressModel::HandMade,
            material: material::VALUES.map(|value| value as i16),
            patterns: Arc::new(Patterns::default()),
            pairs: vec![[0; 2]; FEATURES],
        }
    }
}

/// Why a weights file is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// It is another kind of file.
    Foreign,
    /// It is of a version that this program does not know.
    Version(u32),
    /// Its content is not what was written.
    Damaged(String),
    /// It has other features.
    Layout(String),
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::Foreign => {
                f.write_str("not a weights file: neither a network nor linear")
            }
            WeightsError::Version(version) => {
                write!(f, "weights of version {version}; this program reads version {VERSION}")
            }
            WeightsError::Damaged(how) => write!(f, "damaged weights file: {how}"),
            WeightsError::Layout(found) => write!(
                f,
                "weights for other features ({found}); this program has ({})",
                layout::description()
            ),
        }
    }
}

impl std::error::Error for WeightsError {}

fn damaged(how: &str) -> WeightsError {
    WeightsError::Damaged(how.to_string())
}

/// Learned from professional games; see the file's lineage.
const EMBEDDED: &[u8] = include_bytes!("../../weights/linear.bin");

impl LinearWeights {
    /// The weights in the program.
    pub fn embedded() -> LinearWeights {
        match LinearWeights::from_bytes(EMBEDDED) {
            Ok(weights) => weights,
            Err(error) => unreachable!("the embedded weights are checked by a test: {error}"),
        }
    }

    /// The weights as a file. Not in the browser: the compressor is written in C.
    ///
    /// # Errors
    /// If compressing fails, which needs memory only.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn to_bytes(&self) -> std::io::Result<Vec<u8>> {
        let content = self.content();
        let mut bytes = Vec::from(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(sha256(&content));
        bytes.extend(zstd::encode_all(&content[..], 19)?);
        Ok(bytes)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn content(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_text(&mut out, &layout::description());
        put_text(&mut out, &self.lineage);
        match &self.progress {
            ProgressModel::HandMade => out.push(0),
            ProgressModel::Learned(learned) => {
                out.push(1);
                put_numbers(&mut out, &[learned.bias]);
                learned.pieces.iter().for_each(|row| put_numbers(&mut out, row));
                put_numbers(&mut out, &learned.hands);
            }
        }
        put_numbers(&mut out, &self.material);
        out.extend((self.patterns.len() as u32).to_le_bytes());
        for &(kind, square) in self.patterns.list().iter().flatten() {
            out.extend([kind.index() as u8, square]);
        }
        // All opening coefficients, then all endgame ones: they compress better apart.
        for half in 0..2 {
            let column: Vec<i16> = self.pairs.iter().map(|pair| pair[half]).collect();
            put_numbers(&mut out, &column);
        }
        out
    }

    /// The weights in a file.
    ///
    /// # Errors
    /// Says why the file is refused.
    pub fn from_bytes(bytes: &[u8]) -> Result<LinearWeights, WeightsError> {
        if bytes.len() < 16 || bytes[..16] != MAGIC[..] {
            return Err(WeightsError::Foreign);
        }
        if bytes.len() < HEADER {
            return Err(damaged("it ends within its header"));
        }
        let version = u32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]);
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let content = unpack(&bytes[HEADER..], UnpackLimits::size(LARGEST))
            .map_err(|error| damaged(&format!("it cannot be unpacked ({error})")))?;
        if sha256(&content)[..] != bytes[20..HEADER] {
            return Err(damaged("its checksum is wrong"));
        }
        LinearWeights::from_content(&mut Reader(&content))
    }

    fn from_content(reader: &mut Reader<'_>) -> Result<LinearWeights, WeightsError> {
        let found = reader.text()?;
        if found != layout::description() {
            return Err(WeightsError::Layout(found));
        }
        let lineage = reader.text()?;
        let progress = match reader.take(1)?[0] {
            0 => ProgressModel::HandMade,
            1 => {
                let mut learned = Logistic { bias: reader.number()?, ..Logistic::default() };
                for row in &mut learned.pieces {
                    reader.numbers(row)?;
                }
                reader.numbers(&mut learned.hands)?;
                ProgressModel::Learned(Box::new(learned))
            }
            other => return Err(damaged(&format!("it knows no progress of kind {other}"))),
        };
        let mut material = [0; 16];
        reader.numbers(&mut material)?;
        let patterns = reader.patterns()?;
        let mut pairs = vec![[0; 2]; FEATURES];
        for half in 0..2 {
            for pair in &mut pairs {
                pair[half] = reader.number()?;
            }
        }
        if !reader.0.is_empty() {
            return Err(damaged("it goes on after its end"));
        }
        Ok(LinearWeights { lineage, progress, material, patterns: Arc::new(patterns), pairs })
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn put_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(text.as_bytes());
}

#[cfg(not(target_arch = "wasm32"))]
fn put_numbers(out: &mut Vec<u8>, numbers: &[i16]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

/// What is left to read.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], WeightsError> {
        let (taken, rest) =
            self.0.split_at_checked(count).ok_or_else(|| damaged("it is cut off"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn length(&mut self) -> Result<usize, WeightsError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize)
    }

    fn text(&mut self) -> Result<String, WeightsError> {
        let length = self.length()?;
        let bytes = self.take(length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| damaged("a text is not UTF-8"))
    }

    fn number(&mut self) -> Result<i16, WeightsError> {
        let bytes = self.take(2)?;
        Ok(i16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn numbers(&mut self, out: &mut [i16]) -> Result<(), WeightsError> {
        for number in out {
            *number = self.number()?;
        }
        Ok(())
    }

    fn patterns(&mut self) -> Result<Patterns, WeightsError> {
        let count = self.length()?;
        let mut list: Vec<Pattern> = Vec::new();
        for _ in 0..count {
            let mut pattern = [(Kind::Pawn, 0); 3];
            for element in &mut pattern {
                let bytes = self.take(2)?;
                let kind = Kind::from_index(usize::from(bytes[0]));
                *element = (kind.ok_or_else(|| damaged("a pattern has no such piece"))?, bytes[1]);
            }
            list.push(pattern);
        }
        Patterns::new(list).map_err(|error| WeightsError::Damaged(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_weights(seed: u64) -> LinearWeights {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut learned = Logistic { bias: -700, ..Logistic::default() };
        learned.pieces.iter_mut().flatten().for_each(|weight| *weight = random.i16(-99..99));
        LinearWeights {
            lineage: "made for a test".into(),
            progress: ProgressModel::Learned(Box::new(learned)),
            pairs: (0..FEATURES).map(|_| [random.i16(-300..300), random.i16(-300..300)]).collect(),
            patterns: Arc::new(
                Patterns::new(vec![
                    [(Kind::King, 44), (Kind::Gold, 35), (Kind::Gold, 53)],
                    [(Kind::Gold, 35), (Kind::Silver, 26), (Kind::Knight, 17)],
                ])
                .unwrap(),
            ),
            ..LinearWeights::default()
        }
    }

    #[test]
    fn a_file_gives_back_what_was_written() {
        for weights in [LinearWeights::default(), random_weights(1)] {
            let bytes = weights.to_bytes().unwrap();
            assert_eq!(LinearWeights::from_bytes(&bytes).unwrap(), weights);
        }
    }

    #[test]
    fn the_embedded_weights_can_be_read_and_say_where_they_come_from() {
        let weights = LinearWeights::from_bytes(EMBEDDED).unwrap();
        assert!(weights.lineage.contains("data:") && weights.lineage.contains("config:"));
    }

    #[test]
    fn foreign_and_damaged_files_are_refused() {
        let bytes = random_weights(2).to_bytes().unwrap();
        assert_eq!(LinearWeights::from_bytes(b"startpos moves 7g7f"), Err(WeightsError::Foreign));
        assert_eq!(LinearWeights::from_bytes(&[]), Err(WeightsError::Foreign));
        let mut newer = bytes.clone();
        newer[16] = 9;
        assert_eq!(LinearWeights::from_bytes(&newer), Err(WeightsError::Version(9)));
        for cut in [16, 30, HEADER, HEADER + 5, bytes.len() / 2, bytes.len() - 1] {
            assert!(matches!(
                LinearWeights::from_bytes(&bytes[..cut]),
                Err(WeightsError::Damaged(_))
            ));
        }
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..50 {
            let mut broken = bytes.clone();
            let at = random.usize(20..broken.len());
            broken[at] ^= 1 << random.u8(0..8);
            assert!(LinearWeights::from_bytes(&broken).is_err(), "a bit changed at {at}");
        }
    }

    #[test]
    fn other_layouts_are_refused() {
        let mut content = Vec::new();
        put_text(&mut content, "hand 5");
        let refused = LinearWeights::from_content(&mut Reader(&content));
        assert_eq!(refused, Err(WeightsError::Layout("hand 5".into())));
    }
}
