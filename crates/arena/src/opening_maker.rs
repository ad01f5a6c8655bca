//! Balanced openings for matches, made by an engine.
//!
//! From the start position, moves are drawn by chance among those that a short search finds nearly
//! best; what a longer search then finds even is kept. The same seed and engine make the same
//! openings, in whatever order the tries were done: each try is a unit of its own.

use crate::contest::plan::{PlanError, engine};
use crate::contestant::Contestant;
use crate::openings::{OpeningCandidate, choose};
use crate::{pool, signatures};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;
use yomikiri_base::files::write_derived;
use yomikiri_base::stages::{
    PerThread, StageError, StageUnits, UnitFailure, UnitKeys, Unwatched, all_units, unit_value,
};
use yomikiri_base::{Identity, Stages};
use yomikiri_shogi::{Move, ParseError};
use yomikiri_usi::client::{Client, ClientError, Launch};
use yomikiri_usi::{Go, Info, Setup, UsiValue};

/// Raised when the same settings would give other openings.
const REVISION: u32 = 1;

/// A search of a few thousand nodes that takes longer than this has failed.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The file of the openings in the folder of a run.
pub const OPENINGS_FILE: &str = "openings.sfen";

/// What openings to make.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningsPlan {
    /// The engine as words `cmd=.. option.NAME=VALUE`; without `cmd=` it is this program.
    pub engine: String,
    /// How many.
    pub count: usize,
    /// How many plies each.
    pub plies: usize,
    /// Random seed.
    pub seed: u64,
    /// Nodes for the search before each ply.
    pub nodes: u64,
    /// A move may be this much worse than the best, in centipawns.
    pub spread: i32,
    /// Nodes for the search that judges the opening.
    pub judge_nodes: u64,
    /// An opening is even if neither side is ahead by more than this, in centipawns.
    pub even: i32,
}

impl Default for OpeningsPlan {
    fn default() -> OpeningsPlan {
        OpeningsPlan {
            engine: String::new(),
            count: 1000,
            plies: 16,
            seed: 1,
            nodes: 1000,
            spread: 100,
            judge_nodes: 20_000,
            even: 80,
        }
    }
}

