//! A run that makes training positions: units of games on several threads, logged as they finish,
//! and the collection of their positions in one file.

use super::{PositionMaker, PositionSettings, PositionTally};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use yomikiri_base::Stages;
use yomikiri_base::checksum::{Hasher, sha256_hex};
use yomikiri_base::stages::{
    PerThread, StageError, StageUnits, StageWatch, UnitFailure, UnitKeys, unit_value,
};
use yomikiri_base::unit_log::{Identity, Provenance, UnitLog, UnitLogError};
use yomikiri_engine::{EngineError, Settings as EngineSettings};
use yomikiri_shogi::notation::packed::{POSITION_BYTES, PSV_BYTES};
use yomikiri_shogi::{ParseError, Position};

/// Changes whenever the same settings would give other positions.
const REVISION: u32 = 2;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The log of the run.
    #[error(transparent)]
    Log(#[from] UnitLogError),
    /// A file of positions cannot be read or written.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// A file of positions is not the one named in the log.
    #[error("{} is not what the log says: remove the folder of the run and begin again", .0.display())]
    Changed(PathBuf),
    /// The engine cannot be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The units are not done any further.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A position cannot be packed.
    #[error("a position cannot be packed: {0}")]
    Position(#[from] ParseError),
}

/// What the log keeps of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Finished {
    tally: PositionTally,
    sha256: String,
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunState {
    /// Units that are finished or to be done here.
    pub units: usize,
    /// Those that are finished.
    pub finished: usize,
    /// What became of their positions.
    pub tally: PositionTally,
}

/// A run: what is made, and where it is kept.
pub struct PositionRun {
    /// The folder of log, units and result.
    pub folder: PathBuf,
    /// How positions are made.
    pub settings: PositionSettings,
    /// Units in all.
    pub units: usize,
    /// The engine that plays, and the options that differ from its defaults, for the identity.
    pub engine: EngineSettings,
    /// Those options as text, and a checksum of the weights they name.
    pub teacher: String,
    /// The openings.
    pub openings: Vec<Position>,
}

/// The stage of the log that holds the units.
const STAGE: &str = "games";

/// A unit as it is made: what the log keeps of it, and its positions, which go to a file.
#[derive(Serialize, Deserialize)]
struct Made {
    finished: Finished,
    /// PSV entries in base 64.
    positions: String,
}

impl Made {
    fn new((bytes, tally): (Vec<u8>, PositionTally)) -> Made {
        let finished = Finished { tally, sha256: sha256_hex(&bytes) };
        Made { finished, positions: BASE64.encode(bytes) }
    }
}

/// Writes the files of the units and counts what is in them.
struct Keeper<'a> {
    run: &'a PositionRun,
    state: Mutex<RunState>,
    report: &'a (dyn Fn(&RunState) + Sync),
}

impl Keeper<'_> {
    fn count(&self, value: &Value) -> Result<(), UnitFailure> {
        let finished: Finished = serde_json::from_value(value.clone())?;
        let mut state = lock(&self.state);
        state.finished += 1;
        state.tally.add(&finished.tally);
        (self.report)(&state);
        Ok(())
    }
}

impl StageWatch for Keeper<'_> {
    fn begins(
        &self,
        done: &[(usize, Value)],
        missing: usize,
    ) -> Result<ControlFlow<()>, UnitFailure> {
        lock(&self.state).units = done.len() + missing;
        done.iter().try_for_each(|(_, value)| self.count(value))?;
        Ok(ControlFlow::Continue(()))
    }

    /// The file first: a unit in the log has its file.
    fn keep(&self, at: usize, value: Value) -> Result<Value, UnitFailure> {
        let made: Made = serde_json::from_value(value)?;
        let bytes = BASE64.decode(&made.positions)?;
        let path = self.run.unit_file(at);
        if sha256_hex(&bytes) != made.finished.sha256 {
            return Err(RunError::Changed(path).into());
        }
        yomikiri_base::files::write_atomic(&path, &bytes)
            .map_err(|error| RunError::File { path, error })?;
        Ok(serde_json::to_value(made.finished)?)
    }

    fn finished(&self, _at: usize, value: &Value) -> Result<ControlFlow<()>, UnitFailure> {
        self.count(value)?;
        Ok(ControlFlow::Continue(()))
    }
}

