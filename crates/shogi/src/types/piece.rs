//! A piece: a kind and its owner.

use super::{Color, Kind};
use core::fmt;
use core::num::NonZeroU8;

/// A piece on the board. The low four bits are the kind, the fifth is the owner;
/// `Option<Piece>` is one byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// The piece of a kind and an owner.
    #[inline]
    pub const fn new(kind: Kind, color: Color) -> Piece {
        match NonZeroU8::new(kind as u8 | (color as u8) << 4) {
            Some(code) => Piece(code),
            None => unreachable!(),
        }
    }

    /// What it is.
    #[inline]
    pub const fn kind(self) -> Kind {
        match Kind::from_index((self.0.get() & 15) as usize) {
            Some(kind) => kind,
            None => unreachable!(),
        }
    }

    /// Whose it is.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() & 16 == 0 { Color::Black } else { Color::White }
    }

    /// The index of the kind, without going through [`Kind`].
    #[inline]
    pub(crate) const fn kind_index(self) -> usize {
        (self.0.get() & 15) as usize
    }

    /// Whether it attacks more than its steps: lance, bishop, rook, horse and dragon.
    #[inline]
    pub const fn slides(self) -> bool {
        const SLIDERS: u32 = 1 << Kind::Lance.index()
            | 1 << Kind::Bishop.index()
            | 1 << Kind::Rook.index()
            | 1 << Kind::Horse.index()
            | 1 << Kind::Dragon.index();
        SLIDERS >> self.kind_index() & 1 != 0
    }

    /// The promoted form of a piece that has one.
    #[inline]
    pub(crate) const fn promoted(self) -> Piece {
        debug_assert!(self.kind().promoted().is_some());
        Piece(self.0.saturating_add(8))
    }

    /// The unpromoted form of a promoted piece.
    #[inline]
    pub(crate) const fn unpromoted(self) -> Piece {
        debug_assert!(self.kind().is_promoted());
        match NonZeroU8::new(self.0.get() - 8) {
            Some(code) => Piece(code),
            None => unreachable!(),
        }
    }

    /// 1 to 14 for black, 17 to 30 for white; tables of pieces have 32 entries.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0.get() & 31) as usize
    }
}

impl fmt::Display for Piece {
    /// As SFEN writes it: `P`, `+r`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind();
        if kind.is_promoted() {
            f.write_str("+")?;
        }
        match self.color() {
            Color::Black => write!(f, "{}", kind.letter()),
            Color::White => write!(f, "{}", kind.letter().to_ascii_lowercase()),
        }
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
