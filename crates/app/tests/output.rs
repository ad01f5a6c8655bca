//! Output that cannot be written: a full device is an error message and an exit code, a reader
//! that has gone is the quiet end, and neither is a panic.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const BINARY: &str = env!("CARGO_BIN_EXE_yomikiri");
const MATE: &str = "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("yomikiri-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn yomikiri(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(BINARY)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_message_and_not_a_panic() {
    let folder = folder("full-device");
    let (games, proof) = (folder.join("match"), folder.join("p.json"));
    let (games, proof) = (games.to_str().unwrap(), proof.to_str().unwrap());
    let kif = folder.join("a.kif");
    fs::write(&kif, "手合割：平手\n1 ７六歩(77)\n").unwrap();
    let kif = kif.to_str().unwrap();
    assert!(yomikiri(&["solve", MATE, "--proof", proof], b"").status.success());
    let engines =
        ["-e", "name=a nodes=10 option.USI_Hash=1", "-e", "name=b nodes=10 option.USI_Hash=1"];
    let match_ = ["match", "--pairs", "1", "--max-moves", "10", "--out", games];
    let playing = [&match_[..], &engines].concat();
    for arguments in [
        &["show"][..],
        &["perft", "1"],
        &["perft", "1", "--divide"],
        &["solve", MATE],
        &["solve", "--json", MATE],
        &["verify", proof],
        &["eval", "startpos"],
        &["lab", "list"],
        &["bench", "--depth", "1"],
        &["completions", "bash"],
        &["convert", kif, "-", "--to", "csa"],
        &["usi-check", "--list"],
        &["--help"],
        &["--version"],
        &playing,
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(BINARY)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(said.contains("cannot write to standard output"), "{arguments:?}: {said}");
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    }
    // Messages that cannot be written are nobody's fault.
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(BINARY)
        .args(["convert", kif, "-", "--to", "usi"])
        .stderr(full)
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(text(&output.stdout), "startpos moves 7g7f\n");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_reader_that_has_gone_ends_the_program_quietly() {
    let mut child = Command::new(BINARY)
        .args(["perft", "1", "--divide"])
        .args(["--sfen", "k8/9/9/9/9/9/9/9/8K b 2R2B4G4S4N4L 1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::with_capacity(8, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
}

#[test]
fn control_characters_of_a_file_never_reach_the_terminal() {
    let folder = folder("control-characters");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::write(path("a.csa"), "PI\n+\n\x1b]0;title\x07\n").unwrap();
    fs::write(path("b.kif"), "手合割：平手\nあ\x1b[31m\n1 \x1b[2J７六歩(77)\n").unwrap();
    fs::write(path("c.sfen"), format!("{MATE}\tname\x1b[31m\u{9b}31m\n")).unwrap();
    fs::write(path("d.tsv"), "startpos\tX\x1b[31m\n").unwrap();
    for arguments in [
        &["show", "--file", &path("a.csa")][..],
        &["show", "--file", &path("b.kif")],
        &["convert", &path("b.kif"), &path("x.csa")],
        &["convert", &path("d.tsv"), &path("y.csa")],
        &["solve", &path("c.sfen")],
        &["solve", &path("a.csa")],
    ] {
        let output = yomikiri(arguments, b"");
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(!said.is_empty(), "{arguments:?}");
        let bad = said.chars().find(|symbol| symbol.is_control() && *symbol != '\n');
        assert_eq!(bad, None, "{arguments:?}: {said:?}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_minus_stands_for_standard_input_and_output() {
    let kif = "手合割：平手\n1 ７六歩(77)\n".as_bytes();
    let csa = yomikiri(&["convert", "-", "-", "--to", "csa"], kif);
    assert_eq!(text(&csa.stdout), "V2.2\nPI\n+\n+7776FU\n", "{}", text(&csa.stderr));
    for arguments in [&["show", "-"][..], &["show", "--file", "-"]] {
        assert!(text(&yomikiri(arguments, kif).stdout).contains("▲７六歩"), "{arguments:?}");
    }
    let folder = folder("standard");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let solved = yomikiri(&["solve", "-", "--proof", &path("p.json")], MATE.as_bytes());
    assert!(text(&solved.stdout).contains("mate in 1"), "{}", text(&solved.stderr));
    let verified = yomikiri(&["verify", "-"], &fs::read(path("p.json")).unwrap());
    assert!(text(&verified.stdout).contains("-: mate"), "{}", text(&verified.stderr));
    let seen = yomikiri(&["eval", "-"], b"startpos moves 7g7f\n");
    assert!(text(&seen.stdout).contains("white to move"), "{}", text(&seen.stdout));
    let analysed = yomikiri(&["analyse", "-", "--nodes", "100", "--out", &path("out")], kif);
    assert!(analysed.status.success(), "{}", text(&analysed.stderr));
    assert!(folder.join("out/stdin.json").exists());
    let nothing = yomikiri(&["convert", "-", "-", "--to", "csa"], b"foo:bar\n");
    assert!(!nothing.status.success() && nothing.stdout.is_empty());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_unwritable_target_fails_before_the_work() {
    let folder = folder("unwritable");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    // The input is not there either: who looks at the target first does not say so.
    let (missing, target) = (path("missing.kif"), path("no-folder/x.csa"));
    for arguments in [
        &["convert", &missing, &target][..],
        &["show", "--file", &missing, "-o", &path("no-folder/x.svg")],
        &["solve", MATE, "--proof", &target],
        &["solve", MATE, "--kif", &target],
        &["openings", "--count", "1", "--out", &target],
    ] {
        let output = yomikiri(arguments, b"");
        let said = text(&output.stderr);
        assert!(!output.status.success() && said.contains("there is no folder"), "{said}");
        assert!(output.stdout.is_empty(), "{arguments:?}: {}", text(&output.stdout));
    }
    assert!(!folder.join("no-folder").exists());
    fs::remove_dir_all(folder).unwrap();
}
