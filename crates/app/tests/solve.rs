//! `yomikiri solve` as its users run it.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const YOMIKIRI: &str = env!("CARGO_BIN_EXE_yomikiri");

/// Mate in 3 by convention.
const THREE: &str = "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/9 b 4g4s4n4l15p 1";
/// Mate in 3 with both kings on the board.
const TWO_KINGS: &str = "5pk2/7P1/4+R1+P1+b/8b/6R2/9/9/9/8K b 4g4s4n4l15p 1";
/// No mate, and hard to show.
const NAKED_KING: &str = "9/6k2/9/9/9/9/9/9/9 b R4GLr2b4s4n3l18p 1";
/// Black binds the king with G*1c: it has to go to 2a, where G*2b is mate.
const BIND: &str = "8k/9/7P1/9/9/9/9/9/4K4 b 2G 1";

fn solve(arguments: &[&str]) -> Output {
    Command::new(YOMIKIRI).arg("solve").args(arguments).output().expect("the binary is there")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn answers(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

#[test]
fn a_bad_file_is_named_and_the_others_are_solved() {
    let folder = folder("solve-bad-file");
    std::fs::write(folder.join("a.kif"), "nothing of a game").expect("a file");
    std::fs::write(folder.join("b.sfen"), format!("{THREE}\n")).expect("a file");
    let output = solve(&[folder.to_str().expect("a name")]);
    let (out, err) = (&output.stdout, &output.stderr);
    let [out, err] = [out, err].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    assert!(!output.status.success() && out.contains("mate in 3"), "{out}{err}");
    assert!(err.contains("a.kif") && err.contains("1 file could not be read"), "{err}");
}

#[test]
fn proofs_are_written_and_forged_ones_found_out() {
    let path = folder("solve-proof").join("proof.json");
    let name = path.to_str().expect("UTF-8");
    let answer = &answers(&text(&solve(&["--json", "--proof", name, THREE])))[0];
    assert_eq!((&answer["result"], &answer["length"]), (&"mate".into(), &3.into()));
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(3));
    assert_eq!((&answer["verified"], &answer["exact"]), (&true.into(), &true.into()));
    let verify = || Command::new(YOMIKIRI).args(["verify", name]).output().expect("it runs");
    assert!(verify().status.success());
    let proof: Value =
        serde_json::from_slice(&std::fs::read(&path).expect("it was written")).expect("JSON");
    let refused = |forged: &Value, field: &str| {
        std::fs::write(&path, forged.to_string()).expect("it can be written");
        let output = verify();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty(), "{field}");
        assert!(said.contains(field), "{field}: {said}");
    };
    let mut forged = proof.clone();
    forged["steps"].as_array_mut().expect("steps").pop();
    refused(&forged, "steps: ");
    for field in ["length", "raw_length"] {
        for change in [-2, 2, 100] {
            let mut forged = proof.clone();
            forged[field] = (proof[field].as_i64().expect("a number") + change).into();
            // With its bound, another length already contradicts that; without it, the search.
            refused(&forged, if field == "length" { "bound: " } else { "raw_length: " });
            forged.as_object_mut().expect("an object").remove("bound");
            refused(&forged, &format!("{field}: "));
        }
    }
    for step in 0..proof["steps"].as_array().expect("steps").len() {
        let mut forged = proof.clone();
        let plies = proof["steps"][step]["plies"].as_i64().expect("a number");
        forged["steps"][step]["plies"] = (plies + 2).into();
        refused(&forged, &format!("steps[{step}].plies: "));
    }
    let mut forged = proof.clone();
    forged["note"] = "unknown".into();
    refused(&forged, "note");
}

#[test]
fn a_solution_written_as_a_record_is_read_as_the_problem() {
    let folder = folder("solve-records");
    for ending in ["kif", "kifu", "csa", "jkf"] {
        let path = folder.join(format!("three.{ending}"));
        let name = path.to_str().expect("UTF-8");
        let first = answers(&text(&solve(&["--json", "--kif", name, THREE])));
        let again = answers(&text(&solve(&["--json", name])));
        assert_eq!(again[0]["id"], "three");
        assert_eq!(again[0]["moves"], first[0]["moves"], "{ending}");
    }
}

