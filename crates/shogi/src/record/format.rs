//! The formats, recognised by the names of files.

use super::games::{self, GameLine};
use super::text::{Charset, decode, encode, has_record_words};
use super::tree::Record;
use super::{RecordError, csa, jkf, kakinoki, packed, usi};
use crate::notation::packed::PackedFormat;
use core::fmt;
use core::str::FromStr;
use yomikiri_base::packed::UnpackLimits;

/// A format of records.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// CSA; written as version 2.2.
    Csa,
    /// CSA, written as version 3.0.
    Csa3,
    /// KIF, written in Shift-JIS.
    Kif,
    /// KIF, written in UTF-8.
    Kifu,
    /// KI2, written in Shift-JIS.
    Ki2,
    /// KI2, written in UTF-8.
    Ki2u,
    /// JSON.
    Jkf,
    /// USI `position` lines, one game a line.
    Usi,
    /// SFEN of every position, one a line.
    Sfen,
    /// Games one a line with tabs between the columns.
    Tsv,
    /// Packed positions of YaneuraOu.
    Psv,
    /// Packed positions of Apery and cshogi.
    Hcpe,
    /// A board as text, written in UTF-8.
    Bod,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 13] = [
        Format::Csa,
        Format::Csa3,
        Format::Kif,
        Format::Kifu,
        Format::Ki2,
        Format::Ki2u,
        Format::Jkf,
        Format::Usi,
        Format::Sfen,
        Format::Tsv,
        Format::Psv,
        Format::Hcpe,
        Format::Bod,
    ];

    /// The name, which is also the ending of files.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Csa => "csa",
            Format::Csa3 => "csa3",
            Format::Kif => "kif",
            Format::Kifu => "kifu",
            Format::Ki2 => "ki2",
            Format::Ki2u => "ki2u",
            Format::Jkf => "jkf",
            Format::Usi => "usi",
            Format::Sfen => "sfen",
            Format::Tsv => "tsv",
            Format::Psv => "psv",
            Format::Hcpe => "hcpe",
            Format::Bod => "bod",
        }
    }

    /// The ending that files of the format have.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Csa3 => "csa",
            other => other.name(),
        }
    }

    /// The format given by a file's name: its ending, `.zst` and `.gz` left aside.
    ///
    /// ```
    /// use yomikiri_shogi::record::Format;
    ///
    /// assert_eq!(Format::of_file_name("games/2024.KIF"), Some(Format::Kif));
    /// assert_eq!(Format::of_file_name("games.tsv.zst"), Some(Format::Tsv));
    /// ```
    pub fn of_file_name(name: &str) -> Option<Format> {
        let name = name.to_ascii_lowercase();
        let name = [".zst", ".gz"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
        match name.rsplit_once('.')?.1 {
            "json" => Some(Format::Jkf),
            "bin" => Some(Format::Psv),
            "txt" => Some(Format::Usi),
            ending => ending.parse().ok(),
        }
    }

    /// The format that a text shows by how it begins, for input without a name. Packed positions
    /// show nothing.
    ///
    /// ```
    /// use yomikiri_shogi::record::Format;
    ///
    /// assert_eq!(Format::of_content(b"V2.2\nPI\n+\n"), Some(Format::Csa));
    /// assert_eq!(Format::of_content(b"startpos moves 7g7f\n"), Some(Format::Usi));
    /// assert_eq!(Format::of_content("手合割：平手\n".as_bytes()), Some(Format::Kif));
    /// assert_eq!(Format::of_content(b"hello"), None);
    /// ```
    pub fn of_content(bytes: &[u8]) -> Option<Format> {
        let text = decode(bytes);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        // Comments of USI lines and the first lines of KIF begin alike.
        let line = lines.find(|line| !line.starts_with('#'))?;
        let position = line.split('\t').next().unwrap_or(line);
        if line.starts_with('{') {
            Some(Format::Jkf)
        } else if usi::read_line(position, 1).is_ok() {
            Some(if position == line { Format::Usi } else { Format::Tsv })
        } else if csa::is_line(line) {
            Some(Format::Csa)
        } else {
            has_record_words(&text).then_some(Format::Kif)
        }
    }

    /// Whether a file can hold several games.
    pub const fn holds_many(self) -> bool {
        use Format::{Bod, Jkf, Ki2, Ki2u, Kif, Kifu};
        !matches!(self, Kif | Kifu | Ki2 | Ki2u | Jkf | Bod)
    }

    /// Writes records into the bytes of a file. Shift-JIS that lacks a character gives way to
    /// UTF-8, which KIF then says in its first line.
    ///
    /// # Errors
    /// If the format cannot hold what the records are.
    pub fn write(self, records: &[Record]) -> Result<Vec<u8>, RecordError> {
        if records.is_empty() {
            return Err(RecordError::whole("there is no game to write"));
        }
        let single = || match records {
            [record] => Ok(record),
            _ => Err(RecordError::whole(format!(
                "a file of format {self} holds one game, not {}",
                records.len()
            ))),
        };
        let text = match self {
            Format::Csa => csa::write(records, csa::Version::V2),
            Format::Csa3 => csa::write(records, csa::Version::V3),
            Format::Kif => {
                let text = kakinoki::write_kif(single()?, Charset::ShiftJis);
                return Ok(match encode(&text, Charset::ShiftJis) {
                    Some(bytes) => bytes,
                    None => kakinoki::write_kif(single()?, Charset::Utf8).into_bytes(),
                });
            }
            Format::Kifu => kakinoki::write_kif(single()?, Charset::Utf8),
            Format::Ki2 => {
                let text = kakinoki::write_ki2(single()?);
                return Ok(encode(&text, Charset::ShiftJis).unwrap_or_else(|| text.into_bytes()));
            }
            Format::Ki2u => kakinoki::write_ki2(single()?),
            Format::Bod => kakinoki::write_bod(single()?),
            Format::Jkf => jkf::write(single()?)?,
            Format::Usi => usi::write(records),
            Format::Sfen => usi::write_positions(records),
            Format::Tsv => {
                records.iter().map(|record| GameLine::from_record(record).write() + "\n").collect()
            }
            Format::Psv => return packed::write(records, PackedFormat::Psv),
            Format::Hcpe => return packed::write(records, PackedFormat::Hcpe),
        };
        Ok(text.into_bytes())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(pub String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        write!(f, "unknown format '{}' (known: {})", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let found = Format::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownFormat(name.to_string()))
    }
}

/// Reads all the games of a file.
///
/// # Errors
/// What is wrong, and where.
pub fn read(bytes: &[u8], format: Format) -> Result<Vec<Record>, RecordError> {
    match format {
        Format::Csa | Format::Csa3 => csa::read(&decode(bytes)),
        Format::Kif | Format::Kifu | Format::Ki2 | Format::Ki2u | Format::Bod => {
            kakinoki::read(&decode(bytes)).map(|record| vec![record])
        }
        Format::Jkf => jkf::read(&decode(bytes)).map(|record| vec![record]),
        Format::Usi | Format::Sfen => usi::read(&decode(bytes)),
        Format::Tsv => {
            let games = games::open(bytes, UnpackLimits::default())
                .map_err(|error| RecordError::whole(error.to_string()))?;
            let mut records = Vec::new();
            for game in games {
                records.push(game?.to_record());
            }
            match records.is_empty() {
                true => Err(RecordError::whole("the file has no game in it")),
                false => Ok(records),
            }
        }
        Format::Psv => packed::read(bytes, PackedFormat::Psv),
        Format::Hcpe => packed::read(bytes, PackedFormat::Hcpe),
    }
}
