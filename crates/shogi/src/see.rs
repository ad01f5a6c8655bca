//! Static exchange evaluation: what a move wins or loses if both sides go on capturing on its
//! destination, each with the least valuable piece first, and stop when stopping is better.
//!
//! A capture counts twice, as it does in shogi: the enemy loses the piece as it stood on the
//! board, and the captor gains the unpromoted piece in hand. Recaptures do not promote, and pins
//! are not looked at: the sequence is an estimate, and cheap.

use crate::attacks;
use crate::position::Position;
use crate::types::{Bitboard, Color, Kind, Move, Origin, Piece, Square};

/// Material values in centipawns, by kind. Ours: round figures in the proportions that engines
/// with learned values agree on.
pub const PIECE_VALUES: [i32; 16] = {
    let mut values = [0; 16];
    values[Kind::Pawn.index()] = 100;
    values[Kind::Lance.index()] = 340;
    values[Kind::Knight.index()] = 380;
    values[Kind::Silver.index()] = 540;
    values[Kind::Gold.index()] = 600;
    values[Kind::Bishop.index()] = 900;
    values[Kind::Rook.index()] = 1040;
    values[Kind::King.index()] = 15_000;
    values[Kind::ProPawn.index()] = 560;
    values[Kind::ProLance.index()] = 560;
    values[Kind::ProKnight.index()] = 580;
    values[Kind::ProSilver.index()] = 600;
    values[Kind::Horse.index()] = 1200;
    values[Kind::Dragon.index()] = 1420;
    values
};

/// The order in which pieces capture: the least valuable first.
pub const BY_VALUE: [Kind; 14] = [
    Kind::Pawn,
    Kind::Lance,
    Kind::Knight,
    Kind::Silver,
    Kind::ProPawn,
    Kind::ProLance,
    Kind::ProKnight,
    Kind::Gold,
    Kind::ProSilver,
    Kind::Bishop,
    Kind::Rook,
    Kind::Horse,
    Kind::Dragon,
    Kind::King,
];

/// The value of a piece on the board.
#[inline]
pub const fn piece_value(kind: Kind) -> i32 {
    PIECE_VALUES[kind.index()]
}

/// The swing when a piece is captured: lost on the board, gained in hand.
#[inline]
pub const fn capture_value(kind: Kind) -> i32 {
    CAPTURE_VALUES[kind.index()]
}

const CAPTURE_VALUES: [i32; 16] = {
    let mut values = [0; 16];
    let mut index = 0;
    while index < Kind::ALL.len() {
        let kind = Kind::ALL[index];
        values[kind.index()] = PIECE_VALUES[kind.index()] + PIECE_VALUES[kind.unpromoted().index()];
        index += 1;
    }
    values[Kind::King.index()] = PIECE_VALUES[Kind::King.index()];
    values
};

/// The pieces that still can capture on one square.
struct Exchange<'a> {
    position: &'a Position,
    square: Square,
    occupied: Bitboard,
    side: Color,
    /// Everything that could capture if nothing stood between, of both sides.
    aiming: Bitboard,
}

