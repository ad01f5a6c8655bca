//! Packed input that unpacks to more than the limit is refused by every command that reads
//! packed files.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

const YOMIKIRI: &str = env!("CARGO_BIN_EXE_yomikiri");

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bombs");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A gibibyte and more of zeros, in some 50 kB.
fn bomb() -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    let mut zeros = std::io::repeat(0).take((1 << 30) + 1);
    std::io::copy(&mut zeros, &mut encoder).expect("packed");
    encoder.finish().expect("packed")
}

#[test]
fn a_decompression_bomb_gets_a_clear_error_from_every_command() {
    let folder = folder();
    let bytes = bomb();
    let file = |name: &str| {
        let path = folder.join(name);
        std::fs::write(&path, &bytes).expect("written");
        path.display().to_string()
    };
    let (set, games) = (file("set.jsonl.zst"), file("games.tsv.zst"));
    let (openings, problems) = (file("openings.sfen.zst"), file("problems.sfen.zst"));
    let out = |name: &str| folder.join(name).display().to_string();
    let (weights, csa, results) = (out("weights"), out("games.csa"), out("results"));
    let commands: [&[&str]; 7] = [
        &["go", "solve", &set],
        &["learn", "eval", "--games", &games, "--out", &weights],
        &[
            "match", "-e", "name=a", "-e", "name=b", "-o", &openings, "--nodes", "1", "--out",
            &results,
        ],
        &["lab", "run", "probcut", "--quick", "--games", &games, "--out", &results],
        &["convert", &games, &csa],
        &["solve", &problems],
        &["problems", &problems],
    ];
    for command in commands {
        for (option, limit) in [(&[][..], "1073741824"), (&["--max-input", "2M"], "2097152")] {
            // Far less memory than the bomb needs, and than an unlimited run would take.
            let output = Command::new("sh")
                .args(["-c", "ulimit -v 900000; exec \"$@\"", "sh", YOMIKIRI])
                .args(command)
                .args(option)
                .output()
                .expect("the binary is there");
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code() == Some(1), "{command:?}: {:?} {said}", output.status);
            assert!(said.contains(&format!("larger than the limit of {limit}")), "{said}");
        }
    }
    for path in [&weights, &csa] {
        assert!(!Path::new(path).exists(), "{path}");
    }
}

#[test]
fn a_larger_limit_lets_a_larger_file_through() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("three.sfen.zst");
    let text = "8k/9/7P1/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1\n".repeat(3);
    std::fs::write(&path, zstd::encode_all(text.as_bytes(), 1).expect("packed")).expect("written");
    let solve = |limit: &str| {
        let path = path.display().to_string();
        let arguments = ["solve", "--json", &path, "--max-input", limit];
        Command::new(YOMIKIRI).args(arguments).output().expect("the binary is there")
    };
    assert!(!solve(&(text.len() - 1).to_string()).status.success());
    let output = solve(&text.len().to_string());
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 3);
    assert!(!solve("plenty").status.success());
}
