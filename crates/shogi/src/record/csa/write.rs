//! Writing CSA.

use super::read::reads_header;
use super::{KEYWORDS, LONGEST_CLOCK, board};
use crate::notation::csa::kind_after;
use crate::notation::csa::{sign, write_parts};
use crate::record::bookmark::to_comments;
use crate::record::headers::header;
use crate::record::tree::{Node, NodeId, Record, RecordStep};
use crate::record::{Cursor, Ending};
use crate::types::Color;
use core::fmt::Write;

/// Which version to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// 2.2: whole seconds.
    V2,
    /// 3.0: parts of seconds, UTF-8 said so.
    V3,
}

/// Writes the main line of each game.
///
/// ```
/// use yomikiri_shogi::record::{csa, usi};
///
/// let record = usi::read_line("startpos moves 7g7f", 1).unwrap();
/// assert_eq!(csa::write(&[record], csa::Version::V2), "V2.2\nPI\n+\n+7776FU\n");
/// ```
pub fn write(records: &[Record], version: Version) -> String {
    let games: Vec<String> = records.iter().map(|record| write_game(record, version)).collect();
    let body = games.join("/\n");
    match version {
        Version::V3 => format!("'CSA encoding=UTF-8\n{body}"),
        Version::V2 if body.is_ascii() => body,
        Version::V2 => format!("'encoding=UTF-8\n{body}"),
    }
}

fn write_game(record: &Record, version: Version) -> String {
    let mut text = match version {
        Version::V2 => "V2.2\n".to_string(),
        Version::V3 => "V3.0\n".to_string(),
    };
    write_headers(record, version, &mut text);
    text.push_str(&board::write(record.start()));
    write_comments(record.node(NodeId::ROOT), &mut text);
    let mut cursor = Cursor::new(record);
    for id in record.main_line() {
        write_node(record, &mut cursor, id, version, &mut text);
    }
    text
}

fn write_headers(record: &Record, version: Version, text: &mut String) {
    for (key, value) in record.headers.iter() {
        let _ = match keeps_header(key, value, version) {
            true => writeln!(text, "{}", header_line(key, value, version)),
            // A key that would be read as something else is said in a comment.
            false => writeln!(text, "'*{key}:{value}"),
        };
    }
}

fn header_line(key: &str, value: &str, version: Version) -> String {
    let keyword = KEYWORDS
        .iter()
        .find(|row| row.1 == key && is_spelled(row.0, value, version))
        .map(|row| row.0);
    match (key, keyword) {
        (header::BLACK, _) => format!("N+{value}"),
        (header::WHITE, _) => format!("N-{value}"),
        (_, Some(keyword)) => format!("${keyword}:{value}"),
        // What CSA has no word for goes into a comment that our reader takes back.
        _ => format!("'{key}:{value}"),
    }
}

/// Whether a header comes back under its key.
pub(in crate::record) fn keeps_header(key: &str, value: &str, version: Version) -> bool {
    reads_header(&header_line(key, value, version), key, value)
}

/// Whether an ending comes back, with `side` to move.
pub(in crate::record) fn keeps_ending(ending: &Ending, side: Color) -> bool {
    let text = write_ending(ending, side);
    let code = text.lines().next().and_then(|line| line.strip_prefix('%'));
    code.is_some_and(|code| Ending::from_code(code, side) == *ending)
}

/// Whether a keyword may stand in this version with this value.
fn is_spelled(keyword: &str, value: &str, version: Version) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match (keyword, version) {
        ("TIME_LIMIT", Version::V2) => value.split_once('+').is_some_and(|(limit, byoyomi)| {
            digits(byoyomi) && limit.split_once(':').is_some_and(|(h, m)| digits(h) && digits(m))
        }),
        ("TIME_LIMIT", Version::V3) => false,
        ("TIME" | "TIME+" | "TIME-", Version::V3) => {
            value.split('+').count() == 3
                && value.split('+').all(|part| digits(&part.replace('.', "")))
        }
        ("TIME" | "TIME+" | "TIME-" | "MAX_MOVES" | "JISHOGI" | "NOTE", Version::V2) => false,
        ("MAX_MOVES", Version::V3) => digits(value),
        _ => true,
    }
}

fn write_comments(node: &Node, text: &mut String) {
    for comment in to_comments(node) {
        let _ = writeln!(text, "'*{comment}");
    }
}

fn write_node(
    record: &Record,
    cursor: &mut Cursor,
    id: NodeId,
    version: Version,
    text: &mut String,
) {
    let node = record.node(id);
    let side = record.side_after(cursor.node());
    match node.step() {
        Some(&RecordStep::Move(played)) => {
            if let Some(kind) = kind_after(cursor.position(), played) {
                let _ = writeln!(text, "{}", write_parts(side, played, kind));
            }
        }
        Some(&RecordStep::Illegal { played, kind }) => {
            let _ = writeln!(text, "{}", write_parts(side, played, kind));
        }
        Some(RecordStep::End(ending)) => text.push_str(&write_ending(ending, side)),
        None => {}
    }
    // A time that readers take for an error would cost the whole game.
    if let Some(spent) = node.spent.filter(|&spent| spent < LONGEST_CLOCK) {
        let _ = match (version, spent.subsec_millis()) {
            (Version::V3, millis @ 1..) => writeln!(text, "T{}.{millis:03}", spent.as_secs()),
            _ => writeln!(text, "T{}", spent.as_secs()),
        };
    }
    write_comments(node, text);
    cursor.forward(record, id);
}

fn write_ending(ending: &Ending, side: Color) -> String {
    match ending {
        Ending::IllegalWin => format!("%{}ILLEGAL_ACTION\n", sign(!side)),
        Ending::WinByDefault | Ending::LossByDefault => {
            format!("%CHUDAN\n'*{}\n", ending.name())
        }
        Ending::Other(name) if name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_') => {
            format!("%{name}\n")
        }
        Ending::Other(name) => format!("%CHUDAN\n'*{name}\n"),
        known => format!("%{}\n", known.code()),
    }
}
