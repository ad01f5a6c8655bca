//! Every constant of a run, in one file.

use super::gradient::CHUNK;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use thiserror::Error;
use yomikiri_eval::network::{Architecture, FeatureSet};

/// Inputs by the names that config files use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InputFeatures {
    /// King squares and pieces.
    Kp,
    /// Every piece together with the own king's square.
    HalfKp,
}

/// The form of the network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ArchitectureConfig {
    /// The inputs.
    pub features: InputFeatures,
    /// Units of one half of the first layer.
    pub l1: usize,
    /// Units of the second layer.
    pub l2: usize,
    /// Units of the third layer.
    pub l3: usize,
    /// Sets of layers after the first, one for each stage of the game.
    pub stages: usize,
}

impl Default for ArchitectureConfig {
    fn default() -> ArchitectureConfig {
        ArchitectureConfig { features: InputFeatures::Kp, l1: 256, l2: 32, l3: 32, stages: 1 }
    }
}

/// What the output means.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct OutputConfig {
    /// Centipawns of an output of 1 inside the trainer.
    pub scale: f32,
    /// FV_SCALE that the file is to be used with.
    pub fv_scale: i32,
    /// Go forward with weights and activations rounded as in the file; what is learned is kept
    /// in full precision.
    pub rounded: bool,
}

impl Default for OutputConfig {
    fn default() -> OutputConfig {
        OutputConfig { scale: 600.0, fv_scale: 16, rounded: true }
    }
}

/// How parameters are drawn at the start.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Init {
    /// A network file to begin with instead of random weights.
    pub from: Option<PathBuf>,
    /// Standard deviation of the sums of the first layer.
    pub first_deviation: f32,
    /// Standard deviation of the sums of the later layers for inputs of 1.
    pub layer_deviation: f32,
    /// Biases of all layers but the last.
    pub bias: f32,
}

impl Default for Init {
    fn default() -> Init {
        Init { from: None, first_deviation: 0.25, layer_deviation: 0.6, bias: 0.5 }
    }
}

/// What becomes of scores beyond the bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Beyond {
    /// The position is left out.
    Skip,
    /// The score is set to the bound.
    Clip,
}

/// Where positions come from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct DataConfig {
    /// Files: `.psv`, `.bin` and `.hcpe` hold positions, others scored games; all may be
    /// compressed with zstd.
    pub files: Vec<PathBuf>,
    /// Scores are multiplied by this to give centipawns.
    pub score_scale: f64,
    /// Scores of games are multiplied by this to give the units of the packed positions.
    pub game_score_scale: f64,
    /// Bound on scores, in the units of the packed positions.
    pub score_limit: i16,
    /// What becomes of scores beyond the bound.
    pub beyond: Beyond,
    /// Leave out positions of games in check, and those where a capture or a promotion was played.
    pub quiet: bool,
    /// Use positions mirrored left to right in every second epoch, half of them from the first.
    pub mirror: bool,
    /// Positions that are shuffled together.
    pub shuffle: usize,
}

impl Default for DataConfig {
    fn default() -> DataConfig {
        DataConfig {
            files: Vec::new(),
            score_scale: 1.0,
            game_score_scale: 1.0,
            score_limit: 3000,
            beyond: Beyond::Skip,
            quiet: true,
            mirror: true,
            shuffle: 2_000_000,
        }
    }
}

/// What is kept aside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ValidationConfig {
    /// One of this many games, or blocks of positions, is never trained on.
    pub share: u64,
    /// Positions of a block in files that do not say where a game ends.
    pub block: usize,
    /// Upper bound on the positions kept.
    pub positions: usize,
    /// Measure after this many positions trained on.
    pub every: u64,
}

impl Default for ValidationConfig {
    fn default() -> ValidationConfig {
        ValidationConfig { share: 50, block: 1000, positions: 40_000, every: 2_000_000 }
    }
}

/// The distance between two winning rates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LossKind {
    /// Relative entropy.
    CrossEntropy,
    /// Squared difference.
    Squared,
}

