//! The `yomikiri` binary: a table of contents of its commands.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod commands;
mod input;
mod interrupt;
mod options;
mod output;

use clap::Parser;
use std::io::IsTerminal;
use std::process::ExitCode;

fn main() -> ExitCode {
    leave_quietly_when_nobody_reads();
    // GUIs start an engine without arguments and talk to it through a pipe.
    let gui = std::env::args_os().len() == 1 && !std::io::stdin().is_terminal();
    let arguments = if gui { Some("usi".into()) } else { None };
    match commands::run(options::Cli::parse_from(std::env::args_os().chain(arguments))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("yomikiri: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// `yomikiri … | head` closes our output early; that is no fault worth a backtrace. The signal that
/// ends other programs then stays off: a crashed engine's pipe must not end a match.
fn leave_quietly_when_nobody_reads() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |fault| {
        if fault.payload_as_str().is_some_and(|text| text.contains("Broken pipe")) {
            std::process::exit(0);
        }
        usual(fault);
    }));
}
