//! USI `position` lines and lists of SFEN, one record a line.

use super::tree::{NodeId, Record, RecordStep};
use super::{Cursor, RecordError};
use crate::position::Position;

/// Reads one line: `startpos moves ...`, `sfen ... moves ...`, either after `position`, or a bare
/// SFEN.
///
/// # Errors
/// What is wrong; the line is the one given.
pub fn read_line(line: &str, number: usize) -> Result<Record, RecordError> {
    let text = line.trim();
    let text = text.strip_prefix("position").map_or(text, str::trim_start);
    let bare = !text.starts_with("startpos") && !text.starts_with("sfen");
    let played = match bare {
        true => Position::from_sfen(text),
        false => Position::from_usi(text),
    }
    .map_err(|error| RecordError::in_line(number, &error))?;
    let moves: Vec<_> = played.moves_played().collect();
    let mut start = played;
    moves.iter().for_each(|_| start.undo());
    let mut record = Record::new(start);
    let mut at = NodeId::ROOT;
    for played in moves {
        at = record.add(at, RecordStep::Move(played));
    }
    Ok(record)
}

/// Reads every line that is not empty and not a comment (`#`).
///
/// # Errors
/// The first bad line, or that there is none at all.
pub fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    let records: Vec<Record> = text
        .lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(line, number)| read_line(line, number))
        .collect::<Result<_, _>>()?;
    match records.is_empty() {
        true => Err(RecordError::whole("the file has no position in it")),
        false => Ok(records),
    }
}

/// The main line as `startpos moves ...` or `sfen ... moves ...`.
///
/// ```
/// use yomikiri_shogi::record::usi;
///
/// let record = usi::read_line("position startpos moves 7g7f 3c3d", 1).unwrap();
/// assert_eq!(usi::write_line(&record), "startpos moves 7g7f 3c3d");
/// ```
pub fn write_line(record: &Record) -> String {
    let start = record.start();
    let mut text = match *start == Position::start() {
        true => "startpos".to_string(),
        false => format!("sfen {}", start.to_sfen()),
    };
    for (index, played) in record.main_moves().enumerate() {
        text.push_str(if index == 0 { " moves " } else { " " });
        text.push_str(&played.to_string());
    }
    text
}

/// The main lines, one a line.
pub fn write(records: &[Record]) -> String {
    records.iter().map(|record| write_line(record) + "\n").collect()
}

/// The SFEN of every position of the main line, one a line.
pub fn write_positions(records: &[Record]) -> String {
    let mut text = String::new();
    for record in records {
        let mut cursor = Cursor::new(record);
        text.push_str(&cursor.position().to_sfen());
        text.push('\n');
        for id in record.main_line().filter(|&id| record.node(id).played().is_some()) {
            cursor.forward(record, id);
            text.push_str(&cursor.position().to_sfen());
            text.push('\n');
        }
    }
    text
}