#[test]
fn a_problem_with_two_kings_is_read_as_a_problem_and_a_game_as_its_end() {
    let folder = folder("solve-two-kings");
    for ending in ["kif", "kifu", "csa", "jkf"] {
        let path = folder.join(format!("two.{ending}"));
        let name = path.to_str().expect("UTF-8");
        let first = answers(&text(&solve(&["--json", "--kif", name, TWO_KINGS])));
        assert_eq!(first[0]["result"], "mate");
        let again = answers(&text(&solve(&["--json", name])));
        assert_eq!(
            (&again[0]["result"], &again[0]["moves"], &again[0]["sfen"]),
            (&first[0]["result"], &first[0]["moves"], &first[0]["sfen"]),
            "{ending}"
        );
    }
    let game = folder.join("game.csa");
    std::fs::write(&game, "PI\n+\n+7776FU\n-3334FU\n").expect("it can be written");
    let answer = answers(&text(&solve(&["--json", game.to_str().expect("UTF-8")])));
    let last = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
    assert_eq!(answer[0]["sfen"], last);
}

#[test]
fn files_are_not_replaced_unasked_nor_by_the_next_problem() {
    let folder = folder("solve-files");
    let set = folder.join("set.sfen");
    std::fs::write(&set, format!("{THREE}\n{TWO_KINGS}\n")).expect("it can be written");
    let files =
        [("--proof", "a.json"), ("--kif", "a.kif"), ("--picture", "a.svg"), ("--picture", "a.png")];
    let other = solve(&["--picture", "a.gif", THREE]);
    assert!(!other.status.success() && other.stdout.is_empty());
    for (option, file) in files {
        let path = folder.join(file);
        let name = path.to_str().expect("UTF-8");
        let refused = solve(&[option, name, set.to_str().expect("UTF-8")]);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && said.contains(option), "{said}");
        assert!(refused.stdout.is_empty() && !path.exists(), "{option}");
        std::fs::write(&path, "kept").expect("it can be written");
        let refused = solve(&[option, name, THREE]);
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && said.contains("--force"), "{said}");
        assert_eq!(std::fs::read(&path).expect("it is there"), b"kept");
        text(&solve(&[option, name, "--force", THREE]));
        let written = std::fs::read(&path).expect("it is there");
        assert!(written != b"kept" && file.ends_with("png") == written.starts_with(b"\x89PNG"));
    }
}

#[test]
fn a_set_goes_on_where_it_was_cut_off() {
    let folder = folder("solve-resume");
    let (set, log) = (folder.join("set.sfen"), folder.join("answers.jsonl"));
    let problem = "8k/9/7P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    let lines = format!("{THREE}\n{problem}\n{THREE}\n");
    std::fs::write(&set, lines).expect("it can be written");
    let run = || {
        let (set, log) = (set.to_str().expect("UTF-8"), log.to_str().expect("UTF-8"));
        answers(&text(&solve(&["--json", "--resume", log, set]))).len()
    };
    assert_eq!(run(), 3);
    assert_eq!(run(), 0);
    let whole = std::fs::read_to_string(&log).expect("it was written");
    std::fs::write(&log, &whole[..whole.len() - 20]).expect("it can be written");
    assert_eq!(run(), 1, "the line cut short is solved again");
    let kept = std::fs::read_to_string(&log).expect("it was written");
    assert_eq!(answers(&kept).len(), 3, "no broken line is left");
    assert_eq!(run(), 0);
}

