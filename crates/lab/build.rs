//! Passes the commit that the laboratory is built from on to it, for the manifests.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// A package that was published says where it came from.
fn published() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let hash = text.split_once("\"sha1\": \"")?.1.split('"').next()?;
    hash.get(..12).map(str::to_string)
}

fn checked_out() -> Option<String> {
    let mut commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    if git(&["diff", "--name-only", "HEAD"]).is_some_and(|changed| !changed.is_empty()) {
        commit += " with changes";
    }
    Some(commit)
}

fn main() {
    let commit = published().or_else(checked_out).unwrap_or_else(|| "unknown".into());
    println!("cargo:rustc-env=YOMIKIRI_COMMIT={commit}");
    println!("cargo:rerun-if-changed=..");
    if let Some(directory) = git(&["rev-parse", "--absolute-git-dir"]) {
        println!("cargo:rerun-if-changed={directory}/logs/HEAD");
    }
}