impl PositionRun {
    fn identity(&self) -> Result<Identity, RunError> {
        let mut openings = Hasher::default();
        for opening in &self.openings {
            openings.field(opening.to_sfen().as_bytes());
        }
        let settings = serde_json::json!({
            "settings": self.settings,
            "units": self.units,
            "teacher": self.teacher,
            "openings": openings.finish(),
        });
        Ok(Identity::new("positions", REVISION, settings))
    }

    /// The file of the positions of a unit.
    pub fn unit_file(&self, unit: usize) -> PathBuf {
        self.folder.join("units").join(format!("{unit:06}.psv"))
    }

    /// Does the units that are missing; `stages` sees to them. Returns early when stopped.
    ///
    /// # Errors
    /// If the folder holds another run, or a file cannot be written.
    pub fn run(
        &self,
        stages: &mut dyn Stages,
        report: &(dyn Fn(&RunState) + Sync),
    ) -> Result<RunState, RunError> {
        stages.begin(&self.folder.join("log.jsonl"), &self.identity()?)?;
        if stages.writes() {
            make_folder(&self.folder.join("units"))?;
        }
        let makers = PerThread::default();
        let stop = stages.stop();
        let unit = |unit: usize| -> Result<Option<Made>, RunError> {
            makers.with(|| self.maker(), |maker| Ok(maker.unit(unit, &stop)?.map(Made::new)))
        };
        let watch = Keeper { run: self, state: Mutex::new(RunState::default()), report };
        let units = StageUnits {
            name: STAGE,
            keys: UnitKeys::List(self.keys()),
            group: 1,
            work: &|at| unit(at)?.map_or(Ok(None), |made| unit_value(&made)),
            watch: &watch,
        };
        stages.stage(&units)?;
        Ok(watch.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn keys(&self) -> Vec<String> {
        (0..self.units).map(|unit| format!("{unit:06}")).collect()
    }

    fn maker(&self) -> Result<PositionMaker, RunError> {
        let (settings, openings) = (self.settings.clone(), self.openings.clone());
        Ok(PositionMaker::new(settings, &self.engine, openings)?)
    }

    /// Writes the positions of all finished units, each once, into one file. Returns how many.
    ///
    /// # Errors
    /// If a file cannot be read or written, or is not the one in the log.
    pub fn collect(&self, out: &Path, provenance: &Provenance) -> Result<u64, RunError> {
        let identity = self.identity()?;
        let log = UnitLog::open(&self.folder.join("log.jsonl"), &identity, provenance)?;
        let stage = log.stage(STAGE, self.keys())?;
        let failed = |error| RunError::File { path: out.to_path_buf(), error };
        let partial = out.with_extension("part");
        let mut file = BufWriter::new(fs::File::create(&partial).map_err(failed)?);
        // Two different positions share 64 bits of hash once in 10^5 runs of 10^7 positions.
        let (mut seen, mut kept) = (HashSet::new(), 0);
        for unit in 0..self.units {
            let Some(finished) = stage.get::<Finished>(unit)? else { continue };
            let path = self.unit_file(unit);
            let bytes =
                fs::read(&path).map_err(|error| RunError::File { path: path.clone(), error })?;
            if sha256_hex(&bytes) != finished.value.sha256 {
                return Err(RunError::Changed(path));
            }
            for entry in bytes.chunks_exact(PSV_BYTES) {
                if seen.insert(position_hash(&entry[..POSITION_BYTES])) {
                    file.write_all(entry).map_err(failed)?;
                    kept += 1;
                }
            }
        }
        let file = file.into_inner().map_err(|error| failed(error.into_error()))?;
        file.sync_all().map_err(failed)?;
        fs::rename(&partial, out).map_err(failed)?;
        Ok(kept)
    }
}

/// FNV-1a over the packed position.
fn position_hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

fn make_folder(path: &Path) -> Result<(), RunError> {
    fs::create_dir_all(path).map_err(|error| RunError::File { path: path.to_path_buf(), error })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
