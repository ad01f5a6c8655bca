//! Can this position stand on a board? One slow, obvious check.

use super::Position;
use crate::types::{Bitboard, Color, Kind, Square};
use core::fmt;

/// Why a position is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidPosition {
    /// More pieces of a kind than a set has.
    TooMany {
        /// The kind, unpromoted.
        kind: Kind,
        /// How many there are, board and hands.
        found: u8,
    },
    /// A side has more than one king.
    TwoKings(Color),
    /// Neither side has a king.
    NoKing,
    /// Two unpromoted pawns of one side on one file.
    TwoPawns {
        /// Whose pawns.
        color: Color,
        /// The file, 1 to 9.
        file: u8,
    },
    /// A piece stands where it could never move again.
    DeadEnd {
        /// The piece.
        kind: Kind,
        /// Where it stands.
        square: Square,
    },
    /// The side to move could take the enemy's king.
    KingCapturable {
        /// Where that king stands.
        square: Square,
    },
}

impl fmt::Display for InvalidPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidPosition::TooMany { kind, found } => {
                write!(f, "{found} pieces of kind {kind}, but a set has {}", kind.set_size())
            }
            InvalidPosition::TwoKings(color) => write!(f, "{color} has more than one king"),
            InvalidPosition::NoKing => f.write_str("there is no king on the board"),
            InvalidPosition::TwoPawns { color, file } => {
                write!(f, "{color} has two pawns on file {file}")
            }
            InvalidPosition::DeadEnd { kind, square } => {
                write!(f, "the {kind} on {square} could never move")
            }
            InvalidPosition::KingCapturable { square } => {
                write!(f, "the king on {square} could be taken: it is not that side's turn")
            }
        }
    }
}

impl std::error::Error for InvalidPosition {}

impl Position {
    /// Whether the position could stand on a board. One king may be missing, as in mate problems.
    ///
    /// # Errors
    /// The first reason found why it could not; two pawns on a file only if there is no other.
    pub fn validate(&self) -> Result<(), InvalidPosition> {
        self.validate_counts()?;
        for color in Color::ALL {
            self.validate_places(color)?;
        }
        if let Some(square) = self.king(!self.side)
            && self.is_attacked(square, self.side)
        {
            return Err(InvalidPosition::KingCapturable { square });
        }
        // Last, because mate problems may have it: it must not hide another reason.
        Color::ALL.into_iter().try_for_each(|color| self.validate_files(color))
    }

    fn validate_counts(&self) -> Result<(), InvalidPosition> {
        for kind in Kind::HAND {
            let on_board = self.kind(kind).count()
                + kind.promoted().map_or(0, |promoted| self.kind(promoted).count());
            let in_hand = self.hands[0].count(kind) + self.hands[1].count(kind);
            let found = on_board as u8 + in_hand;
            if found > kind.set_size() {
                return Err(InvalidPosition::TooMany { kind, found });
            }
        }
        for color in Color::ALL {
            if self.pieces(Kind::King, color).is_several() {
                return Err(InvalidPosition::TwoKings(color));
            }
        }
        if self.kind(Kind::King).is_empty() { Err(InvalidPosition::NoKing) } else { Ok(()) }
    }

    fn validate_places(&self, color: Color) -> Result<(), InvalidPosition> {
        for square in self.color(color) & Bitboard::promotion_zone(color) {
            let Some(piece) = self.piece_on(square) else { continue };
            let kind = piece.kind();
            if square.rank_for(color) < kind.dead_ranks() {
                return Err(InvalidPosition::DeadEnd { kind, square });
            }
        }
        Ok(())
    }

    fn validate_files(&self, color: Color) -> Result<(), InvalidPosition> {
        let pawns = self.pieces(Kind::Pawn, color);
        let mut files = 0_u16;
        for square in pawns {
            let file = square.file();
            if files >> file & 1 == 1 {
                return Err(InvalidPosition::TwoPawns { color, file: file + 1 });
            }
            files |= 1 << file;
        }
        Ok(())
    }
}