/// Why no openings were made.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsRunError {
    /// A plan of no openings.
    #[error("--plies and --count must be at least 1")]
    Nothing,
    /// The engine.
    #[error(transparent)]
    Engine(#[from] PlanError),
    /// The units.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A line of the engine.
    #[error("an engine's line is not legal: {0}")]
    Line(ParseError),
    /// Too few openings are even.
    #[error("{tried} tries brought only {kept} even openings; allow more --spread or --even")]
    TooFew {
        /// Tries.
        tried: usize,
        /// Openings kept.
        kept: usize,
    },
    /// The file cannot be written.
    #[error("cannot write {path}: {error}")]
    File {
        /// Which.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
}

/// The openings, and how many tries they took.
pub struct Made {
    /// In the order of the tries.
    pub openings: Vec<Setup>,
    /// Tries.
    pub tried: usize,
}

impl OpeningsPlan {
    /// Makes them in a folder, or goes on with it; `stages` sees to the tries.
    ///
    /// # Errors
    /// See [`OpeningsRunError`].
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        out: &Path,
        program: &Launch,
    ) -> Result<Made, OpeningsRunError> {
        if self.plies == 0 || self.count == 0 {
            return Err(OpeningsRunError::Nothing);
        }
        let defaults = [("MultiPV", "8"), ("USI_Hash", "16")];
        let player = engine(&self.engine, program)?.with_defaults(&defaults);
        stages.begin(&out.join("log.jsonl"), &self.identity(&player))?;
        let (clients, stop) = (PerThread::default(), stages.stop());
        let grow = |number: usize| -> Result<Option<Setup>, UnitFailure> {
            let start = || -> Result<Client, UnitFailure> { Ok(pool::start(&player, &stop)?) };
            clients.with(start, |client| self.grow(client, number as u64))
        };
        let (mut kept, mut seen, mut tried) = (Vec::new(), HashSet::new(), 0);
        while kept.len() < self.count {
            if tried >= 50 * self.count + 1000 {
                return Err(OpeningsRunError::TooFew { tried, kept: kept.len() });
            }
            // A little more than is likely to be needed; the order of tries decides what is kept.
            let batch = (self.count - kept.len()).clamp(8, 200);
            let first = tried;
            tried += batch;
            let name = format!("tries from {first}");
            let grown =
                |at: usize| unit_value(&grow(first + at)?.map(|opening| opening.to_string()));
            let keys = UnitKeys::List((first..tried).map(|number| number.to_string()).collect());
            let watch = &Unwatched;
            let units = StageUnits { name: &name, keys, group: 1, work: &grown, watch };
            for unit in all_units::<Option<String>>(&name, stages.stage(&units)?)? {
                let opening = unit.value.and_then(|text| text.parse::<Setup>().ok());
                let Some(opening) = opening else { continue };
                let key = opening.position().map(|it| it.to_sfen()).unwrap_or_default();
                if kept.len() < self.count && seen.insert(key) {
                    kept.push(opening);
                }
            }
        }
        if stages.writes() {
            let path = out.join(OPENINGS_FILE);
            write_derived(&path, self.to_text(&kept).as_bytes()).map_err(|error| {
                OpeningsRunError::File { path: path.display().to_string(), error }
            })?;
        }
        Ok(Made { openings: kept, tried })
    }

    fn identity(&self, player: &Contestant) -> Identity {
        let settings = serde_json::json!({ "plan": self, "engine": player.describe() });
        let mut identity = Identity::new("openings", REVISION, settings);
        identity.seed = self.seed;
        if player.own {
            identity.parts.insert("search".into(), signatures::of("search"));
        }
        identity
    }

    /// The file: a line that says how it was made, then the openings.
    #[must_use]
    pub fn to_text(&self, openings: &[Setup]) -> String {
        let mut text = format!(
            "# {} balanced openings of {} plies, made by: yomikiri openings --count {} --plies {} \
             --seed {} --nodes {} --spread {} --judge-nodes {} --even {}\n",
            openings.len(),
            self.plies,
            self.count,
            self.plies,
            self.seed,
            self.nodes,
            self.spread,
            self.judge_nodes,
            self.even
        );
        openings.iter().for_each(|opening| text.push_str(&format!("{opening}\n")));
        text
    }

    /// Makes one opening; nothing if it is not even.
    fn grow(&self, client: &mut Client, number: u64) -> Result<Option<Setup>, UnitFailure> {
        pool::forget(client)?;
        let mut random = fastrand::Rng::with_seed(self.seed.wrapping_mul(0x9e37_79b9) ^ number);
        let mut opening = Setup::default();
        for _ in 0..self.plies {
            let candidates = candidates(client, &opening, self.nodes)?;
            match choose(&candidates, self.spread, &mut random) {
                Some(played) => opening.moves.push(played),
                None => return Ok(None),
            }
        }
        let position = opening.position().map_err(OpeningsRunError::Line)?;
        if position.in_check() || !position.has_legal_move() {
            return Ok(None);
        }
        let judged = candidates(client, &opening, self.judge_nodes)?;
        let even = judged.first().is_some_and(|best| best.score.abs() <= self.even);
        Ok(even.then_some(opening))
    }
}

/// The engine's best moves with their scores. Mates are no way to begin a game and are left out.
fn candidates(
    client: &mut Client,
    at: &Setup,
    nodes: u64,
) -> Result<Vec<OpeningCandidate>, ClientError> {
    let analysis = client.analyse(&at.to_string(), &Go::nodes(nodes), TIMEOUT)?;
    let candidate = |info: &Info| -> Option<OpeningCandidate> {
        let played: Move = *info.pv.first()?;
        match info.score?.value {
            UsiValue::Centipawns(score) => Some(OpeningCandidate { played, score }),
            UsiValue::Mate(_) => None,
        }
    };
    Ok(analysis.lines.iter().filter_map(candidate).collect())
}
