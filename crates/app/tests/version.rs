//! What a bug report needs: `--version` says which program this is.

use std::process::Command;

#[test]
fn the_version_names_level_commit_and_network() {
    let binary = env!("CARGO_BIN_EXE_yomikiri");
    let output = Command::new(binary).arg("--version").output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let rest = text.strip_prefix(&format!("yomikiri {} (", env!("CARGO_PKG_VERSION")));
    let parts: Vec<&str> = rest.expect("the version").trim_end().split(", ").collect();
    let [level, commit, network] = parts[..] else { panic!("{text}") };
    assert!(level.starts_with("x86-64") || level == std::env::consts::ARCH, "{text}");
    assert!(commit.strip_prefix("commit ").is_some_and(|commit| !commit.is_empty()), "{text}");
    let network = network.strip_prefix("network ").and_then(|text| text.strip_suffix(')'));
    let hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    assert!(network.is_some_and(|sum| sum.len() == 12 && hexadecimal(sum)), "{text}");
}
