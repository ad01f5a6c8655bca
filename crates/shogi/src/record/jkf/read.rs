//! Reading JKF, also where a program has left out what follows from the position.

use super::schema::{Clock, Data, Item, Jkf, Place, Played};
use super::{PRESETS, RELATIVE};
use crate::notation::csa::{kind_after, kind_of};
use crate::notation::japanese::{kind_name, read_move, square_name};
use crate::position::Position;
use crate::record::bookmark::add_comment;
use crate::record::headers::{header, is_known};
use crate::record::tree::{NodeId, Record, RecordStep};
use crate::record::{Cursor, Ending, RecordError};
use crate::types::{Color, Kind, Move, Piece, Square};
use core::time::Duration;

/// Reads a record.
///
/// # Errors
/// What is wrong: with the JSON at its line, with a move by its number.
pub fn read(text: &str) -> Result<Record, RecordError> {
    let jkf: Jkf = serde_json::from_str(text)
        .map_err(|error| RecordError::at(error.line().max(1), format!("not JKF: {error}")))?;
    let start = read_start(&jkf)?;
    let mut record = Record::new(start);
    for (key, value) in &jkf.header {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        let key = match key.as_str() {
            // The start says it already.
            "手合割" => continue,
            "下手" => header::BLACK,
            "上手" => header::WHITE,
            other => other,
        };
        record.headers.set(key, &value);
    }
    let mut cursor = Cursor::new(&record);
    read_line(&mut record, &mut cursor, &jkf.moves)?;
    let known = jkf.initial.is_some() || jkf.header.keys().any(|key| is_known(key));
    match known || record.has_play() {
        true => Ok(record),
        false => Err(RecordError::whole("the file has no JKF game in it")),
    }
}

/// Whether a header comes back under its key.
pub(in crate::record) fn keeps_header(key: &str) -> bool {
    !["手合割", "下手", "上手"].contains(&key)
}

/// Whether an ending comes back, with `side` to move.
pub(in crate::record) fn keeps_ending(ending: &Ending, side: Color) -> bool {
    read_ending(ending.code(), side) == *ending
}

fn read_ending(code: &str, side: Color) -> Ending {
    Ending::from_code(code.strip_prefix('%').unwrap_or(code), side)
}

/// What is wrong with the whole; JKF has no lines to name.
fn fault(message: impl Into<String>) -> RecordError {
    RecordError::whole(message)
}

fn read_start(jkf: &Jkf) -> Result<Position, RecordError> {
    let Some(initial) = &jkf.initial else { return Ok(Position::start()) };
    if let Some(row) = PRESETS.iter().find(|row| row.1 == initial.preset) {
        return Ok(row.0.position());
    }
    let data = initial.data.as_ref().ok_or_else(|| {
        fault(format!("the start '{}' is unknown and has no board", initial.preset))
    })?;
    read_board(data)
}

fn read_board(data: &Data) -> Result<Position, RecordError> {
    let mut position = Position::empty();
    for (file, column) in (0..9).zip(&data.board) {
        for (rank, cell) in (0..9).zip(column) {
            let Some(code) = cell.kind.as_deref() else { continue };
            let kind = kind_of(code).ok_or_else(|| fault(format!("'{code}' is not a piece")))?;
            let piece = Piece::new(kind, color_of(cell.color)?);
            position.put(Square::new(file, rank), Some(piece));
        }
    }
    for (color, counts) in Color::ALL.into_iter().zip(&data.hands) {
        let mut hand = position.hand(color);
        for (code, &count) in counts.iter().filter(|(_, count)| **count > 0) {
            hand = kind_of(code)
                .and_then(|kind| hand.with_count(kind, count))
                .ok_or_else(|| fault(format!("{count} {code} cannot be in hand")))?;
        }
        position.set_hand(color, hand);
    }
    position.set_side_to_move(color_of(Some(data.color))?);
    position.validate().map_err(|reason| fault(format!("the start is not possible: {reason}")))?;
    Ok(position)
}

fn color_of(number: Option<u8>) -> Result<Color, RecordError> {
    match number {
        None | Some(0) => Ok(Color::Black),
        Some(1) => Ok(Color::White),
        Some(other) => Err(fault(format!("{other} is not a color (0 or 1)"))),
    }
}

/// A line of moves from the cursor. Forks nest no deeper than the JSON parser allows.
fn read_line(record: &mut Record, cursor: &mut Cursor, items: &[Item]) -> Result<(), RecordError> {
    let start = record.node(cursor.node()).ply();
    for item in items {
        let before = cursor.node();
        read_item(record, cursor, item)?;
        if item.forks.is_empty() {
            continue;
        }
        let (after, back) = (cursor.node(), record.node(before).ply());
        for fork in &item.forks {
            cursor.back_to_ply(record, back);
            read_line(record, cursor, fork)?;
            cursor.back_to_ply(record, back);
        }
        if after != before {
            cursor.forward(record, after);
        }
    }
    // A broken rule ends the game: the record must say so, as in every other format.
    let last = record.node(cursor.node());
    if matches!(last.step(), Some(RecordStep::Illegal { .. })) && last.children().is_empty() {
        return Err(fault(format!("move {} is not legal", last.ply())));
    }
    cursor.back_to_ply(record, start);
    Ok(())
}

