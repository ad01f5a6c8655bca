//! A match that is killed again and again comes to the same games as one that is not.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const YOMIKIRI: &str = env!("CARGO_BIN_EXE_yomikiri");

fn start(folder: &Path) -> Child {
    Command::new(YOMIKIRI)
        .args(["match", "--pairs", "4", "-j", "2", "--max-moves", "60", "--out"])
        .arg(folder)
        .args(["-e", "name=more nodes=60 option.USI_Hash=1"])
        .args(["-e", "name=less nodes=30 option.USI_Hash=1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary is there")
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// The games without the times they took, in their order.
fn games(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("games.tsv")).unwrap_or_default();
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let mut games: Vec<(usize, String)> = text[..whole]
        .lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<&str> = line.split('\t').collect();
            (columns[2].parse().expect("a number"), columns[..9].join("\t"))
        })
        .collect();
    games.sort();
    games.into_iter().map(|(_, game)| game).collect()
}

/// The table without times: what stands before the last columns.
fn table(child: Child) -> Vec<String> {
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().filter(|line| !line.contains("ms/mv")).map(without_time).collect()
}

fn without_time(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.iter().position(|word| *word == "none") {
        // The word before the faults is the time for a move.
        Some(at) if at > 0 => words[..at - 1].join(" "),
        _ => words.join(" "),
    }
}

#[test]
fn killed_matches_go_on_without_loss() {
    let (broken, whole) = (folder("killed-match"), folder("whole-match"));
    let expected = table(start(&whole));
    assert_eq!(games(&whole).len(), 8);
    let mut kept: Vec<String> = Vec::new();
    for _ in 0..40 {
        let mut child = start(&broken);
        // Until one more game is finished, or all are.
        while games(&broken).len() <= kept.len()
            && child.try_wait().expect("it can be asked").is_none()
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let now = games(&broken);
        assert!(kept.iter().all(|game| now.contains(game)), "a finished game was lost");
        kept = now;
        if kept.len() == 8 {
            break;
        }
    }
    assert_eq!(table(start(&broken)), expected);
    assert_eq!(games(&broken), games(&whole));
}
