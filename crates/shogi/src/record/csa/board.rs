//! The starting position in CSA: `PI`, `P1` to `P9`, `P+`, `P-`.

use crate::notation::ParseError;
use crate::notation::csa::{kind_code, kind_of, sign, square_digits, square_of};
use crate::position::{Handicap, Position};
use crate::types::{Color, Hand, Kind, Piece, Square};
use core::fmt::Write;

/// Reads a line that begins with `P` onto the position.
pub(super) fn read_line(position: &mut Position, line: &str) -> Result<(), ParseError> {
    let rest = &line[1..];
    match rest.as_bytes().first() {
        Some(b'I') => read_start(position, &rest[1..]),
        Some(digit @ b'1'..=b'9') => read_rank(position, digit - b'1', &rest[1..]),
        Some(b'+') => read_pieces(position, Color::Black, &rest[1..]),
        Some(b'-') => read_pieces(position, Color::White, &rest[1..]),
        _ => Err(ParseError::new(format!("'{line}' is not a line of a board"), 0)),
    }
}

/// Groups of a square and a piece, four characters each.
fn groups(text: &str) -> Result<impl Iterator<Item = (&[u8], &str)>, ParseError> {
    let text = text.trim();
    if !text.is_ascii() || !text.len().is_multiple_of(4) {
        return Err(ParseError::new(format!("'{text}' is not a list such as 22KA82HI"), 2));
    }
    Ok((0..text.len() / 4)
        .map(move |n| (&text.as_bytes()[4 * n..4 * n + 2], &text[4 * n + 2..4 * n + 4])))
}

/// `PI`: the even starting position without the pieces named.
fn read_start(position: &mut Position, removed: &str) -> Result<(), ParseError> {
    let number = position.move_number();
    *position = Handicap::Even.position();
    position.set_move_number(number);
    for (square, code) in groups(removed)? {
        let square = square_of(square)
            .filter(|&square| {
                position.piece_on(square).is_some_and(|piece| kind_code(piece.kind()) == code)
            })
            .ok_or_else(|| ParseError::new(format!("no {code} stands there to be removed"), 2))?;
        position.put(square, None);
    }
    Ok(())
}

/// `P1-KY-KE ... *  * `: nine squares from file 9. Mail and web pages shrink the two spaces
/// between stars to one.
fn read_rank(position: &mut Position, rank: u8, text: &str) -> Result<(), ParseError> {
    let mut rest = text;
    for file in (0..9).rev() {
        let at = 2 + text.len() - rest.len();
        let square = Square::new(file, rank);
        let trimmed = rest.trim_start_matches(' ');
        if let Some(after) = trimmed.strip_prefix('*') {
            position.put(square, None);
            rest = after;
            continue;
        }
        let bad = || ParseError::new("expected a piece such as -FU, or *", at);
        let color = match trimmed.as_bytes().first() {
            Some(b'+') => Color::Black,
            Some(b'-') => Color::White,
            _ => return Err(bad()),
        };
        let kind = trimmed.get(1..3).and_then(kind_of).ok_or_else(bad)?;
        position.put(square, Some(Piece::new(kind, color)));
        rest = &trimmed[3..];
    }
    match rest.trim().is_empty() {
        true => Ok(()),
        false => Err(ParseError::new("a rank has nine squares", 2 + text.len() - rest.len())),
    }
}

/// `P+00KI22KA`: single pieces, in hand if the square is 00; `00AL` takes all that are left.
fn read_pieces(position: &mut Position, color: Color, text: &str) -> Result<(), ParseError> {
    for (square, code) in groups(text)? {
        if code == "AL" && square == b"00" {
            take_the_rest(position, color);
            continue;
        }
        let kind =
            kind_of(code).ok_or_else(|| ParseError::new(format!("'{code}' is not a piece"), 2))?;
        match square_of(square) {
            Some(square) => position.put(square, Some(Piece::new(kind, color))),
            None if square == b"00" => {
                let hand = position.hand(color);
                let more = hand
                    .with_count(kind, hand.count(kind) + 1)
                    .ok_or_else(|| ParseError::new(format!("too many {code} in hand"), 2))?;
                position.set_hand(color, more);
            }
            None => return Err(ParseError::new("a square outside the board", 2)),
        }
    }
    Ok(())
}

fn take_the_rest(position: &mut Position, color: Color) {
    let mut hand = position.hand(color);
    let other = position.hand(!color);
    for kind in Kind::HAND {
        let promoted = kind.promoted().map_or(0, |kind| position.kind(kind).count());
        let used = position.kind(kind).count() + promoted + u32::from(other.count(kind));
        let left = u32::from(kind.set_size()).saturating_sub(used);
        hand = hand.with_count(kind, left as u8).unwrap_or(hand);
    }
    position.set_hand(color, hand);
}

/// Writes the position, `PI` for the starts that games have, and the side to move.
pub(super) fn write(position: &Position) -> String {
    let mut text = String::new();
    match Handicap::of(position) {
        Some(handicap) => {
            let start = Handicap::Even.position();
            text.push_str("PI");
            for &square in handicap.removed() {
                if let Some(piece) = start.piece_on(square) {
                    text.push_str(&square_digits(square));
                    text.push_str(kind_code(piece.kind()));
                }
            }
            text.push('\n');
        }
        None => write_ranks(position, &mut text),
    }
    let _ = writeln!(text, "{}", sign(position.side_to_move()));
    text
}

fn write_ranks(position: &Position, text: &mut String) {
    for rank in 0..9 {
        let _ = write!(text, "P{}", rank + 1);
        for file in (0..9).rev() {
            match position.piece_on(Square::new(file, rank)) {
                None => text.push_str(" * "),
                Some(piece) => {
                    let _ = write!(text, "{}{}", sign(piece.color()), kind_code(piece.kind()));
                }
            }
        }
        text.push('\n');
    }
    for color in Color::ALL {
        write_hand(position.hand(color), color, text);
    }
}

fn write_hand(hand: Hand, color: Color, text: &mut String) {
    if hand.is_empty() {
        return;
    }
    let _ = write!(text, "P{}", sign(color));
    for (kind, count) in hand.iter().rev() {
        (0..count).for_each(|_| text.push_str(&format!("00{}", kind_code(kind))));
    }
    text.push('\n');
}
