//! Learned progress: a logistic function fitted to ply / length of the game.
//!
//! Beyond the paper, which has a hand-made progress. The mean over a game's positions is what it
//! can know; a position does not show how long the game will still be.

use crate::bonanza::sigmoid;
use crate::dataset::{Dataset, TrainingGame};
use crate::eval_run::describe;
use yomikiri_engine::eval::linear::LinearWeights;
use yomikiri_engine::eval::stage::{FULL, LOGIT, Logistic, ProgressModel};
use yomikiri_shogi::{Color, Kind, Position};

/// Kinds by squares, then hands by kind, then the bias.
const WEIGHTS: usize = 15 * 81 + 8 + 1;
const HANDS: usize = 15 * 81;
const BIAS: usize = HANDS + 8;

/// How well progress fits ply / length.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageFit {
    /// Mean of the absolute difference.
    pub error: f64,
    /// Correlation of the two.
    pub correlation: f64,
    /// Positions.
    pub positions: u64,
}

/// Gives each weight that a position has, and how often.
fn inputs(position: &Position, mut give: impl FnMut(usize, f64)) {
    for square in position.occupied() {
        if let Some(piece) = position.piece_on(square) {
            let seen = if piece.color() == Color::Black { square } else { square.rotated() };
            give(piece.kind().index() * 81 + seen.index(), 1.0);
        }
    }
    for color in Color::ALL {
        for (kind, count) in position.hand(color).iter() {
            give(HANDS + kind.index(), f64::from(count));
        }
    }
    give(BIAS, 1.0);
}

/// Goes through the positions of a game and how far the game had come at each.
fn each_position(game: &TrainingGame, mut look: impl FnMut(&Position, f64)) {
    let mut position = game.start.clone();
    let length = game.moves.len().max(1) as f64;
    for (ply, &played) in game.moves.iter().enumerate() {
        look(&position, ply as f64 / length);
        position.play(played);
    }
}

/// Fits the logistic function over the games, `passes` times through all of them.
pub fn train(games: &[&TrainingGame], passes: usize) -> Logistic {
    let mut weights = vec![0.0f64; WEIGHTS];
    let mut squares = vec![1.0f64; WEIGHTS];
    let mut seen: Vec<(usize, f64)> = Vec::new();
    for _ in 0..passes {
        for game in games {
            each_position(game, |position, wanted| {
                seen.clear();
                inputs(position, |index, count| seen.push((index, count)));
                let sum: f64 = seen.iter().map(|&(index, count)| weights[index] * count).sum();
                let miss = sigmoid(sum) - wanted;
                for &(index, count) in &seen {
                    let slope = miss * count;
                    squares[index] += slope * slope;
                    weights[index] -= 0.05 * slope / libm::sqrt(squares[index]);
                }
            });
        }
    }
    rounded(&weights)
}

fn rounded(weights: &[f64]) -> Logistic {
    let round = |weight: f64| {
        let scaled = (weight * f64::from(LOGIT)).round();
        scaled.clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
    };
    let mut learned = Logistic { bias: round(weights[BIAS]), ..Logistic::default() };
    for kind in Kind::ALL {
        for square in 0..81 {
            learned.pieces[kind.index()][square] = round(weights[kind.index() * 81 + square]);
        }
        if kind.is_hand() {
            learned.hands[kind.index()] = round(weights[HANDS + kind.index()]);
        }
    }
    learned
}

/// How well a progress predicts how far games had come.
pub fn fit(games: &[&TrainingGame], model: &ProgressModel) -> StageFit {
    let (mut count, mut error) = (0u64, 0.0);
    let (mut x, mut y, mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for game in games {
        each_position(game, |position, wanted| {
            let predicted = f64::from(model.of(position)) / f64::from(FULL);
            count += 1;
            error += (predicted - wanted).abs();
            x += predicted;
            y += wanted;
            xx += predicted * predicted;
            yy += wanted * wanted;
            xy += predicted * wanted;
        });
    }
    let n = count.max(1) as f64;
    let spread = libm::sqrt((n * xx - x * x) * (n * yy - y * y));
    let correlation = if spread > 0.0 { (n * xy - x * y) / spread } else { 0.0 };
    StageFit { error: error / n, correlation, positions: count }
}

/// Learns from games; how well that predicts the games of the test set, beside what is hand-made,
/// in words.
#[must_use]
pub fn learn(
    dataset: &Dataset,
    games: &[&TrainingGame],
    passes: usize,
    commit: &str,
) -> (LinearWeights, String) {
    let learned = ProgressModel::Learned(Box::new(train(games, passes)));
    let (_, test) = dataset.split();
    let test = if test.is_empty() { games.to_vec() } else { test };
    let mut text = String::new();
    for (name, model) in [("hand-made", &ProgressModel::HandMade), ("learned", &learned)] {
        let StageFit { error, correlation, positions } = fit(&test, model);
        text += &format!(
            "{name:<10} mean error {error:.4} correlation {correlation:.4} positions {positions}\n"
        );
    }
    let lineage = format!("data: {}\ncommit: {commit}\n", describe(dataset, games));
    (LinearWeights { lineage, progress: learned, ..LinearWeights::default() }, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;

    #[test]
    fn learns_that_empty_hands_and_unmoved_pieces_are_early() {
        let mut dataset = Dataset::default();
        let mut random = fastrand::Rng::with_seed(9);
        for _ in 0..60 {
            let mut position = Position::start();
            let mut text = String::from("startpos moves");
            for _ in 0..120 {
                let Some(played) = random.choice(position.legal_moves()) else { break };
                position.play(played);
                text += &format!(" {played}");
            }
            dataset.add_text(&text);
        }
        let (train_games, other_games) = dataset.games.split_at(45);
        let train_games: Vec<&TrainingGame> = train_games.iter().collect();
        let others: Vec<&TrainingGame> = other_games.iter().collect();
        let learned = ProgressModel::Learned(Box::new(train(&train_games, 3)));
        let (fitted, plain) = (fit(&others, &learned), fit(&others, &ProgressModel::HandMade));
        assert!(fitted.correlation > 0.8, "{fitted:?}");
        assert!(fitted.error < plain.error, "{fitted:?} {plain:?}");
        assert!(learned.of(&Position::start()) < FULL / 4);
    }
}
