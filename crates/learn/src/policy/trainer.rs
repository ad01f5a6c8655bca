//! The run: batches of shuffled positions, one step after each.

use super::PolicyConfig;
use crate::dataset::TrainingGame;
use crate::network::parallel::for_each;
use core::ops::ControlFlow;
use yomikiri_eval::policy::{Extractor, MoveFeatures, PolicyWeights, UNIT};
use yomikiri_shogi::Position;

/// How a run stands after a batch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PolicyReport {
    /// Batches done.
    pub done: usize,
    /// Batches in all.
    pub total: usize,
    /// Mean loss in nats over the last `WINDOW` batches or so, before each was learned from.
    pub loss: f64,
    /// Per cent of these positions in which the move played had the greatest probability.
    pub agreement: f64,
}

/// About how many batches the running figures look back.
const WINDOW: f64 = 100.0;

/// A run.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyTrainer {
    /// Its constants.
    pub config: PolicyConfig,
    /// Batches done.
    pub done: usize,
    pub(super) weights: Vec<f32>,
    /// Sums of squared gradients.
    pub(super) squares: Vec<f32>,
    /// Running loss and agreement.
    pub(super) running: [f64; 2],
}

/// What a position adds to its batch.
#[derive(Default)]
struct Share {
    loss: f64,
    hit: f64,
    /// Places of the table and the gradient there.
    gradient: Vec<(u32, f32)>,
}

impl PolicyTrainer {
    /// A run that has not begun.
    pub fn new(config: PolicyConfig) -> PolicyTrainer {
        let places = 1 << config.bits;
        PolicyTrainer {
            weights: vec![0.0; places],
            squares: vec![config.damping as f32; places],
            done: 0,
            running: [0.0; 2],
            config,
        }
    }

    /// Goes on to the end, or until the callback breaks off; says whether it came to the end.
    pub fn run(
        &mut self,
        games: &[&TrainingGame],
        threads: usize,
        report: &mut dyn FnMut(&PolicyTrainer, &PolicyReport) -> ControlFlow<()>,
    ) -> bool {
        let order = order(games, self.config.seed);
        let total = self.config.batches();
        let mut gradient = vec![0.0_f32; self.weights.len()];
        while self.done < total && !order.is_empty() {
            let begin = self.done * self.config.batch;
            let end = (begin + self.config.batch).min(self.config.positions);
            let batch: Vec<(u32, u16)> =
                (begin..end).map(|index| order[index % order.len()]).collect();
            let shares = self.shares(games, &batch, threads);
            self.step(&shares, &mut gradient);
            self.done += 1;
            let now = self.report();
            if report(self, &now).is_break() {
                return self.done == total;
            }
        }
        true
    }

    /// How the run stands.
    pub fn report(&self) -> PolicyReport {
        let [loss, agreement] = self.running;
        let (done, total) = (self.done, self.config.batches());
        PolicyReport { done, total, loss, agreement: 100.0 * agreement }
    }

    fn shares(&self, games: &[&TrainingGame], batch: &[(u32, u16)], threads: usize) -> Vec<Share> {
        let mut shares: Vec<Share> = Vec::new();
        shares.resize_with(batch.len(), Share::default);
        let slice = batch.len().div_ceil(4 * threads.max(1)).max(1);
        for_each(threads, shares.chunks_mut(slice).zip(batch.chunks(slice)), |(shares, places)| {
            let (mut extractor, mut features) = (Extractor::new(), MoveFeatures::default());
            for (share, &(game, ply)) in shares.iter_mut().zip(places) {
                *share = self.share(games[game as usize], ply, &mut extractor, &mut features);
            }
        });
        shares
    }

