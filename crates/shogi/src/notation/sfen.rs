//! SFEN, the one-line form of a position.

use super::ParseError;
use crate::position::Position;
use crate::types::{Color, Hand, Kind, Piece, Square};
use core::fmt::Write;
use core::str::FromStr;

/// The words of a text with their byte offsets.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_ascii_whitespace()
        .map(move |word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

impl Position {
    /// Reads a position; the move number may be missing.
    ///
    /// ```
    /// use yomikiri_shogi::Position;
    ///
    /// let text = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    /// assert_eq!(Position::from_sfen(text).unwrap(), Position::start());
    /// let error = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 19P 1").unwrap_err();
    /// assert_eq!(error.to_string(), "19 pieces of kind P, but a set has 18 (at character 27)");
    /// ```
    ///
    /// # Errors
    /// What is wrong, and where in the text.
    pub fn from_sfen(text: &str) -> Result<Position, ParseError> {
        read_sfen(text, |_| false)
    }

    /// Reads the position of a mate problem: as [`from_sfen`](Self::from_sfen), but two pawns of
    /// one side on a file are let pass. Collections of generated problems contain such positions;
    /// the rules apply to what is played from them.
    ///
    /// # Errors
    /// What is wrong, and where in the text.
    pub fn from_problem_sfen(text: &str) -> Result<Position, ParseError> {
        use crate::position::InvalidPosition;
        read_sfen(text, |reason| matches!(reason, InvalidPosition::TwoPawns { .. }))
    }

    /// Writes the position with its move number.
    pub fn to_sfen(&self) -> String {
        let mut text = self.to_sfen_without_number();
        let _ = write!(text, " {}", self.move_number());
        text
    }

    /// Writes the board, the side to move and the hands: the same text whenever the position is
    /// the same, at whatever move of a game.
    pub fn to_sfen_without_number(&self) -> String {
        let mut text = String::with_capacity(100);
        write_board(self, &mut text);
        text.push_str(if self.side_to_move() == Color::Black { " b " } else { " w " });
        write_hands(self, &mut text);
        text
    }
}

fn read_sfen(
    text: &str,
    tolerated: impl Fn(&crate::position::InvalidPosition) -> bool,
) -> Result<Position, ParseError> {
    let mut words = words(text);
    let mut next = |what: &str| {
        words.next().ok_or_else(|| ParseError::new(format!("the {what} is missing"), text.len()))
    };
    let (board_at, board) = next("board")?;
    let (side_at, side) = next("side to move")?;
    let (hands_at, hands) = next("hands field")?;
    let number = words.next();
    let mut position = Position::empty();
    read_board(&mut position, board).map_err(|error| moved(error, board_at))?;
    position.set_side_to_move(match side {
        "b" => Color::Black,
        "w" => Color::White,
        _ => return Err(ParseError::new(format!("'{side}' is neither b nor w"), side_at)),
    });
    read_hands(&mut position, hands).map_err(|error| moved(error, hands_at))?;
    if let Some((at, number)) = number {
        let bad = || ParseError::new(format!("'{number}' is not a move number"), at);
        position.set_move_number(number.parse::<u32>().map_err(|_| bad())?.clamp(1, 100_000));
    }
    if let Some((at, word)) = words.next() {
        return Err(ParseError::new(format!("unexpected '{word}' after the position"), at));
    }
    if let Err(reason) = position.validate()
        && !tolerated(&reason)
    {
        let at = place_of(&reason, board_at, board, hands_at);
        return Err(ParseError::new(reason.to_string(), at));
    }
    Ok(position)
}

impl FromStr for Position {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Position, ParseError> {
        Position::from_sfen(text)
    }
}

fn moved(error: ParseError, by: usize) -> ParseError {
    ParseError { offset: error.offset + by, ..error }
}

/// Points at the square that is wrong where the reason names one, else at the hands.
fn place_of(
    reason: &crate::position::InvalidPosition,
    board_at: usize,
    board: &str,
    hands_at: usize,
) -> usize {
    use crate::position::InvalidPosition as Reason;
    match *reason {
        Reason::DeadEnd { square, .. } | Reason::KingCapturable { square } => {
            board_at + offset_of(board, square)
        }
        Reason::TooMany { .. } => hands_at,
        Reason::TwoKings(_) | Reason::NoKing | Reason::TwoPawns { .. } => board_at,
    }
}

/// Where a square's piece stands in the text of the board.
fn offset_of(board: &str, wanted: Square) -> usize {
    let (mut file, mut rank) = (8i8, 0i8);
    for (at, symbol) in board.char_indices() {
        match symbol {
            '/' => (file, rank) = (8, rank + 1),
            '1'..='9' => file -= symbol as i8 - '0' as i8,
            '+' => {}
            _ => {
                if Square::try_new(file, rank) == Some(wanted) {
                    return at;
                }
                file -= 1;
            }
        }
    }
    0
}

fn read_board(position: &mut Position, text: &str) -> Result<(), ParseError> {
    let (mut file, mut rank) = (8i8, 0i8);
    let mut promoted = false;
    for (at, symbol) in text.char_indices() {
        match symbol {
            _ if promoted && !symbol.is_ascii_alphabetic() => {
                return Err(ParseError::new("'+' must stand before a piece", at));
            }
            '/' if file >= 0 => {
                return Err(ParseError::new(format!("rank {} is too short", rank + 1), at));
            }
            '/' => (file, rank) = (8, rank + 1),
            '1'..='9' => file -= symbol as i8 - '0' as i8,
            '+' => promoted = true,
            _ => {
                let piece = read_piece(symbol, promoted, at)?;
                promoted = false;
                let square = Square::try_new(file, rank)
                    .ok_or_else(|| ParseError::new("a piece beyond the edge of the board", at))?;
                position.put(square, Some(piece));
                file -= 1;
            }
        }
        if file < -1 || rank > 8 {
            return Err(ParseError::new("the board has more than nine ranks of nine squares", at));
        }
    }
    if (file, rank, promoted) != (-1, 8, false) {
        return Err(ParseError::new(
            "the board has fewer than nine ranks of nine squares",
            text.len(),
        ));
    }
    Ok(())
}

fn read_piece(symbol: char, promoted: bool, at: usize) -> Result<Piece, ParseError> {
    let color = if symbol.is_ascii_uppercase() { Color::Black } else { Color::White };
    let kind = Kind::from_letter(symbol.to_ascii_uppercase())
        .ok_or_else(|| ParseError::new(format!("'{symbol}' is not a piece"), at))?;
    let kind = match (promoted, kind.promoted()) {
        (false, _) => kind,
        (true, Some(kind)) => kind,
        (true, None) => return Err(ParseError::new(format!("'{symbol}' cannot promote"), at)),
    };
    Ok(Piece::new(kind, color))
}

fn read_hands(position: &mut Position, text: &str) -> Result<(), ParseError> {
    let mut hands = [Hand::EMPTY; 2];
    if text != "-" {
        let mut count = None;
        for (at, symbol) in text.char_indices() {
            if let Some(digit) = symbol.to_digit(10) {
                let so_far: u32 = count.unwrap_or(0);
                count = Some((so_far * 10 + digit).min(1000));
                continue;
            }
            let piece = read_piece(symbol, false, at)?;
            let hand = &mut hands[piece.color().index()];
            let total = count.take().unwrap_or(1) + u32::from(hand.count(piece.kind()));
            *hand = u8::try_from(total)
                .ok()
                .and_then(|total| hand.with_count(piece.kind(), total))
                .ok_or_else(|| too_many(piece.kind(), total, at))?;
        }
        if count.is_some() {
            return Err(ParseError::new("a number without a piece", text.len()));
        }
    }
    for color in Color::ALL {
        position.set_hand(color, hands[color.index()]);
    }
    Ok(())
}

fn too_many(kind: Kind, total: u32, at: usize) -> ParseError {
    let message = if kind == Kind::King {
        "a king cannot be held in hand".to_string()
    } else {
        format!("{total} pieces of kind {kind}, but a set has {}", kind.set_size())
    };
    ParseError::new(message, at)
}

fn write_board(position: &Position, text: &mut String) {
    for rank in 0..9 {
        if rank > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for file in (0..9).rev() {
            match position.piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    write_empty(&mut empty, text);
                    let _ = write!(text, "{piece}");
                }
            }
        }
        write_empty(&mut empty, text);
    }
}

fn write_empty(empty: &mut u8, text: &mut String) {
    if *empty > 0 {
        let _ = write!(text, "{empty}");
        *empty = 0;
    }
}

/// Rook first, pawns last, black before white: the order of USI.
fn write_hands(position: &Position, text: &mut String) {
    let before = text.len();
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter().rev() {
            if count > 1 {
                let _ = write!(text, "{count}");
            }
            let _ = write!(text, "{}", Piece::new(kind, color));
        }
    }
    if text.len() == before {
        text.push('-');
    }
}
