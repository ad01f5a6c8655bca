//! The evaluation that `docs/architecture.md` shows is one file, and conforms.

// begin
use yomikiri_eval::Evaluation;
use yomikiri_eval::value::Value;
use yomikiri_shogi::{BoardChange, Position};

/// Whoever has more pieces in hand stands better.
#[derive(Clone, Default)]
pub struct Hands;

impl Evaluation for Hands {
    fn reset(&mut self, _: &Position) {}
    fn push(&mut self, _: &Position, _: &BoardChange) {}
    fn push_null(&mut self, _: &Position) {}
    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Position) -> Value {
        let count = |color| position.hand(color).iter().map(|(_, n)| Value::from(n)).sum::<Value>();
        let own = position.side_to_move();
        10 * (count(own) - count(!own))
    }
}
// end

#[test]
fn a_toy_evaluation_conforms_and_is_the_one_in_the_documentation() {
    yomikiri_eval::conformance::check(&Hands);
    let page = include_str!("../../../docs/architecture.md");
    let (_, code) = include_str!("toy.rs").split_once("// begin\n").expect("a beginning");
    let (code, _) = code.split_once("// end\n").expect("an end");
    assert!(page.contains(code), "docs/architecture.md shows another evaluation");
}