impl Exchange<'_> {
    /// Finds everything that aims at the square, once for the whole exchange.
    #[inline]
    fn look(&mut self) {
        let Exchange { position, square, .. } = *self;
        // A piece attacks the square from where the same piece of the other side would be attacked.
        let seen_as = |kind, by: Color| attacks::step_attacks(Piece::new(kind, !by), square);
        let ray = |kind, by: Color| attacks::empty_board_attacks(Piece::new(kind, !by), square);
        let of = |by: Color| {
            let small = (position.kind(Kind::Pawn) & seen_as(Kind::Pawn, by))
                | (position.kind(Kind::Lance) & ray(Kind::Lance, by))
                | (position.kind(Kind::Knight) & seen_as(Kind::Knight, by))
                | (position.kind(Kind::Silver) & seen_as(Kind::Silver, by))
                | (position.gold_movers() & seen_as(Kind::Gold, by));
            small & position.color(by)
        };
        let (horses, dragons) = (position.kind(Kind::Horse), position.kind(Kind::Dragon));
        let near = attacks::king_attacks(square) & (position.kind(Kind::King) | horses | dragons);
        let diagonal = ray(Kind::Bishop, self.side) & (position.kind(Kind::Bishop) | horses);
        let orthogonal = ray(Kind::Rook, self.side) & (position.kind(Kind::Rook) | dragons);
        self.aiming = of(Color::Black) | of(Color::White) | near | diagonal | orthogonal;
    }

    /// The least valuable piece that can capture, in the order of [`BY_VALUE`].
    #[inline]
    fn least_captor(&self) -> Option<(Kind, Square)> {
        let Exchange { position, square, occupied, side, aiming } = *self;
        let own = aiming & position.color(side) & occupied;
        if own.is_empty() {
            return None;
        }
        let stepping = |kind| (position.kind(kind) & own).first().map(|from| (kind, from));
        // A horse or dragon next to the square has nothing in between.
        let is_open = |&from: &Square| !attacks::between(square, from).intersects(occupied);
        let sliding = |kind| {
            let from = (position.kind(kind) & own).iter().find(is_open)?;
            Some((kind, from))
        };
        stepping(Kind::Pawn)
            .or_else(|| sliding(Kind::Lance))
            .or_else(|| stepping(Kind::Knight))
            .or_else(|| stepping(Kind::Silver))
            .or_else(|| {
                let golds =
                    [Kind::ProPawn, Kind::ProLance, Kind::ProKnight, Kind::Gold, Kind::ProSilver];
                let any = (position.gold_movers() & own).is_any();
                golds.into_iter().filter(|_| any).find_map(stepping)
            })
            .or_else(|| sliding(Kind::Bishop))
            .or_else(|| sliding(Kind::Rook))
            .or_else(|| sliding(Kind::Horse))
            .or_else(|| sliding(Kind::Dragon))
            .or_else(|| stepping(Kind::King))
    }

    /// Takes the least valuable capturing piece of the side to capture off the board.
    #[inline]
    fn next_captor(&mut self) -> Option<Kind> {
        let (kind, from) = self.least_captor()?;
        self.occupied = self.occupied.without(Bitboard::of(from));
        self.side = !self.side;
        // A king may not capture what is protected.
        let protected = || {
            let others = self.position.attackers(self.square, self.side, self.occupied);
            (others & self.occupied).is_any()
        };
        if kind == Kind::King && protected() { None } else { Some(kind) }
    }
}

impl Position {
    /// What the move wins (or loses, if negative) in centipawns by exchanges on its destination.
    pub fn exchange_value(&self, played: Move) -> i32 {
        let (gain, on_square, mut exchange) = self.start_exchange(played);
        exchange.look();
        let mut gains = arrayvec::ArrayVec::<i32, 40>::new();
        gains.push(gain);
        let mut standing = on_square;
        while let Some(captor) = exchange.next_captor() {
            if gains.is_full() {
                break;
            }
            gains.push(capture_value(standing));
            standing = captor;
        }
        // Backwards: each capture is worth what it takes less the best answer to it, and is not
        // made at a loss. Only the move itself is not optional.
        let replies = gains[1..].iter().rev().fold(0, |best, &gain| (gain - best).max(0));
        gains[0] - replies
    }

    /// Whether [`exchange_value`](Self::exchange_value) is at least the threshold.
    #[inline]
    pub fn see_ge(&self, played: Move, threshold: i32) -> bool {
        let (gain, on_square, mut exchange) = self.start_exchange(played);
        // From the mover's view: what is missing if everything stopped here.
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        let mut standing = on_square;
        let mut mover_is_ahead = true;
        balance -= capture_value(standing);
        if balance >= 0 {
            return true;
        }
        exchange.look();
        while let Some(captor) = exchange.next_captor() {
            // The captor has taken `standing` and stands there itself.
            mover_is_ahead = !mover_is_ahead;
            standing = captor;
            // Whoever is ahead even after losing what stands there has won the argument.
            balance = -balance - 1 - capture_value(standing);
            if balance >= 0 {
                break;
            }
        }
        mover_is_ahead
    }

