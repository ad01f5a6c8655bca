//! Building for the browser: the target `wasm32-unknown-unknown`, and the crates that must compile
//! there.

use crate::tools;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// The packages that must compile for wasm32. `shogi`, and with it `usi`, `tsume` and `engine`, can
/// join as soon as it unpacks zstd without the C library, which needs clang for this target.
const PACKAGES: &[&str] = &[
    "yomikiri-base",
    "yomikiri-shogi",
    "yomikiri-proof",
    "yomikiri-usi",
    "yomikiri-go",
    "yomikiri-tsume",
    "yomikiri-eval",
    "yomikiri-engine",
];

const MISSING: &str = "\
the standard library for wasm32-unknown-unknown is missing and could not be installed; install it
with `rustup target add wasm32-unknown-unknown`, or, for a rustc from Debian's packages that is new
enough for this workspace, with `apt-get install libstd-rust-dev-wasm32 lld`";

/// `cargo SUBCOMMAND --target wasm32-unknown-unknown`, after the target was installed if need be.
pub fn cargo(subcommand: &str) -> Result<Command> {
    if !is_installed()? {
        let added = tools::command("rustup")?.args(["target", "add", TARGET]).status();
        if !added.is_ok_and(|status| status.success()) || !is_installed()? {
            bail!("{MISSING}");
        }
    }
    let mut cargo = tools::cargo(&[subcommand, "--target", TARGET])?;
    // Flags from the environment are meant for the host (`target-cpu=native`).
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    Ok(cargo)
}

/// Checks every package that must compile for wasm32.
pub fn check() -> Result<()> {
    let mut cargo = cargo("check")?;
    for package in PACKAGES {
        cargo.args(["--package", package]);
    }
    tools::run(&mut cargo)
}

/// Does the compiler find a standard library for the target?
fn is_installed() -> Result<bool> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let mut query = tools::command(&rustc)?;
    query.args(["--print", "target-libdir", "--target", TARGET]);
    let folder = tools::output(&mut query)?;
    let Ok(entries) = Path::new(folder.trim()).read_dir() else { return Ok(false) };
    Ok(entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-")))
}
