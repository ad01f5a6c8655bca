//! Move generation.
//!
//! Moves leave the generator in batches: one origin and the set of its destinations. A [`MoveSink`]
//! takes the batches and decides what becomes of them: a list, a count, the answer that there is
//! one. Every generator gives exactly legal moves.

mod board;
mod checks;
mod drops;
mod evasions;
mod king;
pub mod reference;
mod sink;

pub use evasions::Evasions;
pub use sink::{Kinds, MoveSink};

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, MoveList, Square};
use core::ops::ControlFlow;
use sink::{Counter, FirstMove, Lister};

/// Which moves to generate. [`Captures`](Self::Captures) and [`Quiets`](Self::Quiets) together
/// are [`All`](Self::All), and share none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Every legal move.
    All,
    /// Captures and promotions.
    Captures,
    /// Everything else, drops included.
    Quiets,
}

/// Whether to generate non-promotions that no player would choose: of a pawn, bishop or rook that
/// could promote, and of a lance that reaches the second rank. They matter only where a drop-pawn
/// mate must be avoided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NonPromotions {
    /// Only those with a point.
    Useful,
    /// Every legal one.
    All,
}

/// The destinations that each sort of move may have.
#[derive(Clone, Copy)]
struct Targets {
    /// Of moves that do not promote.
    stay: Bitboard,
    /// Of moves that promote.
    promote: Bitboard,
    /// Of drops.
    drops: Bitboard,
}

/// What the generators share about one position.
struct Generator<'a> {
    position: &'a Position,
    us: Color,
    own: Bitboard,
    occupied: Bitboard,
    king: Option<Square>,
    pinned: Bitboard,
    non_promotions: NonPromotions,
}

impl<'a> Generator<'a> {
    #[inline]
    fn new(position: &'a Position, non_promotions: NonPromotions) -> Generator<'a> {
        let pinned = position.pinned(position.side_to_move());
        Generator { pinned, ..Generator::before_pins(position, non_promotions) }
    }

    /// One that does not know yet what is pinned.
    #[inline]
    fn before_pins(position: &'a Position, non_promotions: NonPromotions) -> Generator<'a> {
        let us = position.side_to_move();
        Generator {
            position,
            us,
            own: position.color(us),
            occupied: position.occupied(),
            king: position.king(us),
            pinned: Bitboard::EMPTY,
            non_promotions,
        }
    }

    /// The destinations that `which` names and the checks allow; `None` in a double check, when
    /// only the king can move.
    #[inline]
    fn targets(&self, which: Which) -> (Bitboard, Option<Targets>) {
        let enemy = self.position.color(!self.us);
        let empty = !self.occupied;
        let (stay, promote) = match which {
            Which::All => (!self.own, !self.own),
            Which::Captures => (enemy, !self.own),
            Which::Quiets => (empty, Bitboard::EMPTY),
        };
        let drops = if which == Which::Captures { Bitboard::EMPTY } else { empty };
        let free = Targets { stay, promote, drops };
        let checkers = self.position.checkers();
        match (checkers.first(), self.king) {
            (Some(_), _) if checkers.is_several() => (stay, None),
            (Some(checker), Some(king)) => (stay, Some(free.answering(king, checker))),
            _ => (stay, Some(free)),
        }
    }

    #[inline]
    fn generate<S: MoveSink>(&self, which: Which, sink: &mut S) -> ControlFlow<()> {
        // The king first: a caller that looks for any move mostly stops then.
        let (king_targets, targets) = self.targets(which);
        self.king_moves(king_targets, sink)?;
        if let Some(targets) = targets {
            self.board_moves(&targets, sink)?;
            self.drops(targets.drops, sink)?;
        }
        ControlFlow::Continue(())
    }
}

impl Targets {
    /// Only the moves that capture the one checker or step between it and the king.
    #[inline]
    fn answering(self, king: Square, checker: Square) -> Targets {
        let line = attacks::between(king, checker);
        let answers = line | Bitboard::of(checker);
        Targets {
            stay: self.stay & answers,
            promote: self.promote & answers,
            drops: self.drops & line,
        }
    }
}

impl Position {
    /// All legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Which::All, NonPromotions::All, &mut list);
        list
    }

    /// Appends the legal moves of a kind to a list.
    #[inline]
    pub fn generate(&self, which: Which, non_promotions: NonPromotions, list: &mut MoveList) {
        let _ =
            self.generate_into(which, non_promotions, &mut Lister::new(list, self.side_to_move()));
    }

    /// Hands the legal moves of a kind to a sink, batch by batch.
    #[inline]
    pub fn generate_into<S: MoveSink>(
        &self,
        which: Which,
        non_promotions: NonPromotions,
        sink: &mut S,
    ) -> ControlFlow<()> {
        Generator::new(self, non_promotions).generate(which, sink)
    }

    /// How many legal moves there are; they are counted, not made.
    #[inline]
    pub fn count_legal_moves(&self) -> usize {
        let mut counter = Counter::default();
        let _ = self.generate_into(Which::All, NonPromotions::All, &mut counter);
        counter.count
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.generate_into(Which::All, NonPromotions::All, &mut FirstMove).is_break()
    }

    /// Whether the side to move is in check and has no legal move.
    pub fn is_mate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Appends the legal moves that give check.
    #[inline]
    pub fn generate_checks(&self, non_promotions: NonPromotions, list: &mut MoveList) {
        let _ =
            self.generate_checks_into(non_promotions, &mut Lister::new(list, self.side_to_move()));
    }

    /// Hands the legal moves that give check to a sink, batch by batch.
    #[inline]
    pub fn generate_checks_into<S: MoveSink>(
        &self,
        non_promotions: NonPromotions,
        sink: &mut S,
    ) -> ControlFlow<()> {
        Generator::before_pins(self, non_promotions).check_moves(sink)
    }

    /// Appends the legal moves out of check; the same as all legal moves when in check.
    #[inline]
    pub fn generate_evasions(&self, non_promotions: NonPromotions, list: &mut MoveList) {
        debug_assert!(self.in_check());
        self.generate(Which::All, non_promotions, list);
    }
}
