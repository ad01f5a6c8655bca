//! `yomikiri go solve` as its users run it.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// White's stone on B1 has one liberty left, on C1.
const IN_ATARI: &str = "(;GM[1]SZ[9]AB[ai][bh]AW[bi])";

fn go_solve(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.args(["go", "solve"]).args(arguments).output().expect("the binary is there")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// A set of one problem, in a file of its own.
fn set(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let problem = r#"{"file": "own.tst", "id": 7, "cmd": "attack", "target": "B1", "size": 9,
        "black": ["A1", "B2"], "white": ["B1"], "expect": "1 C1"}"#;
    std::fs::write(&path, problem.replace('\n', " ")).expect("the set can be written");
    path.to_str().expect("UTF-8").to_string()
}

fn assert_taken_at_once(line: &str) {
    let answer: Value = serde_json::from_str(line).expect(line);
    assert_eq!((&answer["id"], &answer["result"]), (&"own.tst:7".into(), &1.into()));
    assert_eq!(answer["line"], serde_json::json!(["C1"]));
    assert!(answer["nodes"].is_u64() && answer["seconds"].is_f64());
}

#[test]
fn an_sgf_is_answered_in_words() {
    let said = text(&go_solve(&[IN_ATARI, "--target", "B1", "--attack"]));
    assert!(said.contains("1: can be captured, unconditionally"), "{said}");
    assert!(said.contains("line: B:C1") && said.contains("checked on the slow board"), "{said}");
    let refused = go_solve(&[IN_ATARI, "--target", "E5"]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("no stone on E5"));
}

#[test]
fn a_defence_by_ko_is_shown_and_checked_as_one() {
    let sgf = "(;SZ[5]AB[aa][da][bb][bc][dc][bd][cd][dd][ed][ae][ce][ee]AW[ea][ab][cb][db])";
    let said = text(&go_solve(&[sgf, "--target", "D5", "--defend"]));
    assert!(said.contains("3: can be saved by ko") && said.contains("checked on"), "{said}");
}

#[test]
fn giving_up_at_one_liberty_is_refused() {
    let refused = go_solve(&[IN_ATARI, "--target", "B1", "--give-up", "1"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("at least 2"));
}

#[test]
fn json_goes_to_standard_output_alone_or_to_a_file_beside_the_words() {
    let set = set("go-set.jsonl");
    for arguments in [vec!["--json", &set], vec![&set, "--json"]] {
        let said = text(&go_solve(&arguments));
        assert_eq!(said.lines().count(), 1, "{said}");
        assert_taken_at_once(said.trim());
    }
    let out = format!("{set}.out");
    let _ = std::fs::remove_file(&out);
    let said = text(&go_solve(&[&set, "--json", &out]));
    assert!(said.contains("1 of 1 problem: 1 as expected"), "{said}");
    assert_taken_at_once(std::fs::read_to_string(&out).expect("it was written").trim());
}

#[test]
fn the_set_itself_is_never_written_over() {
    let set = set("go-kept.jsonl");
    let before = std::fs::read(&set).expect("the set is there");
    let folder = Path::new(&set).parent().expect("a folder");
    let detour = format!("{}/./go-kept.jsonl", folder.display());
    for out in [set.as_str(), &detour] {
        assert!(!go_solve(&[&set, "--json", out, "--force"]).status.success());
        assert_eq!(std::fs::read(&set).expect("the set is there"), before);
    }
}

#[test]
fn a_file_of_answers_is_replaced_only_with_force() {
    let set = set("go-forced.jsonl");
    let out = format!("{set}.kept");
    std::fs::write(&out, "mine").expect("it can be written");
    assert!(!go_solve(&[&set, "--json", &out]).status.success());
    assert_eq!(std::fs::read_to_string(&out).expect("it is there"), "mine");
    text(&go_solve(&[&set, "--json", &out, "--force"]));
    assert_taken_at_once(std::fs::read_to_string(&out).expect("it was written").trim());
}

#[test]
fn a_set_tells_what_was_checked_and_refuses_what_cannot_be() {
    let set = set("go-checked.jsonl");
    let said = text(&go_solve(&[&set, "--verify"]));
    assert!(said.contains("1 answer checked on the slow board, 0 not checked"), "{said}");
    assert!(!text(&go_solve(&[&set])).contains("checked"));
    for other in [&["--superko"][..], &["--moves", "heuristic"]] {
        let refused = go_solve(&[&[set.as_str(), "--verify"], other].concat());
        assert!(!refused.status.success(), "{other:?}");
    }
}

fn go(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.arg("go").args(arguments).output().expect("the binary is there")
}

#[test]
fn blocks_are_read_and_their_lines_become_variations() {
    // Black's stone in the corner is in atari and can join the wall below it.
    let corner = "(;GM[1]SZ[9]AB[aa][ac][bc][cc][dc]AW[ba])";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("read.sgf");
    let name = file.to_str().expect("UTF-8");
    let said = text(&go(&["read", corner, "--target", "A9", "--sgf", name, "--force"]));
    assert!(said.contains("black A9, 1 stone, 1 liberty: critical"), "{said}");
    assert!(said.contains("to capture, 1: W:A8 [checked"), "{said}");
    assert!(said.contains("to save, 1: B:A8 [checked"), "{said}");
    let written = std::fs::read_to_string(&file).expect("written");
    assert!(written.starts_with("(;FF[4]GM[1]"), "{written}");
    assert!(written.contains(";W[ab])") && written.contains(";B[ab])"), "{written}");
    let again = go(&["read", corner, "--target", "A9", "--sgf", name]);
    assert!(!again.status.success(), "a file is not written over");
    let all = text(&go(&["read", corner, "--nodes", "50", "--lang", "ja"]));
    assert!(all.contains("呼吸点が5未満の石：2個") && all.contains("急所"), "{all}");
}

#[test]
fn candidates_and_variants_of_a_block_are_shown() {
    let said = text(&go(&["candidates", IN_ATARI, "--target", "B1"]));
    assert!(said.lines().any(|line| line.starts_with("  1  X  #  1")), "{said}");
    let said = text(&go(&["compare", IN_ATARI, "--target", "B1", "--nodes", "100"]));
    assert!(said.contains("all top 5\tyes\t1"), "{said}");
    assert_eq!(said.lines().filter(|line| line.contains("\tyes\t")).count(), 14);
    assert!(!go(&["candidates", IN_ATARI, "--target", "J9"]).status.success());
}
