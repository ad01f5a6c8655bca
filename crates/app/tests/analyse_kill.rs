//! An analysis that is killed again and again comes to the same results as one that is not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const YOMIKIRI: &str = env!("CARGO_BIN_EXE_yomikiri");

const GAMES: &str = "startpos moves 7g7f 3c3d 8h2b+ 3a2b\n\
                     startpos moves 2g2f 8c8d 2f2e 8d8e\n\
                     startpos moves 7g7f 8c8d 7i6h 3c3d\n";

fn command(games: &Path, out: &Path, at_once: usize) -> Command {
    let mut command = Command::new(YOMIKIRI);
    command.arg("analyse").arg(games).args(["--nodes", "300", "--out"]).arg(out);
    command.arg("-j").arg(at_once.to_string());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// The finished results: every file that counts, by name.
fn results(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(out) else { return BTreeMap::new() };
    entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_string_lossy().into_owned();
            (name.ends_with(".json") && name != "plan.json")
                .then(|| Some((name, std::fs::read(&path).ok()?)))?
        })
        .collect()
}

#[test]
fn killed_analyses_go_on_without_loss() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analyse-kill");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let games = folder.join("games.usi");
    std::fs::write(&games, GAMES).expect("it can be written");
    let whole = folder.join("whole");
    assert!(command(&games, &whole, 2).status().expect("it runs").success());
    assert_eq!(results(&whole).len(), 3);
    let broken = folder.join("broken");
    let mut kept = BTreeMap::new();
    for (run, appends) in ["0.5", "1", "1"].into_iter().enumerate() {
        let mut killed = command(&games, &broken, 1);
        killed.env("YOMIKIRI_ABORT_AFTER_APPENDS", appends);
        assert!(!killed.status().expect("it runs").success(), "{run}");
        let now = results(&broken);
        assert!(kept.iter().all(|(name, bytes)| now.get(name) == Some(bytes)), "{run}");
        kept = now;
    }
    assert!(command(&games, &broken, 2).status().expect("it runs").success());
    assert_eq!(results(&broken), results(&whole));
}

#[test]
fn another_record_of_the_same_name_is_analysed() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analyse-other");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let (games, out) = (folder.join("game.usi"), folder.join("out"));
    let analysed = |text: &str| {
        std::fs::write(&games, text).expect("it can be written");
        assert!(command(&games, &out, 2).status().expect("it runs").success());
        results(&out)
    };
    let first = analysed("startpos moves 7g7f 3c3d\n");
    let other = analysed("startpos moves 2g2f 8c8d\n");
    assert!(first.len() == 1 && first.keys().eq(other.keys()));
    assert_ne!(first, other);
}

#[test]
fn no_record_and_no_strange_file_is_replaced() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("analyse-kept");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let analyse = |game: &str, extra: &[&str]| {
        let mut command = Command::new(YOMIKIRI);
        command.current_dir(&folder).args(["analyse", game, "--nodes", "100", "--out", "."]);
        command.args(extra).output().expect("the binary is there")
    };
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it is there");
    let kifu = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n";
    std::fs::write(folder.join("game.kifu"), kifu).expect("it can be written");
    for extra in [&[][..], &["--force"]] {
        assert!(!analyse("game.kifu", extra).status.success());
        assert_eq!(read("game.kifu"), kifu);
    }
    std::fs::write(folder.join("other.usi"), "startpos moves 7g7f\n").expect("it can be written");
    std::fs::write(folder.join("other.json"), "{}").expect("it can be written");
    let refused = analyse("other.usi", &[]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--force"));
    assert_eq!(read("other.json"), "{}");
    assert!(analyse("other.usi", &["--force"]).status.success());
    assert!(read("other.json").contains("7g7f"));
    // What an analysis wrote, another one replaces; one that was cut off too.
    std::fs::write(folder.join("other.usi"), "startpos moves 2g2f\n").expect("it can be written");
    std::fs::remove_file(folder.join("other.json")).expect("it was there");
    assert!(analyse("other.usi", &[]).status.success());
    assert!(read("other.json").contains("2g2f"));
}
