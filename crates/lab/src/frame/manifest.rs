//! What a result must say about itself to be made again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::processor::LEVEL;
use yomikiri_base::{Identity, Provenance};
use yomikiri_engine::eval::network::embedded_checksum;

use super::run::{LabError, fault, file_error};

/// Raised when the units of experiments change their meaning.
const REVISION: u32 = 2;

/// The origin of a result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// Name of the experiment.
    pub experiment: String,
    /// The command that makes it again.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// Commit that the program was built from.
    pub commit: String,
    /// Seed of every random choice.
    pub seed: u64,
    /// Whether it was the short form.
    pub quick: bool,
    /// All settings of the experiment.
    pub settings: Value,
    /// SHA-256 of every input, by name.
    pub data: BTreeMap<String, String>,
    /// Signatures of the behaviour of the program's parts, and the machine where time limits a
    /// search.
    #[serde(default)]
    pub parts: BTreeMap<String, String>,
    /// The processor.
    pub cpu: String,
    /// Threads at work.
    pub threads: usize,
    /// When this part of the run began (UTC).
    pub started: String,
    /// Seconds of work, added up over all units and all parts of a resumed run.
    pub work_seconds: f64,
    /// The claims: their checksum when the measuring began, and when the page was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claims: Option<ClaimsDigest>,
    /// A file of games that was measured beside or instead of those that the program carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<PathBuf>,
    /// A file of problems, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problems: Option<PathBuf>,
    /// The commit that made the page, where it is not the one that measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported_by: Option<String>,
    /// How many units each commit's program measured: more than one where units of an older run
    /// were taken over.
    #[serde(default)]
    pub measured_by: BTreeMap<String, usize>,
}

/// Checksums of a file of claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimsDigest {
    /// The file beside the results that has them as they were then.
    pub file: String,
    /// As it was when the measuring began.
    pub measured: String,
    /// As it was when the findings were judged.
    pub judged: String,
}

impl Manifest {
    /// Reads one from a file.
    ///
    /// # Errors
    /// If it cannot be read or is none.
    pub fn read(path: &Path) -> Result<Manifest, LabError> {
        let text = std::fs::read_to_string(path).map_err(|error| file_error(path, error))?;
        let wrong = |error: serde_json::Error| fault(&path.display().to_string(), &error);
        serde_json::from_str(&text).map_err(wrong)
    }

    /// All that decides the results; not when, where, how fast and by which build.
    pub fn identity(&self) -> Identity {
        Identity {
            kind: format!("lab {}", self.experiment),
            revision: REVISION,
            settings: self.settings.clone(),
            data: self.data.clone(),
            seed: self.seed,
            parts: self.parts.clone(),
        }
    }
}

/// The sums that change only when the behaviour of a part does, by the part's name.
pub fn signatures(parts: &[&str]) -> BTreeMap<String, String> {
    parts.iter().map(|part| (part.to_string(), yomikiri_arena::signatures::of(part))).collect()
}

/// Who measures.
pub fn provenance() -> Provenance {
    Provenance { program: program().to_string(), version: commit().to_string(), host: cpu() }
}

/// The commit that this program was built from.
pub fn commit() -> &'static str {
    env!("YOMIKIRI_COMMIT")
}

/// A version with the processor level and the commit that this program was built for and from,
/// and the network in it.
pub fn version_text(version: &str) -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let network = embedded_checksum();
        let network = network.get(..12).unwrap_or(network);
        format!("{version} ({LEVEL}, commit {}, network {network})", commit())
    })
}

/// The checksum of this program: a commit does not distinguish two builds of a changed tree.
pub fn program() -> &'static str {
    static CHECKSUM: LazyLock<String> = LazyLock::new(|| {
        let bytes = std::env::current_exe().and_then(std::fs::read);
        bytes.map_or_else(|_| "unknown".to_string(), |bytes| sha256_hex(&bytes))
    });
    &CHECKSUM
}

/// The processor's name as the system reports it.
pub fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| std::env::consts::ARCH.to_string(), |(_, name)| name.trim().to_string())
}

/// The present time as records of games write it, `2026/01/31 12:00:00`.
pub fn record_date() -> String {
    jiff::Timestamp::now().strftime("%Y/%m/%d %H:%M:%S").to_string()
}

/// The present time as `2026-01-31T12:00:00Z`.
pub fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
