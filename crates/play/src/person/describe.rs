//! A position in words for somebody at a terminal.

use super::words::side;
use super::{BoardView, draw};
use crate::Notation;
use yomikiri_shogi::notation::diagram;
use yomikiri_shogi::{Color, Position};
use yomikiri_text::{Language, Side};

/// The board with what stands beside it. In Japanese it is a board as KIF files have it (BOD),
/// which other programs read.
#[must_use]
pub fn describe(position: &Position, language: Language, notation: Notation) -> String {
    let words = Side(language);
    let turn = position.side_to_move();
    let handicap = false;
    let mut text = match (language, notation) {
        (Language::Ja, Notation::Kanji) => diagram::write(position),
        _ => {
            let names = Color::ALL.map(|color| side(language, color, handicap));
            let names = [names[0].as_str(), names[1].as_str()];
            let (bottom, colours) = (Color::Black, false);
            draw(&BoardView { position, bottom, colours, names, language, notation })
        }
    };
    // A BOD names the side to move only if it is white.
    if turn == Color::Black || !text.contains("後手番") {
        text.push_str(&format!("{}\n", words.to_move(side(language, turn, handicap))));
    }
    if let Some(last) = position.last_move() {
        let mut before = position.clone();
        before.undo();
        let name = notation.mv(&before, last);
        text.push_str(&format!("{}\n", words.last_move(position.move_number() - 1, name)));
    }
    if position.is_mate() {
        text.push_str(&format!("{}\n", words.mate()));
    } else if position.in_check() {
        text.push_str(&format!("{}\n", words.check()));
    }
    text.push_str(&format!("sfen {}\n", position.to_sfen()));
    text
}
