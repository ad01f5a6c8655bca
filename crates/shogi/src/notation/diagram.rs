//! The board as a Japanese text diagram (BOD), as KIF files and forums have it.
//!
//! ```
//! use yomikiri_shogi::{Position, notation::diagram};
//!
//! let text = diagram::write(&Position::start());
//! assert!(text.contains("|v香v桂v銀v金v玉v金v銀v桂v香|一"));
//! ```

use super::ParseError;
use super::japanese::{FILES, RANKS, Scanner, kind_symbol};
use crate::position::Position;
use crate::types::{Color, Hand, Piece, Square};

/// The line above the board.
pub(crate) const FILE_LINE: &str = "  ９ ８ ７ ６ ５ ４ ３ ２ １";
const EDGE: &str = "+---------------------------+";

/// Writes white's hand, the board, black's hand, and whose turn it is if it is white's.
pub fn write(position: &Position) -> String {
    let mut text = format!("後手の持駒：{}\n", write_hand(position.hand(Color::White)));
    debug_assert_eq!(FILE_LINE.chars().filter(|symbol| FILES.contains(symbol)).count(), 9);
    text.push_str(&format!("{FILE_LINE}\n{EDGE}\n"));
    for rank in 0..9u8 {
        text.push('|');
        for file in (0..9).rev() {
            match position.piece_on(Square::new(file, rank)) {
                None => text.push_str(" ・"),
                Some(piece) => {
                    text.push(if piece.color() == Color::White { 'v' } else { ' ' });
                    text.push(kind_symbol(piece.kind()));
                }
            }
        }
        text.push_str(&format!("|{}\n", RANKS[usize::from(rank)]));
    }
    text.push_str(&format!("{EDGE}\n先手の持駒：{}\n", write_hand(position.hand(Color::Black))));
    if position.side_to_move() == Color::White {
        text.push_str("後手番\n");
    }
    text
}

/// A hand in kanji: `飛　金二　歩十八`, or `なし`.
pub fn write_hand(hand: Hand) -> String {
    let pieces: Vec<String> = hand
        .iter()
        .rev()
        .map(|(kind, count)| format!("{}{}", kind_symbol(kind), kanji_count(count)))
        .collect();
    if pieces.is_empty() { "なし".to_string() } else { pieces.join("　") }
}

/// How many of a kind, where one is not said.
fn kanji_count(count: u8) -> String {
    let digit = |n: u8| n.checked_sub(1).map(|n| RANKS[usize::from(n % 9)]);
    match count {
        0 | 1 => String::new(),
        2..=9 => digit(count).into_iter().collect(),
        _ => ['十'].into_iter().chain(digit(count - 10)).collect(),
    }
}

/// Reads a hand as [`write_hand`] writes it, and with ASCII spaces and digits.
///
/// # Errors
/// If a piece is unknown, or there are more than a set has.
pub fn read_hand(text: &str) -> Result<Hand, ParseError> {
    let mut hand = Hand::EMPTY;
    let mut scanner = Scanner::new(text.trim());
    if scanner.eat("なし") {
        return Ok(hand);
    }
    loop {
        scanner.skip_space();
        let at = scanner.offset();
        if scanner.rest().is_empty() {
            return Ok(hand);
        }
        let kind = scanner
            .kind()
            .filter(|kind| kind.is_hand())
            .ok_or_else(|| ParseError::new("expected a piece in hand such as 歩二", at))?;
        let count = read_count(&mut scanner);
        let total = u32::from(hand.count(kind)) + count;
        hand = u8::try_from(total).ok().and_then(|total| hand.with_count(kind, total)).ok_or_else(
            || {
                let limit = kind.set_size();
                ParseError::new(format!("{total} {kind} in hand, but a set has {limit}"), at)
            },
        )?;
    }
}

/// A number in kanji or digits; 1 if there is none. Capped, since no hand has a hundred pieces.
fn read_count(scanner: &mut Scanner<'_>) -> u32 {
    let mut value: Option<u32> = None;
    while let Some(symbol) = scanner.rest().chars().next() {
        let digit = match symbol {
            '十' => {
                value = Some((value.unwrap_or(1) * 10).min(1000));
                scanner.eat("十");
                continue;
            }
            '0'..='9' => symbol as u32 - '0' as u32,
            '０'..='９' => symbol as u32 - '０' as u32,
            _ => match RANKS.iter().position(|&rank| rank == symbol) {
                Some(index) => index as u32 + 1,
                None => break,
            },
        };
        // After 十 a digit is added; after a digit it is the next place.
        let so_far = value.unwrap_or(0);
        value = Some(if so_far >= 10 { so_far + digit } else { so_far * 10 + digit }.min(1000));
        scanner.eat(symbol.encode_utf8(&mut [0; 4]));
    }
    value.unwrap_or(1)
}

/// Reads one row of the board, between its bars, onto the position. Ranks count from 0.
pub(crate) fn read_row(position: &mut Position, rank: u8, line: &str) -> Result<(), ParseError> {
    let start = line.find('|').map_or(0, |at| at + 1);
    let inside = &line[start..];
    let inside = &inside[..inside.rfind('|').unwrap_or(inside.len())];
    let mut scanner = Scanner::new(inside);
    for file in (0..9).rev() {
        let bad = |scanner: &Scanner<'_>| {
            let message = format!("rank {} of the board: expected a piece or ・", rank + 1);
            ParseError::new(message, start + scanner.offset())
        };
        scanner.skip_space();
        if scanner.eat("・") || scanner.eat("･") || scanner.eat("*") || scanner.eat(".") {
            position.put(Square::new(file, rank), None);
            continue;
        }
        let color = scanner
            .eat_any(&[
                ("v", Color::White),
                ("V", Color::White),
                ("ｖ", Color::White),
                ("-", Color::White),
                ("^", Color::Black),
                ("+", Color::Black),
            ])
            .unwrap_or(Color::Black);
        let kind = scanner.kind().ok_or_else(|| bad(&scanner))?;
        position.put(Square::new(file, rank), Some(Piece::new(kind, color)));
    }
    scanner.skip_space();
    match scanner.rest().is_empty() {
        true => Ok(()),
        false => Err(ParseError::new(
            format!("rank {} of the board has more than nine squares", rank + 1),
            start + scanner.offset(),
        )),
    }
}
