//! One engine for each of several workers, who share a list of things to ask.

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use yomikiri_lab::tournament::player::Player;
use yomikiri_usi::Command;
use yomikiri_usi::client::Client;

/// How long an engine may take to get ready.
const START: Duration = Duration::from_secs(60);

/// Options of every command that asks an engine.
#[derive(clap::Args)]
pub struct EngineArgs {
    /// The engine: words such as cmd="PROGRAM ARGS" dir=FOLDER option.NAME=VALUE; this program if
    /// not given
    #[arg(short, long, value_name = "ENGINE", default_value = "", hide_default_value = true)]
    engine: String,

    /// How many searches at once
    #[arg(short = 'j', long, value_name = "N", default_value_t = 1)]
    concurrency: usize,
}

impl EngineArgs {
    /// The engine, with options that hold where the user said nothing else.
    pub fn player(&self, options: &[(&str, &str)]) -> anyhow::Result<Player> {
        let mut player: Player = self
            .engine
            .parse()
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("--engine {}", self.engine))?;
        if player.launch.program.as_os_str().is_empty() {
            player.launch.program = std::env::current_exe().context("where is this program?")?;
            player.launch.args = vec!["usi".into()];
        }
        for (name, value) in options {
            if player.options.iter().all(|(known, _)| known != name) {
                player.options.push((name.to_string(), Some(value.to_string())));
            }
        }
        Ok(player)
    }

    /// How many searches at once.
    pub fn workers(&self) -> usize {
        self.concurrency.max(1)
    }
}

/// Forgets what the engine knows of earlier games, so that an answer does not depend on them.
pub fn forget(client: &mut Client) -> anyhow::Result<()> {
    client.ready(START)?;
    client.send(&Command::UsiNewGame)?;
    Ok(())
}

/// Asks about every item, several at once, and returns the answers in the items' order. The first
/// error stops everything.
pub fn ask_all<T: Sync, R: Send>(
    player: &Player,
    workers: usize,
    items: &[T],
    bar: &ProgressBar,
    ask: &(dyn Fn(&mut Client, &T) -> anyhow::Result<R> + Sync),
) -> anyhow::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let answers = Mutex::new(Vec::with_capacity(items.len()));
    let work = || -> anyhow::Result<()> {
        let mut client = player.start(START).with_context(|| player.name.clone())?;
        while !failed.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { break };
            let answer = ask(&mut client, item)?;
            bar.inc(1);
            if let Ok(mut answers) = answers.lock() {
                answers.push((index, answer));
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers.clamp(1, items.len().max(1)))
            .map(|_| scope.spawn(|| work().inspect_err(|_| failed.store(true, Ordering::Relaxed))))
            .collect();
        threads.into_iter().try_for_each(|thread| match thread.join() {
            Ok(result) => result,
            Err(_) => Err(anyhow::anyhow!("a worker failed")),
        })
    })?;
    let mut answers = answers.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    answers.sort_by_key(|(index, _)| *index);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

/// A progress bar with the time left.
pub fn bar(length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len}, {eta} left {msg}")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length as u64).with_style(style)
}
