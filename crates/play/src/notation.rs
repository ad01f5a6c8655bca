//! How moves are written for people.

use std::fmt;
use std::str::FromStr;
use yomikiri_shogi::notation::{japanese, western};
use yomikiri_shogi::{Color, Hand, Kind, Move, Position};

/// How pieces and moves are written for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Notation {
    /// As Japanese books do: `▲７六歩`.
    #[default]
    Kanji,
    /// With letters, for those who read no kanji: `P-7f`.
    Western,
}

/// A word that names no notation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no way to write pieces: say kanji or western")]
pub struct UnknownNotation(String);

impl Notation {
    /// Every notation.
    pub const ALL: [Notation; 2] = [Notation::Kanji, Notation::Western];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Kanji => "kanji",
            Notation::Western => "western",
        }
    }

    /// A legal move.
    pub fn mv(self, position: &Position, mv: Move) -> String {
        match self {
            Notation::Kanji => japanese::move_name(position, mv),
            Notation::Western => western::move_name(position, mv),
        }
    }

    /// The moves of a line, up to the first that is not legal.
    pub fn line(self, position: &Position, line: &[Move]) -> Vec<String> {
        let mut position = position.clone();
        let mut names = Vec::with_capacity(line.len());
        for &mv in line {
            if !position.is_legal(mv) {
                break;
            }
            names.push(self.mv(&position, mv));
            position.play(mv);
        }
        names
    }

    /// The moves of a line in one text.
    pub fn line_text(self, position: &Position, line: &[Move]) -> String {
        let names = self.line(position, line);
        match self {
            Notation::Kanji => names.concat(),
            Notation::Western => names.join(" "),
        }
    }

    /// A piece in two columns of a terminal.
    pub fn piece(self, kind: Kind) -> String {
        match self {
            Notation::Kanji => japanese::kind_symbol(kind).to_string(),
            Notation::Western => {
                let promoted = if kind.is_promoted() { '+' } else { ' ' };
                format!("{promoted}{}", kind.unpromoted().letter())
            }
        }
    }

    /// The pieces in hand; nothing if there are none.
    pub fn hand(self, hand: Hand) -> String {
        match self {
            _ if hand == Hand::EMPTY => String::new(),
            Notation::Kanji => yomikiri_shogi::notation::diagram::write_hand(hand),
            Notation::Western => {
                let piece = |(kind, count): (Kind, u8)| match count {
                    1 => kind.letter().to_string(),
                    _ => format!("{}x{count}", kind.letter()),
                };
                hand.iter().rev().map(piece).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// The sign before the name of a side: letters have none.
    pub const fn side_mark(self, color: Color) -> &'static str {
        match (self, color) {
            (Notation::Western, _) => "",
            (Notation::Kanji, Color::Black) => "▲ ",
            (Notation::Kanji, Color::White) => "△ ",
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Notation {
    type Err = UnknownNotation;

    fn from_str(text: &str) -> Result<Notation, UnknownNotation> {
        let found = Notation::ALL.into_iter().find(|notation| notation.name() == text);
        found.ok_or_else(|| UnknownNotation(text.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_they_are_not_legal() {
        let position = Position::from_usi("startpos moves 7g7f 3c3d").unwrap();
        let moves = ["8h2b+", "3a2b", "B*4e", "5a5b", "4e4e"].map(|mv| mv.parse::<Move>());
        let moves: Vec<Move> =
            moves.into_iter().flatten().chain(["9a1i".parse().unwrap()]).collect();
        let line = &moves[..];
        assert_eq!(Notation::Kanji.line_text(&position, line), "▲２二角成△同銀▲４五角△５二玉");
        assert_eq!(Notation::Western.line_text(&position, line), "Bx2b+ Sx2b B*4e K-5b");
    }

    #[test]
    fn hands_and_pieces_are_written_in_both_ways() {
        let position = Position::from_sfen("4k4/9/4+P4/9/9/9/9/9/4K4 b RB2G 1").unwrap();
        let hand = position.hand(Color::Black);
        assert_eq!(Notation::Western.hand(hand), "R B Gx2");
        assert_eq!(Notation::Kanji.hand(hand), "飛　角　金二");
        assert_eq!(Notation::Western.hand(position.hand(Color::White)), "");
        assert_eq!(Notation::Western.piece(Kind::Pawn), " P");
        assert_eq!("western".parse(), Ok(Notation::Western));
        assert!("romaji".parse::<Notation>().is_err());
    }
}