/// What is learned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct LossConfig {
    /// The distance.
    pub kind: LossKind,
    /// Centipawns that the logistic function takes as 1.
    pub k: f64,
    /// Share of the score in the target at the start; the rest is the result's.
    pub lambda: f64,
    /// The same at the end, if it changes; in between it is a straight line.
    pub lambda_end: Option<f64>,
}

impl Default for LossConfig {
    fn default() -> LossConfig {
        LossConfig { kind: LossKind::CrossEntropy, k: 600.0, lambda: 0.8, lambda_end: None }
    }
}

/// How the learning rate falls after the warm-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decay {
    /// Not at all.
    Constant,
    /// By half a cosine.
    Cosine,
    /// By the same factor with every step.
    Exponential,
    /// Times `step-factor` after every `step-every` positions.
    Step,
}

/// Optimizer and schedule.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct OptimizerConfig {
    /// Positions of a step.
    pub batch: usize,
    /// Positions of a step whose gradient is summed up apart, before the sums are added in their
    /// order: what one machine of several does at a time. A multiple of 256.
    pub part: usize,
    /// Positions of the whole run, mirrored copies and repetitions included.
    pub positions: u64,
    /// Highest learning rate.
    pub rate: f64,
    /// Positions until it is reached.
    pub warm_up: u64,
    /// How it falls.
    pub decay: Decay,
    /// Share of it that is left at the end (cosine and exponential).
    pub final_rate: f64,
    /// Positions between two steps down.
    pub step_every: u64,
    /// Factor of a step down.
    pub step_factor: f64,
    /// Adam's memory of gradients.
    pub beta1: f32,
    /// Adam's memory of their squares.
    pub beta2: f32,
    /// Adam's guard against division by zero.
    pub epsilon: f32,
    /// Share of every weight that is taken off per step and unit of the rate (AdamW).
    pub weight_decay: f32,
}

impl Default for OptimizerConfig {
    fn default() -> OptimizerConfig {
        OptimizerConfig {
            batch: 8192,
            part: 2048,
            positions: 100_000_000,
            rate: 1e-3,
            warm_up: 1_000_000,
            decay: Decay::Cosine,
            final_rate: 0.02,
            step_every: 20_000_000,
            step_factor: 0.5,
            beta1: 0.9,
            beta2: 0.999,
            epsilon: 1e-8,
            weight_decay: 0.0,
        }
    }
}

/// The constants of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct NetworkConfig {
    /// Random seed.
    pub seed: u64,
    /// The form of the network.
    pub architecture: ArchitectureConfig,
    /// What the output means.
    pub output: OutputConfig,
    /// How parameters are drawn at the start.
    pub init: Init,
    /// Where positions come from.
    pub data: DataConfig,
    /// What is kept aside.
    pub validation: ValidationConfig,
    /// What is learned.
    pub loss: LossConfig,
    /// Optimizer and schedule.
    pub optimizer: OptimizerConfig,
}

/// Why a config cannot be used.
#[derive(Debug, Error)]
pub enum NetworkConfigError {
    /// It is not TOML, or names something unknown.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// A value is out of range.
    #[error("{name} = {value}: {expected}")]
    Value {
        /// Which one.
        name: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
}

impl NetworkConfig {
    /// Reads TOML; what it does not name keeps its default.
    ///
    /// # Errors
    /// If it is malformed, names something unknown or has a value out of range.
    pub fn from_toml(text: &str) -> Result<NetworkConfig, NetworkConfigError> {
        let config: NetworkConfig = toml::from_str(text)?;
        config.check()?;
        Ok(config)
    }

    /// The form of the network.
    pub fn architecture(&self) -> Architecture {
        let ArchitectureConfig { features, l1, l2, l3, stages } = self.architecture;
        let features = match features {
            InputFeatures::Kp => FeatureSet::Kp,
            InputFeatures::HalfKp => FeatureSet::HalfKp,
        };
        Architecture { features, l1, l2, l3, stages }
    }

