//! `yomikiri cluster`: plan and driver in one command, here with a Python that only tells what it
//! was asked.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A program that answers for Python: `missing` are the modules that it lacks.
fn python(folder: &Path, missing: &str) -> PathBuf {
    let path = folder.join("python");
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = -c ]; then printf '{missing}'; exit 0; fi\necho \"$@\"; cat \"$3\"\n"
    );
    std::fs::write(&path, script).expect("written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a program");
    path
}

fn cluster(folder: &Path, missing: &str, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.current_dir(folder).args(["--lang", "en", "cluster", "--python"]);
    command.arg(python(folder, missing)).args(words).output().expect("the binary")
}

#[test]
fn it_writes_the_plan_and_starts_the_driver() {
    let folder = tempfile::tempdir().expect("a folder");
    let words =
        ["--workers", "3", "match", "-e", "name=a", "-e", "name=b", "--nodes", "7", "-p", "2"];
    let output = cluster(folder.path(), "", &words);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.contains("-m yomikiri.cluster") && told.contains("--workers 3"), "{told}");
    assert!(told.contains("--out yomikiri-run") && told.contains("\"nodes\": 7"), "{told}");
    let words = ["tune", "--parameter", "lmr.divisor", "--out", "there"];
    let told = String::from_utf8_lossy(&cluster(folder.path(), "", &words).stdout).into_owned();
    assert!(told.contains("--out there") && told.contains("lmr.divisor"), "{told}");
}

#[test]
fn it_says_what_to_install_and_what_has_no_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    for (missing, advice) in [("yomikiri\\nray", "./python[ray]"), ("ray", "yomikiri[ray]")] {
        let output = cluster(folder.path(), missing, &["match", "-e", "name=a"]);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(advice), "{told}");
    }
    let output = cluster(folder.path(), "", &["perft", "2"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && told.contains("no plan"), "{told}");
}
