//! Boards and hands as the steps of a proof write them.

use yomikiri_shogi::{Color, Hand, Kind, ParseError, Piece, Position, Square};

use crate::guide::Board;

/// Writes the board of a position as SFEN does.
#[must_use]
pub fn board_text(position: &Position) -> String {
    position.to_sfen().split(' ').next().unwrap_or_default().to_owned()
}

/// Writes a position as certificates do: as SFEN, with 1 for the number of the move, which is no
/// part of the position.
pub(crate) fn position_text(position: &Position) -> String {
    format!("{} 1", position.to_sfen_without_number())
}

/// Why a text is no position of a certificate.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionTextError {
    /// Not a position.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A position, but not in the one form that certificates allow.
    #[error("'{found}' is to be written '{wanted}'")]
    Form {
        /// As it is written.
        found: String,
        /// As it is to be written.
        wanted: String,
    },
}

/// Reads a position that is written in that way and no other.
pub(super) fn read_position(text: &str) -> Result<Position, PositionTextError> {
    let position = Position::from_problem_sfen(text)?;
    let wanted = position_text(&position);
    if wanted == text {
        return Ok(position);
    }
    Err(PositionTextError::Form { found: text.to_owned(), wanted })
}

/// Reads nine ranks of nine squares.
pub(super) fn read_board(text: &str) -> Option<Board> {
    let mut board = [0; 81];
    let mut rows = text.split('/');
    for rank in 0..9 {
        read_rank(rows.next()?, rank, &mut board)?;
    }
    rows.next().is_none().then_some(board)
}

fn read_rank(row: &str, rank: i8, board: &mut Board) -> Option<()> {
    // Files count from the right: what is left of the row.
    let mut left: i8 = 9;
    let mut symbols = row.chars();
    while let Some(symbol) = symbols.next() {
        if let Some(empty @ 1..=9) = symbol.to_digit(10) {
            left -= empty as i8;
        } else {
            let promoted = symbol == '+';
            let letter = if promoted { symbols.next()? } else { symbol };
            let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
            let kind = kind_of(letter.to_ascii_uppercase())?;
            let kind = if promoted { kind.promoted()? } else { kind };
            left -= 1;
            let square = Square::try_new(left, rank)?;
            board[square.index()] = Piece::new(kind, color).index() as u8;
        }
        if left < 0 {
            return None;
        }
    }
    (left == 0).then_some(())
}

fn kind_of(letter: char) -> Option<Kind> {
    let kinds = [
        Kind::Pawn,
        Kind::Lance,
        Kind::Knight,
        Kind::Silver,
        Kind::Gold,
        Kind::Bishop,
        Kind::Rook,
        Kind::King,
    ];
    let at = "PLNSGBRK".find(letter)?;
    Some(kinds[at])
}

/// Writes a hand as SFEN does for black.
#[must_use]
pub fn hand_text(hand: Hand) -> String {
    let letters = ["", "P", "L", "N", "S", "B", "R", "G"];
    let mut text = String::new();
    for (kind, count) in hand.iter() {
        if count > 1 {
            text.push_str(&count.to_string());
        }
        text.push_str(letters[kind.index()]);
    }
    if text.is_empty() { "-".to_owned() } else { text }
}

pub(super) fn read_hand(text: &str) -> Option<Hand> {
    let mut hand = Hand::EMPTY;
    if text == "-" {
        return Some(hand);
    }
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, from_letter) = rest.split_at(digits);
        let count: u8 = if number.is_empty() { 1 } else { number.parse().ok()? };
        let letter = from_letter.chars().next()?;
        let kind = kind_of(letter)?;
        if count == 0 || !kind.is_hand() || hand.count(kind) > 0 {
            return None;
        }
        hand = hand.with_count(kind, count)?;
        rest = &from_letter[letter.len_utf8()..];
    }
    (!text.is_empty()).then_some(hand)
}
