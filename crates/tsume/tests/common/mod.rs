//! The problems that the project carries, as the tests read them.

use yomikiri_proof::limits::Limits;
use yomikiri_shogi::Position;
use yomikiri_tsume::{Settings, Tsume, attacker_of};

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

/// So many nodes for a problem, and the shortest mate.
pub fn settings(nodes: u64) -> Settings {
    let limits = Limits { memory: 64 << 20, ..Limits::nodes(nodes) };
    Settings { limits, ..Settings::default() }
}
