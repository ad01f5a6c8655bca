//! `yomikiri analyse` as a player calls it: each test is a stumble of a user.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("analyse-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn yomikiri(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.current_dir(folder).env("LC_ALL", "C.UTF-8").args(arguments);
    command.output().expect("the binary is there")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Black gives a mate in one away and is mated himself.
const GAME: &str = "手合割：平手\n先手：甲野太郎\n後手：乙川花子\n\
    手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２二角成(88)\n";

#[test]
fn one_bad_file_is_named_and_the_rest_goes_on() {
    let folder = folder("bad-file");
    let games = folder.join("games");
    std::fs::create_dir_all(&games).expect("a folder");
    std::fs::write(games.join("a.kifu"), GAME).expect("it can be written");
    std::fs::write(games.join("b.kifu"), "手合割：平手\n   1 ９九玉(11)\n").expect("written");
    std::fs::write(games.join("c.kifu"), GAME).expect("it can be written");
    let output = yomikiri(&folder, &["analyse", "games", "--nodes", "100", "--out", "out"]);
    let (said, faults) = (text(&output.stdout), text(&output.stderr));
    assert!(!output.status.success(), "{said}");
    assert!(faults.contains("b.kifu") && faults.contains("1 file could not be read"), "{faults}");
    assert!(folder.join("out/a.json").exists() && folder.join("out/c.png").exists());
    assert!(!folder.join("out/b.json").exists());
}

#[test]
fn a_summary_is_shown_again_in_either_language_and_notation() {
    let folder = folder("summary");
    std::fs::write(folder.join("game.kifu"), GAME).expect("it can be written");
    let first = yomikiri(&folder, &["analyse", "game.kifu", "--nodes", "300", "--out", "out"]);
    assert!(first.status.success(), "{}", text(&first.stderr));
    let first = text(&first.stdout);
    let again = text(&yomikiri(&folder, &["analyse", "--summary", "out"]).stdout);
    assert!(first.starts_with(&again), "{first} {again}");
    assert!(again.contains("game: 甲野太郎 – 乙川花子, 3 moves"), "{again}");
    assert!(again.contains("Black: agreement"), "{again}");
    let japanese = yomikiri(&folder, &["analyse", "--summary", "out", "--lang", "ja"]);
    let japanese = text(&japanese.stdout);
    assert!(japanese.contains("game：甲野太郎 対 乙川花子、3手"), "{japanese}");
    assert!(japanese.contains("先手：一致率"), "{japanese}");
    let western = ["analyse", "--summary", "out", "--pieces", "western"];
    let western = text(&yomikiri(&folder, &western).stdout);
    assert!(!western.contains("歩") && !western.contains("角"), "{western}");
    assert!(!yomikiri(&folder, &["analyse", "--summary", "."]).status.success());
}

#[test]
fn targets_that_cannot_be_written_fail_before_the_work() {
    let folder = folder("unwritable");
    std::fs::write(folder.join("game.kifu"), GAME).expect("it can be written");
    std::fs::create_dir_all(folder.join("out/game.png")).expect("a folder in the way");
    // Long enough to be noticed if it were begun.
    let arguments = ["analyse", "game.kifu", "--movetime", "60000", "--out", "out", "--force"];
    let output = yomikiri(&folder, &arguments);
    assert!(!output.status.success() && text(&output.stderr).contains("game.png"));
    std::fs::write(folder.join("file"), "").expect("it can be written");
    let output = yomikiri(&folder, &["analyse", "game.kifu", "--out", "file/out"]);
    assert!(!output.status.success() && text(&output.stderr).contains("file/out"));
}

#[test]
fn an_analysis_of_an_analysis_does_not_double_its_comments() {
    let folder = folder("twice");
    std::fs::write(folder.join("game.kifu"), GAME).expect("it can be written");
    for (input, out) in [("game.kifu", "one"), ("one/game.kifu", "two")] {
        let output = yomikiri(&folder, &["analyse", input, "--nodes", "100", "--out", out]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
    let scores = |text: &str| text.matches("#評価値=").count();
    assert_eq!((scores(&read("one/game.kifu")), scores(&read("two/game.kifu"))), (3, 3));
}
