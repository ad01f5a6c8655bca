//! The `yomikiri` binary.

use std::io::Write;
use std::process::ExitCode;
use yomikiri_base::processor::{REFUSAL, has_level};

fn main() -> ExitCode {
    if has_level() {
        return yomikiri_app::run();
    }
    // A failure of that has nowhere to be reported.
    let _ = std::io::stderr().write_all(REFUSAL.as_bytes());
    ExitCode::FAILURE
}
