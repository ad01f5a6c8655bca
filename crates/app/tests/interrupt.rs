//! Ctrl-C ends a long run in the middle of a search of hours, without a result and without an
//! engine left behind; what was finished is kept.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const YOMIKIRI: &str = env!("CARGO_BIN_EXE_yomikiri");

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

/// The engines that a process has started.
fn children(of: u32) -> Vec<u32> {
    let list = std::fs::read_to_string(format!("/proc/{of}/task/{of}/children"));
    let threads = std::fs::read_dir(format!("/proc/{of}/task")).into_iter().flatten().flatten();
    let all =
        threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    all.chain(list.ok())
        .flat_map(|text| {
            text.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()
        })
        .collect()
}

/// How much processor time a process has used, in ticks.
fn ticks(of: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{of}/stat")).unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let field = |at: usize| after.split_whitespace().nth(at).and_then(|text| text.parse().ok());
    field(11).unwrap_or(0) + field(12).unwrap_or(0)
}

/// Waits until an engine that the process started is well in its search, and gives the engines.
fn wait_for_search(child: &mut Child) -> Vec<u32> {
    loop {
        let engines = children(child.id());
        if engines.iter().any(|&engine| ticks(engine) > 100) {
            return engines;
        }
        assert!(child.try_wait().expect("it can be asked").is_none(), "it ended before its search");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn is_interrupted(mut command: Command) {
    let mut child =
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
    let engines = wait_for_search(&mut child);
    let (pid, asked) = (child.id().to_string(), Instant::now());
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("it runs").success());
    let output = child.wait_with_output().expect("it ends");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    assert!(errors.contains("goes on from here"), "{errors}");
    // Hours of search are left; a loaded machine may be slow to notice.
    assert!(asked.elapsed() < Duration::from_secs(120));
    for engine in engines {
        assert!(!PathBuf::from(format!("/proc/{engine}")).exists(), "an engine was left behind");
    }
}

#[test]
fn an_analysis_ends() {
    let folder = folder("interrupt-analyse");
    let game = folder.join("game.usi");
    std::fs::write(&game, "startpos moves 7g7f 3c3d\n").expect("it can be written");
    let mut command = Command::new(YOMIKIRI);
    command.args(["analyse", "--nodes", "1000000000000", "--lang", "en", "--out"]);
    command.arg(folder.join("out")).arg(&game);
    is_interrupted(command);
}

#[test]
fn a_match_ends() {
    let mut command = Command::new(YOMIKIRI);
    command.args(["match", "-e", "name=a", "-e", "name=b", "--nodes", "1000000000000", "-p", "1"]);
    command.args(["--lang", "en", "--out"]).arg(folder("interrupt-match").join("out"));
    is_interrupted(command);
}

#[test]
fn a_set_of_problems_ends() {
    let folder = folder("interrupt-problems");
    let mut command = Command::new(YOMIKIRI);
    let set = folder.join("set.tsv");
    std::fs::write(&set, "startpos\t7g7f\n").expect("it can be written");
    command.args(["problems", "--nodes", "1000000000000", "--lang", "en", "--folder"]);
    command.arg(folder.join("work")).arg(&set);
    is_interrupted(command);
}
