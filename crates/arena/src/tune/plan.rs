//! A tuning run as it is written to a file.

use super::spsa::{Gains, Tunable};
use super::{TuneError, Tuning, TuningGames, TuningPath};
use crate::contest::ContestPlan;
use crate::contest::plan::{Conditions, own_contest};
use crate::store::LOG;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use yomikiri_base::Stages;
use yomikiri_base::files::write_derived;
use yomikiri_engine::Settings;
use yomikiri_engine::settings::declared::{Declared, Range};
use yomikiri_engine::settings::search::SearchParams;
use yomikiri_render::plot::{Axis, Mark, Plot};

/// Parameters of the search to be tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TunePlan {
    /// Each a name, perhaps with a step of its own, as `lmr.divisor:20`; `all` for all of them.
    pub parameters: Vec<String>,
    /// Nodes a move.
    pub nodes: u64,
    /// Steps; every parameter moves once in each.
    pub steps: usize,
    /// Pairs of games in a step.
    pub pairs: usize,
    /// What a surplus of one game moves at the end, as a share of a parameter's step.
    pub rate: f64,
    /// Random seed.
    pub seed: u64,
    /// Settings of both sides, each as `NAME=VALUE`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub common: Vec<String>,
    /// A file of openings; without one, those in the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings: Option<PathBuf>,
    /// A game is given up when both sides see it lost by this many centipawns; 0 for never.
    pub resign: i64,
}

impl Default for TunePlan {
    fn default() -> TunePlan {
        TunePlan {
            parameters: Vec::new(),
            nodes: 5_000,
            steps: 500,
            pairs: 8,
            rate: 0.01,
            seed: 1,
            common: Vec::new(),
            openings: None,
            resign: 1500,
        }
    }
}

impl TunePlan {
    /// The contest whose games move the parameters.
    fn contest(&self) -> ContestPlan {
        let sides = [("plus", &[][..]), ("minus", &[])];
        ContestPlan {
            pairs: self.steps * self.pairs,
            seed: self.seed,
            openings: self.openings.clone(),
            ..own_contest(sides, &self.common, self.nodes, self.resign)
        }
    }

    /// The files that it reads.
    pub fn files(&self) -> Vec<PathBuf> {
        self.contest().files()
    }

    /// Tunes, or goes on with it, and writes what came of it into the folder. `on_step` receives
    /// the values after each step by name.
    ///
    /// # Errors
    /// See [`TuneError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        out: &Path,
        how: &Conditions,
        on_step: &mut dyn FnMut(usize, &str),
    ) -> Result<TuningPath, TuneError> {
        if self.steps == 0 || self.pairs == 0 || self.nodes == 0 || self.rate.is_nan() {
            return Err(TuneError::Nothing);
        }
        let tuning = Tuning {
            tunables: self.tunables()?,
            gains: Gains { steps: self.steps, rate: self.rate },
            pairs: self.pairs,
            seed: self.seed,
        };
        let mut games = TuningGames::new(self.contest().contest(how)?, &tuning);
        let identity = games.identity(&tuning)?;
        let log = out.join(LOG);
        let mut report = |step: usize, values: &[f64]| on_step(step, &tuning.values_text(values));
        let path = tuning.run(stages, (&log, &identity), &mut games, &mut report)?;
        if stages.writes() {
            write_path(out, &tuning, &path)?;
        }
        Ok(path)
    }

    /// The last values in words, by name.
    #[must_use]
    pub fn last_values(&self, path: &TuningPath) -> String {
        let names = self.tunables().unwrap_or_default();
        let last = path.values.last().cloned().unwrap_or_default();
        values_text(&names, &last)
    }

    /// The parameters, from where the settings of both sides put them.
    fn tunables(&self) -> Result<Vec<Tunable>, TuneError> {
        let mut settings = Settings::default();
        for pair in &self.common {
            settings.set_pair(pair)?;
        }
        let declared = SearchParams::declared();
        let mut tunables: Vec<Tunable> = Vec::new();
        for word in &self.parameters {
            if word == "all" {
                tunables.extend(declared.iter().filter_map(|one| tunable(&settings, one, None)));
                continue;
            }
            let (name, step) = match word.split_once(':') {
                Some((name, step)) => {
                    let step: Option<f64> = step.parse().ok().filter(|step| *step > 0.0);
                    (name, Some(step.ok_or_else(|| TuneError::Step(word.clone()))?))
                }
                None => (word.as_str(), None),
            };
            let found = declared.iter().find(|one| one.name == name);
            let found = found.ok_or_else(|| TuneError::Unknown(name.to_string()))?;
            let no_number = || TuneError::NoNumber { name: name.to_string(), range: found.range };
            tunables.push(tunable(&settings, found, step).ok_or_else(no_number)?);
        }
        let mut names = std::collections::HashSet::new();
        match tunables.iter().find(|one| !names.insert(one.name.clone())) {
            Some(one) => Err(TuneError::Twice(one.name.clone())),
            None => Ok(tunables),
        }
    }
}

fn tunable(settings: &Settings, declared: &Declared, step: Option<f64>) -> Option<Tunable> {
    let Range::Number { min, max, step: own } = declared.range else { return None };
    Some(Tunable {
        name: declared.name.to_string(),
        start: settings.search.get(declared.name)?.parse().ok()?,
        min: f64::from(min),
        max: f64::from(max),
        step: step.unwrap_or(f64::from(own)).max(1.0),
    })
}

fn values_text(tunables: &[Tunable], values: &[f64]) -> String {
    let words = tunables.iter().zip(values);
    let words = words.map(|(one, value)| format!("{}={value:.1}", one.name));
    words.collect::<Vec<_>>().join(" ")
}

impl Tuning {
    fn values_text(&self, values: &[f64]) -> String {
        values_text(&self.tunables, values)
    }
}

/// The values of every step as a table, the last ones as options, and a plot of each path.
fn write_path(out: &Path, tuning: &Tuning, path: &TuningPath) -> Result<(), TuneError> {
    let names: Vec<&str> = tuning.tunables.iter().map(|one| one.name.as_str()).collect();
    let mut table = format!("step\t{}\n", names.join("\t"));
    for (step, values) in path.values.iter().enumerate() {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.3}")).collect();
        let _ = writeln!(table, "{step}\t{}", values.join("\t"));
    }
    let mut options = String::new();
    for (name, value) in names.iter().zip(path.values.last().into_iter().flatten()) {
        let _ = writeln!(options, "{name}={value:.0}");
    }
    let mut files = vec![("path.tsv".to_string(), table), ("values.txt".to_string(), options)];
    for (at, name) in names.iter().enumerate() {
        let points = path.values.iter().enumerate();
        let points = points.map(|(step, values)| (step as f64, values[at])).collect();
        let plot = Plot::new(name, Axis::linear("step"), Axis::linear("value"));
        files.push((format!("{name}.svg"), plot.series(name, Mark::Line, points).to_svg()));
    }
    for (name, text) in files {
        let path = out.join(name);
        write_derived(&path, text.as_bytes()).map_err(|error| TuneError::File { path, error })?;
    }
    Ok(())
}
