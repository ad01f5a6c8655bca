//! The steps of `learn eval` as units: who goes through the games of a batch.
//!
//! Sums over games are whole numbers, so that neither the order nor the number of workers matters.

use crate::bonanza::{COEFFICIENTS, LinearGradient};
use crate::config::Config;
use crate::dataset::TrainingGame;
use crate::trainer::{LinearTrainer, SampleCount};
use yomikiri_base::stages::{StageError, Stages, Step, StepUnit, UnitFailure};
use yomikiri_engine::eval::linear::LinearWeights;

/// Games of a unit.
const GAMES: usize = 8;

/// Games of a unit that only counts, which is much faster.
const COUNTED: usize = 512;

/// What is asked of a unit, its first byte.
const COUNT: u8 = 0;
const GRADIENT: u8 = 1;

/// Goes through games for a trainer.
pub(crate) trait GameSource {
    /// The samples of all games.
    fn count(&mut self, trainer: &LinearTrainer) -> Result<SampleCount, StageError>;
    /// The gradient over some of them.
    fn gradient(
        &mut self,
        trainer: &LinearTrainer,
        batch: &[usize],
    ) -> Result<LinearGradient, StageError>;
}

/// In this process.
pub(crate) struct Here<'a> {
    pub games: Vec<&'a TrainingGame>,
    pub threads: usize,
}

impl GameSource for Here<'_> {
    fn count(&mut self, trainer: &LinearTrainer) -> Result<SampleCount, StageError> {
        let all: Vec<usize> = (0..self.games.len()).collect();
        Ok(trainer.count(&self.games, &all, self.threads))
    }

    fn gradient(
        &mut self,
        trainer: &LinearTrainer,
        batch: &[usize],
    ) -> Result<LinearGradient, StageError> {
        let batch: Vec<&TrainingGame> = batch.iter().map(|&at| self.games[at]).collect();
        Ok(trainer.gradient(&batch, self.threads))
    }
}

/// By workers that have the same games.
pub(crate) struct Elsewhere<'a> {
    pub stages: &'a mut dyn Stages,
    pub games: usize,
    /// Steps handed over so far.
    pub number: u64,
}

impl Elsewhere<'_> {
    fn step(
        &mut self,
        trainer: &LinearTrainer,
        what: u8,
        games: &[usize],
        size: usize,
    ) -> Result<Vec<Vec<u8>>, StageError> {
        let unit = |games: &[usize]| {
            let numbers = games.iter().flat_map(|&at| (at as u32).to_le_bytes());
            [what].into_iter().chain(numbers).collect()
        };
        let weights = trainer.optimizer.weights.as_flattened();
        let state = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
        let step =
            Step { number: self.number, state, units: games.chunks(size).map(unit).collect() };
        self.number += 1;
        self.stages.step(step)
    }
}

impl GameSource for Elsewhere<'_> {
    fn count(&mut self, trainer: &LinearTrainer) -> Result<SampleCount, StageError> {
        let all: Vec<usize> = (0..self.games).collect();
        let mut sum = SampleCount::default();
        for bytes in self.step(trainer, COUNT, &all, COUNTED)? {
            let (samples, [positions]) = read(&bytes, u64::from_le_bytes)?;
            sum.add(&SampleCount { samples, positions });
        }
        Ok(sum)
    }

    fn gradient(
        &mut self,
        trainer: &LinearTrainer,
        batch: &[usize],
    ) -> Result<LinearGradient, StageError> {
        let mut sum = LinearGradient::default();
        for bytes in self.step(trainer, GRADIENT, batch, GAMES)? {
            let (sums, [loss, siblings, positions, agreed]) = read(&bytes, i64::from_le_bytes)?;
            let [siblings, positions, agreed] =
                [siblings, positions, agreed].map(i64::cast_unsigned);
            sum.add(&LinearGradient { sums, loss, siblings, positions, agreed });
        }
        Ok(sum)
    }
}

/// Bytes that are no unit or no result of one.
#[derive(Debug, thiserror::Error)]
#[error("the bytes are no {0} of this run")]
struct NotWhole(&'static str);

/// The pairs of all coefficients, and what follows them.
fn read<T: Copy, const N: usize>(
    bytes: &[u8],
    number: fn([u8; 8]) -> T,
) -> Result<(Vec<[T; 2]>, [T; N]), StageError> {
    let (words, left) = bytes.as_chunks::<8>();
    let numbers: Vec<T> = words.iter().map(|&word| number(word)).collect();
    let (pairs, rest) = numbers.split_at_checked(2 * COEFFICIENTS).unwrap_or((&[], &numbers));
    match (<[T; N]>::try_from(rest), left) {
        (Ok(rest), []) if !pairs.is_empty() => Ok((pairs.as_chunks().0.to_vec(), rest)),
        _ => Err(StageError::Unit(NotWhole("result").into())),
    }
}

/// Goes through games for an owner elsewhere.
pub(crate) struct GameWorker<'a> {
    trainer: LinearTrainer,
    games: &'a [&'a TrainingGame],
    step: Option<u64>,
}

impl<'a> GameWorker<'a> {
    pub(crate) fn new(
        config: Config,
        start: &LinearWeights,
        games: &'a [&'a TrainingGame],
    ) -> GameWorker<'a> {
        GameWorker { trainer: LinearTrainer::uncounted(config, start), games, step: None }
    }

    /// Does a unit.
    pub(crate) fn unit(&mut self, asked: StepUnit<'_>) -> Result<Vec<u8>, UnitFailure> {
        if self.step != Some(asked.number) {
            let weights = self.trainer.optimizer.weights.as_flattened_mut();
            if asked.state.len() != 4 * weights.len() {
                return Err(NotWhole("weights").into());
            }
            for (weight, &bytes) in weights.iter_mut().zip(asked.state.as_chunks().0) {
                *weight = f32::from_le_bytes(bytes);
            }
            self.step = Some(asked.number);
        }
        let no_unit = || NotWhole("unit");
        let (&what, numbers) = asked.unit.split_first().ok_or_else(no_unit)?;
        let some = numbers.as_chunks().0.iter().map(|&number| u32::from_le_bytes(number) as usize);
        let some: Vec<usize> = some.collect();
        if some.iter().any(|&at| at >= self.games.len()) {
            return Err(no_unit().into());
        }
        match what {
            COUNT => {
                let SampleCount { samples, positions } = self.trainer.count(self.games, &some, 1);
                let numbers = samples.as_flattened().iter().chain([&positions]);
                Ok(numbers.flat_map(|number| number.to_le_bytes()).collect())
            }
            GRADIENT => {
                let games: Vec<&TrainingGame> = some.iter().map(|&at| self.games[at]).collect();
                let LinearGradient { sums, loss, siblings, positions, agreed } =
                    self.trainer.gradient(&games, 1);
                let counts = [siblings, positions, agreed].map(u64::cast_signed);
                let numbers = sums.as_flattened().iter().chain([&loss]).chain(&counts);
                Ok(numbers.flat_map(|number| number.to_le_bytes()).collect())
            }
            _ => Err(no_unit().into()),
        }
    }
}
