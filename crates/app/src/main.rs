//! The `yomikiri` binary: a table of contents of its commands.

mod commands;
mod options;
mod output;
mod picture;

use clap::Parser;
use std::io::IsTerminal;
use std::process::ExitCode;

fn main() -> ExitCode {
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
