//! CSA names of pieces, squares and moves.

use super::ParseError;
use crate::position::Position;
use crate::types::{Color, Kind, Move, Origin, Square};

/// The two letters of a kind.
pub const fn kind_code(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "FU",
        Kind::Lance => "KY",
        Kind::Knight => "KE",
        Kind::Silver => "GI",
        Kind::Gold => "KI",
        Kind::Bishop => "KA",
        Kind::Rook => "HI",
        Kind::King => "OU",
        Kind::ProPawn => "TO",
        Kind::ProLance => "NY",
        Kind::ProKnight => "NK",
        Kind::ProSilver => "NG",
        Kind::Horse => "UM",
        Kind::Dragon => "RY",
    }
}

/// The kind that two letters stand for.
pub fn kind_of(code: &str) -> Option<Kind> {
    Kind::ALL.into_iter().find(|&kind| kind_code(kind) == code)
}

/// `+` for black, `-` for white.
pub const fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

/// The square of two digits, such as `77`; `None` for `00` and everything else.
pub(crate) fn square_of(text: &[u8]) -> Option<Square> {
    match *text {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Some(Square::new(file - b'1', rank - b'1')),
        _ => None,
    }
}

/// Two digits, `77`.
pub(crate) fn square_digits(square: Square) -> String {
    format!("{}{}", square.file() + 1, square.rank() + 1)
}

/// The kind of the piece after the move.
pub(crate) fn kind_after(position: &Position, played: Move) -> Option<Kind> {
    match played.origin() {
        Origin::Hand(kind) => Some(kind),
        Origin::Board(from) => {
            let kind = position.piece_on(from)?.kind();
            if played.is_promotion() { kind.promoted() } else { Some(kind) }
        }
    }
}

/// Writes a move of the side to move: `+7776FU`.
///
/// ```
/// use yomikiri_shogi::{Position, notation::csa};
///
/// let position = Position::start();
/// assert_eq!(csa::write_move(&position, "7g7f".parse().unwrap()), "+7776FU");
/// assert_eq!(csa::read_move(&position, "+7776FU").unwrap().to_string(), "7g7f");
/// ```
///
/// # Panics
/// If no piece stands on the origin.
pub fn write_move(position: &Position, played: Move) -> String {
    let kind = kind_after(position, played).expect("a piece stands on the origin");
    write_parts(position.side_to_move(), played, kind)
}

/// Writes a move whose mover and resulting kind are known.
pub(crate) fn write_parts(side: Color, played: Move, kind: Kind) -> String {
    let from = played.from().map_or("00".to_string(), square_digits);
    format!("{}{from}{}{}", sign(side), square_digits(played.to()), kind_code(kind))
}

/// Reads the parts of a move: side, move, kind after it. Whether it promotes follows from what
/// stands on the origin. The move need not be legal.
pub(crate) fn read_parts(
    position: &Position,
    text: &str,
) -> Result<(Color, Move, Kind), ParseError> {
    let bad = || ParseError::new(format!("'{text}' is not a move such as +7776FU"), 0);
    let side = match text.as_bytes().first() {
        Some(b'+') => Color::Black,
        Some(b'-') => Color::White,
        _ => return Err(bad()),
    };
    if text.len() != 7 || !text.is_ascii() {
        return Err(bad());
    }
    let kind = kind_of(&text[5..]).ok_or_else(bad)?;
    let to = square_of(&text.as_bytes()[3..5]).ok_or_else(bad)?;
    if &text[1..3] == "00" {
        return match kind.is_hand() {
            true => Ok((side, Move::drop(kind, to), kind)),
            false => Err(bad()),
        };
    }
    let from = square_of(&text.as_bytes()[1..3]).filter(|&from| from != to).ok_or_else(bad)?;
    let standing = position
        .piece_on(from)
        .ok_or_else(|| ParseError::new(format!("'{text}': no piece stands on {from}"), 1))?;
    let promote = standing.kind() != kind;
    if promote && standing.kind().promoted() != Some(kind) {
        let message = format!("'{text}': the piece on {from} is {}", kind_code(standing.kind()));
        return Err(ParseError::new(message, 5));
    }
    Ok((side, Move::board(from, to, promote), kind))
}

/// Reads a legal move of the side to move.
///
/// # Errors
/// If it is malformed, or not legal.
pub fn read_move(position: &Position, text: &str) -> Result<Move, ParseError> {
    let (side, played, _) = read_parts(position, text)?;
    if side != position.side_to_move() {
        return Err(ParseError::new(format!("'{text}' is out of turn"), 0));
    }
    match position.is_legal(played) {
        true => Ok(played),
        false => Err(ParseError::new(format!("'{text}' is not legal"), 0)),
    }
}
