//! Every constant of the learner, in one file that a run can name.

use serde::{Deserialize, Serialize};

/// Which coefficients a position trains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LearnedVariant {
    /// One vector for the whole game.
    Single,
    /// The opening vector below the threshold of progress, the endgame vector above (the paper).
    Split,
    /// Both, blended by progress as in play.
    Mixed,
}

/// What keeps coefficients from growing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Constraint {
    /// The paper's M1: positional value beyond a barrier that rises with progress.
    M1,
    /// Hoki's: a constant pull of every coefficient towards 0.
    Hoki,
    /// Nothing.
    None,
}

/// How a gradient becomes a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// The running mean of the gradient over the root of its running square.
    Adam,
    /// The same step for every coefficient, in the direction of the gradient alone.
    Sign,
    /// The gradient itself, times the step.
    Plain,
}

/// The constants of the learner. Values are in centipawns, progress from 0 to 1.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Which coefficients a position trains.
    pub variant: LearnedVariant,
    /// K: the difference of values that the sigmoid takes as one.
    pub k: f64,
    /// Q: the progress from which the endgame vector is trained.
    pub q: f64,
    /// What keeps coefficients from growing.
    pub constraint: Constraint,
    /// A: how the barrier of M1 rises with progress.
    pub a: f64,
    /// B: the barrier at the start.
    pub b: f64,
    /// C: how soon the penalty is full.
    pub c: f64,
    /// The pull of Hoki's constraint, per record position.
    pub hoki: f64,
    /// Whether M2 damps rare features.
    pub m2: bool,
    /// P: how strongly.
    pub p: f64,
    /// Whether attacked and weak squares around the king are a feature (beyond the paper).
    pub safety: bool,
    /// Whether material values are learned too; a pawn stays 100.
    pub material: bool,
    /// Whether moves are compared at the ends of their quiescence lines (learning with search)
    /// instead of where they stand with the exchange value (the paper).
    pub search: bool,
    /// How a gradient becomes a step.
    pub rule: Rule,
    /// The step at the beginning; it falls to a twentieth.
    pub step: f64,
    /// Gradients well below this move a coefficient little (Adam).
    pub damping: f64,
    /// Games in a batch; 0 for all of them.
    pub batch: usize,
    /// How often all games are gone through.
    pub passes: usize,
    /// Siblings whose weight in the gradient is below this are left out.
    pub negligible: f64,
    /// The order of the games.
    pub seed: u64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            variant: LearnedVariant::Split,
            k: 100.0,
            q: 0.4,
            constraint: Constraint::M1,
            a: 1200.0,
            b: 300.0,
            c: 400.0,
            hoki: 0.001,
            m2: true,
            p: 2.0,
            safety: true,
            material: false,
            search: false,
            rule: Rule::Adam,
            step: 2.0,
            damping: 0.5,
            batch: 50,
            passes: 1,
            negligible: 0.001,
            seed: 1,
        }
    }
}

/// Why constants cannot be used.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum LinearConfigError {
    /// It is not TOML, or names something unknown.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// A value that makes no sense.
    #[error("{name} must be {wanted}, and is {value}")]
    Value {
        /// Which one.
        name: &'static str,
        /// What it is.
        value: f64,
        /// What it may be.
        wanted: &'static str,
    },
}

impl Config {
    /// Reads a config; what it does not name keeps its default.
    ///
    /// # Errors
    /// Says which key is unknown or which value does not fit.
    pub fn from_toml(text: &str) -> Result<Config, LinearConfigError> {
        let config: Config = toml::from_str(text)?;
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
        let positive = [
            ("k", self.k),
            ("b", self.b),
            ("c", self.c),
            ("step", self.step),
            ("damping", self.damping),
        ];
        for (name, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                return Err(LinearConfigError::Value { name, value, wanted: "above 0" });
            }
        }
        let not_negative =
            [("a", self.a), ("p", self.p), ("hoki", self.hoki), ("negligible", self.negligible)];
        for (name, value) in not_negative {
            if !(value.is_finite() && value >= 0.0) {
                return Err(LinearConfigError::Value { name, value, wanted: "0 at least" });
            }
        }
        if !(0.0..=1.0).contains(&self.q) {
            let (name, value) = ("q", self.q);
            return Err(LinearConfigError::Value { name, value, wanted: "from 0 to 1" });
        }
        if self.passes == 0 {
            return Err(LinearConfigError::Value {
                name: "passes",
                value: 0.0,
                wanted: "1 at least",
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_survives_being_written_and_read() {
        let config = Config { k: 77.0, variant: LearnedVariant::Mixed, ..Config::default() };
        assert_eq!(Config::from_toml(&config.to_toml()), Ok(config));
        assert_eq!(Config::from_toml(""), Ok(Config::default()));
    }

    #[test]
    fn unknown_keys_and_senseless_values_are_refused() {
        assert!(Config::from_toml("stepp = 1.0").unwrap_err().to_string().contains("stepp"));
        assert!(Config::from_toml("k = 0.0").unwrap_err().to_string().contains('k'));
        assert!(Config::from_toml("q = 1.5").unwrap_err().to_string().contains('q'));
        assert!(Config::from_toml("variant = \"double\"").is_err());
    }
}
