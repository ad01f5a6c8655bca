//! The starting position: 手合割, a board, hands, the side to move.

use super::strip_side;
use crate::notation::ParseError;
use crate::notation::diagram::{read_hand, read_row};
use crate::position::{Handicap, Position};
use crate::types::{Color, Hand};

/// What a file has said about the start so far.
#[derive(Default)]
pub(super) struct Setup {
    handicap: Option<Handicap>,
    board: Option<Position>,
    rows: u8,
    hands: [Option<Hand>; 2],
    side: Option<Color>,
    /// The number of moves played before the board, from 手数＝.
    played: Option<u32>,
}

impl Setup {
    /// 手合割. Names of starts that are no handicap (その他, 詰将棋) leave it to the board.
    pub fn set_handicap(&mut self, name: &str) {
        let name = name.trim();
        let bare = |text: &str| text.replace('ち', "").replace("飛車", "飛");
        self.handicap =
            Handicap::ALL.into_iter().find(|handicap| bare(handicap.name()) == bare(name));
    }

    /// A row of the board, from the top.
    pub fn add_row(&mut self, line: &str) -> Result<(), ParseError> {
        if self.rows >= 9 {
            return Err(ParseError::new("the board has more than nine ranks", 0));
        }
        let board = self.board.get_or_insert_with(Position::empty);
        read_row(board, self.rows, line)?;
        self.rows += 1;
        Ok(())
    }

    /// 先手の持駒 and its like.
    pub fn set_hand(&mut self, color: Color, text: &str) -> Result<(), ParseError> {
        self.hands[color.index()] = Some(read_hand(text)?);
        Ok(())
    }

    /// A line such as 後手番; whether it was one.
    pub fn set_side(&mut self, line: &str) -> bool {
        match strip_side(line) {
            Some((color, "番")) => {
                self.side = Some(color);
                true
            }
            _ => false,
        }
    }

    /// 手数＝15 ... まで.
    pub fn set_played(&mut self, text: &str) {
        let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
        self.played = digits.parse().ok().filter(|&number| number < 100_000);
    }

    /// Whether anything was said.
    pub fn is_given(&self) -> bool {
        self.handicap.is_some() || self.board.is_some() || self.hands.iter().any(Option::is_some)
    }

    /// The position. A board counts for more than 手合割, which some programs write beside it.
    pub fn position(&self) -> Result<Position, String> {
        let handicap = self.handicap.unwrap_or(Handicap::Even);
        let mut position = match &self.board {
            None => handicap.position(),
            Some(_) if self.rows < 9 => {
                return Err(format!("the board has only {} ranks", self.rows));
            }
            Some(board) => board.clone(),
        };
        for color in Color::ALL {
            if let Some(hand) = self.hands[color.index()] {
                position.set_hand(color, hand);
            }
        }
        let played = self.played.unwrap_or(0);
        if let Some(side) = self.side {
            position.set_side_to_move(side);
        } else if self.board.is_some() {
            let first = handicap.position().side_to_move();
            position.set_side_to_move(if played.is_multiple_of(2) { first } else { !first });
        }
        position.set_move_number(played + 1);
        match position.validate() {
            Ok(()) => Ok(position),
            Err(reason) => Err(format!("the starting position is not possible: {reason}")),
        }
    }
}
