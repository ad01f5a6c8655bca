//! How far a game has come, from 0 to [`FULL`].
//!
//! Paper: Matsui et al. 2008, section 2.1: from relations between pieces, promoted pieces and
//! pieces in hand. The hand-made one does that with round figures of ours. The learned one is
//! logistic in every piece's square and every piece in hand, fitted to ply / length of the game
//! (`yomikiri learn stage`).

use crate::linear::{layout, within};
use yomikiri_shogi::{Color, Hand, Kind, Piece, Position, Square};

/// How far a game has come, as the tables of ProbCut distinguish it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Before the first clashes.
    Opening = 0,
    /// Between.
    Middle = 1,
    /// The kings are under attack.
    End = 2,
}

/// The phase that a position's move number suggests: the papers' moves 40-60, 60-80 and 80 on.
pub fn phase(position: &Position) -> Phase {
    match position.move_number() {
        ..60 => Phase::Opening,
        60..80 => Phase::Middle,
        _ => Phase::End,
    }
}

/// Progress runs from 0 to this.
pub const FULL: i32 = 256;

/// Units of the learned sum in one unit of the logistic function's argument.
pub const LOGIT: i32 = 1024;

/// How progress is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProgressModel {
    /// By promoted pieces, hands and pieces near the enemy king.
    HandMade,
    /// By a learned logistic function.
    Learned(Box<Logistic>),
}

/// The learned progress: all in units of 1 / [`LOGIT`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Logistic {
    /// What every position has.
    pub bias: i16,
    /// By kind and square as the owner sees it.
    pub pieces: Vec<[i16; 81]>,
    /// By kind, for each piece held.
    pub hands: [i16; 8],
}

impl Default for Logistic {
    fn default() -> Logistic {
        Logistic { bias: 0, pieces: vec![[0; 81]; 15], hands: [0; 8] }
    }
}

impl Logistic {
    /// What a piece on a square adds.
    #[inline]
    pub fn piece(&self, piece: Piece, square: Square) -> i32 {
        let place = layout::turned(square, piece.color() == Color::Black);
        i32::from(self.pieces[piece.kind().index()][place])
    }

    /// What a hand adds.
    #[inline]
    pub fn hand(&self, hand: Hand) -> i32 {
        let one = |kind: Kind| i32::from(self.hands[kind.index()]) * i32::from(hand.count(kind));
        Kind::HAND.into_iter().map(one).sum()
    }

    /// The whole sum of a position.
    pub fn sum(&self, position: &Position) -> i32 {
        let board = position
            .occupied()
            .iter()
            .filter_map(|square| position.piece_on(square).map(|piece| self.piece(piece, square)));
        let hands = Color::ALL.map(|color| self.hand(position.hand(color)));
        i32::from(self.bias) + board.sum::<i32>() + hands[0] + hands[1]
    }
}

/// The logistic function of a sum, 0 to [`FULL`].
pub fn logistic(sum: i32) -> i32 {
    let argument = f64::from(sum) / f64::from(LOGIT);
    libm::round(f64::from(FULL) / (1.0 + libm::exp(-argument))) as i32
}

impl ProgressModel {
    /// The progress of a position.
    pub fn of(&self, position: &Position) -> i32 {
        match self {
            ProgressModel::HandMade => hand_made(position),
            ProgressModel::Learned(learned) => logistic(learned.sum(position)),
        }
    }
}

/// A promoted piece on the board.
const PROMOTED: i32 = 28;
/// A piece near the enemy king.
const NEAR: i32 = 24;
/// A piece in hand, by kind.
const HELD: [i32; 8] = [0, 6, 12, 12, 16, 16, 16, 16];
/// What the opening's exchanges of a pawn or two and a bishop add before anything has happened.
const QUIET: i32 = 24;

/// The hand-made progress.
pub fn hand_made(position: &Position) -> i32 {
    const PROMOTED_KINDS: [Kind; 6] = [
        Kind::ProPawn,
        Kind::ProLance,
        Kind::ProKnight,
        Kind::ProSilver,
        Kind::Horse,
        Kind::Dragon,
    ];
    let promoted: u32 = PROMOTED_KINDS.into_iter().map(|kind| position.kind(kind).count()).sum();
    let mut sum = PROMOTED * promoted as i32 - QUIET;
    for color in Color::ALL {
        let held = |kind: Kind| HELD[kind.index()] * i32::from(position.hand(color).count(kind));
        sum += Kind::HAND.into_iter().map(held).sum::<i32>();
        if let Some(king) = position.king(!color) {
            let near = within(king, 3) & position.color(color);
            sum += NEAR * near.without(position.kind(Kind::King)).count() as i32;
        }
    }
    sum.clamp(0, FULL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logistic_function_is_symmetric_and_rises() {
        assert_eq!(logistic(0), FULL / 2);
        for sum in (-20_000..20_000).step_by(37) {
            assert!(logistic(sum) <= logistic(sum + 37));
            assert!((logistic(sum) + logistic(-sum) - FULL).abs() <= 1);
        }
    }

    #[test]
    fn a_game_begins_at_zero_and_ends_later() {
        assert_eq!(hand_made(&Position::start()), 0);
        let late = "ln1g3nl/1ks1g4/1pp1p2p1/p2p1+R2p/9/P1P1P1P1P/1P1P1+bN2/1KS1G4/LN5+rL w \
                    BGS2Ps2p 90";
        let late = Position::from_sfen(late).unwrap();
        assert!(hand_made(&late) > FULL / 3);
    }
}
