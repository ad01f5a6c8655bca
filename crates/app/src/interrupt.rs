//! Ctrl-C, for every command that takes long.

use anyhow::Context;
use yomikiri_base::StopToken;

/// A token that Ctrl-C stops, after saying something. The second Ctrl-C ends the process at once:
/// what is in the log is kept.
pub fn stop_on_interrupt(message: &'static str) -> anyhow::Result<StopToken> {
    let stop = StopToken::new();
    let token = stop.clone();
    ctrlc::set_handler(move || {
        if token.stop() {
            std::process::exit(130);
        }
        if !message.is_empty() {
            eprintln!("\n{message}");
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}
