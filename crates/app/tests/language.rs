//! One language for the whole program.

use std::process::{Command, Output};

fn run(locale: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    command.env("LC_ALL", locale).args(arguments);
    command.output().expect("the binary is there")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn help_follows_the_system_and_the_option_wins() {
    for (locale, arguments, japanese) in [
        ("ja_JP.UTF-8", &["--help"][..], true),
        ("C.UTF-8", &["--help"], false),
        ("C.UTF-8", &["--lang", "ja", "--help"], true),
        ("ja_JP.UTF-8", &["--lang=en", "--help"], false),
        ("ja_JP.UTF-8", &["play", "--help"], true),
    ] {
        let help = text(&run(locale, arguments).stdout);
        assert_eq!(help.contains("使い方"), japanese, "{arguments:?}: {help}");
        assert_eq!(help.contains("Usage"), !japanese, "{arguments:?}: {help}");
    }
    let help = text(&run("ja_JP.UTF-8", &["--help"]).stdout);
    assert!(help.contains("囲碁の捕獲問題を解く") && help.contains("詰将棋を解く"), "{help}");
    assert!(help.contains("ヘルプを表示する") && !help.contains("Print help"), "{help}");
    assert!(help.contains("コマンド:") && !help.contains("Commands:"), "{help}");
    let play = text(&run("ja_JP.UTF-8", &["play", "--help"]).stdout);
    assert!(play.contains("秒読み（秒）") && play.contains("［既定値：5］"), "{play}");
    assert!(play.contains("yomikiri play --level 3"), "{play}");
}

#[test]
fn faults_of_the_command_line_are_said_in_japanese() {
    let said = |arguments: &[&str]| {
        let output = run("ja_JP.UTF-8", arguments);
        assert!(!output.status.success());
        text(&output.stderr)
    };
    assert!(said(&["sovle"]).contains("「sovle」というコマンドはありません"));
    assert!(said(&["play", "--levle", "3"]).contains("「--levle」という引数はありません"));
    assert!(said(&["play", "--level", "99"]).contains("に「99」は指定できません"));
    assert!(said(&["--lang", "fr", "show"]).contains("に「fr」は指定できません"));
}

#[test]
fn errors_are_said_in_the_language_of_the_player() {
    let missing = ["show", "--file", "no-such-game.kif"];
    let japanese = text(&run("ja_JP.UTF-8", &missing).stderr);
    assert!(japanese.contains("no-such-game.kif を読めません"), "{japanese}");
    let analysed = text(&run("ja_JP.UTF-8", &["analyse", "no-such-game.kif"]).stderr);
    assert!(analysed.contains("no-such-game.kif を読めません"), "{analysed}");
    assert!(!std::path::Path::new("analysis").exists(), "nothing is made for nothing");
    let english = text(&run("C.UTF-8", &missing).stderr);
    assert!(english.contains("cannot read no-such-game.kif"), "{english}");
    let position = text(&run("C.UTF-8", &["show", "nonsense", "--lang", "ja"]).stderr);
    assert!(position.contains("局面を読めません"), "{position}");
}

#[test]
fn a_position_is_shown_in_words_that_the_reader_knows() {
    let show = |arguments: &[&str]| {
        let moves = ["show", "startpos", "moves", "7g7f", "3c3d", "8h2b+"];
        text(&run("C.UTF-8", &[&moves[..], arguments].concat()).stdout)
    };
    let japanese = show(&["--lang", "ja"]);
    assert!(japanese.contains("後手番") && japanese.contains("手数＝3 ▲２二角成 まで"));
    let english = show(&[]);
    assert!(english.contains("White to move"), "{english}");
    assert!(english.contains("after move 3, ▲２二角成"), "{english}");
    let western = show(&["--pieces", "western"]);
    assert!(western.is_ascii() && western.contains("after move 3, Bx2b+"), "{western}");
}

#[test]
fn no_command_is_explained_by_another_of_its_name() {
    let help = |arguments: &[&str]| text(&run("ja_JP.UTF-8", arguments).stdout);
    let go = help(&["go", "--help"]);
    assert!(go.contains("捕獲問題を解く") && !go.contains("詰将棋"), "{go}");
    assert!(help(&["learn", "--help"]).contains("ボナンザメソッド"));
    let solve = help(&["solve", "--help"]);
    assert!(solve.contains("余詰を探す") && !solve.contains("既定値：false"), "{solve}");
}
