//! Building for the browser: the target `wasm32-unknown-unknown`, and the crates that must compile
//! there.

use crate::tools;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";

/// Bytes of the stack in the program's memory. What recursions may use is far less: the browser's
/// own stack is the narrower one.
const STACK: usize = 4 << 20;

/// The packages that must compile for wasm32.
const PACKAGES: &[&str] = &[
    "yomikiri-base",
    "yomikiri-shogi",
    "yomikiri-proof",
    "yomikiri-usi",
    "yomikiri-go",
    "yomikiri-tsume",
    "yomikiri-eval",
    "yomikiri-engine",
    "yomikiri-render",
    "yomikiri-play",
    "yomikiri-session",
    "yomikiri-wasm",
];

const MISSING: &str = "\
the standard library for wasm32-unknown-unknown is missing and could not be installed; install it
with `rustup target add wasm32-unknown-unknown` (rustup is Debian's package of that name, or comes from
https://rustup.rs), or Debian's packages rustc-web, cargo-web, rust-web-src and lld, which build it";

/// Debian's packages: a compiler that is new enough, the standard library's source, the linker.
const DEBIAN: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];

/// Where they are installed, if not in `/usr`; named, they are used even where there is rustup.
const PREFIX: &str = "YOMIKIRI_RUST_WEB";

/// `cargo SUBCOMMAND --target wasm32-unknown-unknown`, after the target was installed if need be.
pub fn cargo(subcommand: &str) -> Result<Command> {
    let mut cargo = match debian()? {
        None => tools::cargo(&[subcommand, "--target", TARGET])?,
        Some(prefix) => debian_cargo(&prefix, subcommand)?,
    };
    // Flags from the environment are meant for the host (`target-cpu=native`).
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    Ok(cargo)
}

/// Where Debian's packages are, if they have to do it.
fn debian() -> Result<Option<PathBuf>> {
    if let Some(prefix) = std::env::var_os(PREFIX) {
        return Ok(Some(prefix.into()));
    }
    if is_installed()? {
        return Ok(None);
    }
    let added = tools::command("rustup")?.args(["target", "add", TARGET]).status();
    if added.is_ok_and(|status| status.success()) && is_installed()? {
        return Ok(None);
    }
    let prefix = PathBuf::from("/usr");
    if !is_debian(&prefix) {
        tools::install(&DEBIAN).context(MISSING)?;
    }
    if !is_debian(&prefix) {
        bail!("{MISSING}");
    }
    Ok(Some(prefix))
}

/// Whether the packages are there.
fn is_debian(prefix: &Path) -> bool {
    let parts = ["bin/rustc", "bin/cargo", "bin/wasm-ld", "lib/rustlib/src/rust/library"];
    parts.iter().all(|part| prefix.join(part).exists())
}

/// Debian's cargo: it has no standard library for the target, and builds it.
fn debian_cargo(prefix: &Path, subcommand: &str) -> Result<Command> {
    let bin = prefix.join("bin");
    let mut cargo = tools::command(&bin.join("cargo").to_string_lossy())?;
    cargo.args([subcommand, "--target", TARGET, "-Z", "build-std=std,panic_abort"]);
    cargo.env("RUSTC", bin.join("rustc")).env("RUSTDOC", bin.join("rustdoc"));
    // `-Z` belongs to nightly compilers; this is how a stable one is asked.
    cargo.env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTUP_TOOLCHAIN");
    cargo.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", bin.join("wasm-ld"));
    Ok(cargo)
}

/// How the program is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// For browsers with vector instructions.
    Vectors,
    /// For browsers without.
    Plain,
    /// With vector instructions, for tests: compiled in a fraction of the time, and slower.
    Test,
}

/// Builds the program for a browser; where it is then.
pub fn build(build: Build) -> Result<PathBuf> {
    // In one target folder each build would undo the others.
    let (feature, folder) = match build {
        Build::Vectors => ("+simd128", "wasm"),
        Build::Plain => ("-simd128", "wasm-plain"),
        Build::Test => ("+simd128", "wasm-test"),
    };
    let flags = format!("-C target-feature={feature} -C link-arg=-zstack-size={STACK}");
    let folder = tools::target()?.join(folder);
    let mut cargo = cargo("build")?;
    cargo.args(["--profile", "site", "--package", "yomikiri-wasm", "--lib"]);
    if build == Build::Test {
        cargo.args(["--config", "profile.site.lto=false"]);
        cargo.args(["--config", "profile.site.codegen-units=16"]);
    }
    tools::run(cargo.arg("--target-dir").arg(&folder).env("RUSTFLAGS", flags))?;
    Ok(folder.join(TARGET).join("site/yomikiri_wasm.wasm"))
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
