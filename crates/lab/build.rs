//! Tells the laboratory which commit it was built from, for the manifests.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_string())
}

fn main() {
    let mut commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".into());
    if git(&["diff", "--name-only", "HEAD"]).is_some_and(|changed| !changed.is_empty()) {
        commit += " with changes";
    }
    println!("cargo:rustc-env=YOMIKIRI_COMMIT={commit}");
    println!("cargo:rerun-if-changed=..");
    if let Some(directory) = git(&["rev-parse", "--absolute-git-dir"]) {
        println!("cargo:rerun-if-changed={directory}/logs/HEAD");
    }
}
