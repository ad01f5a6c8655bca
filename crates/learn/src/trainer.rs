//! The training run: batches in an order of their own, threads, steps, what is reported.

use crate::bonanza::{COEFFICIENTS, Collector, GradientModel, LinearGradient, ONE};
use crate::config::{Config, Constraint, LearnedVariant};
use crate::constraints::{hoki, m2};
use crate::dataset::TrainingGame;
use crate::optimizer::Optimizer;
use core::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use yomikiri_engine::eval::linear::{FEATURES, Group, Linear, LinearWeights, Patterns, SCALE};
use yomikiri_engine::eval::stage::ProgressModel;
use yomikiri_shogi::Kind;

/// How the training stands after a batch.
#[derive(Clone, PartialEq, Debug)]
pub struct EvalReport {
    /// Batches done, of all passes.
    pub done: usize,
    /// Batches of all passes.
    pub total: usize,
    /// The mean of T over the pairs of the batch; 0.5 is chance.
    pub loss: f64,
    /// Per cent of the batch's positions where the move played looked best.
    pub agreement: f64,
    /// Record positions of the batch.
    pub positions: u64,
    /// Pairs of a move and the one played.
    pub siblings: u64,
}

/// The gradient over numbered games.
pub type GamesGradient<'a, E> =
    dyn FnMut(&LinearTrainer, &[usize]) -> Result<LinearGradient, E> + 'a;

/// How many samples coefficients have; sums of such counts do not depend on their order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleCount {
    /// By coefficient.
    pub samples: Vec<[u64; 2]>,
    /// Record positions.
    pub positions: u64,
}

impl Default for SampleCount {
    fn default() -> SampleCount {
        SampleCount { samples: vec![[0; 2]; COEFFICIENTS], positions: 0 }
    }
}

impl SampleCount {
    /// Adds what was found over other games.
    pub fn add(&mut self, other: &SampleCount) {
        for (sum, more) in self.samples.iter_mut().zip(&other.samples) {
            *sum = [sum[0] + more[0], sum[1] + more[1]];
        }
        self.positions += other.positions;
    }
}

/// A training run that can be stopped, saved and taken up again.
#[derive(Clone, PartialEq, Debug)]
pub struct LinearTrainer {
    /// The constants.
    pub config: Config,
    /// Coefficients and the rule's memory.
    pub optimizer: Optimizer,
    /// How many samples each coefficient has.
    pub samples: Vec<[u64; 2]>,
    /// Record positions in all games.
    pub positions: u64,
    /// Batches done.
    pub done: usize,
    /// How the last of them went.
    pub last: Option<EvalReport>,
    /// How progress is computed.
    pub progress: ProgressModel,
    /// The three-piece patterns.
    pub patterns: Arc<Patterns>,
}

impl LinearTrainer {
    /// Begins a run from given weights (progress and patterns are theirs) and counts samples.
    pub fn new(
        config: Config,
        from: &LinearWeights,
        games: &[&TrainingGame],
        threads: usize,
    ) -> LinearTrainer {
        let mut trainer = LinearTrainer::uncounted(config, from);
        let all: Vec<usize> = (0..games.len()).collect();
        let count = trainer.count(games, &all, threads);
        trainer.set_count(count);
        trainer
    }

    /// The same before samples are counted.
    pub fn uncounted(config: Config, from: &LinearWeights) -> LinearTrainer {
        let scale = SCALE as f32;
        let mut weights: Vec<[f32; 2]> = from
            .pairs
            .iter()
            .map(|pair| [f32::from(pair[0]) / scale, f32::from(pair[1]) / scale])
            .collect();
        weights.extend(from.material.map(|value| [f32::from(value); 2]));
        LinearTrainer {
            config,
            optimizer: Optimizer::new(weights),
            samples: vec![[0; 2]; COEFFICIENTS],
            positions: 0,
            done: 0,
            last: None,
            progress: from.progress.clone(),
            patterns: Arc::clone(&from.patterns),
        }
    }

    fn model<'a>(&'a self, leader: Option<&'a Linear>) -> GradientModel<'a> {
        GradientModel {
            config: &self.config,
            weights: &self.optimizer.weights,
            progress: &self.progress,
            patterns: &self.patterns,
            leader,
        }
    }

    /// The samples of some of the games.
    pub fn count(&self, games: &[&TrainingGame], some: &[usize], threads: usize) -> SampleCount {
        let model = self.model(None);
        let some: Vec<&TrainingGame> = some.iter().map(|&at| games[at]).collect();
        let parts = in_threads(&some, threads, || {
            let mut collector = Collector::new(model);
            let mut samples = vec![[0u64; 2]; COEFFICIENTS];
            move |game: Option<&TrainingGame>| match game {
                Some(game) => {
                    collector.count_samples(game, &mut samples);
                    None
                }
                None => {
                    let positions = collector.gradient.positions;
                    Some(SampleCount { samples: core::mem::take(&mut samples), positions })
                }
            }
        });
        let mut sum = SampleCount::default();
        parts.iter().for_each(|part| sum.add(part));
        sum
    }

    /// Begins with what was counted.
    pub fn set_count(&mut self, count: SampleCount) {
        (self.samples, self.positions) = (count.samples, count.positions);
    }