fn read_item(record: &mut Record, cursor: &mut Cursor, item: &Item) -> Result<(), RecordError> {
    let number = record.node(cursor.node()).ply() + 1;
    if let Some(played) = &item.played {
        let wrong = |reason: &str| fault(format!("move {number}: {reason}"));
        match record.node(cursor.node()).step() {
            Some(RecordStep::End(_)) => return Err(wrong("a move after the end")),
            Some(RecordStep::Illegal { .. }) => {
                return Err(fault(format!("move {} is not legal", number - 1)));
            }
            _ => {}
        }
        let (played, kind) = read_played(cursor, played).map_err(|error| wrong(&error.message))?;
        let step = match cursor.position().is_legal(played) {
            true => RecordStep::Move(played),
            false => RecordStep::Illegal { played, kind },
        };
        cursor.add(record, step);
    }
    if let Some(code) = &item.special {
        let ending = read_ending(code, record.side_after(cursor.node()));
        if record.node(cursor.node()).ending().is_none() {
            cursor.add(record, RecordStep::End(ending));
        }
    }
    let id: NodeId = cursor.node();
    let node = record.node_mut(id);
    let lines = item.comments.iter().flat_map(|comment| comment.split('\n'));
    lines.for_each(|line| add_comment(node, line.trim_end_matches('\r')));
    if let Some(time) = &item.time {
        node.spent = Some(read_clock(time.now));
    }
    Ok(())
}

fn read_clock(clock: Clock) -> Duration {
    let hours = u64::from(clock.h.unwrap_or(0).min(10_000));
    let minutes = u64::from(clock.m.min(1_000_000));
    // A clock that lies out of all bounds says nothing.
    let millis = if clock.s.is_finite() { (clock.s.clamp(0.0, 1e6) * 1000.0).round() } else { 0.0 };
    Duration::from_millis((hours * 3600 + minutes * 60) * 1000 + millis as u64)
}

fn square_of(place: Place) -> Result<Square, RecordError> {
    let (x, y) = (place.x.wrapping_sub(1), place.y.wrapping_sub(1));
    match x < 9 && y < 9 {
        true => Ok(Square::new(x, y)),
        false => Err(fault(format!("({}, {}) is not a square", place.x, place.y))),
    }
}

/// The move, legal or not, and the kind of its piece after it.
fn read_played(cursor: &Cursor, played: &Played) -> Result<(Move, Kind), RecordError> {
    let position = cursor.position();
    if let Some(number) = played.color
        && color_of(Some(number))? != position.side_to_move()
    {
        return Err(fault("out of turn"));
    }
    let kind = kind_of(&played.piece)
        .ok_or_else(|| fault(format!("'{}' is not a piece", played.piece)))?;
    let to = match (played.to, cursor.last_square()) {
        (Some(place), _) => square_of(place)?,
        (None, Some(last)) => last,
        (None, None) => return Err(fault("the destination is missing")),
    };
    let Some(from) = played.from else {
        return read_without_origin(position, played, kind, to);
    };
    let from = square_of(from)?;
    let standing =
        position.piece_on(from).ok_or_else(|| fault(format!("no piece stands on {from}")))?.kind();
    // Records made from CSA name the piece after the move and leave the promotion out.
    let promoted = played.promote.unwrap_or(false) || standing.promoted() == Some(kind);
    if from == to || (kind != standing && standing.promoted() != Some(kind)) {
        return Err(fault(format!("the piece on {from} is not {}", played.piece)));
    }
    let found = Move::board(from, to, promoted);
    Ok((found, kind_after(position, found).unwrap_or(kind)))
}

/// A drop, or a move identified by `relative` as in a Japanese name.
fn read_without_origin(
    position: &Position,
    played: &Played,
    kind: Kind,
    to: Square,
) -> Result<(Move, Kind), RecordError> {
    let relative = played.relative.as_deref().unwrap_or("");
    if relative.contains('H') && kind.is_hand() {
        return Ok((Move::drop(kind, to), kind));
    }
    let mut name = format!("{}{}", square_name(to), kind_name(kind));
    name.extend(
        relative
            .chars()
            .filter_map(|letter| RELATIVE.iter().find(|row| row.0 == letter))
            .map(|row| row.1),
    );
    name.push_str(match played.promote {
        Some(true) => "成",
        Some(false) => "不成",
        None => "",
    });
    let found =
        read_move(position, &name).map_err(|error| fault(format!("{name}: {error}")))?.played;
    Ok((found, kind_after(position, found).unwrap_or(kind)))
}
