//! `yomikiri learn` and `yomikiri eval` from the outside, with a few made-up games.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use yomikiri_shogi::Position;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("yomikiri-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn yomikiri(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yomikiri")).args(arguments).output().unwrap()
}

fn succeeds(arguments: &[&str]) -> String {
    let output = yomikiri(arguments);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {text} {errors}");
    text
}

fn fails(arguments: &[&str]) -> String {
    let output = yomikiri(arguments);
    assert!(!output.status.success(), "{arguments:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Games in which every move is the first that takes something, or else one by a fixed rule.
fn write_games(path: &str) {
    let mut text = String::new();
    for game in 0..40usize {
        let mut position = Position::start();
        text += "startpos moves";
        for ply in 0..40 {
            let moves = position.legal_moves();
            let takes = moves.iter().find(|played| position.piece_on(played.to()).is_some());
            let Some(&played) =
                takes.or_else(|| moves.get((game * 7 + ply * 3) % moves.len().max(1)))
            else {
                break;
            };
            text += &format!(" {played}");
            position.play(played);
        }
        text += "\tB\n";
    }
    std::fs::write(path, text).unwrap();
}

#[test]
fn learning_measuring_and_explaining() {
    let folder = Folder::new("learn");
    let games = folder.file("games.tsv");
    write_games(&games);
    let (patterns, progress) = (folder.file("patterns.txt"), folder.file("progress.bin"));
    let (weights, checkpoint) = (folder.file("weights.bin"), folder.file("run.checkpoint"));
    succeeds(&["learn", "mine", "--games", &games, "--out", &patterns, "--count", "50"]);
    let printed = succeeds(&["learn", "progress", "--games", &games, "--out", &progress]);
    assert!(printed.contains("learned"), "{printed}");
    let train = [
        "learn",
        "eval",
        "--games",
        &games,
        "--out",
        &weights,
        "--from",
        &progress,
        "--patterns",
        &patterns,
        "--checkpoint",
        &checkpoint,
        "--threads",
        "2",
    ];
    succeeds(&train);
    assert!(Path::new(&checkpoint).exists());
    // A finished run that is started again writes the same weights, and over no other file.
    let written = std::fs::read(&weights).unwrap();
    succeeds(&train);
    assert_eq!(std::fs::read(&weights).unwrap(), written);
    let mut elsewhere = train;
    elsewhere[5] = &games;
    assert!(fails(&elsewhere).contains("--force"));
    for extra in [None, Some("--quiescence")] {
        let mut measure = vec!["learn", "agreement", "--games", &games, "--weights", &weights];
        measure.extend(extra);
        measure.extend(["--limit", "5"]);
        let printed = succeeds(&measure);
        let words: Vec<&str> = printed.lines().last().unwrap().split(' ').collect();
        assert_eq!([words[0], words[2], words[4], words[6]], ["top1", "top3", "top5", "positions"]);
        let share = |word: &str| word.parse::<f64>().unwrap();
        assert!(share(words[1]) <= share(words[3]) && share(words[3]) <= share(words[5]));
        assert!(share(words[7]) > 50.0);
    }
    let printed = succeeds(&["eval", "startpos", "--weights", &weights]);
    assert!(printed.contains("king-file") && printed.contains("progress"), "{printed}");
    assert!(printed.lines().last().unwrap().starts_with("value 0 "), "{printed}");
}

#[test]
fn positions_are_the_same_after_an_abort_and_in_shards() {
    let folder = Folder::new("positions");
    let make = |out: &str, more: &[&str]| -> Vec<String> {
        let base = [
            "learn",
            "positions",
            "--out",
            out,
            "--units",
            "3",
            "--games-per-unit",
            "1",
            "--nodes",
            "50",
            "--set",
            "Evaluation=material",
        ];
        base.iter().chain(more).map(|word| word.to_string()).collect()
    };
    let run = |args: &[String]| {
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        succeeds(&words)
    };
    let collect = |out: &str| {
        let file = format!("{out}.psv");
        run(&make(out, &["--collect", &file]));
        std::fs::read(file).unwrap()
    };
    let [whole, broken, shards] = ["whole", "broken", "shards"].map(|name| folder.file(name));
    assert!(run(&make(&whole, &["--threads", "2"])).contains("3 of 3 units finished"));
    let expected = collect(&whole);
    assert!(expected.len() > 40 * 50);
    let mut aborted = Command::new(env!("CARGO_BIN_EXE_yomikiri"));
    aborted.args(make(&broken, &[])).env("YOMIKIRI_ABORT_AFTER_APPENDS", "1");
    assert!(!aborted.output().unwrap().status.success());
    run(&make(&broken, &["--threads", "1"]));
    assert_eq!(collect(&broken), expected);
    for shard in ["1/2", "0/2"] {
        run(&make(&shards, &["--shard", shard]));
    }
    assert_eq!(collect(&shards), expected);
}

#[test]
fn probabilities_and_book() {
    let folder = Folder::new("counts");
    let games = folder.file("games.tsv");
    write_games(&games);
    let (table, book) = (folder.file("table.tsv"), folder.file("book.db"));
    succeeds(&["learn", "move-probability", "--games", &games, "--out", &table]);
    assert!(std::fs::read_to_string(&table).unwrap().contains("recapture"));
    succeeds(&["learn", "book", "--games", &games, "--out", &book, "--least", "1"]);
    assert!(std::fs::read_to_string(&book).unwrap().starts_with("#YANEURAOU-DB2016"));
}

#[test]
fn a_policy_is_learned_taken_up_again_and_measured() {
    let folder = Folder::new("policy");
    let games = folder.file("games.tsv");
    write_games(&games);
    let (config, saved) = (folder.file("config.toml"), folder.file("run"));
    std::fs::write(&config, "bits = 10\npositions = 64\nbatch = 8\n").unwrap();
    let learn = |out: &str, extra: &[&str]| {
        let base = ["learn", "policy", "--games", &games, "--config", &config, "--out", out];
        succeeds(&[&base[..], extra].concat())
    };
    let (whole, again) = (folder.file("whole.policy"), folder.file("again.policy"));
    learn(&whole, &["--threads", "1"]);
    // What is saved at the end is the end: the second run has nothing left to do.
    learn(&again, &["--threads", "2", "--checkpoint", &saved]);
    assert!(learn(&again, &["--checkpoint", &saved]).contains("0 steps"));
    let table = |path: &str| std::fs::read(path).unwrap();
    assert_eq!(table(&whole), table(&again));
    let said = succeeds(&["learn", "policy-agreement", "--games", &games, "--policy", &again]);
    assert!(said.contains("top1") && said.contains("categories"), "{said}");
    let error = fails(&["learn", "policy-agreement", "--games", &games, "--policy", &games]);
    assert!(error.contains("not a file of the move policy"), "{error}");
}

#[test]
fn files_are_replaced_only_with_force_and_asked_for_before_the_work() {
    let folder = Folder::new("kept");
    // The games are read after the files were looked at: these cannot be.
    let (games, out) = (folder.file("none.tsv"), folder.file("kept.bin"));
    std::fs::write(&out, "mine").unwrap();
    let below_a_file = format!("{out}/weights.bin");
    for action in ["eval", "stage", "progress", "mine", "move-probability", "book", "policy"] {
        let run = |extra: &[&str]| fails(&[&["learn", action, "--games", &games], extra].concat());
        let error = run(&["--out", &out]);
        assert!(error.contains("kept.bin") && error.contains("--force"), "{action}: {error}");
        assert!(run(&["--out", &below_a_file]).contains("kept.bin"), "{action}");
        assert!(run(&["--out", &out, "--force"]).contains("none.tsv"), "{action}");
    }
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "mine");
}

#[test]
fn bad_input_is_refused_with_words() {
    let folder = Folder::new("refused");
    let games = folder.file("games.tsv");
    write_games(&games);
    let (out, config) = (folder.file("weights.bin"), folder.file("config.toml"));
    let error = fails(&["learn", "eval", "--games", &folder.file("none.tsv"), "--out", &out]);
    assert!(error.contains("none.tsv"), "{error}");
    std::fs::write(&config, "stepp = 2.0\n").unwrap();
    let error = fails(&["learn", "eval", "--games", &games, "--out", &out, "--config", &config]);
    assert!(error.contains("stepp"), "{error}");
    let error = fails(&["eval", "startpos", "--weights", &games]);
    assert!(error.contains("not a weights file"), "{error}");
    assert!(!Path::new(&out).exists());
    let error = fails(&["eval", "4k4/9/9/9/9/9/9/9/4K3 b - 1"]);
    assert!(error.contains("position"), "{error}");
}

#[test]
fn a_network_is_learned_stopped_and_taken_up_again() {
    let folder = Folder::new("network");
    let games = folder.file("games.tsv");
    write_games(&games);
    let scored = std::fs::read_to_string(&games).unwrap().replace("\tB\n", &scores());
    std::fs::write(&games, scored).unwrap();
    let config = folder.file("config.toml");
    let text = "[architecture]\nl2 = 8\nl3 = 8\n[optimizer]\nbatch = 64\npositions = 640\n\
                [validation]\nshare = 5\nevery = 200\n[data]\nshuffle = 150\n";
    std::fs::write(&config, text).unwrap();
    let (out, saved) = (folder.file("network.nn"), folder.file("run.checkpoint"));
    let learn = ["learn", "network", "--config", &config, "--data", &games, "--out", &out];
    let printed = succeeds(&[&learn[..], &["--threads", "1"]].concat());
    assert!(printed.contains("640 positions"), "{printed}");
    let whole = std::fs::read(&out).unwrap();
    let sidecar = std::fs::read_to_string(folder.file("network.json")).unwrap();
    assert!(sidecar.contains("K+P 256x2-8-8-1") && !sidecar.contains(&games), "{sidecar}");
    assert!(fails(&learn).contains("--force"));
    // No minute is no step but the first.
    let broken = [&learn[..], &["--force", "--checkpoint", &saved]].concat();
    succeeds(&[&broken[..], &["--minutes", "0"]].concat());
    assert_ne!(std::fs::read(&out).unwrap(), whole);
    succeeds(&[&broken[..], &["--threads", "2"]].concat());
    assert_eq!(std::fs::read(&out).unwrap(), whole);
    let error = fails(&["learn", "network", "--out", &folder.file("other.nn")]);
    assert!(error.contains("--data"), "{error}");
}

/// The columns after the moves of a game of 40 plies: result, opening plies and scores.
fn scores() -> String {
    let scores: Vec<String> = (0..36).map(|ply| (ply * 37 % 400 - 200).to_string()).collect();
    format!("\tB\t4\t{}\n", scores.join(","))
}