#[test]
fn a_broken_line_among_the_answers_is_named_dropped_and_solved_again() {
    let folder = folder("solve-broken-line");
    let (set, log) = (folder.join("set.sfen"), folder.join("answers.jsonl"));
    std::fs::write(&set, format!("{THREE}\n{TWO_KINGS}\n")).expect("it can be written");
    let (set, name) = (set.to_str().expect("UTF-8"), log.to_str().expect("UTF-8"));
    text(&solve(&["--json", "--resume", name, set]));
    let whole = std::fs::read_to_string(&log).expect("it was written");
    let (first, second) = whole.split_once('\n').expect("two lines");
    std::fs::write(&log, format!("{}\n{second}", &first[..30])).expect("it can be written");
    let output = solve(&["--json", "--resume", name, set]);
    assert_eq!(answers(&text(&output)).len(), 1);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains(name) && said.contains("line 1"), "{said}");
    let kept = answers(&std::fs::read_to_string(&log).expect("it was written"));
    assert_eq!(kept.iter().map(|answer| &answer["id"]).collect::<Vec<_>>(), ["2", "1"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_told_with_the_file_and_leaves_whole_answers() {
    let folder = folder("solve-full-disk");
    let (set, log) = (folder.join("set.sfen"), folder.join("answers.jsonl"));
    std::fs::write(&set, format!("{THREE}\n").repeat(6)).expect("it can be written");
    let (set, name) = (set.to_str().expect("UTF-8"), log.to_str().expect("UTF-8"));
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"", "sh", YOMIKIRI])
        .args(["solve", "--json", "--resume", name, set])
        .output()
        .expect("the binary is there");
    let said = String::from_utf8_lossy(&limited.stderr).into_owned();
    assert!(!limited.status.success() && said.contains(name), "{said}");
    let kept = answers(&std::fs::read_to_string(&log).expect("it was made")).len();
    assert!((1..6).contains(&kept), "{kept}");
    assert_eq!(answers(&text(&solve(&["--json", "--resume", name, set]))).len(), 6 - kept);
    assert_eq!(answers(&std::fs::read_to_string(&log).expect("it was made")).len(), 6);
}

#[test]
fn another_problem_of_the_same_name_is_not_taken_for_done() {
    let folder = folder("solve-same-name");
    let (set, log) = (folder.join("set.sfen"), folder.join("answers.jsonl"));
    let run = |lines: &str| {
        std::fs::write(&set, lines).expect("it can be written");
        let (set, log) = (set.to_str().expect("UTF-8"), log.to_str().expect("UTF-8"));
        answers(&text(&solve(&["--json", "--resume", log, set])))
    };
    let problem = "8k/9/7P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1";
    assert_eq!(run(&format!("{THREE}\n")).len(), 1);
    let new = run(&format!("{problem}\n"));
    assert_eq!((&new[0]["id"], &new[0]["sfen"]), (&"1".into(), &problem.into()));
    assert_eq!(run(&format!("{problem}\n")).len(), 0);
    assert_eq!(run(&format!("{THREE}\n")).len(), 0);
}

#[test]
fn binds_are_listed() {
    let listed = text(&solve(&["--hisshi", "--nodes", "20000", BIND]));
    assert!(listed.contains("G*1c: hisshi"), "{listed}");
    let hurried = text(&solve(&["--hisshi", "--nodes", "1", BIND]));
    assert!(hurried.contains("not decided"), "{hurried}");
}

#[test]
fn helpmates_are_counted() {
    let one = text(&solve(&["--helpmate", "4k4/9/4P4/9/9/9/9/9/9 b G 1"]));
    assert!(one.contains("helpmate in 1") && one.contains("one solution"), "{one}");
    let none = text(&solve(&["--helpmate", "4k4/9/9/9/9/9/9/9/9 b - 1"]));
    assert!(none.contains("no helpmate of any length"), "{none}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    for arguments in [
        &["--json", "--cook"][..],
        &["--json", "--play"],
        &["--hisshi", "--json"],
        &["--helpmate", "--json"],
        &["--hisshi", "--attacker", "b"],
        &["--hisshi", "--proof", "never-written.json"],
        &["--hisshi", "--resume", "never-written.jsonl"],
        &["--time", "1e20"],
        &["--time", "0"],
        &["--time", "NaN"],
    ] {
        let refused = solve(&[arguments, &[THREE]].concat());
        let said = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && refused.stdout.is_empty(), "{arguments:?}");
        assert!(said.contains(arguments[0]) && !said.contains("panicked"), "{said}");
    }
    text(&solve(&["--time", "1e9", THREE]));
}

