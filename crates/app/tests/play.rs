//! `yomikiri play` with a pipe in place of a person.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use yomikiri_shogi::Color;
use yomikiri_shogi::record::{Ending, Format, NodeId, Record, read};

fn play(arguments: &[&str], typed: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_yomikiri"))
        .arg("play")
        .args(["--seed", "1", "--think", "0.05"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command line that is refused closes the pipe before it is read.
    let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
    child.wait_with_output().unwrap()
}

fn said(arguments: &[&str], typed: &str) -> String {
    let output = play(arguments, typed);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("yomikiri-play-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn record(path: &std::path::Path) -> Record {
    read(&std::fs::read(path).unwrap(), Format::Kif).unwrap().remove(0)
}

#[test]
fn a_lost_engine_sets_problems_and_says_so() {
    // White, the engine, is to move and mated whatever it does. A level below the highest is
    // limited by nodes, and an hour on the clock leaves time enough on any machine.
    let lost = "sfen l7k/9/p6+P1/9/9/9/9/9/8K w 2G 1";
    for (language, words) in [("en", "every move loses"), ("ja", "勝負手")] {
        let arguments = ["--position", lost, "--lang", language, "--level", "14", "--time", "60"];
        let text = said(&[&arguments[..], &["--speculative"]].concat(), "quit\n");
        assert!(text.contains(words), "{text}");
        assert!(!said(&arguments, "quit\n").contains(words));
    }
}

#[test]
fn a_game_is_played_in_both_notations_and_saved_as_kif() {
    let folder = folder("game");
    let file = folder.join("game.kif");
    let typed = "７六歩\n2g2f\nundo\n26歩\nresign\n";
    let text = said(&["--level", "2", "--lang", "en", "--save", file.to_str().unwrap()], typed);
    assert!(text.contains("You are Black"), "{text}");
    assert!(text.contains("2 moves taken back"), "{text}");
    assert!(text.contains("White wins: resignation"), "{text}");
    let record = record(&file);
    let moves: Vec<String> = record.main_moves().map(|mv| mv.to_string()).collect();
    assert_eq!((moves.len(), moves[0].as_str(), moves[2].as_str()), (4, "7g7f", "2g2f"));
    assert_eq!(record.winner(), Some(Color::White));
    // A file is not replaced unasked, and the game goes on from it.
    assert!(!play(&["--save", file.to_str().unwrap()], "").status.success());
    let again = said(&["--file", file.to_str().unwrap(), "--ply", "2", "--lang", "ja"], "棋譜\n");
    assert!(again.contains("▲７六歩 (7g7f)") && !again.contains("2g2f"), "{again}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_is_saved_again_by_the_session_that_wrote_it() {
    let folder = folder("twice");
    let (file, other) = (folder.join("game.kif"), folder.join("other.kif"));
    std::fs::write(&other, "not ours").unwrap();
    let save = format!("save {}\n", file.display());
    let typed = format!("7g7f\n{save}3c3d\n{save}save {}\n", other.display());
    let text = said(&["--side", "both", "--lang", "en"], &typed);
    assert_eq!(record(&file).main_moves().count(), 2, "{text}");
    assert_eq!(std::fs::read(&other).unwrap(), b"not ours", "{text}");
    // Another session asks before it replaces the file.
    said(&["--side", "both", "--lang", "en"], &save);
    assert_eq!(record(&file).main_moves().count(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_game_that_goes_on_keeps_its_comments() {
    let folder = folder("comments");
    let (first, second) = (folder.join("a.kif"), folder.join("b.kif"));
    let kif = "手合割：平手\n手数----指手---------消費時間--\n*対局前\n   1 ７六歩(77)\n*一手目\n";
    std::fs::write(&first, kif).unwrap();
    let files = [first.to_str().unwrap(), second.to_str().unwrap()];
    said(&["--side", "both", "--file", files[0], "--save", files[1]], "3c3d\n");
    let record = record(&second);
    let line: Vec<NodeId> = record.main_line().collect();
    assert_eq!(record.node(NodeId::ROOT).comments, ["対局前"]);
    assert_eq!(record.node(line[0]).comments, ["一手目"]);
    assert_eq!(record.main_moves().count(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn mate_ends_the_game() {
    let folder = folder("mate");
    let file = folder.join("mate");
    let save = format!("save {}\n", file.display());
    let sfen = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
    let text = said(&["--position", sfen, "--lang", "ja"], &format!("５二金打\n5b5a\n{save}"));
    assert!(text.contains("まで1手で先手の勝ち（詰み）"), "{text}");
    let record = record(&file.with_extension("kif"));
    assert_eq!(record.ending().map(|(ending, _)| ending.clone()), Some(Ending::Mate));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_declaration_wins_where_it_holds_and_is_explained_where_not() {
    let entered = "+P+P+P+P+P+P+P+P1/K+R+R+B+B4/9/9/9/9/9/9/8k b 2G2S 1";
    let text = said(&["--position", entered, "--lang", "en"], "declare\n");
    assert!(text.contains("Black wins: declaration"), "{text}");
    let text = said(&["--lang", "en"], "declare\n");
    assert!(text.contains("You cannot declare"), "{text}");
}

#[test]
fn two_people_can_play_with_a_clock_and_hints() {
    let text = said(
        &["--side", "both", "--time", "5", "--lang", "en"],
        "7g7f\n3c3d\nclock\nhint\nflip\nhelp\n",
    );
    assert!(text.contains("White 5:00") || text.contains("White 4:59"), "{text}");
    assert!(text.contains("Hint: ▲"), "{text}");
    assert!(text.contains("declare claim the win"), "{text}");
}

#[test]
fn time_runs_out() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_yomikiri"))
        .args(["play", "--byoyomi", "1", "--lang", "en"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = child.stdin.take().unwrap();
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(child.stdout.take().unwrap()));
    // Nothing is typed, and the game ends all the same.
    assert!(lines.any(|line| line.unwrap().contains("White wins: the time is up")));
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn handicaps_have_the_stronger_side_begin() {
    let text = said(&["--handicap", "二枚落ち", "--lang", "ja"], "終了\n");
    assert!(text.contains("あなたは下手、上手は読み切り"), "{text}");
    assert!(text.contains("読み切りの指し手：△"), "{text}");
    assert!(text.contains("| ・ ・ ・ ・ ・ ・ ・ ・ ・|二 b") || !text.contains("v飛"), "{text}");
    let output = play(&["--handicap", "queen"], "");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("二枚落ち"));
}
