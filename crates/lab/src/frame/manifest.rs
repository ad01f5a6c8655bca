//! What a result must say about itself to be made again.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use yomikiri_base::checksum::sha256_hex;
use yomikiri_base::processor::LEVEL;
use yomikiri_base::{Identity, Provenance};
use yomikiri_engine::eval::network::embedded_checksum;

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
    /// How many units each commit's program measured: more than one where units of an older run
    /// were taken over.
    #[serde(default)]
    pub measured_by: BTreeMap<String, usize>,
}

impl Manifest {
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

/// The checksum of this program: a commit does not tell two builds of a changed tree apart.
pub fn program() -> &'static str {
    static CHECKSUM: LazyLock<String> = LazyLock::new(|| {
        let bytes = std::env::current_exe().and_then(std::fs::read);
        bytes.map_or_else(|_| "unknown".to_string(), |bytes| sha256_hex(&bytes))
    });
    &CHECKSUM
}

/// The processor's name as the system tells it.
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
