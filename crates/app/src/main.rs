//! The `yomikiri` binary: a table of contents of its commands.
#![allow(clippy::print_stdout, clippy::print_stderr)]

// First, because its macros take the place of the standard ones in every module below.
#[macro_use]
mod output;
mod commands;
mod input;
mod interrupt;
mod options;

use clap::Parser;
use std::io::IsTerminal;
use std::process::ExitCode;

fn main() -> ExitCode {
    // GUIs start an engine without arguments and talk to it through a pipe.
    let gui = std::env::args_os().len() == 1 && !std::io::stdin().is_terminal();
    let arguments = if gui { Some("usi".into()) } else { None };
    let cli = match options::Cli::try_parse_from(std::env::args_os().chain(arguments)) {
        Ok(cli) => cli,
        Err(message) => return show(&message),
    };
    let done = commands::run(cli);
    output::flush();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("yomikiri: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Shows help, the version, or what is wrong with the command line.
fn show(message: &clap::Error) -> ExitCode {
    let printed = message.print();
    if !message.use_stderr() {
        output::ensure_printed(printed);
        output::flush();
    }
    ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2))
}
