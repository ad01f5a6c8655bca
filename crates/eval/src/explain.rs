//! What an evaluation sees in a position, in words.

use crate::contribution::{contributions, value_for_black};
use crate::linear;
use crate::network::NetworkEvaluation;
use crate::registry::Model;
use core::fmt::Write as _;
use yomikiri_shogi::{Color, Position};

/// The value of a position in its parts: features for linear weights, pieces for a network.
/// Nothing for evaluations that need no explanation.
#[must_use]
pub fn explain(model: Model, position: &Position) -> Option<String> {
    let turn = position.side_to_move();
    let mut text = format!("centipawns, positive for black; {turn} to move\n");
    let value = match model {
        Model::Network(mut network) => {
            text += &pieces(&mut network, position);
            let value = value_for_black(&mut network, position);
            let _ = writeln!(text, "total {value}");
            f64::from(value)
        }
        Model::Linear(linear) => {
            let explained = linear::explain(position, linear.weights());
            let _ = write!(text, "{explained}");
            explained.total()
        }
        _ => return None,
    };
    let own = if turn == Color::Black { value } else { 0.0 - value };
    let _ = writeln!(text, "value {own:.0} for {turn}");
    Some(text)
}

fn pieces(network: &mut NetworkEvaluation, position: &Position) -> String {
    let mut text =
        "what each piece is worth here: the value with it less the value without it\n".to_string();
    for row in contributions(network, position) {
        let place = row.square.map_or("hand".to_string(), |square| square.to_string());
        let _ = writeln!(text, "{:<3} {place:<4} {:>7}", row.piece.to_string(), row.value);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EvaluationKind;

    #[test]
    fn learned_evaluations_are_explained_for_the_side_to_move() {
        let position = Position::from_usi("startpos moves 7g7f 3c3d 8h2b+").expect("a position");
        for kind in [EvaluationKind::Linear, EvaluationKind::Network] {
            let mut model = Model::embedded(kind);
            let text = explain(model.clone(), &position).expect("it is explained");
            let last = text.lines().last().expect("a line").to_string();
            if let Model::Network(network) = &mut model {
                let own = -value_for_black(network, &position);
                assert_eq!(last, format!("value {own} for {}", Color::White));
            }
            assert!(last.starts_with("value ") && last.ends_with(&Color::White.to_string()));
        }
        assert_eq!(explain(Model::embedded(EvaluationKind::Material), &position), None);
    }
}