#[test]
fn the_user_may_defend() {
    let mut child = Command::new(YOMIKIRI)
        .args(["solve", "--play", THREE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary is there");
    let moves = answers(&text(&solve(&["--json", THREE])))[0]["moves"].clone();
    let defence = moves[1].as_str().expect("a move").to_owned();
    let input = format!("9i9a\n{defence}\nq\n");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    let shown = text(&output);
    assert!(shown.contains("Not allowed"), "{shown}");
    // The attacker opens, and goes on after the defence.
    assert!(shown.contains(moves[0].as_str().expect("a move")), "{shown}");
    assert!(shown.matches("> ").count() >= 2, "{shown}");
}

#[test]
fn the_user_has_what_he_has_on_the_board() {
    // The proof takes interpositions and gives them back; on the board they are gone.
    let problem = "9/L6L1/6L1k/1+R7/1R7/9/9/9/9 b Sl 1";
    let mut position = yomikiri_shogi::Position::from_problem_sfen(problem).expect("a position");
    let mut child = Command::new(YOMIKIRI)
        .args(["solve", "--any", "--play", problem])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary is there");
    let mut input = child.stdin.take().expect("piped");
    let mut shown = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut moves = 0;
    // The user lists the legal moves, and drops his lance wherever he may.
    loop {
        let line = shown.next().expect("it goes on until mate").expect("UTF-8");
        let line = line.trim_start_matches("> ").to_owned();
        if line == "Mate." {
            break;
        }
        let legal: Vec<yomikiri_shogi::Move> =
            line.split(['(', ')']).filter_map(|word| word.parse().ok()).collect();
        if !legal.is_empty() {
            assert_eq!(legal.len(), position.legal_moves().len(), "{line}: {}", position.to_sfen());
            assert!(legal.iter().all(|&mv| position.is_legal(mv)), "{line}");
            let chosen = legal.iter().find(|mv| mv.from().is_none()).unwrap_or(&legal[0]);
            writeln!(input, "{chosen}").expect("it listens");
            moves += 1;
        } else if let Some(played) = line.split_whitespace().nth(1).and_then(|m| m.parse().ok())
            && position.is_legal(played)
        {
            let attacks = position.side_to_move() == yomikiri_shogi::Color::Black;
            position.play(played);
            if attacks && position.has_legal_move() {
                writeln!(input, "moves").expect("it listens");
            }
        }
    }
    assert!(child.wait().expect("it ends").success());
    assert!(position.is_mate() && moves > 3, "{moves} defences, {}", position.to_sfen());
}

#[test]
fn too_many_threads_are_refused() {
    for threads in ["0", "129", "100000"] {
        let output = solve(&["--threads", threads, THREE]);
        assert_eq!(output.status.code(), Some(2));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains("--threads") && error.contains("1..=128"), "{error}");
    }
}

/// Waits until the process catches the interrupt signal.
#[cfg(target_os = "linux")]
fn wait_for_handler(pid: u32) {
    let catches = || {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask & 0b10 != 0)
    };
    while !catches() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_says_what_it_knows_and_is_not_taken_for_done() {
    let folder = folder("solve-interrupt");
    let (set, log) = (folder.join("set.sfen"), folder.join("answers.jsonl"));
    std::fs::write(&set, format!("{NAKED_KING}\n")).expect("it can be written");
    let child = Command::new(YOMIKIRI)
        .args(["solve", "--json", "--time", "600", "--hash", "64", "--resume"])
        .arg(&log)
        .arg(&set)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary is there");
    wait_for_handler(child.id());
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("it runs").success());
    let output = child.wait_with_output().expect("it ends");
    let shown = text(&output);
    if let Some(answer) = answers(&shown).first() {
        assert_eq!((&answer["result"], &answer["reason"]), (&"unknown".into(), &"stopped".into()));
    }
    assert_eq!(std::fs::read_to_string(&log).expect("it was made"), "");
}