    /// Steps of the whole run.
    pub fn steps(&self) -> u64 {
        self.optimizer.positions.div_ceil(self.optimizer.batch as u64)
    }

    fn check(&self) -> Result<(), NetworkConfigError> {
        let require = |fits: bool, name, value: &dyn ToString, expected| match fits {
            true => Ok(()),
            false => Err(NetworkConfigError::Value { name, value: value.to_string(), expected }),
        };
        let (output, data, loss) = (&self.output, &self.data, &self.loss);
        let (optimizer, validation) = (&self.optimizer, &self.validation);
        let form = self.architecture();
        let known = "256 to 1024 units in steps of 64, then two layers of 1 to 128, 1 to 16 stages";
        require(form.is_supported(), "architecture", &form, known)?;
        let positive = "more than 0";
        require(output.scale > 0.0, "output.scale", &output.scale, positive)?;
        require(output.fv_scale > 0, "output.fv-scale", &output.fv_scale, positive)?;
        require(data.shuffle > 0, "data.shuffle", &data.shuffle, positive)?;
        require(data.shuffle <= 1 << 30, "data.shuffle", &data.shuffle, "at most 2^30")?;
        require(data.score_limit > 0, "data.score-limit", &data.score_limit, positive)?;
        require(data.score_scale > 0.0, "data.score-scale", &data.score_scale, positive)?;
        let games = data.game_score_scale;
        require(games > 0.0, "data.game-score-scale", &games, positive)?;
        require(loss.k > 0.0, "loss.k", &loss.k, positive)?;
        for (name, value) in
            [("loss.lambda", Some(loss.lambda)), ("loss.lambda-end", loss.lambda_end)]
        {
            let value = value.unwrap_or(1.0);
            require((0.0..=1.0).contains(&value), name, &value, "from 0 to 1")?;
        }
        require(optimizer.batch > 0, "optimizer.batch", &optimizer.batch, positive)?;
        let part = optimizer.part;
        let fits = part > 0 && part.is_multiple_of(CHUNK);
        require(fits, "optimizer.part", &part, "a multiple of 256")?;
        require(optimizer.rate > 0.0, "optimizer.rate", &optimizer.rate, positive)?;
        let step = optimizer.step_every;
        require(step > 0, "optimizer.step-every", &step, positive)?;
        let last = optimizer.final_rate;
        require(last > 0.0 && last <= 1.0, "optimizer.final-rate", &last, "from 0 to 1")?;
        require(validation.share > 1, "validation.share", &validation.share, "2 or more")?;
        require(validation.block > 0, "validation.block", &validation.block, positive)?;
        require(validation.every > 0, "validation.every", &validation.every, positive)
    }

    /// The learning rate after this many positions.
    pub fn rate(&self, positions: u64) -> f64 {
        let OptimizerConfig { warm_up, decay, final_rate, .. } = self.optimizer;
        let rate = self.optimizer.rate;
        if positions < warm_up {
            return rate * (positions + 1) as f64 / (warm_up + 1) as f64;
        }
        let after = (positions - warm_up) as f64;
        let length = self.optimizer.positions.saturating_sub(warm_up).max(1) as f64;
        let progress = (after / length).min(1.0);
        match decay {
            Decay::Constant => rate,
            Decay::Cosine => {
                let share = 0.5 * (1.0 + libm::cos(core::f64::consts::PI * progress));
                rate * (final_rate + (1.0 - final_rate) * share)
            }
            Decay::Exponential => rate * libm::pow(final_rate, progress),
            Decay::Step => {
                let steps = (positions - warm_up) / self.optimizer.step_every;
                rate * libm::pow(self.optimizer.step_factor, steps as f64)
            }
        }
    }

    /// The share of the score in the target after this many positions.
    pub fn lambda(&self, positions: u64) -> f64 {
        let LossConfig { lambda, lambda_end, .. } = self.loss;
        let progress = (positions as f64 / self.optimizer.positions.max(1) as f64).min(1.0);
        lambda_end.map_or(lambda, |end| lambda + (end - lambda) * progress)
    }
}
