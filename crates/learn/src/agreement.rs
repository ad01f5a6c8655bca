//! How often an evaluation prefers the move that was played.

use crate::dataset::TrainingGame;
use crate::quiescence::{QuietLine, quiescence};
use core::cmp::Ordering;
use core::ops::ControlFlow;
use yomikiri_engine::eval::linear::{Linear, LinearWeights, maximum_exchange};
use yomikiri_engine::eval::stage::FULL;
use yomikiri_engine::eval::{Evaluation, Phase};
use yomikiri_engine::value::{INFINITE, Value};
use yomikiri_shogi::{Move, Position};

/// How the position after a move is valued.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Statically, with the maximum exchange value.
    Exchange,
    /// By quiescence search.
    Quiescence,
}

/// Agreement over some positions.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AgreementTally {
    /// Positions where the move played was among the first one, three, five; a tie that decides
    /// counts a half.
    pub top: [f64; 3],
    /// Positions.
    pub positions: u64,
}

impl AgreementTally {
    /// Counts a position where this many other moves were better, and equal.
    pub fn add(&mut self, better: usize, equal: usize) {
        for (sum, places) in self.top.iter_mut().zip([1, 3, 5]) {
            *sum += if better >= places {
                0.0
            } else if better + equal < places {
                1.0
            } else {
                0.5
            };
        }
        self.positions += 1;
    }

    /// Per cent for the first one, three, five.
    pub fn per_cent(&self) -> [f64; 3] {
        self.top.map(|sum| 100.0 * sum / self.positions.max(1) as f64)
    }
}

/// Agreement in all, and by phase of the game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Agreement {
    /// All positions.
    pub all: AgreementTally,
    /// Opening, middle game and endgame, by thirds of progress.
    pub phases: [AgreementTally; 3],
}

impl Agreement {
    /// A line for each phase of the game, and one for all positions.
    #[must_use]
    pub fn to_text(&self) -> String {
        let line = |tally: &AgreementTally| {
            let [top1, top3, top5] = tally.per_cent();
            format!("top1 {top1:.2} top3 {top3:.2} top5 {top5:.2} positions {}\n", tally.positions)
        };
        let phases = ["opening", "middle game", "endgame"].iter().zip(&self.phases);
        let phases: String =
            phases.map(|(name, tally)| format!("{name:<12} {}", line(tally))).collect();
        phases + &line(&self.all)
    }
}

/// Compares an evaluation with games. Positions with one legal move are left out. The callback
/// runs after each game; breaking off ends the measurement with what there is.
pub fn agreement(
    games: &[&TrainingGame],
    weights: &LinearWeights,
    method: Method,
    report: &mut dyn FnMut(usize, &Agreement) -> ControlFlow<()>,
) -> Agreement {
    let mut found = Agreement::default();
    let mut eval = Linear::new(weights);
    for (index, game) in games.iter().enumerate() {
        let mut position = game.start.clone();
        eval.reset(&position);
        for &played in &game.moves {
            if let Some((better, equal)) = compare(&mut position, &mut eval, played, method) {
                let phase = phase(eval.progress(&position));
                found.all.add(better, equal);
                found.phases[phase as usize].add(better, equal);
            }
            let change = position.play(played);
            eval.push(&position, &change);
        }
        if report(index + 1, &found).is_break() {
            break;
        }
    }
    found
}

/// The third of the game that a progress falls into.
pub fn phase(progress: i32) -> Phase {
    match progress * 3 / FULL {
        ..1 => Phase::Opening,
        1 => Phase::Middle,
        _ => Phase::End,
    }
}

/// How many other moves are better than the one played, and how many equal.
fn compare(
    position: &mut Position,
    eval: &mut Linear,
    played: Move,
    method: Method,
) -> Option<(usize, usize)> {
    let moves = position.legal_moves();
    if moves.len() < 2 {
        return None;
    }
    let reference = value_after(position, eval, played, method, None);
    let (mut better, mut equal) = (0, 0);
    for other in moves.into_iter().filter(|&other| other != played) {
        match value_after(position, eval, other, method, Some(reference)).cmp(&reference) {
            Ordering::Greater => better += 1,
            Ordering::Equal => equal += 1,
            Ordering::Less => {}
        }
    }
    Some((better, equal))
}

/// The value for the mover after a move; near a reference it is exact, else on its right side.
fn value_after(
    position: &mut Position,
    eval: &mut Linear,
    played: Move,
    method: Method,
    near: Option<Value>,
) -> Value {
    let change = position.play(played);
    eval.push(position, &change);
    let value = match method {
        Method::Exchange => -(eval.evaluate(position) + maximum_exchange(position)),
        Method::Quiescence => {
            let (low, high) = match near {
                Some(value) => (-value - 1, -value + 1),
                None => (-INFINITE, INFINITE),
            };
            -quiescence(position, eval, low, high, 0, &mut { QuietLine::EMPTY })
        }
    };
    eval.pop();
    position.undo();
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;

    #[test]
    fn ties_count_a_half_where_they_decide() {
        let mut tally = AgreementTally::default();
        tally.add(0, 0);
        tally.add(0, 1);
        tally.add(2, 4);
        tally.add(5, 0);
        assert_eq!(tally.top, [1.5, 2.5, 2.5]);
        assert_eq!(tally.positions, 4);
    }

    #[test]
    fn material_prefers_taking_what_hangs_and_sees_recaptures_by_quiescence() {
        let mut dataset = Dataset::default();
        // Black takes a free rook; then takes a pawn that costs the rook.
        dataset.add_text("sfen 4k4/9/9/4r4/9/9/9/4R4/4K4 b - 1 moves 5h5d\tB\n");
        dataset.add_text("sfen 4k4/4l4/9/4p4/9/9/9/4R4/4K4 b - 1 moves 5h5d\tB\n");
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let weights = LinearWeights::default();
        for method in [Method::Exchange, Method::Quiescence] {
            let measure = |games: &[&TrainingGame]| {
                agreement(games, &weights, method, &mut |_, _| ControlFlow::Continue(())).all.top
            };
            assert_eq!(measure(&games[..1]), [1.0; 3], "{method:?}");
            assert_eq!(measure(&games[1..]), [0.0; 3], "{method:?}");
        }
    }
}
