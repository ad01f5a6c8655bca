//! Joining the folders of the parts of a contest.

use super::{ContestError, write_results};
use crate::standings::Standings;
use crate::store::{self, LOG, Manifest, Store, StoreError};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use yomikiri_base::{Shard, unit_log};

/// Joins the folders of parts into a new one, which is as if one process had played all games: its
/// tables are the same to the byte. The parts stay as they are.
///
/// # Errors
/// If a part cannot be read, they are of different contests, a game is missing or was played twice
/// with different results, or the folder holds a contest already.
pub fn merge(folder: &Path, parts: &[PathBuf]) -> Result<Standings, ContestError> {
    let manifests = parts.iter().map(|part| Manifest::read(part)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = manifests.first() else { return Err(ContestError::NoParts) };
    let games = manifests.iter().map(|manifest| manifest.games).max().unwrap_or(0);
    ensure_complete(parts, &manifests, games)?;
    let logs: Vec<PathBuf> = parts.iter().map(|part| part.join(LOG)).collect();
    std::fs::create_dir_all(folder)
        .map_err(|reason| StoreError::Io { path: folder.display().to_string(), reason })?;
    unit_log::merge(&folder.join(LOG), &logs).map_err(StoreError::from)?;
    let manifest = Manifest { games, shard: Shard::WHOLE.to_string(), ..first.clone() };
    let (store, _) = Store::open(folder, &manifest)?;
    Ok(write_results(store, &manifest.players, games, None)?)
}

/// Every game must be in one of the parts. The log alone does not know how many there are.
fn ensure_complete(
    parts: &[PathBuf],
    manifests: &[Manifest],
    games: usize,
) -> Result<(), ContestError> {
    let mut numbers = BTreeSet::new();
    for (part, manifest) in parts.iter().zip(manifests) {
        numbers.extend(store::numbers(part, manifest)?);
    }
    match (0..games).find(|number| !numbers.contains(number)) {
        Some(number) => Err(ContestError::Missing(number)),
        None => Ok(()),
    }
}
