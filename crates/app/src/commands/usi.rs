//! `yomikiri usi`: USI on standard input and output, as GUIs expect.

use std::io::Write;
use yomikiri_base::Clock;
use yomikiri_play::usi_front::{Voice, converse};

/// Nothing to choose: the protocol sets everything.
#[derive(clap::Args)]
pub struct Args {}

/// Converses until `quit` or the end of input.
pub fn run(_: &Args) -> anyhow::Result<()> {
    let voice = Voice::new(|text| {
        // A GUI that has gone is noticed at the end of input.
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    });
    converse(std::io::stdin().lock(), Clock::system(), voice);
    Ok(())
}
