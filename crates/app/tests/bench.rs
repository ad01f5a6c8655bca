//! `yomikiri bench` counts the nodes that bench/signature.txt says.

use std::process::Command;

const SIGNATURE: &str = include_str!("../../../bench/signature.txt");

#[test]
fn the_node_sum_is_the_one_on_record() {
    let line = SIGNATURE.lines().find(|line| line.starts_with("search ")).unwrap();
    let sum = line.split(' ').nth(1).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_yomikiri")).arg("bench").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().any(|line| line == format!("{sum} nodes")), "{text}");
}
