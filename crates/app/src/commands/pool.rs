//! The engine that a command asks, from its options.

use anyhow::Context;
use yomikiri_arena::contestant::Contestant;
pub use yomikiri_arena::pool::forget;
use yomikiri_base::Progress;
use yomikiri_usi::client::{Client, Launch};

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
    pub fn player(&self, options: &[(&str, &str)]) -> anyhow::Result<Contestant> {
        Ok(player_from(&self.engine)?.with_defaults(options))
    }

    /// The words that describe it.
    pub fn text(&self) -> &str {
        &self.engine
    }

    /// How many searches at once.
    pub fn workers(&self) -> usize {
        self.concurrency.max(1)
    }
}

/// The engine that a value of `--engine` describes: this program where it names no other, and then
/// only with options that exist, since a misspelt one would be measured as if it were set.
pub fn player_from(text: &str) -> anyhow::Result<Contestant> {
    let program = std::env::current_exe().context("where is this program?")?;
    Ok(yomikiri_arena::contest::plan::engine(text, &Launch::program(program))?)
}

/// Asks about every item, several at once, and returns the answers in the items' order.
pub fn ask_all<T: Sync, R: Send>(
    player: &Contestant,
    workers: usize,
    items: &[T],
    bar: &Progress,
    ask: &(dyn Fn(&mut Client, &T) -> anyhow::Result<R> + Sync),
) -> anyhow::Result<Vec<R>> {
    yomikiri_arena::pool::ask_all(player, workers, items, bar, ask)
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
