//! A match shared out with `--shard` and joined with `yomikiri merge` comes to the same bytes as
//! one that was played whole.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn yomikiri(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomikiri")).args(arguments).output().expect("the binary")
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn contest(command: &[&str], out: &Path, shard: Option<&str>) {
    let mut arguments = command.to_vec();
    arguments.extend(["--max-moves", "40", "-j", "2", "--out", out.to_str().expect("text")]);
    arguments.extend(shard.map(|_| "--shard"));
    arguments.extend(shard);
    let output = yomikiri(&arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn compare(name: &str, command: &[&str], games: usize) {
    let [whole, merged] = ["whole", "merged"].map(|part| folder(&format!("{name}-{part}")));
    let parts = ["0", "1"].map(|part| folder(&format!("{name}-{part}")));
    contest(command, &whole, None);
    for (part, shard) in parts.iter().zip(["0/2", "1/2"]) {
        contest(command, part, Some(shard));
    }
    let text = |path: &PathBuf| path.to_str().expect("text").to_string();
    let (out, parts) = (text(&merged), parts.each_ref().map(text));
    let output = yomikiri(&["merge", "--out", &out, &parts[0], &parts[1]]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for file in ["games.tsv", "table.txt", "settings.txt", "manifest.json"] {
        let read = |folder: &Path| std::fs::read_to_string(folder.join(file)).expect(file);
        assert_eq!(read(&merged), read(&whole), "{file}");
    }
    let rows = std::fs::read_to_string(whole.join("games.tsv")).expect("games");
    assert_eq!(rows.lines().count(), 1 + games);
    // One part is not the whole, and a folder is not overwritten.
    let again = yomikiri(&["merge", "--out", &out, &parts[0], &parts[1]]);
    assert!(!again.status.success());
    let alone = text(&folder(&format!("{name}-alone")));
    let output = yomikiri(&["merge", "--out", &alone, &parts[0]]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && error.contains("unit 2 of stage"), "{error}");
}

#[test]
fn a_shared_match_is_the_whole_match() {
    let first = "name=more nodes=60 option.USI_Hash=1";
    let second = "name=less nodes=30 option.USI_Hash=1";
    compare("shared-match", &["match", "--pairs", "3", "-e", first, "-e", second], 6);
}

#[test]
fn a_shared_tournament_is_the_whole_tournament() {
    let engines = ["a", "b", "c"].map(|name| format!("name={name} option.USI_Hash=1"));
    let mut command = vec!["rate", "--pairs", "1", "--nodes", "30"];
    engines.iter().for_each(|engine| command.extend(["-e", engine.as_str()]));
    compare("shared-rate", &command, 6);
}

#[test]
fn a_sequential_test_cannot_be_shared() {
    let output = yomikiri(&[
        "match", "-e", "name=a", "-e", "name=b", "--nodes", "30", "--sprt", "0,10", "--shard",
        "0/2",
    ]);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("--shard"));
}
