//! A run of the tuner as it is written to a file.

use super::spsa::{Gains, Tunable};
use super::{Games, LOG, TuneError, Tuning, TuningPath};
use crate::contest::Contest;
use crate::contest::plan::{PlanError, engine, read_openings};
use crate::contestant::Contestant;
use crate::runner::Match;
use crate::schedule::Format;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use yomikiri_base::files::write_derived;
use yomikiri_base::packed::Limits;
use yomikiri_base::{Provenance, Shard, Stages};
use yomikiri_engine::Settings;
use yomikiri_engine::settings::declared::{Declared, Range};
use yomikiri_engine::settings::search::SearchParams;
use yomikiri_play::player::Timeouts;
use yomikiri_play::rules::ResignRule;
use yomikiri_play::{Rules, TimeControl};
use yomikiri_render::plot::{Axis, Mark, Plot};
use yomikiri_usi::client::Launch;

/// What to tune, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TunePlan {
    /// The parameters, perhaps each with a step of its own: `lmr.divisor` or `lmr.divisor:20`.
    /// `all` means all that are numbers.
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
    pub common: Vec<String>,
    /// A file of openings; without one, those in the program.
    pub openings: Option<PathBuf>,
    /// A game is given up when both sides see it lost by so many centipawns for three moves each; 0
    /// for never.
    pub resign: i32,
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

/// The machine and the program.
pub struct Machine<'a> {
    /// The program that plays.
    pub program: &'a Launch,
    /// Who plays.
    pub provenance: &'a Provenance,
    /// Bounds of packed input.
    pub input: Limits,
}

impl TunePlan {
    /// The files that it reads: openings, weights and networks.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let player = self.player("plus", &Launch::default()).ok();
        let settings = player.and_then(|player| player.engine_settings().ok());
        let weights = settings.and_then(|settings| settings.resources.evaluation.path());
        self.openings.iter().cloned().chain(weights).collect()
    }

    /// Runs it in a folder; `stages` sees to the pairs of games. Returns the path of the values and
    /// the last of them in words.
    ///
    /// # Errors
    /// See [`TuneError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        out: &Path,
        machine: &Machine<'_>,
        on_step: &mut dyn FnMut(usize, &str),
    ) -> Result<(TuningPath, String), TuneError> {
        let tuning = self.tuning()?;
        let mut games = Games::new(self.contest(machine)?, &tuning);
        let identity = games.identity(&tuning)?;
        let names: Vec<&str> = tuning.tunables.iter().map(|one| one.name.as_str()).collect();
        let mut heard = |step: usize, values: &[f64]| on_step(step, &shown(&names, values));
        let log = out.join(LOG);
        let path = tuning.run(stages, (&log, &identity), &mut games, &mut heard)?;
        if stages.writes() {
            write_path(out, &names, &path)?;
        }
        let last = path.last().map(|values| shown(&names, values)).unwrap_or_default();
        Ok((path, last))
    }

    fn tuning(&self) -> Result<Tuning, TuneError> {
        let wrong = [
            (self.steps == 0, "the number of steps"),
            (self.pairs == 0, "the number of pairs"),
            (self.nodes == 0, "the number of nodes"),
            (self.rate <= 0.0 || !self.rate.is_finite(), "the rate"),
        ];
        if let Some((_, what)) = wrong.into_iter().find(|(wrong, _)| *wrong) {
            return Err(TuneError::NotPositive(what));
        }
        Ok(Tuning {
            tunables: self.tunables()?,
            gains: Gains { steps: self.steps, rate: self.rate },
            pairs: self.pairs,
            seed: self.seed,
        })
    }

    /// The parameters, from where the settings of both sides put them.
    pub(super) fn tunables(&self) -> Result<Vec<Tunable>, TuneError> {
        let settings = self.player("plus", &Launch::default())?.engine_settings();
        let settings =
            settings.map_err(|reason| PlanError::Option { text: self.common.join(" "), reason })?;
        let declared = SearchParams::declared();
        let mut tunables: Vec<Tunable> = Vec::new();
        for word in &self.parameters {
            if word == "all" {
                tunables.extend(declared.iter().filter_map(|one| tunable(&settings, one, None)));
                continue;
            }
            let (name, step) = match word.split_once(':') {
                Some((name, step)) => {
                    let step = step.parse().ok().filter(|step: &f64| *step > 0.0);
                    (name, Some(step.ok_or(TuneError::NotPositive("the step of a parameter"))?))
                }
                None => (word.as_str(), None),
            };
            let found = declared.iter().find(|one| one.name == name);
            let found = found.ok_or_else(|| TuneError::Unknown(name.to_string()))?;
            let one = tunable(&settings, found, step).ok_or_else(|| TuneError::NoNumber {
                name: name.to_string(),
                range: found.range.to_string(),
            })?;
            tunables.push(one);
        }
        for (at, one) in tunables.iter().enumerate() {
            if tunables[..at].iter().any(|other| other.name == one.name) {
                return Err(TuneError::Twice(one.name.clone()));
            }
        }
        Ok(tunables)
    }

    fn player(&self, name: &str, program: &Launch) -> Result<Contestant, PlanError> {
        let mut player = engine(&format!("name={name}"), program)?;
        for pair in &self.common {
            let (setting, value) = pair.split_once('=').unwrap_or((pair, ""));
            player.options.push((setting.to_string(), Some(value.to_string())));
        }
        let known = player.engine_settings();
        known.map_err(|reason| PlanError::Option { text: self.common.join(" "), reason })?;
        Ok(player)
    }

    fn contest(&self, machine: &Machine<'_>) -> Result<Contest, PlanError> {
        let players =
            vec![self.player("plus", machine.program)?, self.player("minus", machine.program)?];
        let resign = (self.resign > 0).then_some(ResignRule { score: self.resign, moves: 3 });
        let setting = Match {
            players,
            control: TimeControl { nodes: Some(self.nodes), ..TimeControl::default() },
            openings: read_openings(self.openings.as_deref(), machine.input)?,
            rules: Rules { maximum_moves: 512, resign, ..Rules::default() },
            timeouts: Timeouts::default(),
            concurrency: 1,
            affinity: false,
        };
        Ok(Contest {
            setting,
            format: Format::RoundRobin,
            rounds: self.steps * self.pairs,
            seed: self.seed,
            sprt: None,
            records: false,
            shard: Shard::WHOLE,
            provenance: machine.provenance.clone(),
        })
    }
}

fn shown(names: &[&str], values: &[f64]) -> String {
    let words = names.iter().zip(values).map(|(name, value)| format!("{name}={value:.1}"));
    words.collect::<Vec<_>>().join(" ")
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

/// The values of every step as a table, the last ones as options, and a plot of each path.
fn write_path(out: &Path, names: &[&str], path: &TuningPath) -> Result<(), TuneError> {
    let mut table = format!("step\t{}\n", names.join("\t"));
    for (step, values) in path.iter().enumerate() {
        let values: Vec<String> = values.iter().map(|value| format!("{value:.3}")).collect();
        let _ = writeln!(table, "{step}\t{}", values.join("\t"));
    }
    let mut options = String::new();
    for (name, value) in names.iter().zip(path.last().into_iter().flatten()) {
        let _ = writeln!(options, "{name}={value:.0}");
    }
    let mut files = vec![("path.tsv".to_string(), table), ("values.txt".to_string(), options)];
    for (at, name) in names.iter().enumerate() {
        let points = path.iter().enumerate();
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
