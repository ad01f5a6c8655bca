//! The commands `show`, `convert` and `perft`, as a user calls them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn yomikiri(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomikiri")).args(arguments).output().unwrap()
}

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("yomikiri-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const KIF: &str =
    "手合割：平手\n先手：甲\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n";

#[test]
fn perft_ends_with_its_count() {
    for extra in [&[][..], &["--no-bulk"], &["--divide"]] {
        let output = yomikiri(&[&["perft", "3"], extra].concat());
        assert!(output.status.success());
        assert_eq!(text(&output.stdout).lines().last(), Some("nodes 25470"));
    }
    let output = yomikiri(&["perft", "1", "--sfen", "9/9 b - 1"]);
    assert!(!output.status.success() && text(&output.stderr).contains("9/9"));
}

#[test]
fn show_prints_and_draws() {
    let output = yomikiri(&["show", "startpos", "moves", "7g7f"]);
    let shown = text(&output.stdout);
    assert!(
        shown.contains("|v香v桂v銀v金v玉v金v銀v桂v香|一") && shown.contains("▲７六歩"),
        "{shown}"
    );
    let folder = folder("show");
    let (png, svg) = (folder.join("a.png"), folder.join("a.svg"));
    for path in [&png, &svg] {
        assert!(yomikiri(&["show", "-o", path.to_str().unwrap()]).status.success());
    }
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    assert!(fs::read_to_string(&svg).unwrap().starts_with("<svg"));
    let again = yomikiri(&["show", "-o", png.to_str().unwrap()]);
    assert!(!again.status.success() && text(&again.stderr).contains("--force"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn convert_a_file_and_refuse_to_overwrite() {
    let folder = folder("convert");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::write(path("a.kif"), KIF).unwrap();
    assert!(yomikiri(&["convert", &path("a.kif"), &path("a.csa")]).status.success());
    let csa = fs::read_to_string(path("a.csa")).unwrap();
    assert!(csa.contains("N+甲") && csa.contains("+7776FU\n-3334FU"), "{csa}");
    fs::write(path("b.kif"), "x").unwrap();
    let refused = yomikiri(&["convert", &path("a.csa"), &path("b.kif")]);
    assert!(!refused.status.success());
    assert_eq!(fs::read(path("b.kif")).unwrap(), b"x");
    assert!(yomikiri(&["convert", &path("a.csa"), &path("b.kif"), "--force"]).status.success());
    // The name says Shift-JIS or UTF-8; both are read.
    assert!(yomikiri(&["convert", &path("b.kif"), &path("c.psv")]).status.success());
    assert_eq!(fs::read(path("c.psv")).unwrap().len(), 80);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn convert_a_folder_names_the_bad_file_and_goes_on() {
    let folder = folder("folder");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::create_dir_all(folder.join("in/deep")).unwrap();
    fs::write(path("in/a.kif"), KIF).unwrap();
    fs::write(path("in/deep/b.csa"), "PI\n+\n+7776FU\n/\nPI\n+\n+2726FU\n").unwrap();
    fs::write(path("in/bad.csa"), "PI\n+\n+7775FU\n%TORYO\n+2726FU\n").unwrap();
    fs::write(path("in/notes.md"), "hello").unwrap();
    let output = yomikiri(&["convert", &path("in"), &path("out"), "--to", "kifu"]);
    assert!(!output.status.success());
    let said = text(&output.stderr);
    assert!(said.contains("bad.csa") && said.contains("line 5"), "{said}");
    let mut found: Vec<String> = Vec::new();
    for part in ["out", "out/deep"] {
        for entry in fs::read_dir(path(part)).unwrap() {
            found.push(entry.unwrap().file_name().to_string_lossy().into_owned());
        }
    }
    found.sort();
    assert_eq!(found, ["a.kifu", "b-0001.kifu", "b-0002.kifu", "deep"]);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn convert_keeps_the_good_games_of_a_file_and_names_the_bad_one() {
    let folder = folder("lines");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::write(path("games.tsv"), "startpos moves 7g7f\tB\nstartpos moves 7g7e\tB\nstartpos\tD\n")
        .unwrap();
    let output = yomikiri(&["convert", &path("games.tsv"), &path("games.usi")]);
    let said = text(&output.stderr);
    assert!(!output.status.success() && said.contains("line 2"), "{said}");
    assert_eq!(fs::read_to_string(path("games.usi")).unwrap().lines().count(), 2);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn convert_reads_a_file_of_lines_in_several_encodings() {
    let folder = folder("encodings");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let mut lines = b"startpos moves 7g7f\tB\t\t\xe7\x94\xb2\t\t\t\t\n".to_vec();
    // 先手 in Shift-JIS, then bytes of no encoding in a move.
    lines.extend_from_slice(b"startpos moves 2g2f\tB\t\t\x90\xe6\x8e\xe8\t\t\t\t\n");
    lines.extend_from_slice(b"startpos moves \xff\xff\tB\n");
    lines.extend_from_slice(b"startpos moves 7g7f 3c3d\tW\n");
    fs::write(path("games.tsv"), lines).unwrap();
    let output = yomikiri(&["convert", &path("games.tsv"), &path("games.csa")]);
    let said = text(&output.stderr);
    assert!(!output.status.success() && said.contains("line 3"), "{said}");
    assert!(
        said.contains("3 games converted") && said.contains("1 game could not be read"),
        "{said}"
    );
    let csa = fs::read_to_string(path("games.csa")).unwrap();
    assert!(csa.contains("N+甲") && csa.contains("N+先手") && csa.contains("-3334FU"), "{csa}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn convert_never_writes_two_records_into_one_file() {
    let folder = folder("twins");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::create_dir_all(folder.join("in")).unwrap();
    fs::write(path("in/a.kif"), KIF).unwrap();
    fs::write(path("in/a.csa"), "PI\n+\n+2726FU\n").unwrap();
    let output = yomikiri(&["convert", &path("in"), &path("out"), "--to", "jkf", "--force"]);
    let said = text(&output.stderr);
    assert!(!output.status.success() && said.contains("from another record"), "{said}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_packed_record_is_read_by_every_command() {
    let folder = folder("packed");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::write(path("a.kif"), KIF).unwrap();
    assert!(yomikiri(&["convert", &path("a.kif"), &path("b.kif.zst")]).status.success());
    let packed = path("b.kif.zst");
    assert!(fs::read(&packed).unwrap().starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    let shown = yomikiri(&["show", "--file", &packed]);
    assert!(text(&shown.stdout).contains("△３四歩"), "{}", text(&shown.stderr));
    let solved = yomikiri(&["solve", "--json", "--nodes", "100", &packed]);
    assert!(text(&solved.stdout).contains("\"id\":\"b\""), "{}", text(&solved.stderr));
    let analysed = ["analyse", &packed, "--nodes", "100", "--out", &path("out")];
    let analysed = yomikiri(&analysed);
    assert!(analysed.status.success(), "{}", text(&analysed.stderr));
    assert!(folder.join("out/b.json").exists());
    let played = yomikiri(&["play", "--file", &packed, "--lang", "en"]);
    assert!(played.status.success(), "{}", text(&played.stderr));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn convert_says_what_is_lost_file_by_file_and_strict_refuses() {
    let folder = folder("losses");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::create_dir(folder.join("in")).unwrap();
    let tree = format!("{KIF}*好手\n\n変化：1手\n1 ２六歩(27)\n");
    fs::write(path("in/tree.kif"), &tree).unwrap();
    fs::write(path("in/plain.kif"), KIF).unwrap();
    for (target, lost) in [
        ("x.csa", "csa cannot hold 1 variation\n"),
        ("x.tsv", "tsv cannot hold 1 variation, 1 line of comments\n"),
        ("x.usi", "usi cannot hold 1 variation, 1 line of comments, the header 先手\n"),
    ] {
        let strict = yomikiri(&["convert", "--strict", &path("in/tree.kif"), &path(target)]);
        assert!(!strict.status.success() && text(&strict.stderr).ends_with(lost));
        assert!(!folder.join(target).exists());
        let said = yomikiri(&["convert", &path("in/tree.kif"), &path(target)]);
        assert!(said.status.success());
        let said = text(&said.stderr);
        assert!(said.contains("tree.kif") && said.contains(lost), "{said}");
    }
    let said = yomikiri(&["convert", "--strict", &path("in"), &path("out"), "--to", "csa"]);
    assert!(!said.status.success());
    assert!(text(&said.stderr).contains("1 of 2 files could not be converted"));
    assert!(folder.join("out/plain.csa").exists() && !folder.join("out/tree.csa").exists());
    let whole = yomikiri(&["convert", "--strict", &path("in/tree.kif"), &path("x.jkf")]);
    assert_eq!(text(&whole.stderr), "1 game converted\n");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_empty_input_does_not_become_an_empty_file() {
    let folder = folder("empty");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    for name in ["a.usi", "a.psv", "a.tsv", "a.hcpe", "a.sfen"] {
        fs::write(path(name), "").unwrap();
        let output = yomikiri(&["convert", &path(name), &path("out.csa")]);
        assert!(!output.status.success(), "{name}");
        assert!(!folder.join("out.csa").exists(), "{name}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn text_that_is_no_record_is_refused() {
    let folder = folder("no-record");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    fs::write(path("foo.kif"), "foo:bar\n").unwrap();
    fs::copy(readme, path("readme.kif")).unwrap();
    let random: Vec<u8> =
        (0..9999u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(path("random.kif"), random).unwrap();
    for name in ["foo.kif", "readme.kif", "random.kif"] {
        let output = yomikiri(&["convert", &path(name), &path("out.csa")]);
        assert!(!output.status.success(), "{name}");
        assert!(!folder.join("out.csa").exists(), "{name}");
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn missing_folders_are_not_created_unasked() {
    let folder = folder("missing-folder");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::write(path("a.kif"), KIF).unwrap();
    for (target, to) in [("no/a.csa", None), ("no/out/", Some("csa"))] {
        let (input, target) = (path("a.kif"), path(target));
        let mut arguments = vec!["convert", &input, &target];
        arguments.extend(to.map(|_| "--to").into_iter().chain(to));
        assert!(!yomikiri(&arguments).status.success(), "{arguments:?}");
        assert!(!folder.join("no").exists(), "{arguments:?}");
    }
    let (input, out) = (path("a.kif"), path("no/results"));
    let analysed = yomikiri(&["analyse", &input, "--nodes", "100", "--out", &out]);
    assert!(!analysed.status.success() && !folder.join("no").exists());
    // A folder that is named as the target is made.
    assert!(yomikiri(&["convert", &path("a.kif"), &path("out/"), "--to", "csa"]).status.success());
    assert!(folder.join("out/a.csa").exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn gzip_is_read_and_written() {
    let folder = folder("gzip");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::write(path("a.kif"), KIF).unwrap();
    assert!(yomikiri(&["convert", &path("a.kif"), &path("b.kif.gz")]).status.success());
    assert!(fs::read(path("b.kif.gz")).unwrap().starts_with(&[0x1f, 0x8b]));
    assert!(yomikiri(&["convert", &path("b.kif.gz"), &path("b.csa")]).status.success());
    assert!(fs::read_to_string(path("b.csa")).unwrap().contains("-3334FU"));
    let shown = yomikiri(&["show", "--file", &path("b.kif.gz")]);
    assert!(text(&shown.stdout).contains("△３四歩"), "{}", text(&shown.stderr));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn board_diagrams_are_shown_and_solved() {
    let folder = folder("bod");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::write(path("a.sfen"), "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1\n").unwrap();
    let made = yomikiri(&["convert", "--strict", &path("a.sfen"), &path("a.bod")]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let shown = yomikiri(&["show", "--file", &path("a.bod")]);
    assert!(text(&shown.stdout).contains("4k4/9/4P4/9/9/9/9/9/9 b"), "{}", text(&shown.stderr));
    let solved = yomikiri(&["solve", &path("a.bod")]);
    assert!(text(&solved.stdout).contains("mate in 1"), "{}", text(&solved.stderr));
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_and_not_replaced() {
    use std::os::unix::fs::FileTypeExt;
    let folder = folder("device");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::write(path("a.kif"), KIF).unwrap();
    let output = yomikiri(&["convert", &path("a.kif"), "/dev/full", "--to", "csa", "--force"]);
    assert!(!output.status.success() && text(&output.stderr).contains("cannot write /dev/full"));
    assert!(fs::metadata("/dev/full").unwrap().file_type().is_char_device());
    let output = yomikiri(&["convert", &path("a.kif"), "/dev/null", "--to", "csa"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    fs::remove_dir_all(folder).unwrap();
}