    fn share(
        &self,
        game: &TrainingGame,
        ply: u16,
        extractor: &mut Extractor,
        features: &mut MoveFeatures,
    ) -> Share {
        let mut position: Position = game.start.clone();
        let (before, after) = game.moves.split_at(usize::from(ply));
        before.iter().for_each(|&mv| {
            position.play(mv);
        });
        extractor.extract(&position, features);
        let Some(played) = after.first().and_then(|&mv| features.place(mv)) else {
            return Share::default();
        };
        let shift = 32 - self.config.bits;
        let logit = |hashes: &[u32]| -> f64 {
            hashes.iter().map(|&hash| f64::from(self.weights[(hash >> shift) as usize])).sum()
        };
        let mut chances: Vec<f64> = features.iter().map(|(_, hashes)| logit(hashes)).collect();
        let most = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let hit = f64::from(u8::from(chances[played] >= most));
        chances.iter_mut().for_each(|chance| *chance = libm::exp(*chance - most));
        let sum: f64 = chances.iter().sum();
        let mut gradient = Vec::new();
        for (place, (_, hashes)) in features.iter().enumerate() {
            let wanted = if place == played { 1.0 } else { 0.0 };
            let part = chances[place] / sum - wanted;
            if part.abs() >= self.config.negligible {
                gradient.extend(hashes.iter().map(|&hash| (hash >> shift, part as f32)));
            }
        }
        Share { loss: -libm::log(chances[played] / sum), hit, gradient }
    }

    fn step(&mut self, shares: &[Share], gradient: &mut [f32]) {
        let mut touched = Vec::new();
        let mut sums = [0.0; 2];
        for share in shares {
            sums[0] += share.loss;
            sums[1] += share.hit;
            for &(place, part) in &share.gradient {
                let slot = &mut gradient[place as usize];
                if *slot == 0.0 {
                    touched.push(place);
                }
                *slot += part;
            }
        }
        let weight = (1.0 / WINDOW).max(1.0 / (self.done + 1) as f64);
        for (running, sum) in self.running.iter_mut().zip(sums) {
            *running += weight * (sum / shares.len() as f64 - *running);
        }
        let left = 1.0 - self.done as f64 / self.config.batches() as f64;
        let size = (self.config.step * left) as f32;
        for place in touched {
            let slope = core::mem::take(&mut gradient[place as usize]);
            let square = &mut self.squares[place as usize];
            *square += slope * slope;
            self.weights[place as usize] -= size * slope / libm::sqrtf(*square);
        }
    }

    /// The weights as they are played with.
    pub fn weights(&self, lineage: String) -> Option<PolicyWeights> {
        let whole = |&weight: &f32| libm::roundf(weight * UNIT as f32).clamp(-127.0, 127.0) as i8;
        PolicyWeights::new(lineage, self.weights.iter().map(whole).collect())
    }
}

/// Every position of the games in which there is a choice is not known before it is looked at:
/// all are taken, in a shuffled order.
fn order(games: &[&TrainingGame], seed: u64) -> Vec<(u32, u16)> {
    let plies = |game: &TrainingGame| 0..u16::try_from(game.moves.len()).unwrap_or(u16::MAX);
    let all = games.iter().enumerate();
    let mut order: Vec<(u32, u16)> =
        all.flat_map(|(index, game)| plies(game).map(move |ply| (index as u32, ply))).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut order);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Dataset;

    fn games() -> Dataset {
        let mut dataset = Dataset::default();
        for _ in 0..4 {
            dataset.add_text("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e 4a3b\tB\n");
            dataset.add_text("startpos moves 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b\tW\n");
        }
        dataset
    }

    fn config() -> PolicyConfig {
        PolicyConfig { bits: 12, positions: 480, batch: 16, step: 0.2, ..PolicyConfig::default() }
    }

    #[test]
    fn what_was_played_becomes_likely_whatever_the_threads() {
        let dataset = games();
        let games: Vec<&TrainingGame> = dataset.games.iter().collect();
        let learn = |threads: usize| {
            let mut trainer = PolicyTrainer::new(config());
            let mut losses = Vec::new();
            let ended = trainer.run(&games, threads, &mut |_, report| {
                losses.push(report.loss);
                ControlFlow::Continue(())
            });
            assert!(ended && losses.len() == 30);
            assert!(losses[29] < 0.6 * losses[0], "{losses:?}");
            trainer
        };
        let one = learn(1);
        assert_eq!(one, learn(3));
        assert!(one.weights(String::new()).is_some());
    }
}
