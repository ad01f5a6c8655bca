//! The command line of `yomikiri`: its options, and the terminal. The binary calls [`run`].
#![allow(clippy::print_stdout, clippy::print_stderr)]

// First, because its macros take the place of the standard ones in every module below.
#[macro_use]
mod output;
mod commands;
mod input;
mod interrupt;
mod language;
mod options;

use clap::FromArgMatches;
use std::io::IsTerminal;
use std::process::ExitCode;
use yomikiri_text::{Language, with_reasons};

pub use language::command;

/// Does what the arguments of the process ask for.
///
/// Not part of `main`, which must not use what the processor may lack.
#[inline(never)]
pub fn run() -> ExitCode {
    // GUIs start an engine without arguments and talk to it through a pipe.
    let gui = std::env::args_os().len() == 1 && !std::io::stdin().is_terminal();
    let arguments = if gui { Some("usi".into()) } else { None };
    let arguments: Vec<_> = std::env::args_os().chain(arguments).collect();
    // Help and errors of the command line depend on it, so it comes before anything else.
    language::set(Language::asked_for(&arguments));
    let parsed = language::command(language::get())
        .try_get_matches_from(arguments)
        .and_then(|matches| options::Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(message) => return show(&message),
    };
    language::set_notation(cli.pieces);
    input::set_largest(cli.max_input);
    let done = cli.command.run();
    output::flush();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("yomikiri: {}", with_reasons(error.chain()));
            ExitCode::FAILURE
        }
    }
}

/// Shows help, the version, or what is wrong with the command line.
fn show(message: &clap::Error) -> ExitCode {
    match language::fault(message) {
        Some(text) => eprintln!("{text}"),
        None => {
            let printed = message.print();
            if !message.use_stderr() {
                output::ensure_printed(printed);
                output::flush();
            }
        }
    }
    ExitCode::from(u8::try_from(message.exit_code()).unwrap_or(2))
}
