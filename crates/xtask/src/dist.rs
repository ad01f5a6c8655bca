//! `cargo xtask dist`: the archives of a release, one for each level of processor, each with the
//! licences of what is in the binary and a bill of materials; and their checksums.

use crate::tools::{self, cargo, output, run};
use anyhow::{Context, Result, bail};
use graph::Graph;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

mod archive;
mod graph;
mod licences;
mod sbom;

/// The package of the binary, and its name.
const PACKAGE: &str = "yomikiri-app";
const BINARY: &str = "yomikiri";

/// The levels of x86-64 for which archives are made.
const LEVELS: [&str; 3] = ["v2", "v3", "v4"];

/// Files that go into every archive as they are.
const DOCUMENTS: [&str; 5] =
    ["README.md", "README.ja.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Texts of licences of what is drawn and compiled into the binary beside the packages.
const ASSETS: &str = "crates/render/assets";

/// What to make: `[--target TRIPLE] [LEVEL..]`.
#[derive(Debug, PartialEq, Eq)]
pub struct DistOrder {
    target: String,
    levels: Vec<Option<String>>,
}

impl DistOrder {
    /// Reads the words of the command line; all levels for static Linux if there are none.
    pub fn read(words: &[&str]) -> Result<DistOrder> {
        let (target, levels) = match words {
            ["--target", target, levels @ ..] => (target.to_string(), levels),
            levels => (default_target()?, levels),
        };
        if !target.starts_with("x86_64") {
            if !levels.is_empty() {
                bail!("{target} has no levels");
            }
            return Ok(DistOrder { target, levels: vec![None] });
        }
        if let Some(unknown) = levels.iter().find(|level| !LEVELS.contains(level)) {
            bail!("there is no level '{unknown}', only {}", LEVELS.join(", "));
        }
        let levels = if levels.is_empty() { &LEVELS[..] } else { levels };
        let levels = levels.iter().map(|level| Some(level.to_string())).collect();
        Ok(DistOrder { target, levels })
    }
}

/// This machine's target; on Linux the one whose binaries need no library of the system.
fn default_target() -> Result<String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not print its host")?.replace("linux-gnu", "linux-musl"))
}

/// Makes the archives that are ordered, in `dist` below the folder of what is built.
pub fn make(words: &[&str]) -> Result<()> {
    let order = DistOrder::read(words)?;
    need_target(&order.target)?;
    let folder = tools::target()?.join("dist");
    fs::create_dir_all(&folder)?;
    let graph = Graph::read(PACKAGE, &order.target)?;
    for level in &order.levels {
        let binary = build(&order.target, level.as_deref())?;
        check_version(&binary, level.as_deref())?;
        let path = pack(&folder, &order.target, level.as_deref(), &binary, &graph)?;
        println!("{} ({} kB)", path.display(), fs::metadata(&path)?.len() / 1_000);
    }
    write_checksums(&folder)
}

fn need_target(target: &str) -> Result<()> {
    let installed = output(tools::command("rustup")?.args(["target", "list", "--installed"]))?;
    if !installed.lines().any(|line| line == target) {
        run(tools::command("rustup")?.args(["target", "add", target]))?;
    }
    if target.ends_with("linux-musl") && !tools::works(Command::new("musl-gcc").arg("-v")) {
        bail!("`musl-gcc` is missing, which compiles C for {target}: apt-get install musl-tools");
    }
    Ok(())
}

/// Builds the binary for a target and a level, and says where it is.
fn build(target: &str, level: Option<&str>) -> Result<PathBuf> {
    let mut flags = vec![];
    if let Some(level) = level {
        flags.push(format!("-Ctarget-cpu=x86-64-{level}"));
    }
    // Neither the folder of the checkout nor that of the packages belongs into a release.
    flags.push(format!("--remap-path-prefix={}=.", tools::root()?.display()));
    if let Some(home) = cargo_home() {
        flags.push(format!("--remap-path-prefix={}=cargo", home.display()));
    }
    let mut build = cargo(&["build", "--release", "--locked", "--package", PACKAGE])?;
    build.args(["--target", target]).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    if target.ends_with("linux-musl") {
        build.env(format!("CC_{}", target.replace('-', "_")), "musl-gcc");
    }
    run(&mut build)?;
    let ending = if target.contains("windows") { ".exe" } else { "" };
    Ok(tools::target()?.join(target).join("release").join(format!("{BINARY}{ending}")))
}

