//! Engines that are asked about positions, one for each worker.

use crate::contestant::Contestant;
use std::time::Duration;
use yomikiri_base::StopToken;
use yomikiri_usi::Command;
use yomikiri_usi::client::{Client, ClientError};

/// How long an engine may take to get ready.
const START: Duration = Duration::from_secs(60);

/// An engine cannot be made ready.
#[derive(Debug, thiserror::Error)]
#[error("{player}: {reason}")]
pub struct CannotStart {
    /// Its name.
    player: String,
    /// What happened.
    reason: ClientError,
}

/// Starts an engine that is to be asked, and is not waited for once `stop` is set.
///
/// # Errors
/// If it cannot be started.
pub fn start(player: &Contestant, stop: &StopToken) -> Result<Client, CannotStart> {
    let failed = |reason| CannotStart { player: player.name.clone(), reason };
    let mut client = player.start(START).map_err(failed)?;
    client.stop_on(stop);
    Ok(client)
}

/// Forgets what the engine knows of earlier games, so that an answer does not depend on them.
///
/// # Errors
/// If the engine is silent or gone.
pub fn forget(client: &mut Client) -> Result<(), ClientError> {
    client.ready(START)?;
    client.send(&Command::UsiNewGame)
}
