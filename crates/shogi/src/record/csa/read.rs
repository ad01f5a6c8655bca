//! Reading CSA.

use super::{KEYWORDS, LONGEST_CLOCK, board};
use crate::notation::csa::read_parts;
use crate::position::Position;
use crate::record::bookmark::add_comment;
use crate::record::headers::{Headers, header};
use crate::record::tree::{NodeId, Record, RecordStep};
use crate::record::{Cursor, Ending, RecordError};
use crate::types::Color;
use core::time::Duration;

/// Reads every game of a file; games are parted by a line `/`.
///
/// # Errors
/// What is wrong, and in which line.
pub fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut records = Vec::new();
    let mut reader = Reader::default();
    for (line, number) in text.lines().zip(1..) {
        let line = line.trim_end();
        if line == "/" {
            records.extend(core::mem::take(&mut reader).finish(number)?);
        } else {
            reader.line(line, number)?;
        }
    }
    records.extend(reader.finish(text.lines().count())?);
    match records.is_empty() {
        true => Err(RecordError::whole("the file has no CSA game in it")),
        false => Ok(records),
    }
}

/// One game being read.
#[derive(Default)]
struct Reader {
    headers: Headers,
    comments: Vec<String>,
    board: Option<Position>,
    /// Whether there was a board or a header that records have.
    known: bool,
    game: Option<(Record, Cursor)>,
    /// The line of an illegal move, which only an ending may follow.
    illegal: Option<(usize, String)>,
}

impl Reader {
    fn line(&mut self, line: &str, number: usize) -> Result<(), RecordError> {
        match line.as_bytes().first() {
            None => Ok(()),
            Some(b'\'') => {
                self.comment(&line[1..]);
                Ok(())
            }
            Some(b'N') => {
                self.name(line);
                Ok(())
            }
            Some(b'$') => {
                self.keyword(&line[1..]);
                Ok(())
            }
            _ => line
                .split(',')
                .map(str::trim)
                .filter(|part| !part.is_empty())
                .try_for_each(|part| self.statement(part, number)),
        }
    }

    fn statement(&mut self, part: &str, number: usize) -> Result<(), RecordError> {
        match part.as_bytes()[0] {
            b'V' => Ok(()),
            b'P' if self.game.is_some() => {
                Err(RecordError::at(number, "a board after the first move"))
            }
            b'P' => {
                self.known = true;
                let board = self.board.get_or_insert_with(Position::empty);
                board::read_line(board, part).map_err(|error| RecordError::in_line(number, &error))
            }
            b'+' | b'-' if part.len() == 1 => {
                let side = if part == "+" { Color::Black } else { Color::White };
                self.begin(Some(side), number)
            }
            b'+' | b'-' => self.played(part, number),
            b'%' => self.ending(&part[1..], number),
            b'T' => self.time(&part[1..], number),
            b'\'' => {
                self.comment(&part[1..]);
                Ok(())
            }
            _ => Err(RecordError::at(number, format!("'{part}' is not a CSA statement"))),
        }
    }

    /// Comments above the moves that look like a header (floodgate's `'Max_Moves:256`) are one.
    fn comment(&mut self, text: &str) {
        if let Some(keyword) = text.strip_prefix('$') {
            return self.keyword(keyword);
        }
        if self.game.is_none() {
            let pair = text.split_once(':').filter(|(key, _)| {
                !key.is_empty() && !key.starts_with('*') && !key.contains(char::is_whitespace)
            });
            if let Some((key, value)) = pair {
                return self.headers.set(key, value);
            }
            // `'encoding=...` and the line that names a program say nothing about the game.
            if text.starts_with("encoding=")
                || text.starts_with("CSA encoding=")
                || text.trim_start().starts_with("----")
            {
                return;
            }
        }
        let comment = text.strip_prefix('*').unwrap_or(text).trim_end().to_string();
        match &mut self.game {
            Some((record, cursor)) => add_comment(record.node_mut(cursor.node()), &comment),
            None => self.comments.push(comment),
        }
    }

    fn name(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("N+") {
            self.known = true;
            self.headers.set(header::BLACK, name);
        } else if let Some(name) = line.strip_prefix("N-") {
            self.known = true;
            self.headers.set(header::WHITE, name);
        }
    }

    fn keyword(&mut self, text: &str) {
        if let Some((key, value)) = text.split_once(':') {
            let known = KEYWORDS.iter().find(|row| row.0 == key);
            self.known |= known.is_some();
            self.headers.set(known.map_or(key, |row| row.1), value);
        }
    }

