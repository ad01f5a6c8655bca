//! What becomes of generated moves.

use crate::types::{Bitboard, Color, Hand, Kind, Move, MoveList, Square};
use core::ops::ControlFlow;

/// A small set of kinds of pieces in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kinds(u8);

impl Kinds {
    /// Those of the given kinds that the hand has.
    #[inline]
    pub fn held(hand: Hand, kinds: &[Kind]) -> Kinds {
        let mut set = 0;
        for &kind in kinds {
            set |= u8::from(hand.has(kind)) << kind.index();
        }
        Kinds(set)
    }

    /// How many kinds.
    #[inline]
    pub fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Kind> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let kind = Kind::from_index(rest.trailing_zeros() as usize)?;
            rest &= rest.wrapping_sub(1);
            (kind.is_hand()).then_some(kind)
        })
    }
}

/// Takes batches of moves. Returning [`ControlFlow::Break`] ends the generation.
pub trait MoveSink {
    /// Moves of one piece: without and with promotion.
    fn moves(&mut self, from: Square, stay: Bitboard, promote: Bitboard) -> ControlFlow<()>;

    /// Moves of many pawns of `color`, each one step forward: their destinations.
    fn pawns(&mut self, color: Color, stay: Bitboard, promote: Bitboard) -> ControlFlow<()>;

    /// Drops of each of the kinds on each of the squares.
    fn drops(&mut self, kinds: Kinds, to: Bitboard) -> ControlFlow<()>;
}

/// Appends moves to a list.
pub(super) struct Lister<'a> {
    list: &'a mut MoveList,
    /// What leads from a pawn's destination back to its origin.
    pawn_back: i8,
}

impl<'a> Lister<'a> {
    #[inline]
    pub fn new(list: &'a mut MoveList, us: Color) -> Lister<'a> {
        Lister { list, pawn_back: if us == Color::Black { 1 } else { -1 } }
    }

    #[inline]
    fn pawn_origin(&self, to: Square) -> Square {
        Square::from_raw((to.index() as i8 + self.pawn_back) as u8)
    }
}

impl MoveSink for Lister<'_> {
    #[inline]
    fn moves(&mut self, from: Square, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        promote.iter().for_each(|to| self.list.push(Move::board(from, to, true)));
        stay.iter().for_each(|to| self.list.push(Move::board(from, to, false)));
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(&mut self, _: Color, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        for to in promote {
            self.list.push(Move::board(self.pawn_origin(to), to, true));
        }
        for to in stay {
            self.list.push(Move::board(self.pawn_origin(to), to, false));
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn drops(&mut self, kinds: Kinds, to: Bitboard) -> ControlFlow<()> {
        for kind in kinds.iter() {
            to.iter().for_each(|square| self.list.push(Move::drop(kind, square)));
        }
        ControlFlow::Continue(())
    }
}

/// Counts moves without making them.
#[derive(Default)]
pub(super) struct Counter {
    pub count: usize,
}

impl MoveSink for Counter {
    #[inline]
    fn moves(&mut self, _: Square, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        self.count += (stay.count() + promote.count()) as usize;
        ControlFlow::Continue(())
    }

    #[inline]
    fn pawns(&mut self, _: Color, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        self.count += (stay.count() + promote.count()) as usize;
        ControlFlow::Continue(())
    }

    #[inline]
    fn drops(&mut self, kinds: Kinds, to: Bitboard) -> ControlFlow<()> {
        self.count += kinds.count() * to.count() as usize;
        ControlFlow::Continue(())
    }
}

/// Stops at the first move.
pub(super) struct FirstMove;

/// Ends the generation if there was a move.
#[inline]
fn stop_if(any: bool) -> ControlFlow<()> {
    if any { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

impl MoveSink for FirstMove {
    #[inline]
    fn moves(&mut self, _: Square, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        stop_if((stay | promote).is_any())
    }

    #[inline]
    fn pawns(&mut self, _: Color, stay: Bitboard, promote: Bitboard) -> ControlFlow<()> {
        stop_if((stay | promote).is_any())
    }

    #[inline]
    fn drops(&mut self, kinds: Kinds, to: Bitboard) -> ControlFlow<()> {
        stop_if(!kinds.is_empty() && to.is_any())
    }
}
