//! What to play in every position of a proof that was checked.
//!
//! A proof answers every defence, but a solver asked again on each move may answer with another
//! proof, and two proofs may lead in a circle. Who plays a mate therefore keeps to one: whatever
//! the defender does, the position is known here and the mate is nearer than before.

use std::collections::HashMap;

use yomikiri_shogi::{Color, Hand, Move, Piece, Position, Square};

/// A board as one byte a square.
pub(crate) type Board = [u8; 81];

/// A position with the attacker to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The pieces on the board.
    pub(crate) board: Board,
    /// Black's hand and White's.
    pub(crate) hands: [Hand; 2],
}

impl Place {
    pub(crate) fn new(
        piece: impl Fn(Square) -> Option<Piece>,
        hand: impl Fn(Color) -> Hand,
    ) -> Self {
        let mut board = [0; 81];
        for square in Square::all() {
            board[square.index()] = piece(square).map_or(0, |piece| piece.index() as u8);
        }
        Self { board, hands: Color::ALL.map(hand) }
    }
}

/// The attacker's moves in the positions through which a proof was checked.
#[derive(Clone, Debug)]
pub struct Guide {
    pub(crate) attacker: Color,
    /// The move, and the plies until mate at most, this move and everything counted.
    pub(crate) steps: HashMap<Place, (Move, u32)>,
}

impl Guide {
    /// The move here and the plies until mate at most, if the position belongs to the proof and the
    /// attacker is to move.
    #[must_use]
    pub fn step(&self, position: &Position) -> Option<(Move, u32)> {
        if position.side_to_move() != self.attacker {
            return None;
        }
        let place = Place::new(|square| position.piece_on(square), |color| position.hand(color));
        self.steps.get(&place).copied()
    }

    /// The line from a position of the proof, whoever is to move, up to mate against the defences
    /// that last longest.
    #[must_use]
    pub fn line(&self, position: &Position) -> Vec<Move> {
        let mut position = position.clone();
        let mut line = Vec::new();
        while let Some(mv) = self.next(&mut position) {
            line.push(mv);
            position.play(mv);
        }
        line
    }

    fn next(&self, position: &mut Position) -> Option<Move> {
        if position.side_to_move() == self.attacker {
            self.step(position).map(|(mv, _)| mv)
        } else {
            self.longest_defence(position)
        }
    }

    fn longest_defence(&self, position: &mut Position) -> Option<Move> {
        position.legal_moves().into_iter().max_by_key(|&defence| {
            position.play(defence);
            let plies = self.step(position).map_or(0, |(_, plies)| plies);
            position.undo();
            plies
        })
    }
}
