//! One engine for each of several workers, who share a list of questions.

use crate::contestant::Contestant;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use yomikiri_base::Progress;
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

/// Starts an engine that is to be asked.
///
/// # Errors
/// If it cannot be started.
pub fn start(player: &Contestant) -> Result<Client, CannotStart> {
    player.start(START).map_err(|reason| CannotStart { player: player.name.clone(), reason })
}

/// Forgets what the engine knows of earlier games, so that an answer does not depend on them.
///
/// # Errors
/// If the engine is silent or gone.
pub fn forget(client: &mut Client) -> Result<(), ClientError> {
    client.ready(START)?;
    client.send(&Command::UsiNewGame)
}

/// Asks about every item, several at once, and returns the answers in the items' order. The first
/// error stops everything.
///
/// # Errors
/// If an engine cannot be started, or the first one of `ask`.
pub fn ask_all<T: Sync, R: Send, E: Send + From<CannotStart>>(
    player: &Contestant,
    workers: usize,
    items: &[T],
    bar: &Progress,
    ask: &(dyn Fn(&mut Client, &T) -> Result<R, E> + Sync),
) -> Result<Vec<R>, E> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let answers = Mutex::new(Vec::with_capacity(items.len()));
    let work = || -> Result<(), E> {
        let mut client = start(player)?;
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let answer = ask(&mut client, item)?;
            bar.advance();
            answers.lock().unwrap_or_else(PoisonError::into_inner).push((index, answer));
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers.clamp(1, items.len().max(1)))
            .map(|_| scope.spawn(|| work().inspect_err(|_| failed.store(true, Ordering::Relaxed))))
            .collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|fault| std::panic::resume_unwind(fault))
        })
    })?;
    let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    answers.sort_by_key(|(index, _)| *index);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}
