//! Every constant of the policy's learner.

use crate::config::LinearConfigError;
use serde::{Deserialize, Serialize};

/// The constants of the learner.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PolicyConfig {
    /// The table has two to the power of this many weights.
    pub bits: u32,
    /// How many positions are learned from: drawn from all of them without putting back, and all
    /// again when they are used up.
    pub positions: usize,
    /// Positions in a batch.
    pub batch: usize,
    /// The step at the beginning; it falls to 0.
    pub step: f64,
    /// What a weight's sum of squared gradients begins with: the more, the less rare features are
    /// believed.
    pub damping: f64,
    /// Moves whose part in the gradient is below this are left out.
    pub negligible: f64,
    /// The order of the positions.
    pub seed: u64,
}

impl Default for PolicyConfig {
    fn default() -> PolicyConfig {
        PolicyConfig {
            bits: 18,
            positions: 600_000,
            batch: 256,
            step: 0.08,
            damping: 4.0,
            negligible: 0.001,
            seed: 1,
        }
    }
}

impl PolicyConfig {
    /// Reads a config; what it does not name keeps its default.
    ///
    /// # Errors
    /// Says which key is unknown or which value does not fit.
    pub fn from_toml(text: &str) -> Result<PolicyConfig, LinearConfigError> {
        let config: PolicyConfig = toml::from_str(text)?;
        config.check()?;
        Ok(config)
    }

    /// The config as a file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// Whether the constants make sense together.
    ///
    /// # Errors
    /// Names the first that does not.
    pub fn check(&self) -> Result<(), LinearConfigError> {
        let wrong = |name, value, wanted| Err(LinearConfigError::Value { name, value, wanted });
        if !(8..=22).contains(&self.bits) {
            return wrong("bits", f64::from(self.bits), "from 8 to 22");
        }
        for (name, value) in [("batch", self.batch), ("positions", self.positions)] {
            if value == 0 {
                return wrong(name, 0.0, "1 at least");
            }
        }
        for (name, value) in [("step", self.step), ("damping", self.damping)] {
            if !(value.is_finite() && value > 0.0) {
                return wrong(name, value, "above 0");
            }
        }
        match (0.0..1.0).contains(&self.negligible) {
            true => Ok(()),
            false => wrong("negligible", self.negligible, "from 0 to 1"),
        }
    }

    /// How many batches a run has.
    pub fn batches(&self) -> usize {
        self.positions.div_ceil(self.batch)
    }
}
