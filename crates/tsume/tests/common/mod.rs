//! What the tests share: the problems that the project carries, random ones, and brute force.
#![allow(dead_code, reason = "every test file uses a part of it")]

pub mod generator;
pub mod kernels;
pub mod oracle;

use yomikiri_proof::limits::ProofLimits;
use yomikiri_shogi::Position;
use yomikiri_tsume::{MateSettings, Tsume, attacker_of};

/// The rows of a set of `data/tsume`, column by column.
pub fn set(name: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../data/tsume/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// A problem.
pub fn game(sfen: &str) -> Tsume {
    let position =
        Position::from_problem_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let attacker = attacker_of(&position);
    Tsume::new(position, attacker)
}

/// Limited nodes for a problem, and the shortest mate.
pub fn settings(nodes: u64) -> MateSettings {
    let limits = ProofLimits { memory: 64 << 20, ..ProofLimits::nodes(nodes) };
    MateSettings { limits, ..MateSettings::default() }
}

/// How many random cases a test tries: `default`, or as many as `YOMIKIRI_ORACLE` says.
pub fn cases(default: usize) -> usize {
    number("YOMIKIRI_ORACLE").map_or(default, |count| count as usize)
}

/// Seeds that are tried at most for one case.
const SEEDS_FOR_A_CASE: u64 = 2_000;

/// The seeds for `count` random cases, from 0 or from where `YOMIKIRI_ORACLE_SEED` says. They come
/// to an end: a test that finds too few cases among them fails instead of searching for ever.
pub fn seeds(count: usize) -> impl Iterator<Item = u64> {
    let first = number("YOMIKIRI_ORACLE_SEED").unwrap_or(0);
    first..first.saturating_add(SEEDS_FOR_A_CASE.saturating_mul(count as u64))
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|error| panic!("{variable}={text}: {error}")))
}