    /// The gradient over some games, without M2 and Hoki's constraint; the same for any number of
    /// threads.
    pub fn gradient(&self, games: &[&TrainingGame], threads: usize) -> LinearGradient {
        let leader = self.config.search.then(|| Linear::new(&self.weights(String::new())));
        let model = self.model(leader.as_ref());
        let parts = in_threads(games, threads, || {
            let mut collector = Collector::new(model);
            move |game: Option<&TrainingGame>| match game {
                Some(game) => {
                    collector.add_game(game);
                    None
                }
                None => Some(core::mem::take(&mut collector.gradient)),
            }
        });
        let mut sum = LinearGradient::default();
        parts.iter().for_each(|part| sum.add(part));
        sum
    }

    /// Batches of one pass.
    fn batches(&self, games: usize) -> usize {
        if self.config.batch == 0 { 1 } else { games.div_ceil(self.config.batch).max(1) }
    }

    /// Trains until all passes are done or the callback breaks off; true if done.
    pub fn run(
        &mut self,
        games: &[&TrainingGame],
        threads: usize,
        report: &mut dyn FnMut(&LinearTrainer, &EvalReport) -> ControlFlow<()>,
    ) -> bool {
        let mut here = |trainer: &LinearTrainer, batch: &[usize]| {
            let batch: Vec<&TrainingGame> = batch.iter().map(|&index| games[index]).collect();
            Ok::<_, core::convert::Infallible>(trainer.gradient(&batch, threads))
        };
        match self.run_with(games.len(), &mut here, report) {
            Ok(done) => done,
            Err(never) => match never {},
        }
    }

    /// The same with gradients over numbered games that may be computed elsewhere.
    ///
    /// # Errors
    /// Those of the gradients.
    pub fn run_with<E>(
        &mut self,
        games: usize,
        gradient_of: &mut GamesGradient<'_, E>,
        report: &mut dyn FnMut(&LinearTrainer, &EvalReport) -> ControlFlow<()>,
    ) -> Result<bool, E> {
        let batches = self.batches(games);
        let total = batches * self.config.passes;
        let size = games.div_ceil(batches).max(1);
        while self.done < total {
            let order = order(games, self.config.seed, self.done / batches);
            let first = self.done % batches * size;
            let batch: Vec<usize> = order.into_iter().skip(first).take(size).collect();
            let gradient = gradient_of(self, &batch)?;
            self.step(&gradient, 1.0 - self.done as f64 / total as f64);
            self.done += 1;
            let last = EvalReport {
                done: self.done,
                total,
                loss: gradient.loss as f64 / ONE / (gradient.siblings.max(1)) as f64,
                agreement: 50.0 * gradient.agreed as f64 / gradient.positions.max(1) as f64,
                positions: gradient.positions,
                siblings: gradient.siblings,
            };
            self.last = Some(last.clone());
            if report(self, &last).is_break() {
                break;
            }
        }
        Ok(self.done >= total)
    }

    /// Takes a step; `left` is the share of the run that is left.
    fn step(&mut self, gradient: &LinearGradient, left: f64) {
        let LinearTrainer { config, samples, optimizer, positions, .. } = self;
        let share = gradient.positions as f64 / (*positions).max(1) as f64;
        let safety = Group::Safety.range();
        optimizer.step(config, config.step * left.max(0.05), |feature, half, weight| {
            let sums = gradient.sums[feature];
            if feature >= FEATURES {
                let fixed = feature == FEATURES
                    || feature == FEATURES + Kind::Pawn.index()
                    || feature == FEATURES + Kind::King.index();
                let slope = (sums[0] + sums[1]) as f64 / ONE;
                return (config.material && !fixed).then_some(slope);
            }
            let count = samples[feature][half];
            if count == 0 || safety.contains(&feature) && !config.safety {
                return None;
            }
            let mut slope = sums[half] as f64 / ONE;
            if config.m2 {
                slope += share * m2(config, weight, count);
            }
            if config.constraint == Constraint::Hoki {
                slope += hoki(config, weight, gradient.positions);
            }
            Some(slope)
        });
    }

    /// The coefficients rounded for play.
    pub fn weights(&self, lineage: String) -> LinearWeights {
        let round = |value: f32| {
            let scaled = (value * SCALE as f32).round();
            scaled.clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16
        };
        let single = self.config.variant == LearnedVariant::Single;
        let (features, values) = self.optimizer.weights.split_at(FEATURES);
        let pair = |pair: &[f32; 2]| [round(pair[0]), round(pair[usize::from(!single)])];
        let mut material = [0; 16];
        for (value, learned) in material.iter_mut().zip(values) {
            *value = learned[0].round() as i16;
        }
        LinearWeights {
            lineage,
            progress: self.progress.clone(),
            material,
            patterns: Arc::clone(&self.patterns),
            pairs: features.iter().map(pair).collect(),
        }
    }
}

/// The order of the games in a pass.
fn order(games: usize, seed: u64, pass: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..games).collect();
    fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9).wrapping_add(pass as u64))
        .shuffle(&mut order);
    order
}

/// Shares games among threads. Each thread makes a worker, gives it games one by one, and at the
/// end `None`, for which the worker answers with what it found.
fn in_threads<T: Send, W: FnMut(Option<&TrainingGame>) -> Option<T>>(
    games: &[&TrainingGame],
    threads: usize,
    make: impl Fn() -> W + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut worker = make();
        while let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
            worker(Some(game));
        }
        worker(None)
    };
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut found = Vec::from_iter(work());
        for helper in helpers {
            match helper.join() {
                Ok(part) => found.extend(part),
                Err(fault) => std::panic::resume_unwind(fault),
            }
        }
        found
    })
}

#[cfg(test)]
mod tests;
