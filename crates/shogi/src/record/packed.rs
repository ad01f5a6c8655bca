//! Packed training positions as records, and the positions of records as training data.

use super::score::comment_of;
use super::tree::{NodeId, Record, RecordStep};
use super::{Cursor, RecordError};
use crate::notation::packed::{PackedEntry, PackedFormat};
use crate::record::games::{GameLine, GameResult};
use crate::record::headers::header;
use crate::types::Color;

/// Reads each entry as a record of one position, its move and its score.
pub(super) fn read(bytes: &[u8], format: PackedFormat) -> Result<Vec<Record>, RecordError> {
    let size = format.entry_bytes();
    if !bytes.len().is_multiple_of(size) {
        let message = format!("{} bytes are no whole number of {size}-byte entries", bytes.len());
        return Err(RecordError::whole(message));
    }
    if bytes.is_empty() {
        return Err(RecordError::whole("the file has no position in it"));
    }
    let entries = bytes.chunks_exact(size).zip(1..);
    entries
        .map(|(chunk, number)| {
            let entry = PackedEntry::read(chunk, format)
                .map_err(|error| RecordError::at(number, format!("(entry) {}", error.message)))?;
            Ok(to_record(&entry))
        })
        .collect()
}

fn to_record(entry: &PackedEntry) -> Record {
    let mut record = Record::new(entry.position.clone());
    let result = match entry.winner {
        Some(Color::Black) => "B",
        Some(Color::White) => "W",
        None => "D",
    };
    record.headers.set(header::RESULT, result);
    let side = entry.position.side_to_move();
    let score = i32::from(entry.score);
    let comment = comment_of(if side == Color::Black { score } else { -score });
    let at = match entry.played {
        Some(played) => record.add(NodeId::ROOT, RecordStep::Move(played)),
        None => NodeId::ROOT,
    };
    record.node_mut(at).comments.push(comment);
    record
}

/// Writes every position of the main lines that a move was played in. A move without a score gets
/// 0, and a game without a result counts as a draw: the formats have no word for either.
pub(super) fn write(records: &[Record], format: PackedFormat) -> Result<Vec<u8>, RecordError> {
    let mut bytes = Vec::new();
    for (record, number) in records.iter().zip(1..) {
        let winner = match GameLine::from_record(record).result {
            GameResult::Win(winner) => Some(winner),
            GameResult::Draw | GameResult::Unknown => None,
        };
        let mut cursor = Cursor::new(record);
        for id in record.main_line() {
            let Some(played) = record.node(id).played() else { break };
            let side = cursor.position().side_to_move();
            let score = record.node(id).score().unwrap_or(0);
            let score = if side == Color::Black { score } else { -score };
            let limits = (i32::from(i16::MIN), i32::from(i16::MAX));
            let entry = PackedEntry {
                position: cursor.position().clone(),
                score: score.clamp(limits.0, limits.1) as i16,
                played: Some(played),
                winner,
            };
            entry
                .write(format, &mut bytes)
                .map_err(|error| RecordError::at(number, format!("(game) {}", error.message)))?;
            cursor.forward(record, id);
        }
    }
    match bytes.is_empty() {
        true => Err(RecordError::whole("no move was played, and a packed position needs one")),
        false => Ok(bytes),
    }
}
