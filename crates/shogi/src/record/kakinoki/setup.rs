//! The starting position: 手合割, a board, hands, the side to move.

use super::strip_side;
use crate::notation::ParseError;
use crate::notation::diagram::{read_hand, read_row};
use crate::position::{Handicap, Position};
use crate::record::RecordError;
use crate::types::{Color, Hand, Kind};

/// What a file says of a hand.
#[derive(Clone, Copy)]
enum Held {
    /// The pieces.
    Pieces(Hand),
    /// 残り全部: all that are neither on the board nor in the other hand, as mate problems have it.
    Rest,
}

/// What a file has said about the start so far.
#[derive(Default)]
pub(super) struct Setup {
    handicap: Option<Handicap>,
    board: Option<Position>,
    rows: u8,
    hands: [Option<Held>; 2],
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
        let rest = matches!(text.trim(), "残り全部" | "残り全て" | "残りすべて" | "残り");
        let held = if rest { Held::Rest } else { Held::Pieces(read_hand(text)?) };
        self.hands[color.index()] = Some(held);
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
    pub fn position(&self) -> Result<Position, RecordError> {
        let handicap = self.handicap.unwrap_or(Handicap::Even);
        let mut position = match &self.board {
            None => handicap.position(),
            Some(_) if self.rows < 9 => {
                return Err(RecordError::whole(format!("the board has only {} ranks", self.rows)));
            }
            Some(board) => board.clone(),
        };
        for color in Color::ALL {
            if let Some(Held::Pieces(hand)) = self.hands[color.index()] {
                position.set_hand(color, hand);
            }
        }
        let has_rest = |color: &Color| matches!(self.hands[color.index()], Some(Held::Rest));
        let mut with_rest = Color::ALL.into_iter().filter(has_rest);
        if let Some(color) = with_rest.next() {
            if with_rest.next().is_some() {
                return Err(RecordError::whole(
                    "both hands have the rest of the pieces (残り全部)",
                ));
            }
            let rest = rest_of_the_set(&position, !color)?;
            position.set_hand(color, rest);
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
            Err(reason) => {
                Err(RecordError::whole(format!("the starting position is not possible: {reason}")))
            }
        }
    }
}

/// The pieces of a set that are neither on the board nor in the hand of `other`.
fn rest_of_the_set(position: &Position, other: Color) -> Result<Hand, RecordError> {
    let mut rest = Hand::EMPTY;
    for &kind in &Kind::HAND {
        let promoted = kind.promoted().map_or(0, |promoted| position.kind(promoted).count());
        let used =
            position.kind(kind).count() + promoted + u32::from(position.hand(other).count(kind));
        let left = u32::from(kind.set_size()).checked_sub(used);
        rest = left.and_then(|left| rest.with_count(kind, left as u8)).ok_or_else(|| {
            let set = kind.set_size();
            RecordError::whole(format!("{used} pieces of kind {kind}, but a set has {set}"))
        })?;
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board with a king at 5a and a pawn at 5c.
    fn setup() -> Setup {
        let mut setup = Setup::default();
        for rank in 0..9 {
            let row = match rank {
                0 => "| ・ ・ ・ ・v玉 ・ ・ ・ ・|",
                2 => "| ・ ・ ・ ・ 歩 ・ ・ ・ ・|",
                _ => "| ・ ・ ・ ・ ・ ・ ・ ・ ・|",
            };
            setup.add_row(row).unwrap();
        }
        setup.set_hand(Color::Black, "金").unwrap();
        setup
    }

    #[test]
    fn the_defender_may_hold_the_rest_of_the_set() {
        for text in ["残り全部", "残り全て", "　残り"] {
            let mut setup = setup();
            setup.set_hand(Color::White, text).unwrap();
            let position = setup.position().unwrap();
            let sfen = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
            assert_eq!(position.to_sfen(), sfen, "{text}");
        }
    }

    #[test]
    fn both_hands_cannot_hold_the_rest() {
        let mut setup = setup();
        for color in Color::ALL {
            setup.set_hand(color, "残り全部").unwrap();
        }
        assert!(setup.position().unwrap_err().message.contains("残り全部"));
    }
}
