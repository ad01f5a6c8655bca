//! The board as a terminal shows it: the player at the bottom, both kinds of coordinates, the
//! square of the last move marked.

use crate::notation::Notation;
use std::fmt::Write;
use yomikiri_shogi::{Color, Position, Square};
use yomikiri_text::{Language, Side};

/// How to show a position.
pub struct BoardView<'a> {
    /// The position.
    pub position: &'a Position,
    /// Who sits at the bottom.
    pub bottom: Color,
    /// Whether the terminal can show the last move in reverse.
    pub colours: bool,
    /// What stands beside the hands, by colour.
    pub names: [&'a str; 2],
    /// The language of the words.
    pub language: Language,
    /// How pieces are written.
    pub notation: Notation,
}

const FILES: [&str; 9] = ["１", "２", "３", "４", "５", "６", "７", "８", "９"];
const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];
const EDGE: &str = "+---------------------------+";

/// Draws it, with a line for each hand.
pub fn draw(view: &BoardView<'_>) -> String {
    let mut text = hand_line(view, !view.bottom);
    // The frame's line takes a column.
    text.push(' ');
    for column in 0..9 {
        let file = square(view, column, 0).file();
        let _ = match view.notation {
            Notation::Kanji => write!(text, " {}", FILES[usize::from(file)]),
            Notation::Western => write!(text, "  {}", file + 1),
        };
    }
    let _ = write!(text, "\n{EDGE}\n");
    let last = view.position.last_move().map(|mv| mv.to());
    for row in 0..9 {
        text.push('|');
        for column in 0..9 {
            let square = square(view, column, row);
            let cell = cell(view, square);
            match view.colours && last == Some(square) {
                true => {
                    let _ = write!(text, "\x1b[7m{cell}\x1b[0m");
                }
                false => text.push_str(&cell),
            }
        }
        let rank = square(view, 0, row).rank();
        let letter = (b'a' + rank) as char;
        let _ = match view.notation {
            Notation::Kanji => writeln!(text, "|{} {letter}", RANKS[usize::from(rank)]),
            Notation::Western => writeln!(text, "|{letter}"),
        };
    }
    let _ = writeln!(text, "{EDGE}");
    text + &hand_line(view, view.bottom)
}

/// The square at a place of the screen, counted from the left and the top.
fn square(view: &BoardView<'_>, column: u8, row: u8) -> Square {
    let seen = Square::new(8 - column, row);
    if view.bottom == Color::Black { seen } else { seen.rotated() }
}

/// Pieces that stand upside down on a real board have a `v` before them.
fn cell(view: &BoardView<'_>, square: Square) -> String {
    match view.position.piece_on(square) {
        None => match view.notation {
            Notation::Kanji => " ・".to_string(),
            Notation::Western => "  .".to_string(),
        },
        Some(piece) => {
            let mark = if piece.color() == view.bottom { ' ' } else { 'v' };
            format!("{mark}{}", view.notation.piece(piece.kind()))
        }
    }
}

fn hand_line(view: &BoardView<'_>, color: Color) -> String {
    let turn = if view.position.side_to_move() == color { "*" } else { " " };
    let (mark, name) = (view.notation.side_mark(color), view.names[color.index()]);
    let words = Side(view.language);
    let held = match view.notation.hand(view.position.hand(color)) {
        empty if empty.is_empty() => words.empty_hand(),
        held => held,
    };
    format!("{turn}{mark}{name}  {}: {held}\n", words.hand())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bottom: Color) -> Vec<String> {
        lines_in(bottom, Notation::Kanji)
    }

    fn lines_in(bottom: Color, notation: Notation) -> Vec<String> {
        let position = Position::from_usi("startpos moves 7g7f 3c3d 8h2b+ 3a2b").unwrap();
        let names = ["you", "me"];
        let (colours, language) = (false, Language::En);
        let text =
            draw(&BoardView { position: &position, bottom, colours, names, language, notation });
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn black_sees_files_from_nine_and_white_from_one() {
        let (black, white) = (lines(Color::Black), lines(Color::White));
        assert_eq!(black[1], "  ９ ８ ７ ６ ５ ４ ３ ２ １");
        assert_eq!(white[1], "  １ ２ ３ ４ ５ ６ ７ ８ ９");
        assert_eq!(black[3], "|v香v桂v銀v金v玉v金 ・v桂v香|一 a");
        assert_eq!(white[11], "| 香 桂 ・ 金 玉 金 銀 桂 香|一 a");
        assert!(black[13].contains("▲ you") && black[13].contains("角"));
        assert!(white[0].contains("▲ you") && white[13].contains("△ me"));
    }

    #[test]
    fn western_boards_hold_no_kanji_and_keep_their_columns() {
        let lines = lines_in(Color::Black, Notation::Western);
        assert_eq!(lines[1], "   9  8  7  6  5  4  3  2  1");
        assert_eq!(lines[3], "|v Lv Nv Sv Gv Kv G  .v Nv L|a");
        assert!(lines.iter().all(|line| line.is_ascii()), "{lines:?}");
        assert!(lines[13].contains("in hand: B") && lines[0].contains("in hand: B"));
    }

    #[test]
    fn the_side_to_move_is_marked() {
        assert!(lines(Color::Black)[13].starts_with('*'));
        assert!(lines(Color::Black)[0].starts_with(' '));
    }
}
