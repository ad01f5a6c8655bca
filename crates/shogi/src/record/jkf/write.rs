//! Writing JKF.

use super::schema::{Cell, Clock, Data, Initial, Item, Jkf, Place, Played, Time};
use super::{PRESETS, RELATIVE};
use crate::notation::csa::kind_code;
use crate::notation::japanese::suffix;
use crate::position::{Handicap, Position};
use crate::record::bookmark::to_comments;
use crate::record::tree::{NodeId, Record, RecordStep};
use crate::record::{Cursor, RecordError};
use crate::types::{Bitboard, Color, Kind, Move, Square};
use core::time::Duration;
use std::collections::BTreeMap;

/// JSON parsers bound how deep they go, and each fork in a fork takes three levels.
const DEEPEST_FORK: usize = 40;

/// Writes a record, with variations as forks.
///
/// # Errors
/// If variations nest deeper than readers of JSON allow.
pub fn write(record: &Record) -> Result<String, RecordError> {
    let header = record
        .headers
        .iter()
        .map(|(key, value)| (key.to_string(), serde_json::Value::from(value)))
        .collect();
    let mut cursor = Cursor::new(record);
    let root =
        Item { comments: to_comments(record.node(NodeId::ROOT)).collect(), ..Item::default() };
    let mut moves = vec![root];
    if let Some(&first) = record.node(NodeId::ROOT).children().first() {
        moves.extend(write_line(record, &mut cursor, first, 0)?);
    }
    let jkf = Jkf { header, initial: Some(write_start(record.start())), moves };
    serde_json::to_string_pretty(&jkf)
        .map(|text| text + "\n")
        .map_err(|error| RecordError::whole(error.to_string()))
}

fn write_start(start: &Position) -> Initial {
    let preset = Handicap::of(start)
        .and_then(|handicap| PRESETS.iter().find(|row| row.0 == handicap))
        .map(|row| row.1.to_string());
    if let Some(preset) = preset {
        return Initial { preset, data: None };
    }
    let cell = |square: Square| match start.piece_on(square) {
        None => Cell::default(),
        Some(piece) => Cell {
            color: Some(piece.color().index() as u8),
            kind: Some(kind_code(piece.kind()).to_string()),
        },
    };
    let column = |file| (0..9).map(|rank| cell(Square::new(file, rank))).collect();
    let hand = |color: Color| -> BTreeMap<String, u8> {
        let hand = start.hand(color);
        Kind::HAND.iter().map(|&kind| (kind_code(kind).to_string(), hand.count(kind))).collect()
    };
    Initial {
        preset: "OTHER".to_string(),
        data: Some(Data {
            color: start.side_to_move().index() as u8,
            board: (0..9).map(column).collect(),
            hands: Color::ALL.map(hand).to_vec(),
        }),
    }
}

/// The line that begins with a node, the cursor standing before it. Leaves the cursor there.
fn write_line(
    record: &Record,
    cursor: &mut Cursor,
    first: NodeId,
    depth: usize,
) -> Result<Vec<Item>, RecordError> {
    if depth > DEEPEST_FORK {
        return Err(RecordError::whole("the variations nest too deeply for JKF"));
    }
    let start = record.node(first).ply() - 1;
    let mut items = Vec::new();
    for id in record.line_from(first) {
        let mut item = write_item(record, cursor, id);
        let siblings = record.node(cursor.node()).children();
        // The first node of a fork is a sibling itself: its siblings hang on the main move.
        if siblings.first() == Some(&id) {
            for &fork in &siblings[1..] {
                item.forks.push(write_line(record, cursor, fork, depth + 1)?);
            }
        }
        cursor.forward(record, id);
        items.push(item);
    }
    cursor.back_to_ply(record, start);
    Ok(items)
}

fn write_item(record: &Record, cursor: &Cursor, id: NodeId) -> Item {
    let node = record.node(id);
    let side = record.side_after(cursor.node());
    let position = cursor.position();
    let (played, special) = match node.step() {
        Some(&RecordStep::Move(played)) => {
            let kind = crate::notation::csa::kind_after(position, played).unwrap_or(Kind::Pawn);
            (Some(write_played(position, cursor.last_square(), side, played, kind)), None)
        }
        Some(&RecordStep::Illegal { played, kind }) => {
            let mut written = write_played(position, cursor.last_square(), side, played, kind);
            // Where no legal move decides it, a drop must be marked as one.
            written.relative = played.is_drop().then(|| "H".to_string());
            (Some(written), None)
        }
        Some(RecordStep::End(ending)) => (None, Some(ending.code().to_string())),
        None => (None, None),
    };
    let time = node.spent.map(|spent| Time { now: write_clock(spent), total: None });
    Item { comments: to_comments(node).collect(), played, time, special, forks: Vec::new() }
}

fn write_clock(spent: Duration) -> Clock {
    let (minutes, seconds) = (spent.as_secs() / 60, spent.as_secs() % 60);
    let seconds = seconds as f64 + f64::from(spent.subsec_millis()) / 1000.0;
    Clock { h: None, m: minutes as u32, s: seconds }
}

fn write_played(
    position: &Position,
    last: Option<Square>,
    side: Color,
    played: Move,
    kind_after: Kind,
) -> Played {
    let place = |square: Square| Place { x: square.file() + 1, y: square.rank() + 1 };
    let to = played.to();
    let kind = if played.is_promotion() { kind_after.unpromoted() } else { kind_after };
    let zone = Bitboard::promotion_zone(side);
    let could_promote = kind.promoted().is_some()
        && played.from().is_some_and(|from| zone.has(from) || zone.has(to));
    let captured = played.from().and_then(|_| position.piece_on(to));
    let words = suffix(position, played);
    let relative: String = words
        .chars()
        .filter_map(|word| RELATIVE.iter().find(|row| row.1 == word))
        .map(|row| row.0)
        .collect();
    Played {
        color: Some(side.index() as u8),
        from: played.from().map(place),
        to: Some(place(to)),
        piece: kind_code(kind).to_string(),
        same: (last == Some(to)).then_some(true),
        promote: could_promote.then(|| played.is_promotion()),
        capture: captured.map(|piece| kind_code(piece.kind()).to_string()),
        relative: match (played.is_drop(), relative.is_empty()) {
            (true, true) => None,
            (_, false) => Some(relative),
            (false, true) => None,
        },
    }
}
