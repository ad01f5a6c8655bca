//! The `yomikiri` binary: a table of contents of its commands.

mod commands;
mod options;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::run(options::Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("yomikiri: {error:#}");
            ExitCode::FAILURE
        }
    }
}
