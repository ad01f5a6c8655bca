//! The programs that the steps call, and how a missing one is had.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the checkout. Cargo names the folder of this package when it runs or tests it.
pub fn root() -> Result<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").context("start it as `cargo xtask`")?;
    let root = Path::new(&package).ancestors().nth(2);
    Ok(root.context("the package is not in a workspace")?.to_path_buf())
}

/// The folder of what is built.
pub fn target() -> Result<PathBuf> {
    let named = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    Ok(root()?.join(named.unwrap_or_else(|| "target".into())))
}

/// A command in the root of the checkout.
pub fn command(program: &str) -> Result<Command> {
    let mut command = Command::new(program);
    command.current_dir(root()?);
    Ok(command)
}

/// `cargo ARGS..`, by the cargo that started this program.
pub fn cargo(args: &[&str]) -> Result<Command> {
    let mut command = command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()))?;
    command.args(args);
    Ok(command)
}

/// Runs a command to its end; an error names the command.
pub fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    println!("$ {line}");
    let status = command.status().with_context(|| format!("`{line}` cannot be started"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// What a command writes to its standard output.
pub fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("`{line}` cannot be started"))?;
    if !output.status.success() {
        bail!("`{line}` failed ({})", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{line}` does not write UTF-8"))
}

/// Does the command exist and succeed?
pub fn works(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Makes sure that `cargo SUBCOMMAND` exists; it is a component of the toolchain.
pub fn need_component(subcommand: &str, component: &str) -> Result<()> {
    let there = || Ok::<_, anyhow::Error>(works(&mut cargo(&[subcommand, "--version"])?));
    if there()? {
        return Ok(());
    }
    let added = command("rustup")?.args(["component", "add", component]).status();
    if added.is_ok_and(|status| status.success()) && there()? {
        return Ok(());
    }
    bail!(
        "`cargo {subcommand}` is missing and could not be installed; \
         install it with `rustup component add {component}`"
    )
}

/// Installs Debian's packages.
pub fn install(packages: &[&str]) -> Result<()> {
    run(command("apt-get")?.arg("update"))?;
    let mut install = command("apt-get")?;
    run(install.args(["install", "--yes", "--no-install-recommends"]).args(packages))
}

/// A command as one would type it: its variables, program and arguments.
fn line(command: &Command) -> String {
    let set = command.get_envs().filter_map(|(name, value)| {
        value.map(|value| format!("{}={}", name.display(), value.display()))
    });
    let program = PathBuf::from(command.get_program());
    let program = program.file_stem().unwrap_or_default().display().to_string();
    let args = command.get_args().map(|arg| arg.display().to_string());
    set.chain([program]).chain(args).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_is_named_in_the_error() {
        let mut command = cargo(&["no-such-command"]).unwrap();
        command.env("NAME", "value").stderr(Stdio::null());
        let error = run(&mut command).unwrap_err().to_string();
        assert!(error.contains("`NAME=value cargo no-such-command` failed"), "{error}");
    }

    #[test]
    fn the_root_holds_this_package() {
        assert!(root().unwrap().join("crates/xtask/src/tools.rs").exists());
    }
}
