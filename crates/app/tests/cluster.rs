//! `yomikiri cluster`: plan and driver in one command, here with a Python that only prints what it
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
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        printed.contains("-m yomikiri.cluster") && printed.contains("--workers 3"),
        "{printed}"
    );
    assert!(
        printed.contains("--out yomikiri-run") && printed.contains("\"nodes\": 7"),
        "{printed}"
    );
    let words = ["tune", "--parameter", "lmr.divisor", "--out", "there"];
    let printed = String::from_utf8_lossy(&cluster(folder.path(), "", &words).stdout).into_owned();
    assert!(printed.contains("--out there") && printed.contains("lmr.divisor"), "{printed}");
}

#[test]
fn it_says_what_to_install_and_what_has_no_plan() {
    let folder = tempfile::tempdir().expect("a folder");
    for (missing, advice) in [("yomikiri\\nray", "./python[ray]"), ("ray", "yomikiri[ray]")] {
        let output = cluster(folder.path(), missing, &["match", "-e", "name=a"]);
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && printed.contains(advice), "{printed}");
    }
    let output = cluster(folder.path(), "", &["perft", "2"]);
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && printed.contains("no plan"), "{printed}");
}