    #[inline]
    fn start_exchange(&self, played: Move) -> (i32, Kind, Exchange<'_>) {
        let to = played.to();
        let us = self.side_to_move();
        let mut gain = self.piece_on(to).map_or(0, |taken: Piece| capture_value(taken.kind()));
        let mut occupied = self.occupied() | Bitboard::of(to);
        let kind = match played.origin() {
            Origin::Hand(kind) => kind,
            Origin::Board(from) => {
                occupied = occupied.without(Bitboard::of(from));
                let kind = self.piece_on(from).map_or(Kind::Pawn, Piece::kind);
                match kind.promoted() {
                    Some(promoted) if played.is_promotion() => {
                        gain += piece_value(promoted) - piece_value(kind);
                        promoted
                    }
                    _ => kind,
                }
            }
        };
        (
            gain,
            kind,
            Exchange { position: self, square: to, occupied, side: !us, aiming: Bitboard::EMPTY },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays the captures out on a board of its own: each side may stop or go on.
    fn slow_value(board: &mut Vec<(Square, Piece)>, square: Square, side: Color) -> i32 {
        let occupied: Bitboard = board.iter().map(|&(square, _)| square).collect();
        let captor = board
            .iter()
            .enumerate()
            .filter(|(_, (from, piece))| {
                piece.color() == side && attacks::attacks(*piece, *from, occupied).has(square)
            })
            .min_by_key(|(_, (from, piece))| {
                (BY_VALUE.iter().position(|&kind| kind == piece.kind()), *from)
            })
            .map(|(index, _)| index);
        let Some(captor) = captor else { return 0 };
        let (_, piece) = board.remove(captor);
        let standing = board.iter().position(|&(at, _)| at == square).unwrap();
        let (_, taken) = std::mem::replace(&mut board[standing], (square, piece));
        let occupied: Bitboard = board.iter().map(|&(square, _)| square).collect();
        let answered = board.iter().any(|&(from, other)| {
            other.color() != side && attacks::attacks(other, from, occupied).has(square)
        });
        if piece.kind() == Kind::King && answered {
            return 0;
        }
        (capture_value(taken.kind()) - slow_value(board, square, !side)).max(0)
    }

    fn slow_exchange(position: &Position, played: Move) -> i32 {
        let (gain, kind, exchange) = position.start_exchange(played);
        let us = position.side_to_move();
        let mut board: Vec<(Square, Piece)> = exchange
            .occupied
            .iter()
            .filter(|&square| square != played.to())
            .map(|square| (square, position.piece_on(square).unwrap()))
            .collect();
        board.push((played.to(), Piece::new(kind, us)));
        gain - slow_value(&mut board, played.to(), !us)
    }

    #[test]
    fn equals_captures_played_out() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut compared = 0;
        for _ in 0..40 {
            let mut position = Position::start();
            for _ in 0..150 {
                let moves = position.legal_moves();
                for &played in &moves {
                    let value = slow_exchange(&position, played);
                    let place = || format!("{} {played}", position.to_sfen());
                    assert_eq!(position.exchange_value(played), value, "{}", place());
                    for threshold in [value - 50, value - 1, value, value + 1, value + 50, 0] {
                        let enough = position.see_ge(played, threshold);
                        assert_eq!(enough, value >= threshold, "{} {threshold}", place());
                    }
                    compared += 1;
                }
                match random.choice(moves) {
                    Some(played) => {
                        position.play(played);
                    }
                    None => break,
                }
            }
        }
        assert!(compared > 100_000);
    }
}
