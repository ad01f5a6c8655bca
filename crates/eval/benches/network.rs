//! Speed of a network along a random game, on every SIMD level of the machine, in processor time.
//!
//! `cargo bench -p yomikiri-eval --bench network [-- FILE] [ROUNDS]`; without a file, a K+P
//! network from a seed. Each line plays the same moves with the same looks ahead as a search
//! makes them (a push, a value, a pop for every sibling) and prints the sum of all values as a
//! checksum: it must be the same on all levels. `fresh` computes all sums anew for each value,
//! `forward` only computes the value again.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;
use yomikiri_eval::Evaluation;
use yomikiri_eval::network::{
    Architecture, FeatureSet, Network, NetworkEvaluation, NetworkParameters, SimdLevel,
};
use yomikiri_shogi::{BoardChange, Position};

/// Looks ahead in each position of the game.
const SIBLINGS: usize = 8;

/// The moves of one game: from each position some siblings, then the move that was played.
struct Step {
    siblings: Vec<(Position, BoardChange)>,
    position: Position,
    change: BoardChange,
}

fn game() -> Vec<Step> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut position = Position::start();
    let mut steps = Vec::new();
    while steps.len() < 120 {
        let siblings = (0..SIBLINGS).filter_map(|_| random.choice(position.legal_moves()));
        let siblings = siblings.map(|mv| {
            let mut after = position.clone();
            let change = after.play(mv);
            (after, change)
        });
        let siblings = siblings.collect();
        let Some(mv) = random.choice(position.legal_moves()) else { break };
        let change = position.play(mv);
        steps.push(Step { siblings, position: position.clone(), change });
    }
    steps
}

fn random_network() -> Network {
    let architecture =
        Architecture { features: FeatureSet::Kp, l1: 256, l2: 32, l3: 32, stages: 1 };
    let mut random = fastrand::Rng::with_seed(2);
    let mut parameters = NetworkParameters::zero(architecture);
    parameters.first_bias.fill_with(|| random.i16(-40..=40));
    parameters.first_weights.fill_with(|| random.i16(-40..=40));
    for layer in parameters.layers.iter_mut().flatten() {
        layer.bias.fill_with(|| random.i32(-4000..=4000));
        layer.weights.fill_with(|| random.i8(-30..=30));
    }
    Network::new(&parameters).expect("the parameters are whole")
}

/// Runs through the game and gives the number of values and their sum.
fn follow(evaluation: &mut NetworkEvaluation, steps: &[Step]) -> (u64, i64) {
    let (mut count, mut sum) = (0, 0);
    evaluation.reset(&Position::start());
    for step in steps {
        for (after, change) in &step.siblings {
            evaluation.push(after, change);
            sum += i64::from(evaluation.raw(after));
            evaluation.pop();
            count += 1;
        }
        evaluation.push(&step.position, &step.change);
        sum += i64::from(evaluation.raw(&step.position));
        count += 1;
    }
    (count, sum)
}

fn fresh(evaluation: &mut NetworkEvaluation, steps: &[Step]) -> (u64, i64) {
    let values = steps.iter().map(|step| {
        evaluation.reset(&step.position);
        i64::from(evaluation.raw(&step.position))
    });
    (steps.len() as u64, values.sum())
}

fn forward(evaluation: &mut NetworkEvaluation, steps: &[Step]) -> (u64, i64) {
    evaluation.reset(&steps[0].position);
    let values = (0..1000).map(|_| i64::from(evaluation.raw(&steps[0].position)));
    (1000, values.sum())
}

/// Processor time of this thread in nanoseconds.
fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Nanoseconds for a value in the fastest round, which other work on the machine disturbed least.
fn fastest(rounds: u32, mut work: impl FnMut() -> (u64, i64)) -> (f64, i64) {
    let mut best = (f64::INFINITY, 0);
    for _ in 0..rounds {
        let start = now();
        let (count, sum) = work();
        let nanoseconds = (now() - start) / count as f64;
        best = (best.0.min(nanoseconds), sum);
    }
    best
}

type Work = fn(&mut NetworkEvaluation, &[Step]) -> (u64, i64);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| it != "--bench").collect();
    let rounds: u32 = arguments.iter().find_map(|it| it.parse().ok()).unwrap_or(100);
    let network = match arguments.iter().find(|it| it.parse::<u32>().is_err()) {
        Some(path) => {
            let bytes = std::fs::read(path).expect("the file can be read");
            Network::from_bytes(&bytes).expect("a classic network")
        }
        None => random_network(),
    };
    let steps = game();
    println!("{}, {rounds} rounds", network.architecture());
    for level in SimdLevel::available() {
        let network = network.clone().with_level(level).expect("the machine has it");
        let mut evaluation = NetworkEvaluation::new(Arc::new(network));
        let works: [(&str, Work); 3] = [("follow", follow), ("fresh", fresh), ("forward", forward)];
        for (name, work) in works {
            let (nanoseconds, sum) = fastest(rounds, || work(&mut evaluation, &steps));
            let rate = 1e3 / nanoseconds;
            println!("{:12} {name:8} {nanoseconds:8.1} ns  {rate:6.2} M/s  {sum}", level.name());
        }
    }
}