    /// The board is complete: the game begins.
    fn begin(&mut self, side: Option<Color>, number: usize) -> Result<(), RecordError> {
        if self.game.is_some() {
            return Err(RecordError::at(number, "the side to move is given twice"));
        }
        let mut start = self.board.take().unwrap_or_else(Position::start);
        if let Some(side) = side {
            start.set_side_to_move(side);
        }
        start.validate().map_err(|reason| {
            RecordError::at(number, format!("the starting position is not possible: {reason}"))
        })?;
        let mut record = Record::new(start);
        let root = record.node_mut(NodeId::ROOT);
        self.comments.drain(..).for_each(|comment| add_comment(root, &comment));
        let cursor = Cursor::new(&record);
        self.game = Some((record, cursor));
        Ok(())
    }

    /// The game, begun if need be.
    fn game(&mut self, number: usize) -> Result<&mut (Record, Cursor), RecordError> {
        if self.game.is_none() {
            self.begin(None, number)?;
        }
        self.game.as_mut().ok_or_else(|| RecordError::at(number, "no game has begun"))
    }

    fn played(&mut self, part: &str, number: usize) -> Result<(), RecordError> {
        self.refuse_after_illegal()?;
        let (record, cursor) = self.game(number)?;
        if record.node(cursor.node()).ending().is_some() {
            return Err(RecordError::at(number, format!("'{part}' after the end of the game")));
        }
        let (side, played, kind) = read_parts(cursor.position(), part)
            .map_err(|error| RecordError::at(number, error.message))?;
        if side != cursor.position().side_to_move() {
            return Err(RecordError::at(number, format!("'{part}' is out of turn")));
        }
        if cursor.position().is_legal(played) {
            cursor.add(record, RecordStep::Move(played));
        } else {
            cursor.add(record, RecordStep::Illegal { played, kind });
            self.illegal = Some((number, part.to_string()));
        }
        Ok(())
    }

    fn refuse_after_illegal(&self) -> Result<(), RecordError> {
        match &self.illegal {
            None => Ok(()),
            Some((line, part)) => Err(RecordError::at(*line, format!("'{part}' is not legal"))),
        }
    }

    fn ending(&mut self, code: &str, number: usize) -> Result<(), RecordError> {
        self.illegal = None;
        let (record, cursor) = self.game(number)?;
        if record.node(cursor.node()).ending().is_none() {
            let ending = Ending::from_code(code, record.side_after(cursor.node()));
            cursor.add(record, RecordStep::End(ending));
        }
        Ok(())
    }

    fn time(&mut self, text: &str, number: usize) -> Result<(), RecordError> {
        let spent = read_seconds(text)
            .ok_or_else(|| RecordError::at(number, format!("'T{text}' is not a time")))?;
        let (record, cursor) = self.game(number)?;
        record.node_mut(cursor.node()).spent = Some(spent);
        Ok(())
    }

    fn finish(mut self, number: usize) -> Result<Option<Record>, RecordError> {
        self.refuse_after_illegal()?;
        // A file may begin or end with `/`, and a game may lack a board but not everything.
        let played = self.game.as_ref().is_some_and(|(record, _)| record.has_play());
        if !played && !self.known {
            return Ok(None);
        }
        let headers = core::mem::take(&mut self.headers);
        self.game(number)?;
        Ok(self.game.map(|(mut record, _)| {
            record.headers = headers;
            record
        }))
    }
}

/// Whether a file of CSA may begin with the line.
pub(in crate::record) fn is_line(line: &str) -> bool {
    let starts = ["V1", "V2", "V3", "N+", "N-", "$", "'", "P+", "P-"];
    let is_board = |line: &str| Reader::default().statement(line, 1).is_ok();
    starts.iter().any(|start| line.starts_with(start))
        || line.starts_with(['P', '+', '-', '%']) && is_board(line)
}

/// Whether a line above the moves gives the header.
pub(super) fn reads_header(line: &str, key: &str, value: &str) -> bool {
    let mut reader = Reader::default();
    reader.line(line, 1).is_ok() && reader.headers.get(key) == Some(value)
}

/// Seconds with at most three decimals, and no more than a year of them.
fn read_seconds(text: &str) -> Option<Duration> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if !part.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let seconds: u64 = whole.parse().ok().filter(|&seconds| seconds < LONGEST_CLOCK.as_secs())?;
    let millis: u64 = format!("{part:0<3}")[..3].parse().ok()?;
    Some(Duration::from_millis(1000 * seconds + millis))
}
