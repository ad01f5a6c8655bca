//! What a line of KIF or KI2 is, recognised by how it begins.

use super::strip_side;
use crate::record::headers::header;
use crate::types::Color;

/// What a line is, recognised by how it begins.
pub(super) enum Line<'a> {
    Nothing,
    Comment(&'a str),
    Bookmark(&'a str),
    Variation(&'a str),
    Summary(&'a str),
    Row(&'a str),
    Played(&'a str),
    Numbered(&'a str),
    Marked(&'a str),
    Header(&'a str, &'a str),
    Unknown,
}

pub(super) fn classify(line: &str) -> Line<'_> {
    if let Some(comment) = line.strip_prefix('*') {
        return Line::Comment(comment);
    }
    let text = line.trim_start_matches([' ', '\u{3000}', '\t', '\u{feff}']);
    if text.is_empty() || text.starts_with('#') || text.starts_with("手数--") {
        return Line::Nothing;
    }
    if let Some(bookmark) = text.strip_prefix('&') {
        return Line::Bookmark(bookmark);
    }
    for (mark, kind) in [
        ("変化", Line::Variation as fn(_) -> _),
        ("まで", Line::Summary),
        ("手数＝", Line::Played),
        ("手数=", Line::Played),
        ("|", Line::Row),
    ] {
        if let Some(rest) = text.strip_prefix(mark) {
            return kind(if mark == "|" { text } else { rest });
        }
    }
    if text.starts_with(['▲', '△', '☗', '☖', '▼', '▽']) {
        return Line::Marked(text);
    }
    if let Some(rest) = strip_number(text) {
        return Line::Numbered(rest);
    }
    match text.split_once(['：', ':']) {
        Some((key, value)) if !key.trim().is_empty() => Line::Header(key.trim(), value.trim()),
        _ => Line::Unknown,
    }
}

/// Whose hand a key such as 先手の持駒 names.
pub(super) fn hand_key(key: &str) -> Option<Color> {
    let (color, rest) = strip_side(key)?;
    matches!(rest, "の持駒" | "の持ち駒" | "持駒").then_some(color)
}

/// Whether a line `key：value` is read as that header and as nothing else.
fn is_header_key(key: &str) -> bool {
    let line = format!("{key}：x");
    let side = matches!(strip_side(key), Some((_, "")));
    let reserved = side || key == "手合割" || hand_key(key).is_some();
    !reserved && matches!(classify(&line), Line::Header(read, "x") if read == key)
}

/// Whether a header comes back under its key.
pub(in crate::record) fn keeps_header(key: &str) -> bool {
    key == header::BLACK || key == header::WHITE || is_header_key(key)
}

/// What follows the number of a move.
fn strip_number(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|symbol: char| symbol.is_ascii_digit());
    // A date or a time is no move.
    let is_move = rest.len() < text.len() && !rest.starts_with([':', '：', '/', '-', '.']);
    is_move.then_some(rest)
}
