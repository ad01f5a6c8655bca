//! What a move changes, for evaluations that follow the board.

use crate::types::{Color, Kind, Piece, Square};

/// What a move changed: one piece moved or was dropped, and perhaps one was captured. The hands
/// follow from it, so that an evaluation can update its sums from this and the position after
/// the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardChange {
    /// The piece as it was before the move; for a drop the piece that was dropped.
    pub before: Piece,
    /// Where it stood; `None` for a drop.
    pub from: Option<Square>,
    /// The piece as it stands now, promoted or not.
    pub after: Piece,
    /// Where it stands now.
    pub to: Square,
    /// The piece that stood there and is now in the mover's hand, as it was on the board.
    pub captured: Option<Piece>,
}

impl BoardChange {
    /// The side that moved.
    #[inline]
    pub const fn mover(&self) -> Color {
        self.after.color()
    }

    /// The kind that the mover now holds one more of.
    #[inline]
    pub fn into_hand(&self) -> Option<Kind> {
        self.captured.map(|captured| captured.kind().unpromoted())
    }

    /// The kind that the mover now holds one less of.
    #[inline]
    pub fn out_of_hand(&self) -> Option<Kind> {
        match self.from {
            Some(_) => None,
            None => Some(self.before.kind()),
        }
    }
}
