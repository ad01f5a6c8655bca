//! One engine for each of several workers, who share a list of things to ask.

use super::usi::UsiSettings;
use anyhow::Context;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use yomikiri_base::Progress;
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
        let mut player = player_from(&self.engine)?;
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

/// The engine that a value of `--engine` describes: this program where it names no other, and then
/// only with options that exist, since a misspelt one would be measured as if it were set.
pub fn player_from(text: &str) -> anyhow::Result<Player> {
    let read = || -> anyhow::Result<Player> {
        let mut player: Player = text.parse().map_err(anyhow::Error::msg)?;
        if player.launch.program.as_os_str().is_empty() {
            player.launch.program = std::env::current_exe().context("where is this program?")?;
            let mut settings = UsiSettings::default();
            for (name, value) in &player.options {
                settings.set(name, value.as_deref().unwrap_or_default())?;
            }
        }
        Ok(player)
    };
    read().with_context(|| format!("--engine {text}"))
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
    bar: &Progress,
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
            bar.advance();
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

#[cfg(test)]
mod tests {
    use super::player_from;

    #[test]
    fn a_misspelt_option_of_this_program_is_refused() {
        assert!(player_from("option.Evaluation=progress option.USI_Hash=16 nodes=5").is_ok());
        let error = format!("{:#}", player_from("option.Evaluatoin=progress").unwrap_err());
        assert!(error.contains("Evaluatoin"), "{error}");
        assert!(player_from("option.Evaluation=guess").is_err());
        assert!(player_from("cmd=other option.Unheard=1").is_ok(), "others know their own options");
    }
}
