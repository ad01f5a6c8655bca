//! What mate search needs of a position beyond playing moves.

use super::{Position, hash};
use crate::types::{Color, Kind, Move, Origin, Piece};

impl Position {
    /// The board key after a legal move, without playing it.
    #[inline]
    pub fn board_key_after(&self, played: Move) -> u64 {
        let to = played.to();
        let key = self.board_key ^ hash::SIDE_KEY;
        match played.origin() {
            Origin::Hand(kind) => key ^ hash::piece_key(Piece::new(kind, self.side), to),
            Origin::Board(from) => {
                let Some(piece) = self.board[from.index()] else { return key };
                let after = if played.is_promotion() { piece.promoted() } else { piece };
                let key = key ^ hash::piece_key(piece, from) ^ hash::piece_key(after, to);
                match self.board[to.index()] {
                    Some(captured) => key ^ hash::piece_key(captured, to),
                    None => key,
                }
            }
        }
    }

    /// The full key after a legal move, without playing it: time for a table to fetch its entry.
    #[inline]
    pub fn key_after(&self, played: Move) -> u64 {
        let us = self.side.index();
        let mut hands = self.hands;
        match played.origin() {
            Origin::Hand(kind) => hands[us] = hands[us].without(kind),
            Origin::Board(_) => {
                if let Some(captured) = self.board[played.to().index()] {
                    hands[us] = hands[us].with(captured.kind().unpromoted());
                }
            }
        }
        hash::with_hands(self.board_key_after(played), hands)
    }

    /// Moves one piece from `owner`'s hand to the other hand. Taking the last move back restores
    /// both hands, so this belongs to the move just played; listeners are not notified.
    #[inline]
    pub fn hand_over(&mut self, kind: Kind, owner: Color) {
        debug_assert!(!self.history.is_empty());
        self.hands[owner.index()] = self.hands[owner.index()].without(kind);
        self.hands[owner.opponent().index()] = self.hands[owner.opponent().index()].with(kind);
    }
}

#[cfg(test)]
mod tests {
    use crate::Position;

    #[test]
    fn keys_are_foreseen_along_random_games() {
        let mut random = fastrand::Rng::with_seed(20);
        for _ in 0..50 {
            let mut position = Position::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                for &played in &moves {
                    let foreseen = (position.board_key_after(played), position.key_after(played));
                    position.play(played);
                    assert_eq!(foreseen, (position.board_key(), position.key()), "{played}");
                    position.undo();
                }
                position.play(moves[random.usize(..moves.len())]);
            }
        }
    }

    #[test]
    fn a_piece_handed_over_returns_with_the_move() {
        let mut position = Position::from_usi("startpos moves 7g7f 3c3d").unwrap();
        let before = position.clone();
        let capture =
            position.legal_moves().into_iter().find(|m| m.to_string() == "8h2b+").unwrap();
        position.play(capture);
        position.hand_over(crate::Kind::Bishop, crate::Color::Black);
        assert!(position.hand(crate::Color::White).has(crate::Kind::Bishop));
        assert!(!position.hand(crate::Color::Black).has(crate::Kind::Bishop));
        position.undo();
        assert_eq!(position, before);
    }
}
