//! Fits the weights of the `progress` evaluation to the values and results of engine games.
//!
//! ```text
//! zstd -dc data/games_engine.tsv.zst | \
//!     cargo run --release -p yomikiri-engine --example fit_progress \
//!     > crates/eval/weights/king_danger.txt
//! ```
//!
//! Reads games, one a line: `startpos moves ...`, result, opening plies, scores. Every quiet
//! position after the opening is an example: its static value, squeezed through a logistic
//! function, should equal a blend of the recorded score and the result of the game. The loss is
//! cross-entropy, the method Adam; the order of examples is seeded.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::BufRead;
use yomikiri_engine::eval::Evaluation;
use yomikiri_engine::eval::king_danger::{FULL, Term, active_terms, progress_of};
use yomikiri_engine::eval::material::Material;
use yomikiri_shogi::{Color, Position};

/// Hundredths of a pawn in which the odds change by e.
const SCALE: f32 = 600.0;
/// How much the result of the game counts beside the score.
const RESULT_SHARE: f32 = 0.3;
const EPOCHS: usize = 14;
const BATCH: usize = 1024;
const RATE: f32 = 2.0;
const DECAY: f32 = 2e-6;

/// A position, its terms and what it should be worth, from black's side.
struct Example {
    material: f32,
    progress: f32,
    terms: Vec<(u16, i8)>,
    target: f32,
}

fn squeeze(value: f32) -> f32 {
    1.0 / (1.0 + (-value / SCALE).exp())
}

fn example(position: &Position, target: f32) -> Example {
    let mut sums = std::collections::BTreeMap::<u16, i8>::new();
    active_terms(position, |term, sign| {
        *sums.entry(term.index() as u16).or_default() += sign as i8;
    });
    let mut material = Material::default();
    material.reset(position);
    let value = material.evaluate(position) as f32;
    let black = if position.side_to_move() == Color::Black { value } else { -value };
    Example {
        material: black,
        progress: progress_of(position) as f32 / FULL as f32,
        terms: sums.into_iter().filter(|&(_, count)| count != 0).collect(),
        target,
    }
}

/// The examples of one game.
fn read_game(line: &str, examples: &mut Vec<Example>) -> Option<()> {
    let mut columns = line.split('\t');
    let moves = columns.next()?.strip_prefix("startpos moves ")?;
    let result = match columns.next()? {
        "B" => 1.0,
        "W" => 0.0,
        _ => 0.5,
    };
    let opening: usize = columns.next()?.trim().parse().ok()?;
    let scores: Vec<f32> = columns
        .next()?
        .split(|c: char| !c.is_ascii_digit() && c != '-')
        .filter_map(|word| word.parse().ok())
        .collect();
    let mut position = Position::start();
    let mut captured = false;
    for (ply, word) in moves.split_whitespace().enumerate() {
        let mv = word.parse().ok().filter(|&mv| position.is_legal(mv))?;
        let takes = position.piece_on(mv.to()).is_some();
        if ply >= opening
            && let Some(&score) = scores.get(ply - opening)
            && score.abs() < 3_000.0
            && !position.in_check()
            && !takes
            && !captured
            && !mv.is_promotion()
        {
            let black = if position.side_to_move() == Color::Black { score } else { -score };
            let target = (1.0 - RESULT_SHARE) * squeeze(black) + RESULT_SHARE * result;
            examples.push(example(&position, target));
        }
        captured = takes;
        position.play(mv);
    }
    Some(())
}

struct Fit {
    weights: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    step: i32,
}

impl Fit {
    fn value(&self, example: &Example) -> f32 {
        let (mut opening, mut endgame) = (0.0, 0.0);
        for &(term, count) in &example.terms {
            opening += self.weights[2 * usize::from(term)] * f32::from(count);
            endgame += self.weights[2 * usize::from(term) + 1] * f32::from(count);
        }
        example.material + (1.0 - example.progress) * opening + example.progress * endgame
    }

    fn learn(&mut self, batch: &[&Example], rate: f32) {
        let mut gradient = vec![0.0; self.weights.len()];
        for example in batch {
            let error = squeeze(self.value(example)) - example.target;
            for &(term, count) in &example.terms {
                let part = error * f32::from(count);
                gradient[2 * usize::from(term)] += part * (1.0 - example.progress);
                gradient[2 * usize::from(term) + 1] += part * example.progress;
            }
        }
        self.step += 1;
        let (slow, fast) = (0.999_f32, 0.9_f32);
        let correct_first = 1.0 - fast.powi(self.step);
        let correct_second = 1.0 - slow.powi(self.step);
        for (index, gradient) in gradient.iter().enumerate() {
            let gradient = gradient / batch.len() as f32 + DECAY * self.weights[index];
            self.first[index] = fast * self.first[index] + (1.0 - fast) * gradient;
            self.second[index] = slow * self.second[index] + (1.0 - slow) * gradient * gradient;
            let spread = (self.second[index] / correct_second).sqrt() + 1e-6;
            self.weights[index] -= rate * (self.first[index] / correct_first) / spread;
        }
    }

    fn loss(&self, examples: &[Example]) -> f32 {
        let sum: f32 = examples
            .iter()
            .map(|example| {
                let guess = squeeze(self.value(example)).clamp(1e-5, 1.0 - 1e-5);
                -(example.target * guess.ln() + (1.0 - example.target) * (1.0 - guess).ln())
            })
            .sum();
        sum / examples.len() as f32
    }
}

/// The loss of a perfect evaluation: what is left is the uncertainty of the targets themselves.
fn floor(examples: &[Example]) -> f32 {
    let entropy = |p: f32| -(p * p.ln() + (1.0 - p) * (1.0 - p).ln());
    let sum: f32 =
        examples.iter().map(|example| entropy(example.target.clamp(1e-5, 1.0 - 1e-5))).sum();
    sum / examples.len() as f32
}

fn main() {
    let mut examples = Vec::new();
    let (mut games, mut skipped) = (0, 0);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match read_game(&line, &mut examples) {
            Some(()) => games += 1,
            None => skipped += 1,
        }
    }
    // The last games are kept for testing.
    let test = examples.split_off(examples.len() * 19 / 20);
    let size = 2 * Term::COUNT;
    let mut fit =
        Fit { weights: vec![0.0; size], first: vec![0.0; size], second: vec![0.0; size], step: 0 };
    eprintln!(
        "{games} games, {skipped} skipped, {} examples; test loss with material alone {:.5}, at best {:.5}",
        examples.len(),
        fit.loss(&test),
        floor(&test)
    );
    let mut random = fastrand::Rng::with_seed(1);
    let mut order: Vec<&Example> = examples.iter().collect();
    for epoch in 0..EPOCHS {
        random.shuffle(&mut order);
        let rate = RATE * 0.5_f32.powf(epoch as f32 / 3.0);
        for batch in order.chunks(BATCH) {
            fit.learn(batch, rate);
        }
        eprintln!("epoch {}: test loss {:.5}", epoch + 1, fit.loss(&test));
    }
    println!("# Weights of the progress evaluation, in hundredths of a pawn.");
    println!(
        "# Made by: zstd -dc data/games_engine.tsv.zst | cargo run --release -p yomikiri-engine --example fit_progress"
    );
    println!(
        "# {games} games, {} positions; cross-entropy on {} positions kept apart: {:.5}",
        examples.len(),
        test.len(),
        fit.loss(&test)
    );
    for row in fit.weights.chunks(34) {
        let words: Vec<String> =
            row.iter().map(|weight| format!("{}", weight.round() as i16)).collect();
        println!("{}", words.join(" "));
    }
}
