//! The binary copied alone into an empty folder works.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An empty folder with nothing but the binary in it.
fn alone(name: &str) -> (PathBuf, PathBuf) {
    let folder = std::env::temp_dir().join(format!("yomikiri-alone-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let binary = folder.join("yomikiri");
    std::fs::copy(env!("CARGO_BIN_EXE_yomikiri"), &binary).expect("copied");
    (folder, binary)
}

fn run(folder: &Path, binary: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(binary)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("written");
    child.wait_with_output().expect("it ends")
}

fn succeeds(folder: &Path, binary: &Path, arguments: &[&str], input: &str) -> String {
    let output = run(folder, binary, arguments, input);
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {printed}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn experiments_learning_solving_and_playing_need_no_other_file() {
    let (folder, binary) = alone("all");
    let printed = succeeds(&folder, &binary, &["lab", "run", "widening", "--quick"], "");
    assert!(printed.contains("Dynamic widening"), "{printed}");
    assert!(folder.join("lab-results/widening/counts.csv").exists());
    // What is stored is enough for the pages.
    let page = folder.join("lab-results/widening/index.html");
    std::fs::remove_file(&page).expect("a page");
    succeeds(&folder, &binary, &["lab", "report", "lab-results"], "");
    assert!(page.exists());
    let printed = succeeds(&folder, &binary, &["learn", "eval", "--limit", "50", "--out", "w"], "");
    assert!(printed.contains("written to w"), "{printed}");
    let printed = succeeds(&folder, &binary, &["solve", "4k4/9/4P4/9/9/9/9/9/9 b G 1"], "");
    assert!(printed.contains("verified") || printed.contains("mate"), "{printed}");
    let game = succeeds(&folder, &binary, &["play", "--lang", "en"], "7g7f\nquit\n");
    assert!(game.lines().count() > 9, "{game}");
    // The sets under the GPL are not carried: they must be named.
    let full = run(&folder, &binary, &["lab", "run", "widening", "--out", "full"], "");
    let printed = String::from_utf8_lossy(&full.stderr);
    assert!(
        !full.status.success() && printed.contains("`data`") && printed.contains("--quick"),
        "{printed}"
    );
    let _ = std::fs::remove_dir_all(folder);
}
