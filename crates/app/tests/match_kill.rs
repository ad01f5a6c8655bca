//! A match that is killed or runs out of disk space, again and again, comes to the same games as
//! one that is not.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const YOMIKIRI: &str = env!("CARGO_BIN_EXE_yomikiri");

fn start(folder: &Path) -> Child {
    start_with(folder, Command::new(YOMIKIRI))
}

fn start_with(folder: &Path, mut command: Command) -> Child {
    command
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

/// The record files of a match without the dates and times in them, by name.
fn records(folder: &Path) -> Vec<(String, Vec<String>)> {
    let mut files = Vec::new();
    for part in ["csa", "kif"] {
        for entry in std::fs::read_dir(folder.join(part)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            // What a killed process was writing may be left over, under such a name.
            if name.starts_with('.') && name.ends_with(".part") {
                continue;
            }
            let text = std::fs::read(&path).expect("a record");
            let text = String::from_utf8_lossy(&text).into_owned();
            let is_move = |line: &&str| {
                line.starts_with(['+', '-', '%'])
                    || line.trim_start().starts_with(|first: char| first.is_ascii_digit())
            };
            let moves = text.lines().filter(is_move).map(|line| match part {
                "kif" => line.split('(').next().unwrap_or_default().trim().to_string(),
                _ => line.split(',').next().unwrap_or_default().to_string(),
            });
            files.push((name, moves.collect()));
        }
    }
    files.sort();
    files
}

#[test]
fn a_match_killed_at_any_append_goes_on_to_the_same_games_and_records() {
    let (broken, whole) = (folder("hooked-match"), folder("hooked-whole"));
    let expected = table(start(&whole));
    for moment in ["0.5", "1", "0.5", "2", "2.5", "1"] {
        let mut command = Command::new(YOMIKIRI);
        command.env("YOMIKIRI_ABORT_AFTER_APPENDS", moment);
        let output = start_with(&broken, command).wait_with_output().expect("it ends");
        assert!(!output.status.success(), "it was to die at {moment}");
    }
    assert_eq!(table(start(&broken)), expected);
    assert_eq!(games(&broken), games(&whole));
    assert_eq!(records(&broken), records(&whole));
    assert_eq!(records(&whole).len(), 16);
}

/// A command whose files may have at most this many bytes: beyond, writing fails as on a full disk.
#[cfg(unix)]
fn on_a_small_disk(bytes: usize) -> Command {
    let mut command = Command::new("sh");
    let script = format!("trap '' XFSZ; ulimit -f {}; exec \"$@\"", bytes / 512);
    command.args(["-c", &script, "sh", YOMIKIRI]);
    command
}

#[cfg(unix)]
#[test]
fn a_match_that_ran_out_of_disk_space_goes_on_to_the_same_games_and_records() {
    let (broken, whole) = (folder("full-match"), folder("full-whole"));
    let expected = table(start(&whole));
    for bytes in [512, 2048, 4096, 6144] {
        let child = start_with(&broken, on_a_small_disk(bytes));
        let output = child.wait_with_output().expect("it ends");
        assert!(!output.status.success(), "it was to fail at {bytes} bytes");
    }
    assert_eq!(table(start(&broken)), expected);
    assert_eq!(games(&broken), games(&whole));
    assert_eq!(records(&broken), records(&whole));
}
