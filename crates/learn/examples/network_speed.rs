//! Measures the trainer of networks: processor time of each part of a step, in microseconds a
//! position. Usage: `network_speed [THREADS]`.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::hint::black_box;
use std::time::{Duration, Instant};
use yomikiri_learn::network::NetworkConfig;
use yomikiri_learn::network::adam::Adam;
use yomikiri_learn::network::data::{Sample, SampleOutcome};
use yomikiri_learn::network::example::Example;
use yomikiri_learn::network::gradient::{Backpropagation, Batch, Labels};
use yomikiri_learn::network::model::FloatNetwork;
use yomikiri_shogi::Position;
use yomikiri_shogi::notation::packed::{Code, encode};

/// Positions of random games.
fn samples(count: usize) -> Vec<Sample> {
    let mut random = fastrand::Rng::with_seed(1);
    let mut position = Position::start();
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        match random.choice(position.legal_moves()) {
            Some(mv) if position.plies_played() < 200 => _ = position.play(mv),
            _ => position = Position::start(),
        }
        let packed = encode(&position, Code::PackedSfen).expect("both kings are there");
        let outcome = Some(if random.bool() { SampleOutcome::Win } else { SampleOutcome::Loss });
        samples.push(Sample { packed, score: random.i16(-1000..1000), outcome, mirrored: false });
    }
    samples
}

/// Processor time of this process's first thread, where the system reports it.
fn processor_time(began: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|text| text.parse().ok());
    nanoseconds.map_or_else(|| began.elapsed(), Duration::from_nanos)
}

fn main() {
    let threads = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(1);
    let config = NetworkConfig::default();
    let mut model = FloatNetwork::random(&config);
    let batch = samples(16_384);
    let mut adam = Adam::new(model.parameters.len());
    let mut work = Backpropagation::new(&model);
    let labels = Labels { loss: config.loss.clone(), lambda: 0.8, score_scale: 1.0 };
    let began = Instant::now();
    let measure = |name: &str, part: &mut dyn FnMut()| {
        part();
        let (wall, processor) = (Instant::now(), processor_time(began));
        let rounds = 4;
        (0..rounds).for_each(|_| part());
        let each = |time: Duration| time.as_secs_f64() * 1e6 / (rounds * batch.len()) as f64;
        let (processor, wall) = (each(processor_time(began) - processor), each(wall.elapsed()));
        println!("{name:<28} {processor:6.2} µs in the first thread, {wall:6.2} µs in all");
    };
    let mut scratch = Vec::new();
    measure("decode", &mut || {
        for sample in &batch {
            _ = black_box(Example::new(model.architecture, sample, &mut scratch));
        }
    });
    measure("decode, forward", &mut || {
        _ = black_box(work.loss(&model, &batch, &labels, threads));
    });
    measure("decode, forward, backward", &mut || {
        _ = black_box(work.run(&model, Batch::whole(&batch), &labels, threads));
    });
    measure("optimizer", &mut || {
        adam.step(&mut model, work.gradient(), &config.optimizer, 1e-3, threads);
    });
}
