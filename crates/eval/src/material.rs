//! `PieceEval`: material and nothing else.
//!
//! Paper: the plain evaluation of Takeuchi, Kaneko and Kawai's ProbCut experiments, pawn = 100.
//! Pieces in hand count as on the board.

use super::Evaluation;
use crate::value::{EVAL_LIMIT, Value};
use yomikiri_shogi::see::PIECE_VALUES;
use yomikiri_shogi::{BoardChange, Color, Hand, Kind, Position};

/// What each kind is worth, by index: the prices of the exchange evaluation; the king has none.
pub const VALUES: [Value; 16] = {
    let mut values = PIECE_VALUES;
    values[Kind::King.index()] = 0;
    values
};

/// The price of a kind.
#[inline]
pub const fn value_of(kind: Kind) -> Value {
    VALUES[kind.index()]
}

/// What taking a piece changes: the enemy loses it, and the captor holds its unpromoted form.
#[inline]
pub const fn capture_value(kind: Kind) -> Value {
    CAPTURES[kind.index()]
}

const CAPTURES: [Value; 16] = {
    let mut values = [0; 16];
    let mut index = 0;
    while index < Kind::ALL.len() {
        let kind = Kind::ALL[index];
        values[kind.index()] = value_of(kind) + value_of(kind.unpromoted());
        index += 1;
    }
    values
};

/// What promoting changes.
#[inline]
pub const fn promotion_gain(kind: Kind) -> Value {
    PROMOTIONS[kind.index()]
}

const PROMOTIONS: [Value; 16] = {
    let mut values = [0; 16];
    let mut index = 0;
    while index < Kind::ALL.len() {
        let kind = Kind::ALL[index];
        if let Some(promoted) = kind.promoted() {
            values[kind.index()] = value_of(promoted) - value_of(kind);
        }
        index += 1;
    }
    values
};

/// Signed by the owner: black's pieces count for, white's against.
#[inline]
pub(crate) const fn signed(color: Color, value: Value) -> Value {
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}

/// Material, kept while the board changes.
#[derive(Clone, Default, Debug)]
pub struct Material {
    /// Black's pieces on the board and in hand less white's.
    balance: Value,
    /// The balance before each move that was pushed.
    stack: Vec<Value>,
}

fn hand_value(hand: Hand) -> Value {
    hand.iter().map(|(kind, count)| value_of(kind) * Value::from(count)).sum()
}

/// Black's material less white's, counted piece by piece.
fn balance(position: &Position) -> Value {
    let board: Value = position
        .occupied()
        .iter()
        .filter_map(|square| position.piece_on(square))
        .map(|piece| signed(piece.color(), value_of(piece.kind())))
        .sum();
    let [black, white] = Color::ALL.map(|color| hand_value(position.hand(color)));
    board + black - white
}

impl Evaluation for Material {
    fn reset(&mut self, position: &Position) {
        self.balance = balance(position);
        self.stack.clear();
    }

    #[inline]
    fn push(&mut self, _: &Position, change: &BoardChange) {
        self.stack.push(self.balance);
        let promotion = value_of(change.after.kind()) - value_of(change.before.kind());
        let capture = change.captured.map_or(0, |captured| capture_value(captured.kind()));
        self.balance += signed(change.mover(), promotion + capture);
    }

    #[inline]
    fn push_null(&mut self, _: &Position) {
        self.stack.push(self.balance);
    }

    #[inline]
    fn pop(&mut self) {
        self.balance = self.stack.pop().expect("a move was pushed");
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        signed(position.side_to_move(), self.balance).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}
