//! A run that makes training positions: units of games on several threads, logged as they finish,
//! and the collection of their positions in one file.

use super::{PositionMaker, PositionSettings, Tally};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use yomikiri_base::StopToken;
use yomikiri_base::checksum::{Hasher, sha256_hex};
use yomikiri_base::unit_log::{Identity, Provenance, Shard, Stage, UnitLog, UnitLogError};
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
    /// A file of positions is not the one that the log tells of.
    #[error("{} is not what the log says: remove the folder of the run and begin again", .0.display())]
    Changed(PathBuf),
    /// The engine cannot be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A position cannot be packed.
    #[error("a position cannot be packed: {0}")]
    Position(#[from] ParseError),
}

/// What the log keeps of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Finished {
    tally: Tally,
    sha256: String,
}

/// How far a run has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunState {
    /// Units of this shard.
    pub units: usize,
    /// Those that are finished.
    pub finished: usize,
    /// What became of their positions.
    pub tally: Tally,
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
    /// The part of the units to do.
    pub shard: Shard,
    /// Threads.
    pub threads: usize,
    /// Who does it.
    pub provenance: Provenance,
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

    fn unit_file(&self, unit: usize) -> PathBuf {
        self.folder.join("units").join(format!("{unit:06}.psv"))
    }

    /// Does the units that are missing. Returns early when told to stop.
    ///
    /// # Errors
    /// If the folder holds another run, or a file cannot be written.
    pub fn run(
        &self,
        stop: &StopToken,
        report: &(dyn Fn(&RunState) + Sync),
    ) -> Result<RunState, RunError> {
        let identity = self.identity()?;
        let log = UnitLog::open(&self.folder.join("log.jsonl"), &identity, &self.provenance)?;
        let keys = (0..self.units).map(|unit| format!("{unit:06}")).collect();
        let stage = log.stage("games", keys)?;
        make_folder(&self.folder.join("units"))?;
        let missing = stage.missing(self.shard);
        let state = Mutex::new(self.state(&stage)?);
        report(&lock(&state));
        let next = AtomicUsize::new(0);
        let failure: Mutex<Option<RunError>> = Mutex::new(None);
        let work = || {
            let mut maker = match self.maker() {
                Ok(maker) => maker,
                Err(error) => {
                    lock(&failure).get_or_insert(error);
                    return;
                }
            };
            while !stop.is_stopped() {
                let Some(&unit) = missing.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                match self.unit(&mut maker, &stage, unit) {
                    Ok(tally) => {
                        let mut state = lock(&state);
                        state.finished += 1;
                        state.tally.add(&tally);
                        report(&state);
                    }
                    Err(error) => {
                        lock(&failure).get_or_insert(error);
                        break;
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(work);
            }
        });
        match lock(&failure).take() {
            Some(error) => Err(error),
            None => Ok(*lock(&state)),
        }
    }

    fn maker(&self) -> Result<PositionMaker, RunError> {
        let (settings, openings) = (self.settings.clone(), self.openings.clone());
        Ok(PositionMaker::new(settings, &self.engine, openings)?)
    }

    fn unit(
        &self,
        maker: &mut PositionMaker,
        stage: &Stage<'_>,
        unit: usize,
    ) -> Result<Tally, RunError> {
        let started = std::time::Instant::now();
        let (bytes, tally) = maker.unit(unit)?;
        // The file first: a unit in the log has its file.
        let path = self.unit_file(unit);
        yomikiri_base::files::write_atomic(&path, &bytes)
            .map_err(|error| RunError::File { path, error })?;
        let finished = Finished { tally, sha256: sha256_hex(&bytes) };
        stage.put(unit, &finished, started.elapsed().as_secs_f64())?;
        Ok(tally)
    }

    fn state(&self, stage: &Stage<'_>) -> Result<RunState, RunError> {
        let mut state = RunState::default();
        for unit in (0..self.units).filter(|&unit| self.shard.contains(unit)) {
            state.units += 1;
            if let Some(unit) = stage.get::<Finished>(unit)? {
                state.finished += 1;
                state.tally.add(&unit.value.tally);
            }
        }
        Ok(state)
    }

    /// Writes the positions of all finished units, each once, into one file. Returns how many.
    ///
    /// # Errors
    /// If a file cannot be read or written, or is not the one in the log.
    pub fn collect(&self, out: &Path) -> Result<u64, RunError> {
        let identity = self.identity()?;
        let log = UnitLog::open(&self.folder.join("log.jsonl"), &identity, &self.provenance)?;
        let keys = (0..self.units).map(|unit| format!("{unit:06}")).collect();
        let stage = log.stage("games", keys)?;
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