fn cargo_home() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    named.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))
}

/// The binary must say what it was made for. One for another machine can only say that it is: then
/// its own message is enough.
fn check_version(binary: &Path, level: Option<&str>) -> Result<()> {
    let Ok(said) = Command::new(binary).arg("--version").output() else {
        println!("{} does not run here: its version is not looked at", binary.display());
        return Ok(());
    };
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    let refused = String::from_utf8_lossy(&said.stderr).contains("this program is for");
    let names_level = level.is_none_or(|level| text.contains(&format!("x86-64-{level},")));
    let good = said.status.success() && names_level;
    if !(refused || good) {
        bail!("{} says '{}' of its version", binary.display(), text.trim());
    }
    println!("{}", text.trim());
    Ok(())
}

/// Packs the archive of one binary.
fn pack(
    folder: &Path,
    target: &str,
    level: Option<&str>,
    binary: &Path,
    graph: &Graph,
) -> Result<PathBuf> {
    let root = tools::root()?;
    let name = archive_name(&graph.version, target, level);
    let mut files = vec![archive::Entry::program(
        binary.file_name().context("the binary has no name")?.to_string_lossy(),
        fs::read(binary).with_context(|| binary.display().to_string())?,
    )];
    for document in DOCUMENTS {
        files.push(archive::Entry::file(document, fs::read(root.join(document))?));
    }
    let licences = licences::text(graph, &root.join(ASSETS), &root.join("LICENSE-MIT"))?;
    files.push(archive::Entry::file("THIRD-PARTY-LICENSES.txt", licences.into_bytes()));
    let bill = serde_json::to_string_pretty(&sbom::cyclonedx(graph, BINARY))? + "\n";
    files.push(archive::Entry::file("sbom.cdx.json", bill.into_bytes()));
    let path = folder.join(format!("{name}.tar.gz"));
    fs::write(&path, archive::pack(&name, &files)?)?;
    Ok(path)
}

/// `yomikiri-0.1.0-x86_64-v3-linux-musl`.
fn archive_name(version: &str, target: &str, level: Option<&str>) -> String {
    let (processor, system) = target.split_once('-').unwrap_or((target, ""));
    let system = system.replace("unknown-", "").replace("pc-", "").replace("apple-", "");
    let level = level.map(|level| format!("-{level}")).unwrap_or_default();
    format!("{BINARY}-{version}-{processor}{level}-{system}")
}

/// The checksums of all archives in the folder, as `sha256sum --check` reads them.
fn write_checksums(folder: &Path) -> Result<()> {
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    names.retain(|path| path.extension().is_some_and(|ending| ending == "gz"));
    names.sort();
    let mut sums = String::new();
    for path in names {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let _ = writeln!(sums, "{}  {name}", hexadecimal(&Sha256::digest(fs::read(&path)?)));
    }
    let path = folder.join("SHA256SUMS");
    fs::write(&path, sums)?;
    println!("{}", path.display());
    Ok(())
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_name_targets_and_levels() {
        let linux = DistOrder::read(&["--target", "x86_64-unknown-linux-musl"]).unwrap();
        assert_eq!(linux.levels.len(), LEVELS.len());
        let one = DistOrder::read(&["--target", "x86_64-pc-windows-msvc", "v3"]).unwrap();
        assert_eq!(one.levels, [Some("v3".to_string())]);
        let arm = DistOrder::read(&["--target", "aarch64-apple-darwin"]).unwrap();
        assert_eq!(arm.levels, [None]);
        assert!(DistOrder::read(&["--target", "aarch64-apple-darwin", "v3"]).is_err());
        assert!(DistOrder::read(&["--target", "x86_64-apple-darwin", "v5"]).is_err());
    }

    #[test]
    fn archives_are_named_by_version_processor_and_system() {
        let name = |target, level| archive_name("0.1.0", target, level);
        let linux = name("x86_64-unknown-linux-musl", Some("v3"));
        assert_eq!(linux, "yomikiri-0.1.0-x86_64-v3-linux-musl");
        assert_eq!(name("aarch64-apple-darwin", None), "yomikiri-0.1.0-aarch64-darwin");
        assert_eq!(
            name("x86_64-pc-windows-msvc", Some("v2")),
            "yomikiri-0.1.0-x86_64-v2-windows-msvc"
        );
    }
}
