//! The command line, declared once.

use crate::commands;
use clap::{Parser, Subcommand};

/// Yomikiri (読み切り): a shogi engine, mate solver and game-search laboratory.
#[derive(Parser)]
#[command(name = "yomikiri", version, about, arg_required_else_help = true)]
pub struct Cli {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// Every command of the binary; each lives in a file of its own under `commands/`.
#[derive(Subcommand)]
pub enum Command {
    /// Speak USI on standard input and output, as GUIs do
    Usi(commands::usi::Args),
    /// Search a fixed set of positions: node count as a checksum, and speed
    Bench(commands::bench::Args),
    /// Write a completion script for a shell to standard output
    Completions(commands::completions::Args),
}
