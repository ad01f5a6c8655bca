//! `yomikiri completions SHELL`: tab completion for the user's shell.

use crate::options::Cli;
use crate::output::StandardOutput;
use clap::CommandFactory;
use clap_complete::Shell;

/// Which shell to write for.
#[derive(clap::Args)]
pub struct Args {
    /// The shell: bash, zsh, fish, elvish or powershell
    shell: Shell,
}

/// Writes the script to standard output.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut command = Cli::command();
    clap_complete::generate(args.shell, &mut command, "yomikiri", &mut StandardOutput);
    Ok(())
}
