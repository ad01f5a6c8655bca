//! What each piece is worth to an evaluation: the value with it less the value without it. Works
//! for every evaluation, also where the sum has no parts that could be shown.

use crate::Evaluation;
use crate::value::Value;
use yomikiri_shogi::{Color, Kind, Piece, Position, Square};

/// A piece, and what it changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contribution {
    /// The piece; kings have none.
    pub piece: Piece,
    /// Where it stands; `None` for one in hand.
    pub square: Option<Square>,
    /// The value for black with it less the value for black without it, in centipawns.
    pub value: Value,
}

/// The value of a position for black.
pub fn value_for_black<E: Evaluation>(eval: &mut E, position: &Position) -> Value {
    eval.reset(position);
    let value = eval.evaluate(position);
    if position.side_to_move() == Color::Black { value } else { -value }
}

/// What each piece but the kings contributes, square by square, then the hands, one row a kind.
pub fn contributions<E: Evaluation>(eval: &mut E, position: &Position) -> Vec<Contribution> {
    let whole = value_for_black(eval, position);
    let mut rows = Vec::new();
    for square in position.occupied() {
        let Some(piece) = position.piece_on(square) else { continue };
        if piece.kind() != Kind::King {
            let mut without = position.clone();
            without.put(square, None);
            let value = whole - value_for_black(eval, &without);
            rows.push(Contribution { piece, square: Some(square), value });
        }
    }
    for color in Color::ALL {
        for (kind, _) in position.hand(color).iter() {
            let mut without = position.clone();
            without.set_hand(color, position.hand(color).without(kind));
            let value = whole - value_for_black(eval, &without);
            rows.push(Contribution { piece: Piece::new(kind, color), square: None, value });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::{Material, value_of};

    #[test]
    fn to_material_a_piece_is_worth_its_price() {
        let position = Position::from_usi("startpos moves 7g7f 3c3d 8h2b+ 3a2b").unwrap();
        let rows = contributions(&mut Material::default(), &position);
        assert_eq!(rows.len(), 36 + 2);
        for row in rows {
            let price = value_of(row.piece.kind());
            let signed = if row.piece.color() == Color::Black { price } else { -price };
            assert_eq!(row.value, signed, "{row:?}");
        }
    }
}
